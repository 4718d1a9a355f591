import { readJson } from "../core/read-json.ts";
import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { readBase64url } from "./base64url.ts";
import type { TokenLimits } from "./limits.ts";
import { misplacedText, type TokenProblem } from "./token-file.ts";

/** A JSON Web Token whose header and claims could be read. Nothing in it is believed yet. */
export interface Token {
  /** The whole token, with its signature: it is never shown. */
  readonly text: string;
  readonly header: ValueMap;
  readonly claims: ValueMap;
  /** `alg` and `kid` of the header, and the claims of that name, where they are texts. */
  readonly alg: string | undefined;
  readonly kid: string | undefined;
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  /** The audiences: one or more texts, or none where the claim is missing or has another form. */
  readonly aud: readonly string[];
  /** NumericDates in seconds since the epoch, where they are integers. */
  readonly exp: number | undefined;
  readonly iat: number | undefined;
  readonly nbf: number | undefined;
}

/** A token, as far as it can be read, and everything that is wrong with its form. */
export interface TokenReading {
  readonly token: Token | undefined;
  readonly problems: readonly TokenProblem[];
}

/** The cure of every token that is not whole. */
export const copyWholeToken = "take the token anew, and whole: `oc create token`, or the file that the pod mounts";

/** Reads the form of a token (RFC 7519, RFC 7515 section 7.1, OpenID Connect Core 1.0 section 2). */
export function readToken(text: string, limits: TokenLimits): TokenReading {
  const [fewest, most] = limits.characters;
  if (text.length < fewest || text.length > most) {
    const cause = `the token has ${text.length} characters, and must have ${fewest} to ${most}`;
    return { token: undefined, problems: [{ cause, cure: copyWholeToken }] };
  }
  const misplaced = misplacedText(text);
  if (misplaced !== undefined) return { token: undefined, problems: [misplaced] };
  const parts = text.split(".");
  if (parts.length !== 3) {
    const cut = parts.length < 3 && text.startsWith("eyJ") ? ": it is cut short" : "";
    const cause = `the token has ${parts.length} ${parts.length === 1 ? "part" : "parts"} between its dots, and must have 3${cut}`;
    return { token: undefined, problems: [{ cause, cure: copyWholeToken }] };
  }
  const [headerPart = "", claimsPart = "", signature = ""] = parts;
  const header = readPart("header", headerPart);
  const claims = readPart("payload", claimsPart);
  const problems: TokenProblem[] = [];
  for (const one of [header, claims]) if ("cause" in one) problems.push(one);
  if (signature === "") problems.push({ cause: "the token has no signature: it is cut short", cure: copyWholeToken });
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
  return Number.isSafeInteger(value) ? (value as number) : undefined;
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
  if ("problem" in read) return { cause: `the token's ${name} ${read.problem}`, cure: copyWholeToken };
  if (!isMap(read.value)) return { cause: `the token's ${name} is no JSON object`, cure: copyWholeToken };
  return { json, value: read.value };
}

// What has the right characters alone lacks some, or has other bits at its end than an encoder writes.
function notBase64(name: string, part: string): TokenProblem {
  const how = /^[\w-]+$/.test(part) ? "is not whole base64url, as when a token is cut short" : "is not base64url";
  return { cause: `the token's ${name} ${how}`, cure: copyWholeToken };
}

function bytesOf(part: string): Buffer | undefined {
  return part === "" ? undefined : readBase64url(part);
}

function headerProblems({ header, alg }: Token, { reader, algorithms }: TokenLimits): TokenProblem[] {
  if (alg !== undefined && algorithms.includes(alg)) return [];
  const allowed = algorithms.join(", ");
  const cause = `the token's "alg" is ${quote(header["alg"])}, and ${reader} takes ${allowed} alone`;
  return [{ cause, cure: "use a token that the cluster's service account signer signed, with its RSA or ECDSA key" }];
}

const projected =
  "use the projected token that the pod mounts, or one of `oc create token`; tokens of Secrets lack claims";

function claimProblems(token: Token, json: string): TokenProblem[] {
  const problems: TokenProblem[] = [];
  const written = integersOf(json);
  for (const name of ["iss", "sub"] as const) {
    if (token[name] === undefined)
      problems.push({
        cause: `the token's "${name}" must be a text, and ${said(token.claims, name)}`,
        cure: projected,
      });
  }
  if (token.aud.length === 0) {
    const cause = `the token's "aud" must be a text or a list of texts, and ${said(token.claims, "aud")}`;
    problems.push({ cause, cure: projected });
  }
  for (const name of ["exp", "iat", "nbf"] as const) {
    if (name === "nbf" && !Object.hasOwn(token.claims, name)) continue;
    if (token[name] !== undefined && written.has(name)) continue;
    const cause = `the token's "${name}" must be an integer, seconds since the epoch, and ${said(token.claims, name)}`;
    problems.push({ cause, cure: projected });
  }
  return problems;
}

/**
 * The keys of a JSON object, of itself and not of what is nested in it, whose values are written as integers: clouds want
 * these so, and to JSON, 1e9 and 1.0 are numbers like others.
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
