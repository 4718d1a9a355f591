import { guarded } from "../../../core/allowances.ts";
import { type Finding, hasError } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { type Checked, type Report, reportTo } from "../../cloud.ts";
import { prefixChange } from "../../rendered-before.ts";
import { roleOverrides } from "../identities/request.ts";
import { type AwsFacts, factsBefore } from "../rendered/facts.ts";
import { type AwsCluster, type AwsIdentity, defaultAudiences, type Hosting, type Tag } from "./cluster.ts";
import { checkDistribution, previousIssuer, readHosting, readIssuerUrl } from "./read-issuer.ts";
import { type Partition, readPartition, readRegion } from "./regions.ts";
import { clusterTags, providerArn, withoutScheme } from "./resource-names.ts";

/**
 * Narrows a ClusterIdentity for AWS to a value that needs no further checks.
 *
 * @param items the package's items, for values that the config may omit: the region from Infrastructure/cluster and, for
 *   an External issuer without URL, the issuer from Authentication/cluster.
 */
export function readAwsCluster(identity: AwsIdentity, items: readonly Resource[]): Checked<AwsCluster> {
  const findings: Finding[] = [];
  const report = reportTo(findings, identity.resource);
  const region = readRegion(identity, items, report);
  const partition = region === undefined ? undefined : readPartition(identity, region, report);
  const hosting = readHosting(identity, report);
  const before = factsBefore(items);
  findings.push(
    ...prefixChange(identity, { prefix: before.resourcePrefix, name: before.name }),
    ...accountChange(identity, before),
    ...rolePathChange(identity, before),
    ...workloadPathChange(identity, before),
  );
  const { tags, problems } = clusterTags(identity, identity.aws.tags ?? {});
  for (const problem of problems) report("error", "tag-invalid", "spec.platform.aws.tags", problem);
  const ofWorkloads = clusterTags(identity, { ...identity.aws.tags, ...identity.workloads?.aws?.tags });
  if (problems.length === 0)
    for (const problem of ofWorkloads.problems) report("error", "tag-invalid", "spec.workloads.aws.tags", problem);
  if (region === undefined || partition === undefined) return { value: undefined, findings };
  checkDistribution(identity, hosting, region, partition, report);
  const url = readIssuerUrl(identity, hosting, region, partition, items, report);
  checkArns(identity, url, { partition: partition.id, accountId: identity.aws.accountID }, report);
  if (hasError(findings)) return { value: undefined, findings };
  const cluster = compose(identity, { region, partition, hosting, url, tags, workloadTags: ofWorkloads.tags });
  checkPreviousBuckets(cluster, report);
  return hasError(findings) ? { value: undefined, findings } : { value: cluster, findings };
}

function checkPreviousBuckets(cluster: AwsCluster, report: Report): void {
  const { hosting, previousIssuers } = cluster;
  if (hosting.distribution === undefined) return;
  for (const trustedIssuer of previousIssuers) {
    if (previousIssuer(cluster, trustedIssuer).bucket !== hosting.bucket) continue;
    const field = "spec.platform.aws.issuerHosting.bucket";
    const message = `the bucket ${quote(hosting.bucket)} contains the documents of the previous issuer ${quoteWhole(trustedIssuer.url)} and would become private. AWS would then refuse every token of that issuer. Set "${field}" to another name.`;
    report("error", "hosting-contradiction", field, message);
  }
}

// Every Secret contains a role's ARN, and a role in another account is a different role.
function accountChange(identity: AwsIdentity, { account: before }: AwsFacts): Finding[] {
  const { accountID } = identity.aws;
  if (before === undefined || before === accountID) return [];
  const field = "spec.platform.aws.accountID";
  const message = `the account is ${quote(accountID)}, but the package was rendered for ${quote(before)}. Every Secret would name a role in ${quote(accountID)}, and the cluster would lose access to the roles that it uses. Correct "${field}", or create a new package for a cluster in another account.`;
  return [guarded(identity, "removal", "account-changed", message, { resource: identity.resource, field })];
}

// IAM cannot move a role, and role names are unique in an account: a role cannot exist under a new path until the old one
// is deleted.
function rolePathChange(identity: AwsIdentity, { rolePath: before }: AwsFacts): Finding[] {
  const path = identity.aws.roles?.path ?? defaults["spec.platform.aws.roles.path"];
  if (before === undefined || before === path) return [];
  const field = "spec.platform.aws.roles.path";
  const message = `the path of roles is ${quoteWhole(path)}, but the package was rendered with ${quoteWhole(before)}. Every Secret would name a role that cannot be created while the role that the cluster uses exists. Set "${field}" to ${quoteWhole(before)}.`;
  return [guarded(identity, "removal", "role-path-changed", message, { resource: identity.resource, field })];
}

function workloadPathChange(identity: AwsIdentity, { workloadPath: before }: AwsFacts): Finding[] {
  const path = identity.workloads?.aws?.path ?? identity.aws.roles?.path ?? defaults["spec.platform.aws.roles.path"];
  if (before === undefined || before === path || identity.workloads === undefined) return [];
  const field = "spec.workloads.aws.path";
  const message = `the path of the roles of workloads is ${quoteWhole(path)}, but the package was rendered with ${quoteWhole(before)}. Every ServiceAccount would name a role that cannot be created while the role that its pods use exists. Set "${field}" to ${quoteWhole(before)}.`;
  return [guarded(identity, "removal", "role-path-changed", message, { resource: identity.resource, field })];
}

interface Parts {
  readonly region: string;
  readonly partition: Partition;
  readonly hosting: Hosting;
  readonly url: string | undefined;
  readonly tags: readonly Tag[];
  readonly workloadTags: readonly Tag[];
}

function compose(identity: AwsIdentity, { region, partition, hosting, url, tags, workloadTags }: Parts): AwsCluster {
  const { aws, issuer } = identity;
  const { roles = {} } = aws;
  const overrides = [...roleOverrides(identity).values()].filter(({ skip }) => skip !== true);
  const account = { partition: partition.id, accountId: aws.accountID };
  const rolePath = roles.path ?? defaults["spec.platform.aws.roles.path"];
  const trusted = (text: string) => ({ url: text, providerArn: providerArn(account, text) });
  return {
    ...account,
    prefix: identity.prefix,
    mark: identity.mark,
    region,
    dnsSuffix: partition.dnsSuffix,
    hosting,
    issuer: url === undefined ? undefined : trusted(url),
    previousIssuers: [...new Set(issuer.previous)].filter((text) => text !== url).map(trusted),
    providerIsGiven: aws.identityProviderARN !== undefined,
    audiences: issuer.audiences ?? defaultAudiences,
    thumbprints: [...new Set((aws.thumbprints ?? []).map((text) => text.toLowerCase()))],
    tokenPath: identity.tokenPath,
    tags,
    rolePath,
    nameOverflow: roles.nameOverflow ?? defaults["spec.platform.aws.roles.nameOverflow"],
    permissionsBoundaryArn: roles.permissionsBoundaryARN,
    maxSessionDuration: roles.maxSessionDuration ?? defaults["spec.platform.aws.roles.maxSessionDuration"],
    requireAudience: roles.requireAudience ?? defaults["spec.platform.aws.roles.requireAudience"],
    secretEncoding: identity.secretEncoding,
    includeRegion: aws.includeRegionInSecret ?? defaults["spec.platform.aws.includeRegionInSecret"],
    givenRoleNames: overrides.flatMap(({ roleName }) => roleName ?? []).sort(),
    managedPolicyArns: [...new Set(overrides.flatMap(({ managedPolicyARNs = [] }) => managedPolicyARNs))].sort(),
    workloads: workloadRoles(identity, rolePath, workloadTags),
  };
}

function workloadRoles(
  { workloads, aws }: AwsIdentity,
  rolePath: string,
  tags: readonly Tag[],
): AwsCluster["workloads"] {
  if (workloads === undefined) return undefined;
  const {
    path = rolePath,
    permissionsBoundaryARN = aws.roles?.permissionsBoundaryARN,
    allowedActions,
    deniedActions,
  } = workloads.aws ?? {};
  return {
    rolePath: path,
    permissionsBoundaryArn: permissionsBoundaryARN,
    tags,
    attachesPolicies: allowedActions === undefined && deniedActions === undefined,
  };
}

interface Account {
  readonly partition: string;
  readonly accountId: string;
}

function checkArns(identity: AwsIdentity, url: string | undefined, account: Account, report: Report): void {
  const { aws } = identity;
  const base = "spec.platform.aws";
  checkPolicyArn(aws.roles?.permissionsBoundaryARN, account, `${base}.roles.permissionsBoundaryARN`, report);
  const ofWorkloads = identity.workloads?.aws?.permissionsBoundaryARN;
  checkPolicyArn(ofWorkloads, account, "spec.workloads.aws.permissionsBoundaryARN", report);
  for (const [key, { managedPolicyARNs = [] }] of Object.entries(aws.overrides ?? {})) {
    for (const arn of managedPolicyARNs)
      checkPolicyArn(arn, account, `${base}.overrides.${key}.managedPolicyARNs`, report);
  }
  if (url !== undefined) checkProvider(identity, url, account, report);
}

// The ARN of a policy that AWS manages has "aws" in place of the account.
function checkPolicyArn(
  arn: string | undefined,
  { partition, accountId }: Account,
  field: string,
  report: Report,
): void {
  if (arn === undefined) return;
  const own = `arn:${partition}:iam::${accountId}:policy/`;
  if (arn.startsWith(own) || arn.startsWith(`arn:${partition}:iam::aws:policy/`)) return;
  report(
    "error",
    "arn-mismatch",
    field,
    `"${field}" is ${quoteWhole(arn)}, but must begin with "${own}", the cluster's partition and account.`,
  );
}

function checkProvider({ aws }: AwsIdentity, url: string, account: Account, report: Report): void {
  const arn = aws.identityProviderARN;
  if (arn === undefined) return;
  const expected = providerArn(account, url);
  if (arn === expected) return;
  const field = "spec.platform.aws.identityProviderARN";
  report(
    "error",
    "arn-mismatch",
    field,
    `"${field}" is ${quoteWhole(arn)}, but the provider of the issuer ${quoteWhole(withoutScheme(url))} in this account is ${quoteWhole(expected)}. Correct the ARN, or remove it to have the provider created.`,
  );
}
