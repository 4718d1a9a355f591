import { quoteWhole } from "../core/text.ts";

/**
 * The discovery document of an issuer (OpenID Connect Discovery 1.0, section 3): what AWS, Google and Azure read before
 * they fetch the keys.
 */
export interface DiscoveryDocument {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly claims_supported: readonly string[];
}

/** The path of the discovery document, relative to the issuer. */
export const discoveryPath = ".well-known/openid-configuration";

/** The path of the keys, relative to the issuer. */
export const keysPath = "keys.json";

/**
 * Returns the discovery document of an issuer.
 * @param algorithms JWS algorithms of the keys.
 * @param keys the path of the keys, relative to the issuer
 */
export function discoveryDocument(
  issuer: string,
  algorithms: readonly string[],
  keys: string = keysPath,
): DiscoveryDocument {
  return {
    issuer,
    jwks_uri: `${issuer}/${keys}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(algorithms)].sort(),
    claims_supported: ["aud", "exp", "sub", "iat", "iss"],
  };
}

// What a URL parser (https://url.spec.whatwg.org) repairs or drops, in the order of the checks.
const repaired: readonly (readonly [RegExp, string])[] = [
  [/^(?!https:\/\/[^/?#])/, 'does not begin with "https://" and a host'],
  [/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, "has white space or an invisible character"],
  [/[^!-~]/, 'has a character that is not ASCII: write a host as "xn--...", and a path percent-encoded'],
  [/\\/, "has a backslash"],
  [/^[^/]*\/\/[^/?#]*@/, "has a user name"],
  [/^[^/]*\/\/[^/?#]*[A-Z]/, "has an uppercase letter in its host"],
  [/^[^/]*\/\/[^/?#]*%/, "has a percent-encoded character in its host"],
  [/^[^/]*\/\/(?:[^/?#]*\.)?xn--(?![a-z0-9])/, 'has a part in its host with nothing after "xn--"'],
  [/^[^/]*\/\/(?:\.|[^/?#:]*\.(?:[./?#:]|$)|[?#:]|$)/, "has an empty part in its host, or a dot at its end"],
  [/^[^/]*\/\/[^/?#]*:(?:0*443)?(?:[/?#]|$)/, "has the default port of https, which must be omitted"],
  [/#/, "has a fragment"],
  [/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i, 'has "." or ".." in its path'],
  [/%(?![0-9A-Fa-f]{2})/, 'has a "%" that is not followed by two hexadecimal digits'],
  // RFC 3986: unreserved, sub-delims, and the delimiters of the remaining parts.
  [/[^A-Za-z0-9._~!$&'()*+,;=:@%/?[\]-]/, "has a character that must be percent-encoded"],
];

/**
 * Why readers may interpret an https URL differently. The text is judged verbatim, because AWS compares and fetches texts. A
 * parser that repairs them would accept a URL other than the one that is written.
 *
 * @returns undefined if a parser does not change the text; otherwise a predicate for a sentence that begins with the URL.
 */
export function urlProblem(text: string): string | undefined {
  const found = repaired.find(([pattern]) => pattern.test(text))?.[1];
  if (found !== undefined) return found;
  const url = readUrl(text);
  if (url === undefined) return "is not a URL";
  const { href, pathname, search } = url;
  const written = pathname === "/" && search === "" && !text.endsWith("/") ? `${text}/` : text;
  return href === written ? undefined : `is read as ${quoteWhole(href)}`;
}

/**
 * Reads a URL that {@link urlProblem} accepts; undefined if it is none. A label of the host that begins with "xn--" is taken as
 * it is written: which of them a parser accepts depends on the Node version (24 reads some that 22 refuses), and a verdict must not.
 */
export function readUrl(
  text: string,
): Pick<URL, "href" | "host" | "hostname" | "port" | "pathname" | "search"> | undefined {
  // A text that no label must decode, and that does not occur otherwise.
  let mark = "x";
  while (text.includes(mark)) mark += "x";
  const marked = text.replace(/^https:\/\/[^/?#]*/, (start) => start.replaceAll(/(?<=[/.])xn--/g, mark));
  if (!URL.canParse(marked)) return undefined;
  const { href, host, hostname, port, pathname, search } = new URL(marked);
  const written = (part: string) => part.replaceAll(mark, "xn--");
  return { href: written(href), host: written(host), hostname: written(hostname), port, pathname, search };
}

/** The host of a URL, without its port; empty if the text is not a URL. */
export function hostOf(text: string): string {
  return readUrl(text)?.hostname ?? "";
}
