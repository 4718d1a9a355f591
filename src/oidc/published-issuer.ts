import { type JsonReading, readJson } from "../core/read-json.ts";
import { type Value, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { isHttps } from "./discovery.ts";
import { type PublishedKey, readJwks, sameMaterial, unusable } from "./jwks.ts";
import { algorithms } from "./token.ts";

/** One check of an issuer as it is published. */
export interface IssuerCheck {
  readonly name: "url" | "discovery" | "issuer" | "jwks_uri" | "keys" | "package";
  /** Unknown: what AWS does then is not documented, or this machine sees something else than AWS does. */
  readonly status: "passed" | "failed" | "unknown";
  readonly detail: string;
  readonly cure?: string;
}

/** What a package would have published. */
export interface ExpectedIssuer {
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
}

const publish = "publish the documents as they are rendered: `aws/apply.sh`";

function passed(name: IssuerCheck["name"], detail: string): IssuerCheck {
  return { name, status: "passed", detail };
}

function failed(name: IssuerCheck["name"], detail: string, cure = publish): IssuerCheck {
  return { name, status: "failed", detail, cure };
}

/** Whether AWS could have an issuer of this URL (IAM API, CreateOpenIDConnectProvider, Url). */
export function checkUrl(text: string): IssuerCheck {
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
      `${quoteWhole(text)} has a port, and IAM takes no provider with one`,
      "publish it on port 443, and leave the port out of the URL",
    );
  if (text.length > 255)
    return failed("url", `the URL has ${text.length} characters, and IAM takes 255`, "use a shorter one");
  return passed("url", `${quoteWhole(text)} is an https URL`);
}

/** The discovery document: JSON that names the issuer, to the last character, and where its keys are. */
export function checkDocument(text: string, issuer: string): { checks: IssuerCheck[]; keysUrl: string | undefined } {
  const read = readJson(text);
  if ("problem" in read) return { checks: [failed("discovery", `the document ${read.problem}`)], keysUrl: undefined };
  const named = valueAt(read.value, ["issuer"]);
  const uri = valueAt(read.value, ["jwks_uri"]);
  const isUri = typeof uri === "string" && isHttps(uri);
  const checks = [
    passed("discovery", "the document is there for anyone, and is JSON"),
    named === issuer
      ? passed("issuer", "the document names the issuer")
      : failed("issuer", `the document's "issuer" is ${shown(named)}, and must be ${quoteWhole(issuer)}`),
    isUri
      ? passed("jwks_uri", `the keys are at ${quoteWhole(uri)}`)
      : failed("jwks_uri", `the document's "jwks_uri" is ${shown(uri)}, and must be an https URL`),
  ];
  return { checks, keysUrl: isUri ? uri : undefined };
}

function shown(value: Value | undefined): string {
  return value === undefined ? "missing" : typeof value === "string" ? quoteWhole(value) : quote(value);
}

/** The keys: at least one that AWS can check signatures with, and none that anybody can sign with. */
export function checkKeys(text: string): { check: IssuerCheck; keys: readonly PublishedKey[] } {
  const read = readJson(text);
  const keys = "problem" in read ? read.problem : readJwks(read.value);
  if (typeof keys === "string") return { check: failed("keys", `the JWKS ${keys}`), keys: [] };
  const open = keys.find(({ isPrivate }) => isPrivate);
  if (open !== undefined) {
    const cause = `the key ${quoteWhole(open.kid ?? "")} is published with numbers of its private half`;
    return {
      check: failed("keys", cause, "make a new key pair, and publish the public key alone: whoever read this can sign"),
      keys,
    };
  }
  const usable = keys.filter(
    (key) => key.kid !== undefined && [...algorithms.keys()].some((alg) => !unusable(key, alg)),
  );
  if (usable.length === 0) return { check: failed("keys", "the JWKS has no key that AWS could use"), keys };
  const ids = usable.map(({ kid }) => quoteWhole(kid ?? "")).join(", ");
  return { check: passed("keys", `${usable.length} of ${keys.length} keys can be used: ${ids}`), keys };
}

/** Whether what is published is what a package has: the keys' place, and each key, no more and no less. */
export function checkAgainst(expected: ExpectedIssuer, keysUrl: string, keys: readonly PublishedKey[]): IssuerCheck {
  const { discovery, keys: document } = expected;
  const uri = discovery !== undefined && "value" in discovery ? valueAt(discovery.value, ["jwks_uri"]) : undefined;
  const own = document !== undefined && "value" in document ? readJwks(document.value) : "cannot be read";
  if (typeof own === "string")
    return { name: "package", status: "unknown", detail: `the package's JWKS ${own}`, cure: "render again" };
  const problems = [
    ...(uri === keysUrl ? [] : [`its keys are at ${shown(uri)}`]),
    ...own.flatMap((key) => missing(key, keys)),
    ...keys
      .filter((key) => !own.some(({ kid }) => kid === key.kid))
      .map((key) => `it does not have the published key ${id(key)}`),
  ];
  if (problems.length === 0)
    return passed("package", `its ${own.length === 1 ? "key is" : `${own.length} keys are`} published, and no other`);
  return failed(
    "package",
    problems.join("; "),
    `${publish}; what was published by somebody else is believed by AWS as long as it is there`,
  );
}

function missing(key: PublishedKey, keys: readonly PublishedKey[]): string[] {
  const found = keys.filter(({ kid }) => kid === key.kid);
  if (found.length === 0) return [`its key ${id(key)} is not published`];
  return found.every((one) => sameMaterial(one, key)) ? [] : [`what is published as ${id(key)} is another key`];
}

function id({ kid }: PublishedKey): string {
  return quoteWhole(kid ?? "");
}
