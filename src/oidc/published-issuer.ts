import { type JsonReading, readJson } from "../core/json.ts";
import { type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { hostOf, readUrl, urlProblem } from "./issuer-url.ts";
import {
  joined,
  judgeKeySet,
  type PublishedKey,
  publishAgain,
  publishedKeyName,
  readJwks,
  sameMaterial,
} from "./key-set.ts";
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
  const { hostname: host = "", port = "", search = "" } = readUrl(uri) ?? {};
  const parts = [
    ...(port === "" ? [] : [`the port ${port}`]),
    ...(search === "" && !uri.includes("?") ? [] : ["a query"]),
  ];
  const doubt =
    parts.length === 0 ? undefined : `has ${parts.join(" and ")}; how ${reader} handles that is not documented`;
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

/** One check of a published issuer. */
export interface IssuerCheck {
  readonly name: "url" | "discovery" | "issuer" | "jwks_uri" | "keys" | "package";
  /** Unknown: the cloud's behavior is not documented, or this machine may get other responses than the cloud. */
  readonly status: "passed" | "failed" | "unknown";
  readonly detail: string;
  readonly cure?: string;
}

/** The documents of a package that should be published. */
export interface ExpectedIssuer {
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
}

function passed(name: IssuerCheck["name"], detail: string): IssuerCheck {
  return { name, status: "passed", detail };
}

function failed(name: IssuerCheck["name"], detail: string, cure: string): IssuerCheck {
  return { name, status: "failed", detail, cure };
}

/** Checks whether the cloud can use an issuer with this URL. */
export function checkUrl(text: string, { issuerUrl: { reader, max: most, port } }: TokenLimits): IssuerCheck {
  if (!text.startsWith("https://"))
    return failed("url", `${quoteWhole(text)} is not an https URL`, "use the issuer exactly as in a token");
  if (/[?#@]/.test(text))
    return failed(
      "url",
      `${quoteWhole(text)} has a query, a fragment or a user name`,
      "use a URL with only a host and a path",
    );
  // The text is searched, because a URL object drops the port 443, which the issuer of a token keeps.
  const hasPort = /^https:\/\/[^/]*:\d*(?:\/|$)/.test(text);
  if (hasPort && port === "refused")
    return failed(
      "url",
      `${quoteWhole(text)} has a port, but ${reader} does not accept a provider with a port`,
      onPort443,
    );
  // The text is checked verbatim: a token cannot name a URL that a parser had to repair.
  const problem = urlProblem(text);
  if (problem !== undefined)
    return failed("url", `${quoteWhole(text)} ${problem}`, "use the URL exactly as in a token");
  if (text.length > most)
    return failed(
      "url",
      `the URL has ${text.length} characters, but ${reader} accepts at most ${most}`,
      "use a shorter URL",
    );
  if (hasPort) {
    const detail = `${quoteWhole(text)} has a port; how ${reader} handles that is not documented`;
    return { name: "url", status: "unknown", detail, cure: onPort443 };
  }
  return passed("url", `${quoteWhole(text)} is an https URL`);
}

const onPort443 = "publish the documents on port 443, and remove the port from the URL";

/**
 * Checks the discovery document: JSON that names the issuer exactly, and the URL of its keys.
 *
 * @param allowedHosts hosts other than the issuer's from which keys may be fetched.
 * @returns the checks, and the URL of the keys with whether they may be fetched from it; no URL if the document does not
 * name one that every reader interprets the same.
 */
export function checkDocument(
  text: string,
  issuer: string,
  allowedHosts: readonly string[],
  limits: TokenLimits,
): { checks: IssuerCheck[]; keys: (KeysUrl & { readonly isAllowed: boolean }) | undefined } {
  const read = readJson(text);
  const publish = publishAgain(limits);
  if ("problem" in read)
    return { checks: [failed("discovery", `the document ${read.problem}`, publish)], keys: undefined };
  const name = valueAt(read.value, ["issuer"]);
  const uri = readKeysUrl(valueAt(read.value, ["jwks_uri"]), issuer, limits);
  const isAllowed = "host" in uri && (!uri.isElsewhere || allowedHosts.includes(uri.host));
  const doubt = documentDoubt(read.value, limits);
  const checks: IssuerCheck[] = [
    doubt === undefined
      ? passed("discovery", "the document is publicly readable JSON")
      : { name: "discovery", status: "unknown", detail: `the document ${doubt}`, cure: publish },
    name === issuer
      ? passed("issuer", "the document names the issuer")
      : failed("issuer", `the document's "issuer" is ${shown(name)}, but must be ${quoteWhole(issuer)}`, publish),
    "problem" in uri ? failed("jwks_uri", `the document's ${uri.problem}`, publish) : checkKeysUrl(uri, isAllowed),
  ];
  return { checks, keys: "problem" in uri ? undefined : { ...uri, isAllowed } };
}

function checkKeysUrl(uri: KeysUrl, isAllowed: boolean): IssuerCheck {
  const detail = `the keys are at ${describeKeysUrl(uri)}`;
  if (!isAllowed)
    return {
      name: "jwks_uri",
      status: "unknown",
      detail: `${detail}; no request was sent to that host`,
      cure: `if the issuer's keys belong there, allow the host: --allow-host ${uri.host}`,
    };
  if (uri.doubt === undefined) return passed("jwks_uri", detail);
  const cure = "publish the keys at a URL with only a host and a path";
  return { name: "jwks_uri", status: "unknown", detail: `${detail}; the URL ${uri.doubt}`, cure };
}

/** A value of a document or of a token, for a message. */
export function shown(value: Value | undefined): string {
  return value === undefined ? "missing" : typeof value === "string" ? quoteWhole(value) : quote(value);
}

/** Checks the keys: the cloud must be able to use at least one, and others than the issuer must not be able to sign with any. */
export function checkKeys(text: string, limits: TokenLimits): { check: IssuerCheck; keys: readonly PublishedKey[] } {
  const read = readJson(text);
  const keys = "problem" in read ? read.problem : readJwks(read.value, limits);
  if (typeof keys === "string") return { check: failed("keys", `the JWKS ${keys}`, publishAgain(limits)), keys: [] };
  return { check: { name: "keys", ...judgeKeySet(keys, limits) }, keys };
}

/**
 * Checks an issuer whose keys the cloud itself holds. Nothing is fetched, so its URL need not exist.
 *
 * @param document the keys that the package gives to the cloud.
 */
export function checkHeldKeys(issuer: string, document: JsonReading | undefined, limits: TokenLimits): IssuerCheck[] {
  const detail = `nothing was fetched: ${limits.reader} reads the keys from the provider, so the URL need not exist`;
  const url = checkUrl(issuer, limits);
  if (document === undefined)
    return [url, passed("discovery", detail), failed("keys", "the package has no JWKS", "render again")];
  const keys = "problem" in document ? document.problem : readJwks(document.value, limits);
  const check: IssuerCheck =
    typeof keys === "string"
      ? failed("keys", `the package's JWKS ${keys}`, "render again")
      : { name: "keys", ...judgeKeySet(keys, limits) };
  return [url, passed("discovery", detail), check];
}

/**
 * Checks that the published issuer matches a package: the URL of the keys, and exactly the same keys.
 *
 * @param keys undefined if they were not fetched; then only their URL is compared.
 * @returns undefined if the keys were not fetched and their URL does not differ.
 */
export function checkAgainst(
  expected: ExpectedIssuer,
  keysUrl: string,
  keys: readonly PublishedKey[] | undefined,
  limits: TokenLimits,
): IssuerCheck | undefined {
  const { discovery, keys: document } = expected;
  const uri = discovery !== undefined && "value" in discovery ? valueAt(discovery.value, ["jwks_uri"]) : undefined;
  const own = document !== undefined && "value" in document ? readJwks(document.value, limits) : "cannot be read";
  if (typeof own === "string")
    return { name: "package", status: "unknown", detail: `the package's JWKS ${own}`, cure: "render again" };
  const problems = [
    ...(uri === keysUrl ? [] : [`its keys are at ${shown(uri)}`]),
    ...(keys === undefined ? [] : differences(own, keys)),
  ];
  if (problems.length === 0 && keys === undefined) return undefined;
  if (problems.length === 0)
    return passed("package", `its ${own.length === 1 ? "key is" : `${own.length} keys are`} published, and no others`);
  return failed(
    "package",
    joined(problems, "; "),
    `${publishAgain(limits)}; ${limits.reader} trusts keys that others published for as long as they are published`,
  );
}

function differences(own: readonly PublishedKey[], keys: readonly PublishedKey[]): string[] {
  const known = new Set(own.map(({ kid }) => kid));
  return [
    ...own.flatMap((key) => missing(key, keys)),
    ...keys
      .filter(({ kid }) => !known.has(kid))
      .map((key) => `it does not have the published key ${publishedKeyName(key)}`),
  ];
}

function missing(key: PublishedKey, keys: readonly PublishedKey[]): string[] {
  const found = keys.filter(({ kid }) => kid === key.kid);
  if (found.length === 0) return [`its key ${publishedKeyName(key)} is not published`];
  return found.every((publishedKey) => sameMaterial(publishedKey, key))
    ? []
    : [`the key that is published as ${publishedKeyName(key)} is another key`];
}
