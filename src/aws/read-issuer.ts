import type { Resource } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { configTexts } from "../openshift/config-object.ts";
import { bucketNameProblem } from "./bucket-name.ts";
import type { Hosting } from "./cluster.ts";
import type { Partition } from "./partition.ts";
import type { Report } from "./report.ts";

/** Where the documents are published, as the config says. */
export function readHosting({ aws, prefix }: Identity, report: Report): Hosting {
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
  return { type, bucket };
}

/** The issuer: what follows from the hosting, or what the config or the cluster's Authentication says. */
export function readIssuerUrl(
  identity: Identity,
  hosting: Hosting,
  region: string,
  partition: Partition,
  items: readonly Resource[],
  report: Report,
): string | undefined {
  const { url } = identity.issuer;
  if (hosting.type === "External") return url ?? liveIssuer(items, report);
  const given = identity.aws.issuerHosting ?? {};
  const domain = given.domain ?? given.distributionDomain;
  const computed =
    hosting.type === "S3Public"
      ? `https://${hosting.bucket}.s3.${region}.${partition.dnsSuffix}`
      : domain && `https://${domain}`;
  if (computed === undefined || computed === "") {
    return (
      url ??
      report(
        "error",
        "issuer-not-known-yet",
        "spec.platform.aws.issuerHosting",
        `the issuer is not known: CloudFront gives the distribution its domain when it is made. Set "distributionDomain", or a "domain" of your own with "certificateARN".`,
      )
    );
  }
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
  )
    return url;
  return report(
    "error",
    "config-invalid-field",
    "spec.issuer.url",
    `the Authentication "cluster" has the issuer ${quote(url)}, and an issuer must be an https:// URL in lower case without port, query, fragment or slash at the end.`,
  );
}
