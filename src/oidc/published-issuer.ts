import { type JsonReading, readJson } from "../core/read-json.ts";
import { type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { isHttps } from "./discovery.ts";
import { judgeKeySet, listed, named, publishAgain } from "./judge-key-set.ts";
import { type PublishedKey, readJwks, sameMaterial } from "./jwks.ts";
import { describeKeysUrl, type KeysUrl, readKeysUrl } from "./keys-url.ts";
import type { TokenLimits } from "./limits.ts";
import { urlProblem } from "./url-text.ts";

/** One check of an issuer as it is published. */
export interface IssuerCheck {
  readonly name: "url" | "discovery" | "issuer" | "jwks_uri" | "keys" | "package";
  /** Unknown: what the cloud does then is not documented, or this machine sees something else than the cloud does. */
  readonly status: "passed" | "failed" | "unknown";
  readonly detail: string;
  readonly cure?: string;
}

/** What a package would have published. */
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

/** Whether the cloud could have an issuer of this URL. */
export function checkUrl(text: string, { issuerUrl: { reader, most } }: TokenLimits): IssuerCheck {
  if (!isHttps(text)) return failed("url", `${quoteWhole(text)} is no https URL`, "give an issuer as a token names it");
  const { search, hash, username, password } = new URL(text);
  if (`${search}${hash}${username}${password}` !== "" || /[?#@]/.test(text))
    return failed(
      "url",
      `${quoteWhole(text)} has a query, a fragment or a user`,
      "an issuer's URL has host and path alone",
    );
  // In the text, because a URL object drops the port 443, which a token's issuer has.
  if (/^https:\/\/[^/]*:\d*(?:\/|$)/.test(text))
    return failed(
      "url",
      `${quoteWhole(text)} has a port, and ${reader} takes no provider with one`,
      "publish it on port 443, and leave the port out of the URL",
    );
  // As it is written: what a parser repairs is no issuer that a token could name.
  const problem = urlProblem(text);
  if (problem !== undefined)
    return failed("url", `${quoteWhole(text)} ${problem}`, "give the URL as a token names it, to the last character");
  if (text.length > most)
    return failed("url", `the URL has ${text.length} characters, and ${reader} takes ${most}`, "use a shorter one");
  return passed("url", `${quoteWhole(text)} is an https URL`);
}

/**
 * The discovery document: JSON that names the issuer, to the last character, and where its keys are.
 *
 * @param allowedHosts hosts that keys may be fetched from beside the issuer's.
 * @returns where the keys are, and where they may be fetched from: nowhere if the document does not say it in a way that
 * every reader takes alike, or names a host that nobody allowed.
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
  const checks = [
    passed("discovery", "the document is there for anyone, and is JSON"),
    name === issuer
      ? passed("issuer", "the document names the issuer")
      : failed("issuer", `the document's "issuer" is ${shown(name)}, and must be ${quoteWhole(issuer)}`, publish),
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
      detail: `${detail}; it was not asked`,
      cure: `if the issuer's keys belong there, allow it: --allow-host ${uri.host}`,
    };
  if (uri.doubt === undefined) return passed("jwks_uri", detail);
  const cure = "publish the keys at a URL of host and path alone";
  return { name: "jwks_uri", status: "unknown", detail: `${detail}; the URL ${uri.doubt}`, cure };
}

function shown(value: Value | undefined): string {
  return value === undefined ? "missing" : typeof value === "string" ? quoteWhole(value) : quote(value);
}

/** The keys: at least one that the cloud can check signatures with, and none that others than the issuer can sign with. */
export function checkKeys(text: string, limits: TokenLimits): { check: IssuerCheck; keys: readonly PublishedKey[] } {
  const read = readJson(text);
  const keys = "problem" in read ? read.problem : readJwks(read.value, limits);
  if (typeof keys === "string") return { check: failed("keys", `the JWKS ${keys}`, publishAgain(limits)), keys: [] };
  return { check: { name: "keys", ...judgeKeySet(keys, limits) }, keys };
}

/**
 * Whether what is published is what a package has: the keys' place, and each key, no more and no less.
 *
 * @param keys undefined where they were not fetched; then only their place is compared.
 * @returns undefined where nothing that was compared differs, and the keys were not fetched.
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
    return passed("package", `its ${own.length === 1 ? "key is" : `${own.length} keys are`} published, and no other`);
  return failed(
    "package",
    listed(problems, "; "),
    `${publishAgain(limits)}; what was published by somebody else is believed by ${limits.reader} as long as it is there`,
  );
}

function differences(own: readonly PublishedKey[], keys: readonly PublishedKey[]): string[] {
  const known = new Set(own.map(({ kid }) => kid));
  return [
    ...own.flatMap((key) => missing(key, keys)),
    ...keys.filter(({ kid }) => !known.has(kid)).map((key) => `it does not have the published key ${named(key)}`),
  ];
}

function missing(key: PublishedKey, keys: readonly PublishedKey[]): string[] {
  const found = keys.filter(({ kid }) => kid === key.kid);
  if (found.length === 0) return [`its key ${named(key)} is not published`];
  return found.every((publishedKey) => sameMaterial(publishedKey, key))
    ? []
    : [`what is published as ${named(key)} is another key`];
}
