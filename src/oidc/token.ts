import { readJson } from "../core/json.ts";
import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { quote, readBase64url } from "../core/text.ts";
import type { TokenLimits } from "./limits.ts";

/** A JSON Web Token with a readable header and claims. Nothing in it is trusted yet. */
export interface Token {
  /** The whole token, with its signature. It is never shown. */
  readonly text: string;
  readonly header: ValueMap;
  readonly claims: ValueMap;
  /** `alg` and `kid` of the header, and the claims with these names, if they are strings. */
  readonly alg: string | undefined;
  readonly kid: string | undefined;
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  /** The audiences: one or more strings, or none if the claim is missing or has another form. */
  readonly aud: readonly string[];
  /** NumericDates in seconds since the epoch, if they are numbers. A fraction is also reported as a problem. */
  readonly exp: number | undefined;
  readonly iat: number | undefined;
  readonly nbf: number | undefined;
}

/** A token, if it is readable, and all problems with its form. */
export interface TokenReading {
  readonly token: Token | undefined;
  readonly problems: readonly TokenProblem[];
}

/** The cure for every token that is not complete. */
export const copyWholeToken = "get the complete token again: `oc create token`, or the file that the pod mounts";

/** The cure for a token without a key ID: the API server of Kubernetes writes one into every token. */
export const clusterToken = "use a token that the cluster signed: the file that the pod mounts, or `oc create token`";

/** Reads the form of a token (RFC 7519, RFC 7515 section 7.1, OpenID Connect Core 1.0 section 2). */
export function readToken(text: string, limits: TokenLimits): TokenReading {
  const [fewest, most] = limits.characters;
  if (text.length < fewest || text.length > most) {
    const cause = `the token has ${text.length} characters, but must have ${fewest} to ${most}`;
    return { token: undefined, problems: [{ cause, cure: copyWholeToken }] };
  }
  const misplaced = misplacedText(text);
  if (misplaced !== undefined) return { token: undefined, problems: [misplaced] };
  const parts = text.split(".");
  if (parts.length !== 3) {
    const cut = parts.length < 3 && text.startsWith("eyJ") ? ": it is truncated" : "";
    const cause = `the token has ${parts.length} dot-separated ${parts.length === 1 ? "part" : "parts"}, but must have 3${cut}`;
    return { token: undefined, problems: [{ cause, cure: copyWholeToken }] };
  }
  const [headerPart = "", claimsPart = "", signature = ""] = parts;
  const header = readPart("header", headerPart);
  const claims = readPart("payload", claimsPart);
  const problems: TokenProblem[] = [];
  for (const one of [header, claims]) if ("cause" in one) problems.push(one);
  if (signature === "") problems.push({ cause: "the token has no signature: it is truncated", cure: copyWholeToken });
  else if (bytesOf(signature) === undefined) problems.push(notBase64("signature", signature));
  if ("cause" in header || "cause" in claims) return { token: undefined, problems };
  const token = tokenOf(text, header.value, claims.value);
  return { token, problems: [...problems, ...headerProblems(token, limits), ...claimProblems(token, claims.json)] };
}

function tokenOf(text: string, header: ValueMap, claims: ValueMap): Token {
  const { aud } = claims;
  const list = Array.isArray(aud) ? (aud as readonly Value[]) : [aud];
  return {
    text,
    header,
    claims,
    alg: textOf(header["alg"]),
    kid: textOf(header["kid"]),
    iss: textOf(claims["iss"]),
    sub: textOf(claims["sub"]),
    aud: list.every((value) => typeof value === "string" && value !== "") ? (list as readonly string[]) : [],
    exp: secondsOf(claims["exp"]),
    iat: secondsOf(claims["iat"]),
    nbf: secondsOf(claims["nbf"]),
  };
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function secondsOf(value: Value | undefined): number | undefined {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

interface Part {
  readonly json: string;
  readonly value: ValueMap;
}

function readPart(name: string, part: string): Part | TokenProblem {
  const bytes = bytesOf(part);
  if (bytes === undefined) return notBase64(name, part);
  let json: string;
  try {
    json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { cause: `the token's ${name} is not UTF-8`, cure: copyWholeToken };
  }
  const read = readJson(json);
  if ("problem" in read) {
    const cause = `the token's ${name} ${read.problem}`;
    return read.problem === "is not JSON"
      ? { cause, cure: copyWholeToken }
      : { cause, cure: copyWholeToken, isReadBySome: true };
  }
  if (!isMap(read.value)) return { cause: `the token's ${name} is not a JSON object`, cure: copyWholeToken };
  return { json, value: read.value };
}

// A text with only the right characters is either truncated, or has bits at its end that no encoder writes.
function notBase64(name: string, part: string): TokenProblem {
  if (!/^[\w-]+$/.test(part)) {
    const cause = `the token's ${name} is not base64url`;
    // Some readers also accept standard base64, and padding.
    return { cause, cure: copyWholeToken, ...(/^[\w+/=-]+$/.test(part) ? { isReadBySome: true } : {}) };
  }
  const cause = `the token's ${name} is not complete base64url, which happens if a token is truncated`;
  // No octets have a text of this length. In a text of another length, only unused bits are wrong.
  return { cause, cure: copyWholeToken, ...(part.length % 4 === 1 ? {} : { isReadBySome: true }) };
}

function bytesOf(part: string): Buffer | undefined {
  return part === "" ? undefined : readBase64url(part);
}

function headerProblems({ header, alg }: Token, { reader, algorithms }: TokenLimits): TokenProblem[] {
  if (alg !== undefined && algorithms.includes(alg)) return [];
  const allowed = algorithms.join(", ");
  const cause = `the token's "alg" is ${quote(header["alg"])}, but ${reader} accepts only ${allowed}`;
  const cure = "use a token that the cluster's service account signer signed with its RSA or ECDSA key";
  return [{ cause, cure, field: "alg" }];
}

const projected =
  "use the projected token that the pod mounts, or a token from `oc create token`; tokens in Secrets lack claims";

const withAudience =
  "request a token for an audience: `oc create token NAME --namespace NAMESPACE --audience AUDIENCE`";

function claimProblems(token: Token, json: string): TokenProblem[] {
  const problems: TokenProblem[] = [];
  const written = integersOf(json);
  for (const name of ["iss", "sub"] as const) {
    if (token[name] === undefined)
      problems.push({
        cause: `the token's "${name}" must be a string, but ${said(token.claims, name)}`,
        cure: projected,
        field: name,
      });
  }
  if (token.aud.length === 0) {
    const cause = `the token's "aud" must be a string or a list of strings, but ${said(token.claims, "aud")}`;
    problems.push({ cause, cure: withAudience, field: "aud" });
  }
  for (const name of ["exp", "iat", "nbf"] as const) {
    if (name === "nbf" && !Object.hasOwn(token.claims, name)) continue;
    if (token[name] !== undefined && written.has(name)) continue;
    const cause = `the token's "${name}" must be an integer (seconds since the epoch), but ${said(token.claims, name)}`;
    // RFC 7519 allows fractions (section 2, NumericDate).
    const isNumber = token[name] !== undefined ? ({ isReadBySome: true } as const) : {};
    problems.push({ cause, cure: projected, field: name, ...isNumber });
  }
  return problems;
}

/**
 * The top-level keys of a JSON object with values that are written as integers. Clouds require that form, and a JSON parser
 * does not distinguish it from 1e9 or 1.0.
 */
function integersOf(json: string): ReadonlySet<string> {
  const found = new Set<string>();
  let depth = 0;
  let [before, key] = ["", ""];
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|[^\s",:{}[\]]+/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (token === ":") key = depth === 1 ? (JSON.parse(before) as string) : "";
    else if (before === ":" && depth === 1 && /^-?\d+$/.test(token)) found.add(key);
    before = token;
  }
  return found;
}

function said(claims: ValueMap, name: string): string {
  return Object.hasOwn(claims, name) ? `is ${quote(claims[name])}` : "is missing";
}

/** Why a text is not accepted as a token, and what to do. */
export interface TokenProblem {
  readonly cause: string;
  readonly cure: string;
  /** The claim or the header field, if the rest of the token is well formed. */
  readonly field?: "alg" | "iss" | "sub" | "aud" | "exp" | "iat" | "nbf";
  /** Some readers accept the text nevertheless. */
  readonly isReadBySome?: true;
}

const alone = "the file must contain only the token";

/**
 * Recognizes common forms of a token that are not the token alone: in quotes, with "Bearer", JSON, with line breaks, or
 * encoded in base64 again. No part of the text is shown. Undefined if the text has none of these forms.
 */
function misplacedText(text: string): TokenProblem | undefined {
  if (/^["'`]|["'`]$/.test(text)) return { cause: "the token is in quotes", cure: `remove the quotes: ${alone}` };
  if (/^(?:authorization:\s*)?bearer\s/i.test(text))
    return {
      cause: 'the token begins with "Bearer"',
      cure: `remove "Bearer", which belongs to an HTTP header: ${alone}`,
    };
  if (text.startsWith("{"))
    return {
      cause: "the text is JSON, which may contain a token",
      cure: `extract the token, for example with \`jq -r .status.token\` from \`oc create token -o json\`: ${alone}`,
    };
  if (/\s/.test(text)) return textAround(text);
  return isEncodedToken(text)
    ? { cause: "the token is encoded in base64 again, like the data of a Secret", cure: "decode it: `base64 --decode`" }
    : undefined;
}

const tokenForm = /^eyJ[\w-]+\.[\w-]+\.([\w-]+)$/;

// The signature of a token that was broken into lines is too short: ECDSA and RSA create few lengths, in octets.
function isWhole(text: string): boolean {
  const length = Math.floor(((tokenForm.exec(text)?.[1] ?? "").length * 3) / 4);
  return [64, 96, 132].includes(length) || (length >= 256 && length % 64 === 0);
}

// What is around a token, or broke it, decides how to get it back: no command may join a token with other text, or cut it.
function textAround(text: string): TokenProblem {
  const words = text.trim().split(/\s+/);
  const whole = words.filter(isWhole);
  const isBroken = words.length > 1 && isWhole(text.replace(/[ \t\r\n]/g, ""));
  const space = text.search(/\s/);
  const what = /[\r\n]/.test(text[space] ?? "") ? "a line break" : "white space";
  if (whole.length > 1) return { cause: `the text contains ${whole.length} tokens`, cure: `keep one: ${alone}` };
  if (whole.length === 1 && !isBroken && words.filter((word) => tokenForm.test(word)).length === 1) {
    const other = "other words beside the token, for example a message of the command that printed it";
    const around = words.length > 1 ? other : `${what} ${space === 0 ? "before" : "after"} the token`;
    const cure = "keep only the token: `grep -oE 'eyJ[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+' FILE > token`";
    return { cause: `the text contains ${around}`, cure };
  }
  if (!isBroken || whole.length === 1)
    return { cause: `the text contains ${what}, and is not a token without it`, cure: copyWholeToken };
  return {
    cause: `the text contains ${what} in the token, after ${space} of its ${text.length} characters`,
    cure: "write the token on one line, without spaces: `tr -d '[:space:]' < FILE > token`",
  };
}

function isEncodedToken(text: string): boolean {
  return !text.includes(".") && /^eyJ[\w-]+\.[\w-]+\./.test(Buffer.from(text, "base64").toString("latin1"));
}
