import type { Finding } from "../../../core/finding.ts";
import { canonicalJson, readJson } from "../../../core/json.ts";
import { isMap, textAt, type Value, valueAt } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type Glob, intersects } from "../../../permissions/glob.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import type { Atom, Permissions } from "../../../permissions/permissions.ts";
import { type OwnCluster, type PermissionTerms, undecidedGrants } from "../../../permissions/terms.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { requestedIdentity } from "../../permissions.ts";
import { formFindings, readSpec } from "../../request.ts";
import { awsRole } from "../cluster/cluster.ts";
import { awsRequestForm, overrideFor } from "../identities/request.ts";
import { isKnownOperator, isStringOperator, policyVariable } from "./condition-operators.ts";
import { managedPolicies, policyPermissions, requestedPermissions } from "./permissions.ts";

/** How AWS writes permissions (IAM User Guide, "AWS JSON policy elements: Action", "... Resource"). */
export const awsTerms: PermissionTerms = {
  example: "ec2:DeleteVolume",
  separator: ":",
  nameForm: /^[A-Z][A-Za-z0-9]+$/,
  actionsIgnoreCase: true,
  hasDenials: true,
  actionForm: /^(?:\*|[A-Za-z0-9*?-]+:[A-Za-z0-9*?]+)$/,
  // Only AWS knows the value of a policy variable.
  appliesTo: (resource, named) =>
    intersects(resource.replace(/\$\{[^}]*\}/g, "*"), named) ||
    (intersects("arn:*", named) ? false : "the name of the resource is not an ARN"),
  isKnownOperator,
  onlyReads: (action) => reading.test(action),
  isBeyond: (resource, own) => !isNamed(resource, own),
  isLimit: ({ operator, key, values, meaning }, action, own) => {
    const isTag = /^[a-z0-9-]+:resourcetag\//.test(key) || (key.startsWith("aws:requesttag/") && isCreating(action));
    if (!isTag) return false;
    if (meaning?.holds === "present") return isOwnTag(key, own);
    if (!isStringOperator(operator, "any")) return false;
    return isOwnTag(key, own) || (values.length > 0 && values.every((value) => isOrContinuesName(value, own)));
  },
  isOutside: ({ operator, key, meaning }, own) =>
    /^[a-z0-9-]+:resourcetag\//.test(key) &&
    isOwnTag(key, own) &&
    (meaning?.holds === "absent" || isStringOperator(operator, "none")),
  describeBeyond: (resources) => `neither a name nor a condition on a tag limits ${resources} to the cluster`,
};

// The verbs to which the Service Authorization Reference gives the access levels List and Read, with few exceptions.
const reading = /^[a-z0-9-]+:(?:Describe|List|Get|BatchGet|Head|Lookup|Search|Simulate)/i;

// A name as a whole identifies a resource: of S3, the bucket. Otherwise a name that begins with the cluster's limits it.
function isNamed(resource: Glob, own: OwnCluster): boolean {
  const [, , service, , , ...rest] = resource.split(":");
  const name = rest.join(":");
  if (name === "" || name.includes(policyVariable)) return false;
  const whole = service === "s3" ? (name.split("/")[0] ?? "") : name;
  // A part that equals the cluster's name may be a type: loadbalancer/app/*.
  return !/[*?]/.test(whole) || name.split(/[/:]/).some((part) => continuesName(part, own));
}

// Whether a text continues a name of the cluster after a separator: "demo-*" for "demo", not "demo*".
function continuesName(text: string, { names }: OwnCluster): boolean {
  return names.some((name) => text.startsWith(name) && /^[-_.]/.test(text.slice(name.length)));
}

function isOrContinuesName(text: string, own: OwnCluster): boolean {
  return own.names.includes(text) || continuesName(text, own);
}

// The name of a tag that contains the cluster's: kubernetes.io/cluster/<infrastructure name>. Keys are in lowercase.
function isOwnTag(key: string, own: OwnCluster): boolean {
  const tag = key.slice(key.indexOf("/") + 1);
  const names = own.names.map((name) => name.toLowerCase());
  return isOrContinuesName(tag.slice(tag.lastIndexOf("/") + 1), { ...own, names });
}

// The tags of a request limit what is created. They do not limit whose tags are changed.
function isCreating(action: Glob): boolean {
  return (
    /^[a-z0-9-]+:(?:Create|Run|Allocate|Import|Copy)/i.test(action) &&
    !/^[a-z0-9-]+:create(?:or)?[a-z]*tags/i.test(action)
  );
}

/**
 * What a CredentialsRequest for AWS requests. A statement of an unknown form is undecided, not lost.
 *
 * @param config the cluster's, which may have overrides for this request's identity.
 */
export function awsRequestIdentity(request: SelectedRequest, config?: Identity): CloudIdentity {
  const { managedPolicyARNs = [], serviceAccountNames } = overrideFor(config, request.secretKey);
  const { statementEntries, unread } = readSpec(request.value, awsRequestForm);
  const permissions = [
    ...requestedPermissions(statementEntries),
    ...managedPolicies(managedPolicyARNs),
    ...unread.flatMap(undecidedGrants),
  ];
  return requestedIdentity(awsRole, request, permissions, serviceAccountNames);
}

/** The findings of a render about a request's effects: IAM accepts only "Allow" and "Deny", in this spelling. */
export function effectFindings(request: SelectedRequest): Finding[] {
  return formFindings(request, awsRequestForm).filter(({ field = "" }) =>
    /^spec\.providerSpec\.statementEntries\[\d+\]\.effect$/.test(field),
  );
}

/** The field of a request that requests a part of its permissions; without a part, the list of its statements. */
export function fieldOfRequest(request: Value, part: Atom | undefined): string {
  const base = "spec.providerSpec.statementEntries";
  if (part === undefined) return base;
  for (const [index, entry] of readSpec(request, awsRequestForm).statementEntries.entries()) {
    const actions = isMap(entry) && entry["resource"] === part.resource ? entry["action"] : undefined;
    const at = Array.isArray(actions) ? (actions as readonly Value[]).indexOf(part.action) : -1;
    if (at >= 0) return `${base}[${index}].action[${at}]`;
  }
  return base;
}

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
