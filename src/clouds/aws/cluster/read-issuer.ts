import type { Resource } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import { urlProblem } from "../../../oidc/url-text.ts";
import { configTexts } from "../../../openshift/config-object.ts";
import { isDistributionDomain } from "../issuer/distribution.ts";
import { withoutScheme } from "./arn.ts";
import { bucketNameProblem } from "./bucket-name.ts";
import type { Hosting } from "./cluster.ts";
import type { Partition } from "./partition.ts";
import type { AwsIdentity } from "./platform.ts";
import type { Report } from "./report.ts";

/** Where the documents are published, as the config says. */
export function readHosting(identity: AwsIdentity, report: Report): Hosting {
  const { aws, prefix } = identity;
  const given = aws.issuerHosting ?? {};
  const type = given.type ?? "S3Public";
  const base = "spec.platform.aws.issuerHosting";
  for (const name of ["distributionDomain", "domain", "certificateARN"] as const) {
    if (given[name] === undefined || type === "S3CloudFront") continue;
    report(
      "error",
      "hosting-contradiction",
      `${base}.${name}`,
      `"${base}.${name}" is for the type "S3CloudFront", and the type is "${type}"; remove one of them.`,
    );
  }
  if (type === "S3CloudFront" && (given.domain === undefined) !== (given.certificateARN === undefined)) {
    report(
      "error",
      "hosting-contradiction",
      base,
      `"${base}": a domain of your own needs "domain" and "certificateARN" together.`,
    );
  }
  if (type === "External") {
    if (given.bucket !== undefined) {
      report(
        "error",
        "hosting-contradiction",
        `${base}.bucket`,
        `"${base}.bucket" is for a bucket of this cluster, and the type is "External"; remove one of them.`,
      );
    }
    return { type };
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
  if (type === "S3Public") return { type, bucket };
  const { domain, certificateARN: certificateArn } = given;
  return {
    type,
    bucket,
    distributionDomain: given.distributionDomain ?? domainOf(identity.issuer.url),
    own: domain === undefined || certificateArn === undefined ? undefined : { domain, certificateArn },
  };
}

// An issuer's URL may say which domain AWS gave.
function domainOf(url: string | undefined): string | undefined {
  const domain = url === undefined ? "" : withoutScheme(url);
  return isDistributionDomain(domain) ? domain : undefined;
}

/** What only a distribution needs of the account: an endpoint of CloudFront, and a certificate where CloudFront looks. */
export function checkDistribution(
  identity: AwsIdentity,
  hosting: Hosting,
  region: string,
  partition: Partition,
  report: Report,
): void {
  if (hosting.type !== "S3CloudFront") return;
  const base = "spec.platform.aws.issuerHosting";
  if (!partition.cloudFront) {
    const message = `"${base}.type" is "S3CloudFront", and CloudFront has no endpoint in the partition ${quote(partition.id)} of the region ${quote(region)}; use "S3Public", or "External" with "spec.issuer.url".`;
    report("error", "cloudfront-not-available", `${base}.type`, message);
  }
  if (hosting.own === undefined) return;
  // Amazon CloudFront Developer Guide, "Requirements for using SSL/TLS certificates with CloudFront".
  const start = `arn:${partition.id}:acm:${partition.id === "aws" ? "us-east-1" : region}:${identity.aws.accountID}:certificate/`;
  if (hosting.own.certificateArn.startsWith(start)) return;
  const field = `${base}.certificateARN`;
  const message = `"${field}" is ${quoteWhole(hosting.own.certificateArn)}, and must begin with "${start}": the cluster's account, and where CloudFront looks for certificates.`;
  report("error", "arn-mismatch", field, message);
}

/** The issuer: what follows from the hosting, or what the config or the cluster's Authentication says. */
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
  if (hosting.type === "External") {
    if (url === undefined) return liveIssuer(items, report);
    return checkWritten("spec.issuer.url", url, report) ? url : undefined;
  }
  const domain =
    hosting.type === "S3Public"
      ? `${hosting.bucket}.s3.${region}.${partition.dnsSuffix}`
      : (identity.aws.issuerHosting?.domain ?? hosting.distributionDomain);
  if (domain === undefined) return unknownIssuer(identity.issuer, report);
  const computed = `https://${domain}`;
  if (url !== undefined && url !== computed) {
    return report(
      "error",
      "issuer-contradiction",
      "spec.issuer.url",
      `"spec.issuer.url" is ${quoteWhole(url)}, but documents that are hosted this way make the issuer ${quoteWhole(computed)}; leave the URL out, or set the hosting type to "External".`,
    );
  }
  return computed;
}

// Tokens name an issuer as it is written, and a reader of URLs may ask another place.
function checkWritten(field: string, url: string, report: Report, subject = `"${field}" is`): boolean {
  const problem = urlProblem(url);
  if (problem === undefined) return true;
  report("error", "config-invalid-field", field, `${subject} ${quoteWhole(url)}, which ${problem}.`);
  return false;
}

function unknownIssuer({ url, previous }: AwsIdentity["issuer"], report: Report): undefined {
  const base = "spec.platform.aws.issuerHosting";
  if (url !== undefined) {
    const message = `"spec.issuer.url" is ${quoteWhole(url)}, a domain of your own, and a distribution answers to it only with "${base}.domain" and its "certificateARN"; set both.`;
    return report("error", "issuer-contradiction", "spec.issuer.url", message);
  }
  const emitted =
    previous.length === 0
      ? "Only bucket, access control and distribution are emitted, and no Secret, no role and no Authentication."
      : `Roles trust the issuers in "spec.issuer.previous" alone, and the Authentication that was rendered stays.`;
  const message = `the issuer is not known yet: CloudFront gives the distribution its domain when it is made. ${emitted} Apply the distribution, set "${base}.distributionDomain" to the domain that is printed, and render again.`;
  return report("warning", "issuer-unknown", base, message);
}

function liveIssuer(items: readonly Resource[], report: Report): string | undefined {
  const [url, other] = configTexts(items, "Authentication", ["spec", "serviceAccountIssuer"]);
  if (other !== undefined) {
    return report(
      "error",
      "authentication-repeated",
      "spec.issuer.url",
      `the Authentication "cluster" stands more than once in the package, with the issuers ${quoteWhole(url ?? "")} and ${quoteWhole(other)}; remove the one that is wrong, or set "spec.issuer.url".`,
    );
  }
  if (url === undefined) {
    return report(
      "error",
      "config-missing-field",
      "spec.issuer.url",
      `"spec.issuer.url" is required for the hosting type "External", unless the list holds the Authentication "cluster" with an issuer.`,
    );
  }
  if (
    url.length <= 255 &&
    /^https:\/\/[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?(?:\/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-])?$/.test(url)
  ) {
    return checkWritten("spec.issuer.url", url, report, `the Authentication "cluster" has the issuer`)
      ? url
      : undefined;
  }
  return report(
    "error",
    "config-invalid-field",
    "spec.issuer.url",
    `the Authentication "cluster" has the issuer ${quote(url)}, and an issuer must be an https:// URL in lower case without port, query, fragment or slash at the end.`,
  );
}
