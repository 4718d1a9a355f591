import { type Glob, intersects } from "../../../permissions/glob.ts";
import type { OwnCluster, PermissionTerms } from "../../../permissions/terms.ts";
import { isKnownOperator, isStringOperator, policyVariable } from "./condition-operators.ts";

/** How AWS writes permissions (IAM User Guide, "AWS JSON policy elements: Action", "... Resource"). */
export const awsTerms: PermissionTerms = {
  example: "ec2:DeleteVolume",
  actionsIgnoreCase: true,
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
