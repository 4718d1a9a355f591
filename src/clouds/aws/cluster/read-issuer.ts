import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { defaults, isIssuerUrl } from "../../../generated/schema-facts.ts";
import { urlProblem } from "../../../oidc/issuer-url.ts";
import { configTexts } from "../../../openshift/config-objects.ts";
import type { Report } from "../../cloud.ts";
import { isDistributionDomain } from "../issuer/distribution.ts";
import type { AwsCluster, AwsIdentity, Hosting, TrustedIssuer } from "./cluster.ts";
import { type Partition, partitions } from "./regions.ts";
import { bucketNameProblem, withoutScheme } from "./resource-names.ts";

const base = "spec.platform.aws.issuerHosting";

/** Reads from the config where the documents are published. */
export function readHosting(identity: AwsIdentity, report: Report): Hosting {
  const { aws, prefix } = identity;
  const given = aws.issuerHosting ?? {};
  const type = given.type ?? defaults[`${base}.type`];
  for (const name of ["distributionDomain", "domain", "certificateARN"] as const) {
    if (given[name] === undefined || type === "S3CloudFront") continue;
    report(
      "error",
      "hosting-contradiction",
      `${base}.${name}`,
      `"${base}.${name}" requires the type "S3CloudFront", but the type is "${type}"; remove the field or change the type.`,
    );
  }
  if (type === "S3CloudFront" && (given.domain === undefined) !== (given.certificateARN === undefined)) {
    report(
      "error",
      "hosting-contradiction",
      base,
      `"${base}": a custom domain requires both "domain" and "certificateARN".`,
    );
  }
  if (type === "External") {
    if (given.bucket !== undefined) {
      report(
        "error",
        "hosting-contradiction",
        `${base}.bucket`,
        `"${base}.bucket" is set, but the type "External" has no bucket; remove the field or change the type.`,
      );
    }
    return { bucket: undefined };
  }
  const bucket = given.bucket ?? `${prefix}-oidc`;
  const problem = bucketNameProblem(bucket);
  if (problem !== undefined) {
    const field = given.bucket === undefined ? "spec.resourcePrefix" : `${base}.bucket`;
    report(
      "error",
      "bucket-name-invalid",
      field,
      `the bucket's name ${quote(bucket)} ${problem}; set "${base}.bucket" to another name.`,
    );
  }
  if (type === "S3Public") return { bucket, distribution: undefined };
  const { domain, certificateARN: certificateArn } = given;
  const distribution = {
    assigned: given.distributionDomain ?? domainOf(identity.issuer.url),
    own: domain === undefined || certificateArn === undefined ? undefined : { domain, certificateArn },
  };
  return { bucket, distribution };
}

// An issuer's URL may contain the domain that AWS assigned.
function domainOf(url: string | undefined): string | undefined {
  const domain = url === undefined ? "" : withoutScheme(url);
  return isDistributionDomain(domain) ? domain : undefined;
}

/** Checks what only a distribution requires: an endpoint of CloudFront, and a certificate where CloudFront looks for it. */
export function checkDistribution(
  identity: AwsIdentity,
  { distribution }: Hosting,
  region: string,
  partition: Partition,
  report: Report,
): void {
  if (distribution === undefined) return;
  if (!partition.cloudFront) {
    const message = `"${base}.type" is "S3CloudFront", but CloudFront has no endpoint in the partition ${quote(partition.id)} of the region ${quote(region)}. Set it to "S3Public", or to "External" with "spec.issuer.url".`;
    report("error", "cloudfront-not-available", `${base}.type`, message);
  }
  if (distribution.own === undefined) return;
  // Amazon CloudFront Developer Guide, "Requirements for using SSL/TLS certificates with CloudFront".
  const start = `arn:${partition.id}:acm:${partition.id === "aws" ? "us-east-1" : region}:${identity.aws.accountID}:certificate/`;
  if (distribution.own.certificateArn.startsWith(start)) return;
  const field = `${base}.certificateARN`;
  const message = `"${field}" is ${quoteWhole(distribution.own.certificateArn)}, but must begin with "${start}": the cluster's account, and the region where CloudFront looks for certificates.`;
  report("error", "arn-mismatch", field, message);
}

/** The issuer, derived from the hosting, or read from the config or the cluster's Authentication. */
export function readIssuerUrl(
  identity: AwsIdentity,
  hosting: Hosting,
  region: string,
  partition: Partition,
  items: readonly Resource[],
  report: Report,
): string | undefined {
  const { url } = identity.issuer;
  for (const [index, one] of identity.issuer.previous.entries())
    checkWritten(`spec.issuer.previous[${index}]`, one, report);
  if (hosting.bucket === undefined) {
    if (url === undefined) return liveIssuer(items, report);
    return checkWritten("spec.issuer.url", url, report) ? url : undefined;
  }
  const domain =
    hosting.distribution === undefined
      ? `${hosting.bucket}.s3.${region}.${partition.dnsSuffix}`
      : (identity.aws.issuerHosting?.domain ?? hosting.distribution.assigned);
  if (domain === undefined) return unknownIssuer(identity.issuer, report);
  const computed = `https://${domain}`;
  if (url !== undefined && url !== computed) {
    return report(
      "error",
      "issuer-contradiction",
      "spec.issuer.url",
      `"spec.issuer.url" is ${quoteWhole(url)}, but with this hosting the issuer is ${quoteWhole(computed)}. Remove the URL, or set the hosting type to "External".`,
    );
  }
  return computed;
}

// Tokens contain the issuer verbatim, and a URL parser could resolve an ambiguous URL to another host.
function checkWritten(field: string, url: string, report: Report, subject = `"${field}" is`): boolean {
  const problem = urlProblem(url);
  if (problem === undefined) return true;
  report("error", "config-invalid-field", field, `${subject} ${quoteWhole(url)}, which ${problem}.`);
  return false;
}

function unknownIssuer({ url, previous }: AwsIdentity["issuer"], report: Report): undefined {
  if (url !== undefined) {
    const message = `"spec.issuer.url" is ${quoteWhole(url)}, a custom domain. A distribution serves a custom domain only if "${base}.domain" and "${base}.certificateARN" are set; set both.`;
    return report("error", "issuer-contradiction", "spec.issuer.url", message);
  }
  const emitted =
    previous.length === 0
      ? "Only the bucket, the access control and the distribution are generated; Secrets, roles and the Authentication are not."
      : `Roles trust only the issuers in "spec.issuer.previous", and the rendered Authentication stays as it is.`;
  const message = `the issuer is not known yet: CloudFront assigns a distribution's domain when the distribution is created. ${emitted} Apply the distribution, set "${base}.distributionDomain" to the domain that "ccf apply" prints, and render again.`;
  return report("warning", "issuer-unknown", base, message);
}

function liveIssuer(items: readonly Resource[], report: Report): string | undefined {
  const [url, other] = configTexts(items, "Authentication", ["spec", "serviceAccountIssuer"]);
  if (other !== undefined) {
    return report(
      "error",
      "authentication-repeated",
      "spec.issuer.url",
      `the Authentication "cluster" appears more than once in the package, with the issuers ${quoteWhole(url ?? "")} and ${quoteWhole(other)}. Remove the wrong one, or set "spec.issuer.url".`,
    );
  }
  if (url === undefined) {
    return report(
      "error",
      "config-missing-field",
      "spec.issuer.url",
      `"spec.issuer.url" is required for the hosting type "External", unless the package contains the Authentication "cluster" with an issuer.`,
    );
  }
  if (isIssuerUrl(url)) {
    return checkWritten("spec.issuer.url", url, report, `the Authentication "cluster" has the issuer`)
      ? url
      : undefined;
  }
  return report(
    "error",
    "config-invalid-field",
    "spec.issuer.url",
    `the Authentication "cluster" has the issuer ${quote(url)}; an issuer must be an https:// URL with a lowercase host and no port, query, fragment or trailing slash.`,
  );
}

/** The resources of a previous issuer, as far as its URL shows them. */
export interface PreviousIssuer {
  readonly providerArn: string;
  /** A public bucket in the cluster's region. */
  readonly bucket: string | undefined;
  /** The domain of what may be one of the cluster's distributions. */
  readonly domain: string | undefined;
}

/** Derives from an issuer's URL where its documents are hosted. */
export function previousIssuer(cluster: AwsCluster, { url, providerArn }: TrustedIssuer): PreviousIssuer {
  const host = withoutScheme(url);
  const end = `.s3.${cluster.region}.${cluster.dnsSuffix}`;
  const bucket = host.endsWith(end) ? host.slice(0, -end.length) : undefined;
  const isBucket = bucket !== undefined && /^[a-z0-9-]+$/.test(bucket);
  const hasDistributions = partitions.some(({ id, cloudFront }) => id === cluster.partition && cloudFront);
  return {
    providerArn,
    bucket: isBucket ? bucket : undefined,
    domain: !isBucket && hasDistributions && /^[a-z0-9.-]+$/.test(host) ? host : undefined,
  };
}
