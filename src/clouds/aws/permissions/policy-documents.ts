import { canonicalJson } from "../../../core/json.ts";
import { readJson } from "../../../core/read-json.ts";
import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Permissions } from "../../../permissions/permissions.ts";
import { policyPermissions } from "./permissions.ts";

/**
 * Reads the output of `aws iam get-account-authorization-details`: the default version of each managed policy, by its ARN. A policy
 * without it has no entry, so it stays unknown.
 *
 * @returns what is wrong with the output, as the end of a sentence; undefined if it is not that output.
 */
export function readPolicyDocuments(
  output: Value,
): ReadonlyMap<string, { readonly text: string; readonly permissions: Permissions }> | string | undefined {
  const policies = valueAt(output, ["Policies"]);
  if (!isMap(output) || !Array.isArray(policies)) return undefined;
  // The command reads all pages, unless an option limits it.
  if (output["IsTruncated"] === true || output["NextToken"] !== undefined)
    return "is incomplete: run the command without --max-items and --no-paginate";
  const found = new Map<string, { text: string; permissions: Permissions }>();
  for (const policy of policies as readonly Value[]) {
    const arn = textAt(policy, ["Arn"]);
    const document = documentOf(policy);
    if (arn === "" || document === undefined) continue;
    found.set(arn, { text: canonicalJson(document), permissions: policyPermissions(document) });
  }
  return found;
}

function documentOf(policy: Value): Value | undefined {
  const versions = valueAt(policy, ["PolicyVersionList"]);
  if (!Array.isArray(versions)) return undefined;
  const [current, ...others] = (versions as readonly Value[]).filter(
    (version) => valueAt(version, ["IsDefaultVersion"]) === true,
  );
  if (current === undefined || others.length > 0) return undefined;
  const document = valueAt(current, ["Document"]);
  // The AWS CLI decodes a document; the API has it as text (IAM API Reference, PolicyVersion).
  if (typeof document !== "string") return isMap(document) ? document : undefined;
  try {
    const reading = readJson(decodeURIComponent(document));
    return "value" in reading && isMap(reading.value) ? reading.value : undefined;
  } catch {
    return undefined;
  }
}
