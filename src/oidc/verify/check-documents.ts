import type { JsonReading } from "../../core/json.ts";
import { valueAt } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { describeKeysUrl, documentDoubt, readKeysUrl } from "../issuer-documents.ts";
import { readJwks } from "../key-set.ts";
import type { TokenLimits } from "../limits.ts";
import type { Token } from "../token.ts";
import { verifySignature } from "../verify-signature.ts";
import { type Check, failed, notReached, passed, unknown } from "./check.ts";

/** What an issuer publishes, as far as it is available. */
export interface IssuerDocuments {
  /** The issuer that a cloud knows, without `https://`. */
  readonly url: string | undefined;
  readonly discovery: JsonReading | undefined;
}

function publishAgain({ cures }: TokenLimits): string {
  return `publish the rendered document: ${cures.publish}, then \`ccf check-issuer\``;
}

/** Checks the discovery document: it must name the token's issuer and the URL of the keys (OpenID Connect Discovery 1.0, section 4.3). */
export function checkDiscovery({ iss }: Token, provider: IssuerDocuments | undefined, limits: TokenLimits): Check {
  const publish = publishAgain(limits);
  const { documents, otherIssuer } = limits.refusals;
  const fail = (cause: string) => failed("discovery", documents, cause, publish);
  const document = provider?.discovery;
  if (iss === undefined) return notReached("discovery", "the token names no issuer");
  if (document === undefined) {
    const cause = "the discovery document of the token's issuer is not available";
    return unknown("discovery", cause, "fetch it from the issuer and pass it with --discovery");
  }
  if ("problem" in document) return fail(`the discovery document ${document.problem}`);
  const issuer = valueAt(document.value, ["issuer"]);
  if (issuer !== iss) {
    const cause = `the discovery document's "issuer" is ${shown(issuer)}, but the token's is ${quoteWhole(iss)}`;
    // If the document matches its provider, it differs from the token for the same reason as the provider.
    const about = issuer === `https://${provider?.url}` ? "issuer" : undefined;
    return failed("discovery", otherIssuer, cause, publish, about);
  }
  const uri = readKeysUrl(valueAt(document.value, ["jwks_uri"]), iss, limits);
  if ("problem" in uri) return fail(`the discovery document's ${uri.problem}`);
  const detail = `names the token's issuer and its keys at ${describeKeysUrl(uri)}`;
  const doubt = documentDoubt(document.value, limits);
  if (doubt !== undefined) return unknown("discovery", `the discovery document ${doubt}`, publish);
  if (uri.doubt === undefined) return passed("discovery", detail);
  return unknown(
    "discovery",
    `${detail}; the URL ${uri.doubt}`,
    "publish the keys at a URL with only a host and a path",
  );
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : typeof value === "string" ? quoteWhole(value) : quote(value);
}

/** Checks the signature: the key that the token names must have created it, and the issuer must publish that key. */
export async function checkSignature(
  token: Token,
  shape: Check,
  document: JsonReading | undefined,
  limits: TokenLimits,
): Promise<Check> {
  const { documents } = limits.refusals;
  const publish = publishAgain(limits);
  if (shape.status !== "passed") return notReached("signature", "the token's form must be corrected first");
  if (document === undefined) {
    const cause = "the keys of the token's issuer are not available";
    return unknown("signature", cause, "fetch them from the issuer's jwks_uri and pass them with --jwks");
  }
  if ("problem" in document) return failed("signature", documents, `the JWKS ${document.problem}`, publish);
  const keys = readJwks(document.value, limits);
  if (typeof keys === "string") return failed("signature", documents, `the JWKS ${keys}`, publish);
  const { verdict, cause, cure, reason, isDamaged } = await verifySignature(token, keys, limits);
  if (verdict === "valid") return passed("signature", cause);
  if (verdict === "unknown") return unknown("signature", cause, cure);
  const { signature, unusableKey } = limits.refusals;
  const error = reason === "mismatch" ? signature : reason === "unusable" ? unusableKey : limits.refusals.keys(token);
  return failed("signature", error, cause, cure, isDamaged ? undefined : "key");
}
