import type { JsonReading } from "../core/json.ts";
import { valueAt } from "../core/resource.ts";
import { shellWord } from "../core/shell.ts";
import { notShown, quoteWhole } from "../core/text.ts";
import { type Check, failed, missing, notReached, passed, unknown } from "./answer.ts";
import { discoveryPath, urlProblem } from "./issuer-url.ts";
import { readJwks } from "./key-set.ts";
import { type Elsewhere, type TimeLimits, type TokenLimits, withHosting } from "./limits.ts";
import { describeKeysUrl, documentDoubt, readKeysUrl, shown } from "./published-issuer.ts";
import type { Token, TokenReading } from "./token.ts";
import { verifyTokenSignature } from "./verify-signature.ts";

/** Checks the token's form. All problems are reported, although a cloud stops at the first. */
export function checkShape({ token, problems }: TokenReading, { refusals }: TokenLimits): Check {
  const [first] = problems;
  if (first === undefined) return passed("shape", `a JSON Web Token, signed with ${token?.alg}`);
  const causes = problems.map(({ cause }) => cause).join("; ");
  return failed("shape", refusals.form, causes, first.cure);
}

/** The cure for a token that is too old. */
export const getNewToken =
  "get a new token; the kubelet renews the token that a pod mounts, and the pod must read the file again";

/** The cure for a token from the future. */
export const correctClock = "correct the clock of the machine that issued the token, or of this machine";

/** Checks whether a token is valid at a time, in seconds since the epoch. */
export function checkTime({ exp, iat, nbf }: Token, time: number, { refusals, skew, early }: TimeLimits): Check {
  if (exp === undefined) return notReached("time", "the token has no expiration time");
  const starts = Object.entries({ nbf, iat }).flatMap(([name, from]) =>
    from !== undefined && from > time ? [{ name, from, ahead: from - time }] : [],
  );
  const [latest] = starts.sort((a, b) => b.ahead - a.ahead);
  const begins =
    latest === undefined
      ? ""
      : `the token's "${latest.name}" is ${timeText(latest.from)}, ${span(latest.ahead)} after the time of the check`;
  if (latest !== undefined && latest.ahead > early.seconds) return failed("time", refusals.early, begins, correctClock);
  if (latest !== undefined && exp > time) {
    const doubt = `${early.reader} does not document whether it refuses a token up to ${early.seconds / 60} minutes before it is valid`;
    return unknown("time", `${begins}; ${doubt}`, correctClock);
  }
  if (exp > time) return passed("time", `expires ${timeText(exp)}, in ${span(exp - time)}`);
  const cause = `the token expired ${timeText(exp)}, ${span(time - exp)} before the time of the check`;
  if (time - exp <= skew.seconds)
    return unknown(
      "time",
      `${cause}; ${skew.reader} may accept a token for up to ${skew.seconds / 60} minutes after it expires`,
      getNewToken,
    );
  return failed("time", refusals.expired(exp, time), cause, getNewToken);
}

/** A time in the format of RFC 3339, in UTC; a number if the format cannot express it. */
export function timeText(seconds: number): string {
  const isDate = Math.abs(seconds) < 253_402_300_800 && seconds >= 0;
  return isDate ? new Date(seconds * 1000).toISOString().replace(/\.000Z$/, "Z") : String(seconds);
}

/** A number of seconds in words: "60 minutes". */
export function span(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [amount, unit] =
    whole < 120
      ? [whole, "second"]
      : whole < 7200
        ? [Math.floor(whole / 60), "minute"]
        : whole < 172_800
          ? [Math.floor(whole / 3600), "hour"]
          : [Math.floor(whole / 86_400), "day"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** What an issuer publishes, as far as it is available. */
export interface IssuerDocuments {
  /** The issuer that a cloud knows, without `https://`. */
  readonly url: string | undefined;
  readonly discovery: JsonReading | undefined;
  readonly keys: JsonReading | undefined;
  readonly elsewhere?: Elsewhere;
  /** Why a document is undefined, if the reason is not that no source contains it. */
  readonly missing?: MissingDocuments;
}

/** Why documents that a source contains do not count: another source contradicts it. */
export interface MissingDocuments {
  readonly cause: string;
  /** What to do; undefined if the document must be fetched. */
  readonly cure?: string;
}

/** The command that fetches a document, and the flag for it. A URL that readers could interpret differently is not in a command. */
function fetchFrom(url: string | undefined, name: "discovery" | "jwks"): string {
  const isPlain = url?.startsWith("https://") && urlProblem(url) === undefined && quoteWhole(url) !== notShown;
  if (url === undefined || !isPlain) {
    const place = name === "jwks" ? "the jwks_uri of the issuer's discovery document" : "the issuer";
    return `fetch it from ${place}, and pass it as --${name}`;
  }
  return `fetch it and pass it as --${name}: \`curl -fsS ${shellWord(url)} -o ${name}.json\``;
}

function publishAgain({ cures }: TokenLimits): string {
  return `publish the rendered document: ${cures.publish}, then \`ccf check-issuer\``;
}

/** Checks the discovery document: it must name the token's issuer and the URL of the keys (OpenID Connect Discovery 1.0, section 4.3). */
export function checkDiscovery({ iss }: Token, provider: IssuerDocuments | undefined, cloudLimits: TokenLimits): Check {
  const limits = withHosting(cloudLimits, provider?.elsewhere);
  const publish = publishAgain(limits);
  const { documents, otherIssuer } = limits.refusals;
  const fail = (cause: string) => failed("discovery", documents, cause, publish);
  const document = provider?.discovery;
  if (iss === undefined) return notReached("discovery", "the token names no issuer");
  if (document === undefined) {
    const { cause = "the discovery document of the token's issuer is not available", cure } = provider?.missing ?? {};
    return missing("discovery", cause, cure ?? fetchFrom(`${iss.replace(/\/$/, "")}/${discoveryPath}`, "discovery"));
  }
  if ("problem" in document) return fail(`the discovery document ${document.problem}`);
  const issuer = valueAt(document.value, ["issuer"]);
  if (issuer !== iss) {
    const cause = `the discovery document's "issuer" is ${shown(issuer)}, but the token's is ${quoteWhole(iss)}`;
    // If the document matches its provider, it differs from the token for the same reason as the provider.
    const about = issuer === `https://${provider?.url}` ? "issuer" : undefined;
    return failed("discovery", otherIssuer, cause, publish, about);
  }
  const uri = readKeysUrl(valueAt(document.value, ["jwks_uri"]), iss, limits);
  if ("problem" in uri) return fail(`the discovery document's ${uri.problem}`);
  const detail = `names the token's issuer and its keys at ${describeKeysUrl(uri)}`;
  const doubt = documentDoubt(document.value, limits);
  if (doubt !== undefined) return unknown("discovery", `the discovery document ${doubt}`, publish);
  if (uri.doubt === undefined) return passed("discovery", detail);
  return unknown(
    "discovery",
    `${detail}; the URL ${uri.doubt}`,
    "publish the keys at a URL with only a host and a path",
  );
}

function keysUrlIn(document: JsonReading | undefined): string | undefined {
  const url = document !== undefined && "value" in document ? valueAt(document.value, ["jwks_uri"]) : undefined;
  return typeof url === "string" ? url : undefined;
}

/** Checks the signature: the key that the token names must have created it, and the issuer must publish that key. */
export async function checkSignature(
  token: Token,
  shape: Check,
  issuer: IssuerDocuments | undefined,
  cloudLimits: TokenLimits,
): Promise<Check> {
  const limits = withHosting(cloudLimits, issuer?.elsewhere);
  const document = issuer?.keys;
  const { documents } = limits.refusals;
  const publish = publishAgain(limits);
  if (shape.status !== "passed") return notReached("signature", "the token's form must be corrected first");
  if (document === undefined) {
    const { cause = "the keys of the token's issuer are not available", cure } = issuer?.missing ?? {};
    return missing("signature", cause, cure ?? fetchFrom(keysUrlIn(issuer?.discovery), "jwks"));
  }
  if ("problem" in document) return failed("signature", documents, `the JWKS ${document.problem}`, publish);
  const keys = readJwks(document.value, limits);
  if (typeof keys === "string") return failed("signature", documents, `the JWKS ${keys}`, publish);
  const { verdict, cause, cure, reason, isDamaged } = await verifyTokenSignature(token, keys, limits);
  if (verdict === "valid") return passed("signature", cause);
  if (verdict === "unknown") return unknown("signature", cause, cure);
  const { signature, unusableKey } = limits.refusals;
  const error = reason === "mismatch" ? signature : reason === "unusable" ? unusableKey : limits.refusals.keys(token);
  return failed("signature", error, cause, cure, isDamaged ? undefined : "key");
}
