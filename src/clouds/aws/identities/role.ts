import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { compactJson } from "../../../core/json.ts";
import { describe, type Resource, refOf } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { AWSOverride } from "../../../generated/cluster-identity.ts";
import { secretKeyOf } from "../../../requests/credentials-request.ts";
import { roleArn } from "../cluster/arn.ts";
import { type AwsCluster, trustedIssuers } from "../cluster/cluster.ts";
import { type PolicyDocument, permissionsPolicy, policySize, trustPolicy } from "./policy.ts";
import type { AwsRequest } from "./request.ts";
import { longestRoleName, roleName } from "./role-name.ts";

/** The IAM role of one request. */
export interface AwsRole {
  readonly request: AwsRequest;
  readonly name: string;
  readonly arn: string;
  readonly description: string;
  readonly trust: PolicyDocument;
  readonly permissions: PolicyDocument;
  /** The policies as the AWS API takes them: JSON without white space. */
  readonly trustText: string;
  readonly permissionsText: string;
  readonly managedPolicyArns: readonly string[];
}

// IAM and AWS STS quotas.
const trustQuota = 2048;
const trustMaximum = 8192;
const inlineMaximum = 10240;

/** The role of a request, unless one of the findings is an error. */
export function roleFor(
  cluster: AwsCluster,
  request: AwsRequest,
): { role: AwsRole | undefined; findings: readonly Finding[] } {
  const { resource, secretNamespace, secretName, override } = request;
  const findings: Finding[] = [];
  const name = nameOfRole(cluster, secretNamespace, secretName, override);
  if (name === undefined) {
    const full = `${cluster.prefix}-${secretNamespace}-${secretName}`;
    const message = `its role's name ${quote(full)} has ${full.length} characters, and IAM allows ${longestRoleName}. Set "${overflowField}" to "Hash", or give it a name: ${roleNameField(request.secretKey)}.`;
    findings.push(finding("error", "role-name-too-long", message, { resource }));
  }
  const audiences = cluster.requireAudience ? cluster.audiences : undefined;
  const trust = trustPolicy(trustedIssuers(cluster), request.subjects, audiences);
  const { policy: permissions, rewritten } = permissionsPolicy(request.statements, cluster.partition);
  if (rewritten.length > 0) {
    const message = `names resources of the partition "aws"; in the role they are of "${cluster.partition}".`;
    findings.push(finding("info", "partition-rewritten", message, { resource }));
  }
  const trustText = compactJson(trust);
  const permissionsText = compactJson(permissions);
  findings.push(...sizeFindings(request, trustText, permissionsText));
  if (name === undefined || hasError(findings)) return { role: undefined, findings };
  const role: AwsRole = {
    request,
    name,
    arn: roleArn(cluster, cluster.rolePath, name),
    description: `OpenShift role for ${secretNamespace}/${secretName}`,
    trust,
    permissions,
    trustText,
    permissionsText,
    managedPolicyArns: [...(override.managedPolicyARNs ?? [])].sort(),
  };
  return { role, findings };
}

/** The name of the role for a Secret: the config's, else the computed one; undefined where that is too long. */
export function nameOfRole(
  { prefix, nameOverflow }: AwsCluster,
  secretNamespace: string,
  secretName: string,
  override: AWSOverride,
): string | undefined {
  return override.roleName ?? roleName(prefix, secretNamespace, secretName, nameOverflow);
}

const overflowField = "spec.platform.aws.roles.nameOverflow";

function roleNameField(secretKey = "<secret namespace>/<secret name>"): string {
  return `"roleName" in "spec.platform.aws.overrides" for ${quoteWhole(secretKey)}`;
}

function sizeFindings(request: AwsRequest, trust: string, permissions: string): Finding[] {
  const { resource, secretNamespace, secretName } = request;
  const found: Finding[] = [];
  // White space does not count: what is short with it need not be counted without.
  if (trust.length <= trustQuota && permissions.length <= inlineMaximum) return found;
  const trustSize = policySize(trust);
  if (trustSize > trustMaximum) {
    const message = `its trust policy has ${trustSize} characters, and IAM allows ${trustMaximum} at most. Name fewer service accounts, in "spec.serviceAccountNames" of the request or "serviceAccountNames" in "spec.overrides" for ${quoteWhole(`${secretNamespace}/${secretName}`)}.`;
    found.push(finding("error", "policy-too-large", message, { resource }));
  } else if (trustSize > trustQuota) {
    const message = `its trust policy has ${trustSize} characters; above ${trustQuota} the account's quota "Role trust policy length" must be raised first.`;
    found.push(finding("warning", "policy-over-quota", message, { resource }));
  }
  const size = policySize(permissions);
  if (size > inlineMaximum) {
    const message = `its permissions have ${size} characters, and IAM allows ${inlineMaximum} for the inline policies of a role. Shorten "spec.providerSpec.statementEntries" of the request, such as with wildcards in actions.`;
    found.push(finding("error", "policy-too-large", message, { resource }));
  }
  return found;
}

/**
 * A role whose name IAM takes for that of one before it: it does not tell names apart by case.
 *
 * @param names who has which name, in lower case; this role is added.
 */
export function roleCollision(name: string, resource: Resource, names: Map<string, Resource>): Finding[] {
  const key = name.toLowerCase();
  const other = names.get(key);
  if (other === undefined) {
    names.set(key, resource);
    return [];
  }
  // Two requests of one Secret have one cause and one cure, which selection has said: no name of a role would help.
  const secretKey = secretKeyOf(resource.value());
  if (secretKey !== undefined && secretKeyOf(other.value()) === secretKey) return [];
  const both = `${describe(refOf(other))} and ${describe(refOf(resource))}`;
  const message = `${both} would have the same role ${quote(name)}, and the second one's permissions would replace the first one's. Set "${overflowField}" to "Hash", or give one of them another name: ${roleNameField(secretKey)}.`;
  return [finding("error", "role-name-collision", message, { resource })];
}
