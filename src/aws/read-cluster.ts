import { type Finding, hasError } from "../core/finding.ts";
import type { Resource } from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { providerArn, withoutScheme } from "./arn.ts";
import type { AwsCluster, Hosting, Tag } from "./cluster.ts";
import type { Partition } from "./partition.ts";
import { readHosting, readIssuerUrl } from "./read-issuer.ts";
import { readPartition, readRegion } from "./read-region.ts";
import { type Report, reportTo } from "./report.ts";
import { clusterTags } from "./tags.ts";

/** What a reading of the cluster yields: its value, unless there is an error among the findings. */
export interface ClusterReading {
  readonly cluster: AwsCluster | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Narrows a ClusterIdentity for AWS to a value that needs no further checks.
 *
 * @param items the list, for what the config leaves to it: the region of Infrastructure/cluster, and for an External
 *   issuer without URL the issuer of Authentication/cluster.
 */
export function readAwsCluster(identity: Identity, items: readonly Resource[]): ClusterReading {
  const findings: Finding[] = [];
  const report = reportTo(findings, identity.resource);
  const region = readRegion(identity, items, report);
  const partition = region === undefined ? undefined : readPartition(identity, region, report);
  const hosting = readHosting(identity, report);
  const { tags, problems } = clusterTags(identity.prefix, identity.aws.tags ?? {});
  for (const problem of problems) report("error", "tag-invalid", "spec.platform.aws.tags", problem);
  if (region === undefined || partition === undefined) return { cluster: undefined, findings };
  const url = readIssuerUrl(identity, hosting, region, partition, items, report);
  checkArns(identity, url, { partition: partition.id, accountId: identity.aws.accountID }, report);
  if (url === undefined || hasError(findings)) return { cluster: undefined, findings };
  return { cluster: compose(identity, { region, partition, hosting, url, tags }), findings };
}

interface Parts {
  readonly region: string;
  readonly partition: Partition;
  readonly hosting: Hosting;
  readonly url: string;
  readonly tags: readonly Tag[];
}

function compose(identity: Identity, { region, partition, hosting, url, tags }: Parts): AwsCluster {
  const { aws, issuer } = identity;
  const { roles = {}, secret = {} } = aws;
  const account = { partition: partition.id, accountId: aws.accountID };
  const trusted = (one: string) => ({ url: one, providerArn: providerArn(account, one) });
  return {
    ...account,
    name: identity.name,
    prefix: identity.prefix,
    region,
    dnsSuffix: partition.dnsSuffix,
    hosting,
    issuer: aws.identityProviderARN === undefined ? trusted(url) : { url, providerArn: aws.identityProviderARN },
    previousIssuers: [...new Set(issuer.previous)].filter((one) => one !== url).map(trusted),
    providerIsGiven: aws.identityProviderARN !== undefined,
    audiences: issuer.audiences,
    thumbprints: [...new Set((aws.thumbprints ?? []).map((one) => one.toLowerCase()))],
    tokenPath: identity.tokenPath,
    tags,
    rolePath: roles.path ?? "/",
    nameOverflow: roles.nameOverflow ?? "Truncate",
    permissionsBoundaryArn: roles.permissionsBoundaryARN,
    maxSessionDuration: roles.maxSessionDuration ?? 3600,
    requireAudience: roles.requireAudience ?? false,
    secretEncoding: secret.encoding ?? "stringData",
    includeRegion: secret.includeRegion ?? false,
  };
}

interface Account {
  readonly partition: string;
  readonly accountId: string;
}

function checkArns(identity: Identity, url: string | undefined, account: Account, report: Report): void {
  const { aws } = identity;
  const base = "spec.platform.aws";
  checkPolicyArn(aws.roles?.permissionsBoundaryARN, account, `${base}.roles.permissionsBoundaryARN`, report);
  for (const [key, { managedPolicyARNs = [] }] of Object.entries(aws.overrides ?? {})) {
    for (const arn of managedPolicyARNs)
      checkPolicyArn(arn, account, `${base}.overrides.${key}.managedPolicyARNs`, report);
  }
  if (url !== undefined) checkProvider(identity, url, account, report);
}

// Policies may be AWS's own: then the ARN has "aws" in the place of the account.
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
    `"${field}" is ${quoteWhole(arn)}, and must begin with "${own}", the cluster's partition and account.`,
  );
}

function checkProvider({ aws }: Identity, url: string, account: Account, report: Report): void {
  const arn = aws.identityProviderARN;
  if (arn === undefined) return;
  const expected = providerArn(account, url);
  if (arn === expected) return;
  const field = "spec.platform.aws.identityProviderARN";
  report(
    "error",
    "arn-mismatch",
    field,
    `"${field}" is ${quoteWhole(arn)}, but the provider of the issuer ${quoteWhole(withoutScheme(url))} in this account is ${quoteWhole(expected)}; roles that trust another would trust nobody.`,
  );
}
