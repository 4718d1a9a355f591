import { type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { hostOf, urlProblem } from "./issuer-url.ts";
import type { KeyLimits, TokenLimits } from "./limits.ts";

/** The URL that an issuer names for its keys. */
export interface KeysUrl {
  readonly url: string;
  readonly host: string;
  /**
   * Whether the keys are on another host than the issuer. A cloud may fetch them there. AWS does: the provider then needs
   * the thumbprints of both hosts (IAM User Guide, "Obtain the thumbprint for an OpenID Connect identity provider").
   */
  readonly isElsewhere: boolean;
  /** What about the URL has undocumented effects: a predicate for a sentence that begins with the URL. */
  readonly doubt: string | undefined;
}

/**
 * Judges the `jwks_uri` of a discovery document (OpenID Connect Discovery 1.0, section 3).
 *
 * @returns the URL, or the problem: words that follow "the document's".
 */
export function readKeysUrl(
  uri: Value | undefined,
  issuer: string,
  { reader }: KeyLimits,
): KeysUrl | { readonly problem: string } {
  if (uri === undefined) return { problem: `"jwks_uri" is missing, but must be an https URL` };
  if (typeof uri !== "string") return { problem: `"jwks_uri" is ${quote(uri)}, but must be an https URL` };
  if (!uri.startsWith("https://")) return { problem: `"jwks_uri" is ${quoteWhole(uri)}, but must be an https URL` };
  const problem = urlProblem(uri);
  if (problem !== undefined) return { problem: `"jwks_uri" is ${quoteWhole(uri)}, which ${problem}` };
  const { port, search } = new URL(uri);
  const parts = [
    ...(port === "" ? [] : [`the port ${port}`]),
    ...(search === "" && !uri.includes("?") ? [] : ["a query"]),
  ];
  const doubt =
    parts.length === 0 ? undefined : `has ${parts.join(" and ")}; how ${reader} handles that is not documented`;
  const host = hostOf(uri);
  return { url: uri, host, isElsewhere: host !== hostOf(issuer), doubt };
}

/** Describes where the keys are. */
export function describeKeysUrl({ url, host, isElsewhere }: KeysUrl): string {
  return `${quoteWhole(url)}${isElsewhere ? `, on a different host than the issuer: ${quoteWhole(host)}` : ""}`;
}

/**
 * What about a discovery document has undocumented effects besides its issuer and the URL of its keys: a predicate for a
 * sentence that begins with the document; undefined if nothing does.
 */
export function documentDoubt(document: Value, { reader, requiredLists = [] }: TokenLimits): string | undefined {
  const missing = requiredLists.filter((name) => {
    const list = valueAt(document, [name]);
    return !Array.isArray(list) || list.length === 0;
  });
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => `"${name}"`).join(", ");
  return `has no list ${names}, or an empty one; ${reader} is reported to refuse such documents`;
}
