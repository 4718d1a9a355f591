import { type Finding, finding, hasError } from "../../../core/finding.ts";
import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import { shortHash } from "../../../core/hash.ts";
import { compactJson } from "../../../core/json.ts";
import {
  type Files,
  type GeneratedObject,
  type Resource,
  refOf,
  type Value,
  type ValueMap,
} from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { StatementEntry } from "../../../generated/aws-provider-spec.ts";
import type { AWSOverride } from "../../../generated/cluster-identity.ts";
import { baseName } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { collision, secretOf } from "../../make-identities.ts";
import { identityFacts, identityFile } from "../../rendered.ts";
import { fewerAccounts, type KubernetesServiceAccount } from "../../request.ts";
import { type AwsCluster, maxRoleName, type TrustedIssuer, trustedIssuers } from "../cluster/cluster.ts";
import { inPartition, roleArn, withoutScheme } from "../cluster/resource-names.ts";
import type { RoleSettings } from "../kinds/role.ts";
import { awsBundles } from "../rendered/facts.ts";
import type { AwsRequest } from "./request.ts";

/** The IAM role of one request. */
export interface AwsRole {
  readonly request: AwsRequest;
  readonly name: string;
  readonly arn: string;
  readonly description: string;
  readonly trust: PolicyDocument;
  readonly permissions: PolicyDocument;
  /** The policies in the form of the AWS API: JSON without whitespace. */
  readonly managedPolicyArns: readonly string[];
}

// IAM and AWS STS quotas.
const trustQuota = 2048;
const maxTrust = 8192;
const maxInline = 10240;

/** The role of a request; undefined if one of the findings is an error. */
export function roleFor(
  cluster: AwsCluster,
  request: AwsRequest,
): { role: AwsRole | undefined; findings: readonly Finding[] } {
  const { resource, secretNamespace, secretName, override } = request;
  const findings: Finding[] = [];
  const name = nameOfRole(cluster, secretNamespace, secretName, override);
  if (name === undefined) {
    const full = `${cluster.prefix}-${secretNamespace}-${secretName}`;
    const message = `its role's name ${quote(full)} has ${full.length} characters; IAM allows at most ${maxRoleName}. Set "${overflowField}" to "Hash", or set ${roleNameField(request.secretKey)}.`;
    findings.push(finding("error", "role-name-too-long", message, { resource }));
  }
  const audiences = cluster.requireAudience ? cluster.audiences : undefined;
  const trust = trustPolicy(trustedIssuers(cluster), request.subjects, audiences);
  const { policy: permissions, rewritten } = permissionsPolicy(request.statements, cluster.partition);
  if (rewritten.length > 0) {
    const message = `names resources in the partition "aws"; the role's policy names them in "${cluster.partition}".`;
    findings.push(finding("info", "partition-rewritten", message, { resource }));
  }
  findings.push(...sizeFindings(request, compactJson(trust), compactJson(permissions)));
  if (name === undefined || hasError(findings)) return { role: undefined, findings };
  const role: AwsRole = {
    request,
    name,
    arn: roleArn(cluster, cluster.rolePath, name),
    description: `OpenShift role for ${secretNamespace}/${secretName}`,
    trust,
    permissions,
    managedPolicyArns: [...(override.managedPolicyARNs ?? [])].sort(),
  };
  return { role, findings };
}

/** The name of the role for a Secret: the name in the config, or else the computed one; undefined if that is too long. */
export function nameOfRole(
  { prefix, nameOverflow }: AwsCluster,
  secretNamespace: string,
  secretName: string,
  override: AWSOverride,
): string | undefined {
  return override.roleName ?? roleName(prefix, secretNamespace, secretName, nameOverflow);
}

const overflowField = "spec.platform.aws.roles.nameOverflow";

/** The field of the config that names the role of a Secret, for messages. */
export function roleNameField(secretKey = "<secret namespace>/<secret name>"): string {
  return `"roleName" in "spec.platform.aws.overrides" for ${quoteWhole(secretKey)}`;
}

function sizeFindings(request: AwsRequest, trust: string, permissions: string): Finding[] {
  const { resource } = request;
  const found: Finding[] = [];
  // IAM ignores whitespace, and a policy that fits with its whitespace needs no exact count.
  if (trust.length <= trustQuota && permissions.length <= maxInline) return found;
  const trustSize = policySize(trust);
  if (trustSize > maxTrust) {
    const message = `its trust policy has ${trustSize} characters; IAM allows at most ${maxTrust}. ${fewerAccounts(request)}.`;
    found.push(finding("error", "policy-too-large", message, { resource }));
  } else if (trustSize > trustQuota) {
    const message = `its trust policy has ${trustSize} characters; IAM allows ${trustQuota} by default. Request an increase of the account's quota "Role trust policy length" before you apply.`;
    found.push(finding("warning", "policy-over-quota", message, { resource }));
  }
  const size = policySize(permissions);
  if (size > maxInline) {
    const message = `its permissions policy has ${size} characters; IAM allows at most ${maxInline} for the inline policies of a role. Shorten "spec.providerSpec.statementEntries" of the request, for example with wildcards in actions.`;
    found.push(finding("error", "policy-too-large", message, { resource }));
  }
  return found;
}

/**
 * Reports a role whose name is equal to that of an earlier role for IAM, which ignores case.
 *
 * @param names the requests by role name in lowercase; this role is added.
 */
export function roleCollision(name: string, request: SelectedRequest, names: Map<string, Resource>): Finding[] {
  const rest = `, and the permissions of the second would replace those of the first. Set "${overflowField}" to "Hash", or set ${roleNameField(request.secretKey)} to another name.`;
  return collision(request, name.toLowerCase(), names, { code: "role-name-collision", noun: "role", name, rest });
}

/**
 * The name of a request's role: `<prefix>-<secret namespace>-<secret name>`. A name that is too long for IAM is truncated
 * as ccoctl does it, so that existing clusters keep their roles, or truncated with a hash of the whole name at its end.
 *
 * @returns undefined if the name is too long and `overflow` is `Fail`.
 */
export function roleName(
  prefix: string,
  secretNamespace: string,
  secretName: string,
  overflow: "Truncate" | "Hash" | "Fail",
): string | undefined {
  const full = `${prefix}-${secretNamespace}-${secretName}`;
  if (full.length <= maxRoleName) return full;
  if (overflow === "Fail") return undefined;
  if (overflow === "Truncate") return full.slice(0, maxRoleName);
  const hash = shortHash(full);
  return `${full.slice(0, maxRoleName - hash.length - 1).replace(/[-.]+$/, "")}-${hash}`;
}

/**
 * The bundle of a role: which Secret it is for, its policies, and the AWS CLI's input files that create it, without the
 * policies: the CLI reads those from their own files. What changes a role follows from these, so only an export writes it.
 */
export function roleBundle(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  const { secretNamespace, secretName, resource } = role.request;
  const name = baseName(secretNamespace, secretName);
  return bundle(
    awsBundles.identity(name),
    `${awsBundles.identityName}${name}`,
    roleFiles(cluster, role),
    refOf(resource),
  );
}

// Names and fields are those of the IAM API: `aws iam create-role --cli-input-json file://create-role.json
// --assume-role-policy-document file://trust-policy.json`, and so on.
function roleFiles(cluster: AwsCluster, role: AwsRole): Files {
  const { name: RoleName, trust, permissions, request } = role;
  const created: RoleSettings & { readonly RoleName: string; readonly Tags: AwsCluster["tags"] } = {
    Path: cluster.rolePath,
    RoleName,
    Description: role.description,
    MaxSessionDuration: cluster.maxSessionDuration,
    ...(cluster.permissionsBoundaryArn === undefined ? {} : { PermissionsBoundary: cluster.permissionsBoundaryArn }),
    Tags: cluster.tags,
  };
  const files: Record<string, ValueMap> = {
    [identityFile]: identityFacts(request),
    "trust-policy.json": trust,
    "permissions-policy.json": permissions,
    "create-role.json": created,
    "put-role-policy.json": { RoleName, PolicyName: RoleName },
  };
  for (const PolicyArn of role.managedPolicyArns) files[attachmentName(PolicyArn)] = { RoleName, PolicyArn };
  return jsonFiles(files);
}

// The policy's name for readers, without the characters that a ConfigMap key cannot contain. The hash distinguishes a
// policy of the account from an AWS managed policy of the same name.
function attachmentName(policyArn: string): string {
  const name = policyArn.slice(policyArn.lastIndexOf("/") + 1).replace(/[^A-Za-z0-9_.-]/g, "_");
  return `attach-role-policy-${name}-${shortHash(policyArn)}.json`;
}

/**
 * The Secret of a request: an AWS config file, with which the AWS SDKs exchange the component's token for credentials of
 * its role (AWS SDKs and Tools Reference Guide, "Assume role with web identity"). The content is the same as ccoctl's.
 */
export function credentialsSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  return secretOf(role.request, { credentials: credentialsText(cluster, role) }, cluster.secretEncoding);
}

/**
 * The Secret of an OLM operator's request, with the content that the cloud-credential-operator writes from 4.14 on, byte for
 * byte. It never contains a region, even if the config adds one to the platform's Secrets: otherwise this function and
 * the cloud-credential-operator would keep overwriting each other.
 */
export function operatorSecret(cluster: AwsCluster, role: AwsRole): GeneratedObject {
  return credentialsSecret({ ...cluster, includeRegion: false }, role);
}

function credentialsText(cluster: AwsCluster, { arn, request }: AwsRole): string {
  const region = cluster.includeRegion ? `\nregion = ${cluster.region}` : "";
  return `[default]
sts_regional_endpoints = regional
role_arn = ${arn}
web_identity_token_file = ${request.tokenPath ?? cluster.tokenPath}${region}`;
}

/** The policy language's version (IAM User Guide, "IAM JSON policy elements: Version"). */
const version = "2012-10-17";

/** A policy document, with its elements in the order that AWS uses. */
export interface PolicyDocument extends ValueMap {
  readonly Version: string;
  readonly Statement: readonly ValueMap[];
}

/**
 * The trust policy of a role: only these service accounts can assume it, with tokens from these issuers. One statement
 * for each issuer.
 *
 * @param audiences adds a condition on the token's audience; without it, only the provider's client IDs restrict it.
 */
export function trustPolicy(
  issuers: readonly TrustedIssuer[],
  subjects: readonly KubernetesServiceAccount[],
  audiences: readonly string[] | undefined,
): PolicyDocument {
  const names = subjects.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`);
  return {
    Version: version,
    Statement: issuers.map(({ url, providerArn }) => {
      const issuer = withoutScheme(url);
      return {
        Effect: "Allow",
        Principal: { Federated: providerArn },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            [`${issuer}:sub`]: oneOrMore(names),
            ...(audiences === undefined ? {} : { [`${issuer}:aud`]: oneOrMore(audiences) }),
          },
        },
      };
    }),
  };
}

/**
 * The permissions policy of a role, with one statement for each entry of the request. Condition values keep their types.
 *
 * @returns the policy, and the resources whose partition was changed to the cluster's.
 */
export function permissionsPolicy(
  statements: readonly StatementEntry[],
  partition: string,
): { policy: PolicyDocument; rewritten: readonly string[] } {
  const rewritten: string[] = [];
  const Statement = statements.map(({ effect, action, resource, policyCondition }) => {
    const own = inPartition(resource, "aws", partition);
    if (own !== resource) rewritten.push(resource);
    return {
      Effect: effect,
      Action: oneOrMore(action),
      Resource: own,
      ...(Object.keys(policyCondition ?? {}).length === 0 ? {} : { Condition: policyCondition as ValueMap }),
    };
  });
  return { policy: { Version: version, Statement }, rewritten };
}

function oneOrMore(list: readonly string[]): Value {
  return list.length === 1 ? (list[0] as string) : list;
}

/** The size that IAM measures: characters, without whitespace ("IAM and AWS STS quotas"). */
export function policySize(json: string): number {
  return json.replace(/\s/g, "").length;
}
