import type { Value } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import type { KeyLimits } from "./limits.ts";
import { hostOf, urlProblem } from "./url-text.ts";

/** Where an issuer says that its keys are. */
export interface KeysUrl {
  readonly url: string;
  readonly host: string;
  /**
   * On another host than the issuer. A cloud may go there (AWS does: IAM User Guide, "Obtain the thumbprint for an OpenID Connect identity
   * provider": the provider then needs the thumbprints of both).
   */
  readonly isElsewhere: boolean;
  /** What about it is not documented: goes on where a sentence has named the URL. */
  readonly doubt: string | undefined;
}

/** Judges the `jwks_uri` of a discovery document (OpenID Connect Discovery 1.0, section 3), or says what is wrong with it: after "the document's". */
export function readKeysUrl(
  uri: Value | undefined,
  issuer: string,
  { reader }: KeyLimits,
): KeysUrl | { readonly problem: string } {
  if (uri === undefined) return { problem: `"jwks_uri" is missing, and must be an https URL` };
  if (typeof uri !== "string") return { problem: `"jwks_uri" is ${quote(uri)}, and must be an https URL` };
  if (!uri.startsWith("https://")) return { problem: `"jwks_uri" is ${quoteWhole(uri)}, and must be an https URL` };
  const problem = urlProblem(uri);
  if (problem !== undefined) return { problem: `"jwks_uri" is ${quoteWhole(uri)}, which ${problem}` };
  const { port, search } = new URL(uri);
  const parts = [
    ...(port === "" ? [] : [`the port ${port}`]),
    ...(search === "" && !uri.includes("?") ? [] : ["a query"]),
  ];
  const doubt =
    parts.length === 0 ? undefined : `has ${parts.join(" and ")}, and what ${reader} does then is not documented`;
  const host = hostOf(uri);
  return { url: uri, host, isElsewhere: host !== hostOf(issuer), doubt };
}

/** Where the keys are, in words. */
export function describeKeysUrl({ url, host, isElsewhere }: KeysUrl): string {
  return `${quoteWhole(url)}${isElsewhere ? `, on another host than the issuer: ${quoteWhole(host)}` : ""}`;
}
