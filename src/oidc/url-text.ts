import { quoteWhole } from "../core/text.ts";

// What a parser of URLs (https://url.spec.whatwg.org) repairs or leaves out, in the order in which it is said.
const repaired: readonly (readonly [RegExp, string])[] = [
  [/^(?!https:\/\/[^/?#])/, 'does not begin with "https://" and a host'],
  [/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, "has white space or a character that cannot be seen"],
  [/[^!-~]/, 'has a character that is not ASCII: write a host as "xn--...", and a path percent-encoded'],
  [/\\/, "has a backslash"],
  [/^[^/]*\/\/[^/?#]*@/, "has a user"],
  [/^[^/]*\/\/[^/?#]*[A-Z]/, "has a capital letter in its host"],
  [/^[^/]*\/\/(?:\.|[^/?#:]*\.(?:[./?#:]|$)|[?#:]|$)/, "has an empty part in its host, or a dot at the end of it"],
  [/^[^/]*\/\/[^/?#]*:(?:0*443)?(?:[/?#]|$)/, "has the port of https, which is left out"],
  [/#/, "has a fragment"],
  [/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i, 'has "." or ".." in its path'],
  [/%(?![0-9A-Fa-f]{2})/, 'has a "%" without two digits behind it'],
  // RFC 3986: unreserved, sub-delims, and the delimiters of the parts that are left.
  [/[^A-Za-z0-9._~!$&'()*+,;=:@%/?[\]-]/, "has a character that must be percent-encoded"],
];

/**
 * Why an https URL cannot be believed to mean the same to every reader, judged as it is written: AWS compares and fetches
 * texts, and a parser that repairs them would say yes to another URL than the one that is there.
 *
 * @returns undefined where a parser leaves the text as it is; else words that go on where a sentence has named the URL.
 */
export function urlProblem(text: string): string | undefined {
  const found = repaired.find(([pattern]) => pattern.test(text))?.[1];
  if (found !== undefined) return found;
  if (!URL.canParse(text)) return "is not a URL";
  const { href, pathname, search } = new URL(text);
  const written = pathname === "/" && search === "" && !text.endsWith("/") ? `${text}/` : text;
  return href === written ? undefined : `is read as ${quoteWhole(href)}`;
}

/** The host of a URL, without its port; empty where the text is none. */
export function hostOf(text: string): string {
  return URL.canParse(text) ? new URL(text).hostname : "";
}
