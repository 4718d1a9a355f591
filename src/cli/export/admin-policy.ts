import { unboundedSid } from "../../clouds/aws/cluster/admin-policy.ts";
import { clusterBundlePath } from "../../clouds/aws/cluster/cluster-bundle.ts";
import type { Finding } from "../../core/finding.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { fileFinding } from "../files/package-files.ts";
import type { ExportedFile } from "./export-files.ts";

const policyPath = "aws/admin-policy.json";

const boundaryField = "spec.platform.aws.roles.permissionsBoundaryARN";

/** A warning where the policy for the administrator who applies an export allows anything in the account. */
export function adminPolicyFindings(files: readonly ExportedFile[]): Finding[] {
  const policy = files.find(({ path }) => path === policyPath);
  if (policy === undefined || !statesUnbounded(JSON.parse(policy.text))) return [];
  const message = `holds admin-policy.json, the policy for the administrator who applies this, without a permissions boundary: an administrator with this policy can create roles and policies, and so do anything in the account. Set "${boundaryField}" to limit it.`;
  return [{ ...fileFinding("warning", "admin-policy-unbounded", clusterBundlePath, message), field: boundaryField }];
}

function statesUnbounded(policy: Value): boolean {
  const statements = isMap(policy) ? policy["Statement"] : undefined;
  return Array.isArray(statements) && statements.some((one) => isMap(one) && one["Sid"] === unboundedSid);
}
