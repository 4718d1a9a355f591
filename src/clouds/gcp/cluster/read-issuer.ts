import { quote, quoteWhole } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { urlProblem } from "../../../oidc/issuer-url.ts";
import type { Report } from "../../cloud.ts";
import { defaultUniverse, type GcpIdentity, type KeyStorage } from "./cluster.ts";
import { bucketNameProblem } from "./resource-names.ts";

/** Where the keys are, and the issuer that follows from it. */
export interface IssuerReading {
  readonly keyStorage: KeyStorage;
  readonly bucket: string | undefined;
  /** Undefined if a finding is an error. */
  readonly url: string | undefined;
}

const base = "spec.platform.gcp";

/**
 * Reads where the keys are and what the issuer is. A provider has exactly one issuer, and its URL never needs to change:
 * a bucket and a provider with keys have the same URL.
 */
export function readIssuer(identity: GcpIdentity, report: Report): IssuerReading {
  const { gcp, issuer, prefix } = identity;
  const keyStorage = gcp.keyStorage ?? defaults["spec.platform.gcp.keyStorage"];
  checkPrevious(issuer.previous, report);
  if (keyStorage === "External") {
    if (gcp.bucket !== undefined) {
      const message = `"${base}.bucket" is set, but the key storage "External" has no bucket; remove the field or change "${base}.keyStorage".`;
      report("error", "hosting-contradiction", `${base}.bucket`, message);
    }
    return { keyStorage, bucket: undefined, url: externalUrl(issuer.url, report) };
  }
  const bucket = gcp.bucket ?? `${prefix}-oidc`;
  const computed = `https://storage.${gcp.universeDomain ?? defaultUniverse}/${bucket}`;
  if (keyStorage === "PoolJWKFile" && issuer.url !== undefined)
    return { keyStorage, bucket: undefined, url: checked(issuer.url, report) };
  checkBucketName(bucket, gcp.bucket === undefined, keyStorage === "PoolJWKFile", report);
  if (keyStorage === "PoolJWKFile") {
    const message = `Google Cloud reads the keys from the provider, but the issuer ${quoteWhole(computed)} is a bucket that does not belong to the cluster. If someone else creates that bucket, they can impersonate the cluster to other services that read the keys from the issuer's URL. If you use the tokens for such services, set "spec.issuer.url" to a URL that you own.`;
    report("info", "issuer-unclaimed", "spec.issuer.url", message);
    return { keyStorage, bucket: undefined, url: computed };
  }
  if (issuer.url !== undefined && issuer.url !== computed) {
    const message = `"spec.issuer.url" is ${quoteWhole(issuer.url)}, but with the key storage "Bucket" the issuer is ${quoteWhole(computed)}. Remove the URL, or set "${base}.keyStorage" to "PoolJWKFile" or "External".`;
    return { keyStorage, bucket, url: report("error", "issuer-contradiction", "spec.issuer.url", message) };
  }
  return { keyStorage, bucket, url: computed };
}

function checkPrevious(previous: readonly string[], report: Report): void {
  if (previous.length === 0) return;
  const message = `"spec.issuer.previous" is set, but a provider of Google Cloud trusts exactly one issuer. Remove the field, and set "spec.issuer.url" to the issuer that the cluster uses now.`;
  report("error", "previous-issuer-unsupported", "spec.issuer.previous", message);
}

function externalUrl(url: string | undefined, report: Report): string | undefined {
  if (url !== undefined) return checked(url, report);
  const message = `"spec.issuer.url" is required for the key storage "External": the URL from which Google Cloud reads the discovery document and the keys.`;
  return report("error", "config-missing-field", "spec.issuer.url", message);
}

// Tokens contain the issuer verbatim, and a URL parser could resolve an ambiguous URL to another host.
function checked(url: string, report: Report): string | undefined {
  const problem = urlProblem(url);
  if (problem === undefined) return url;
  const message = `"spec.issuer.url" is ${quoteWhole(url)}, which ${problem}.`;
  return report("error", "config-invalid-field", "spec.issuer.url", message);
}

function checkBucketName(bucket: string, isDefault: boolean, isOnlyName: boolean, report: Report): void {
  const problem = bucketNameProblem(bucket);
  if (problem === undefined) return;
  const field = isDefault ? "spec.resourcePrefix" : `${base}.bucket`;
  const what = isOnlyName
    ? "the issuer's URL contains the name of a bucket, although the package creates none, and that name"
    : "the bucket's name";
  const flag = isDefault ? ' ("ccf init" sets it with --bucket)' : "";
  const message = `${what} ${quote(bucket)} ${problem}; set "${base}.bucket" to another name${flag}.`;
  report("error", "bucket-name-invalid", field, message);
}
