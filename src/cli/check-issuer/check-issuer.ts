import { X509Certificate } from "node:crypto";
import { inspectors } from "../../clouds/inspectors.ts";
import { printable, quote, quoteWhole } from "../../core/text.ts";
import { alternatives } from "../../core/words.ts";
import { discoveryPath, hostOf, readUrl, urlProblem } from "../../oidc/issuer-url.ts";
import type { PublishedKey } from "../../oidc/key-set.ts";
import { type TokenLimits, withHosting } from "../../oidc/limits.ts";
import {
  checkAgainst,
  checkDocument,
  checkHeldKeys,
  checkKeys,
  checkUrl,
  type ExpectedIssuer,
  type IssuerCheck,
} from "../../oidc/published-issuer.ts";
import type { FlagsOf } from "../definition.ts";
import { inputProblem, readInputFile } from "../files/input-file.ts";
import {
  type Fetched,
  type FetchOptions,
  fetchOnce,
  type NotFetched,
  type Server,
  withoutBrackets,
} from "../https-fetch.ts";
import { readRenderedDirectory } from "../package/rendered-directory.ts";
import { UsageError } from "../terminal/errors.ts";
import { write, writeJson } from "../terminal/output.ts";
import { linesOf } from "../terminal/table.ts";
import type { checkIssuerCommand as definition } from "./definition.ts";

/**
 * `ccf check-issuer`: exits 0 if the cloud can read the issuer, 2 if it cannot or reads something else, 1 if the answer is
 * unknown.
 */
export async function checkIssuer(values: FlagsOf<typeof definition>, given?: string): Promise<number> {
  if ((given === undefined) === (values.package === undefined))
    throw new UsageError("check-issuer requires either the URL of an issuer or --package DIR");
  if (values.package !== undefined && values.platform !== undefined)
    throw new UsageError("--platform is only for a URL; a package names its cloud");
  if (given !== undefined && !isUrl(given)) {
    const cure = 'give the issuer exactly as in a token, "https://...", or a package as --package DIR';
    throw new UsageError(`${quote(given)} is not a URL; ${cure}`);
  }
  const timeout = /^\d{1,3}(?:\.\d{1,3})?$/.test(values.timeout) ? Number(values.timeout) : 0;
  if (timeout <= 0)
    throw new UsageError(`--timeout is ${quote(values.timeout)}, but must be a positive number of seconds`);
  if (given !== undefined && values.platform === undefined)
    throw new UsageError(`--platform is required with a URL: ${platforms()}`);
  const allowedHosts = values["allow-host"].map(readHost);
  const server = values["connect-to"] === undefined ? undefined : readServer(values["connect-to"]);
  const ca = values["ca-file"] === undefined ? undefined : readAuthorities(values["ca-file"]);
  const expected = values.package === undefined ? undefined : issuerOf(values.package);
  const limits = expected?.limits ?? limitsFor(values.platform);
  const issuer = given ?? expected?.url ?? "";
  const checks =
    expected?.holdsKeys === true
      ? checkHeldKeys(issuer, expected.keys, limits)
      : await lookAt(issuer, expected, allowedHosts, limits, { timeout: timeout * 1000, ca, server });
  const verdict = verdictOf(checks);
  if (values.output === "json")
    writeJson({
      issuer,
      ...(server === undefined ? {} : { connectedTo: nameOf(server) }),
      verdict,
      checks: checks.map((check) => ({ ...check })),
    });
  else write(1, text(issuer, server, checks, limits, expected?.holdsKeys === true));
  return { usable: 0, unusable: 2, unknown: 1 }[verdict];
}

function limitsFor(platform: string | undefined): TokenLimits {
  const found = inspectors.find(({ name }) => name === platform);
  if (found !== undefined) return withAnyHosting(found.tokens.limits);
  throw new UsageError(`--platform must be ${platforms()}, not ${quote(platform)}`);
}

// Without a package, who publishes the documents is unknown.
function withAnyHosting(limits: TokenLimits): TokenLimits {
  const publish = `yourself with the hosting \`External\`, otherwise ${limits.cures.publish}`;
  return { ...limits, cures: { ...limits.cures, publish } };
}

function platforms(): string {
  return alternatives(inspectors.map(({ name }) => quote(name)));
}

// A text without a scheme cannot be an issuer, so no check of it would make sense. A text with one is checked verbatim.
function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function readHost(text: string): string {
  const url = `https://${text}`;
  if (/[/?#@%]/.test(text) || urlProblem(url) !== undefined || readUrl(url)?.host !== text || /:\d+$/.test(text))
    throw new UsageError(`--allow-host is ${quote(text)}, but must be a lowercase host without a port`);
  return text;
}

function readServer(text: string): Server {
  const [, host = "", port = ""] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`--connect-to is ${quote(text)}, but must be HOST:PORT`);
  return { host: withoutBrackets(host), port: Number(port) };
}

function nameOf({ host, port }: Server): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readAuthorities(path: string): string {
  const text = readInputFile("--ca-file", path);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    blocks.length = 0;
  }
  if (blocks.length === 0) throw inputProblem("--ca-file", path, "does not contain a valid PEM certificate");
  return blocks.join("\n");
}

interface PackageIssuer extends ExpectedIssuer {
  readonly url: string;
  readonly limits: TokenLimits | undefined;
  readonly holdsKeys: boolean;
}

function issuerOf(directory: string): PackageIssuer {
  const { cluster, inspector } = readRenderedDirectory(directory);
  const [issuer] = cluster.issuers;
  if (issuer?.url === undefined) throw new UsageError(`${quote(directory)} has no issuer yet`);
  const { url, discovery, keys, holdsKeys = false, elsewhere } = issuer;
  const limits = withHosting(inspector.tokens.limits, elsewhere);
  return { url: `https://${url}`, discovery, keys, holdsKeys, limits };
}

function verdictOf(checks: readonly IssuerCheck[]): "usable" | "unusable" | "unknown" {
  if (checks.some(({ status }) => status === "failed")) return "unusable";
  return checks.every(({ status }) => status === "passed") ? "usable" : "unknown";
}

async function lookAt(
  issuer: string,
  expected: ExpectedIssuer | undefined,
  allowedHosts: readonly string[],
  limits: TokenLimits,
  how: FetchOptions,
): Promise<IssuerCheck[]> {
  const url = checkUrl(issuer, limits);
  if (url.status === "failed") return [url];
  const documentUrl = `${issuer.replace(/\/$/, "")}/${discoveryPath}`;
  const document = await fetchOnce(documentUrl, how);
  if (!isFound(document)) return [url, notFound("discovery", documentUrl, document, limits)];
  const { checks, keys: place } = checkDocument(document.text, issuer, allowedHosts, limits);
  if (place === undefined) return [url, ...checks];
  const against = (keys: readonly PublishedKey[] | undefined) =>
    (expected === undefined ? undefined : checkAgainst(expected, place.url, keys, limits)) ?? [];
  if (!place.isAllowed) return [url, ...checks].concat(against(undefined));
  const jwks = await fetchOnce(place.url, how);
  if (!isFound(jwks)) return [url, ...checks, notFound("keys", place.url, jwks, limits)].concat(against(undefined));
  const { check, keys } = checkKeys(jwks.text, limits);
  return [url, ...checks, check].concat(against(keys));
}

function isFound(answer: Fetched | NotFetched): answer is Fetched & { status: 200 } {
  return "status" in answer && answer.status === 200;
}

function cureOf(
  reason: NotFetched["reason"],
  { reader, timeout, cures }: TokenLimits,
): readonly [IssuerCheck["status"], string] {
  switch (reason) {
    case "timeout":
      if (timeout !== undefined)
        return ["failed", `make the server respond faster; ${reader} waits ${timeout} seconds`];
      return ["unknown", `make the server respond faster; ${reader} does not document how long it waits`];
    case "certificate":
      return ["failed", "install a certificate on the server that is for this name and has not expired"];
    case "no TLS":
      return ["failed", "serve the document over HTTPS"];
    case "untrusted":
      return ["unknown", cures.untrusted];
    case "not UTF-8":
      return ["failed", "publish the document as UTF-8"];
    case "too large":
      return ["unknown", `publish only the document; ${reader} does not document how much it reads`];
    case "unreachable":
      return ["unknown", "check whether the server can be reached from outside; this machine cannot reach it"];
  }
}

// No cloud documents whether it follows redirects, or how much it reads.
function notFound(
  name: IssuerCheck["name"],
  url: string,
  answer: Fetched | NotFetched,
  limits: TokenLimits,
): IssuerCheck {
  if ("reason" in answer) {
    const [status, cure] = cureOf(answer.reason, limits);
    const detail = `cannot be fetched: ${answer.reason} (${printable(answer.detail)})`;
    return { name, status, detail: status === "failed" ? `${detail}${refusedWith(limits)}` : detail, cure };
  }
  const { status, location } = answer;
  if (status >= 300 && status < 400) {
    const to = location === undefined ? "" : ` to ${quoteWhole(location)}${elsewhere(location, url)}`;
    const cure = `publish it at its own URL; ${limits.reader} does not document whether it follows redirects, so none was followed`;
    return { name, status: "unknown", detail: `the server redirects (${status})${to}`, cure };
  }
  const { forbidden, forbiddenStatuses, publish } = limits.cures;
  const cure = forbiddenStatuses.includes(status) ? forbidden : `publish it: ${publish}`;
  return { name, status: "failed", detail: `the server responds with status ${status}${refusedWith(limits)}`, cure };
}

function refusedWith({ reader, refusals: { unreachable } }: TokenLimits): string {
  return unreachable === undefined ? "" : `, and ${reader} refuses tokens with ${unreachable}`;
}

function elsewhere(location: string, url: string): string {
  const host = URL.canParse(location, url) ? new URL(location, url).hostname : "";
  return host === "" || host === hostOf(url) ? "" : `, on another host: ${quoteWhole(host)}`;
}

function text(
  issuer: string,
  server: Server | undefined,
  checks: readonly IssuerCheck[],
  { reader }: TokenLimits,
  holdsKeys: boolean,
): string[] {
  const usable = holdsKeys
    ? `${reader} does not fetch it, because the provider holds its keys`
    : server === undefined
      ? `${reader} can read it`
      : `${reader} could read it if its name resolved to ${nameOf(server)}`;
  const unusable = `${reader} would refuse its tokens`;
  const verdict = { usable, unusable, unknown: "unknown" }[verdictOf(checks)];
  return [`Issuer ${quoteWhole(issuer)}: ${verdict}`, ...checks.flatMap((check) => linesOf(check))];
}
