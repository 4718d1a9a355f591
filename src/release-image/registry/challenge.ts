import { jsonOrNull } from "../../core/json.ts";
import { isMap, textAt } from "../../core/resource.ts";
import { decodeUtf8, quote, quoteWhole } from "../../core/text.ts";
import { isLoopback } from "../../network/loopback.ts";
import { keepSecret } from "../../network/secrets.ts";
import { collected } from "../blob.ts";
import { imageError } from "../problem.ts";
import type { Credential } from "./pull-secret.ts";
import type { Network } from "./request.ts";

/*
 * How a registry wants to know who asks: the header WWW-Authenticate (RFC 9110, section 11.6.1), and the token that another server
 * issues for it (Distribution, "Token Authentication Specification").
 */

/** The longest answer of a server that issues tokens, in bytes. */
const maxToken = 64 << 10;

/** One way to authenticate. */
export interface Challenge {
  /** In lowercase: `basic`, `bearer`. */
  readonly scheme: string;
  /** By name in lowercase. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The challenges of a header; what has another form is ignored. */
export function readChallenges(header: string): Challenge[] {
  const all: { scheme: string; parameters: Map<string, string> }[] = [];
  // A parameter, or the name of a scheme.
  const token = /([A-Za-z][A-Za-z0-9._-]*)(?:\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;
  for (const [, name = "", quoted, plain] of header.slice(0, 16_384).matchAll(token)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) all.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else all.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return all;
}

/** Who asks for what. */
export interface Applicant {
  readonly network: Network;
  /** The URL that the registry answered. */
  readonly registry: URL;
  readonly repository: string;
  readonly credential: Credential | undefined;
}

/**
 * The value of the header Authorization that meets a challenge; undefined if that needs a credential that does not exist.
 *
 * @throws FindingError "registry-answer-invalid" for a challenge or an answer of another form, "pull-secret-refused".
 */
export async function authorizationFor(header: string, applicant: Applicant): Promise<string | undefined> {
  const challenges = readChallenges(header);
  const { registry, credential } = applicant;
  const bearer = challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer !== undefined) return bearerToken(bearer, applicant);
  if (!challenges.some(({ scheme }) => scheme === "basic"))
    throw strange(registry, "does not say how it authenticates: it offers neither Basic nor Bearer");
  return credential?.kind === "password" ? basic(credential) : undefined;
}

function basic({ user, password }: Extract<Credential, { kind: "password" }>): string {
  const encoded = Buffer.from(`${user}:${password}`, "utf8").toString("base64");
  keepSecret(encoded);
  return `Basic ${encoded}`;
}

async function bearerToken({ parameters }: Challenge, applicant: Applicant): Promise<string> {
  const { network, registry, repository, credential } = applicant;
  const realm = realmOf(parameters.get("realm") ?? "", registry);
  const asked = new URLSearchParams(realm.search);
  const service = parameters.get("service");
  if (service !== undefined) asked.set("service", service);
  asked.set("scope", parameters.get("scope") ?? `repository:${repository}:pull`);
  const accept = "application/json";
  const answer =
    credential?.kind === "refresh token"
      ? await network.ask(realm, { accept, form: refreshForm(asked, credential.token) })
      : await network.ask(new URL(`?${asked}`, realm), {
          accept,
          authorization: credential === undefined ? undefined : basic(credential),
        });
  const { status } = answer;
  if (status !== 200) {
    answer.discard();
    const isRefused = status === 401 || status === 403 || (status === 400 && credential?.kind === "refresh token");
    if (!isRefused || credential === undefined)
      throw strange(registry, `names ${quoteWhole(realm.host)} for tokens, which answered with status ${status}`);
    throw imageError(
      "pull-secret-refused",
      `${registry.host} does not accept the pull secret: ${quoteWhole(realm.host)} answered with status ${status}. Download the pull secret again, and name it with --registry-config.`,
    );
  }
  const tooLong = () => strange(registry, `names ${quoteWhole(realm.host)} for tokens, whose answer is too long`);
  const token = tokenIn(await collected(answer.parts(), maxToken, tooLong));
  if (token === undefined)
    throw strange(registry, `names ${quoteWhole(realm.host)} for tokens, whose answer contains no token`);
  keepSecret(token);
  return `Bearer ${token}`;
}

/**
 * Where tokens are issued. A registry may name any host: that of quay.io is itself, others have one of their own, and which belong
 * together cannot be known. So the credential goes to the host that the registry itself names over TLS, and only over TLS.
 * A registry on this machine may also name a server on this machine without TLS.
 */
function realmOf(text: string, registry: URL): URL {
  const realm = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = realm?.protocol === "http:" && isLoopback(realm.hostname) && isLoopback(registry.hostname);
  if (
    realm === undefined ||
    realm.username !== "" ||
    realm.password !== "" ||
    (realm.protocol !== "https:" && !isLocal)
  )
    throw strange(registry, `names ${quote(text)} for tokens, which is not an https URL`);
  realm.hash = "";
  return realm;
}

/** The form for a refresh token (Distribution, "Docker Registry v2 Bearer token specification: OAuth2"). */
function refreshForm(asked: URLSearchParams, token: string): URLSearchParams {
  const form = new URLSearchParams(asked);
  form.set("grant_type", "refresh_token");
  form.set("client_id", "ccf");
  form.set("refresh_token", token);
  return form;
}

function tokenIn(bytes: Uint8Array): string | undefined {
  const value = jsonOrNull(decodeUtf8(bytes) ?? "");
  if (!isMap(value)) return undefined;
  const token = textAt(value, ["token"]) || textAt(value, ["access_token"]);
  // It becomes part of a header (RFC 6750, section 2.1).
  return /^[A-Za-z0-9._~+/-]+=*$/.test(token) ? token : undefined;
}

function strange({ host }: URL, what: string) {
  return imageError(
    "registry-answer-invalid",
    `${host} ${what}. Check the name of the registry, or report it to its operator.`,
  );
}
