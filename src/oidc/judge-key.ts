import type { Value, ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { algorithms, curves } from "./algorithms.ts";
import { judgeEc, judgeRsa, type MaterialProblem } from "./judge-material.ts";
import type { KeyLimits } from "./limits.ts";

/** What becomes of a key that an issuer publishes. */
export interface KeyJudgement {
  /**
   * - `usable`: the cloud can check signatures with it;
   * - `unsuited`: well formed, as far as can be told, and not one that the cloud checks signatures with;
   * - `unknown`: what the cloud does with it is not documented;
   * - `malformed`, `weak`: a careful reader refuses it (see {@link MaterialProblem});
   * - `private`: it is published with parts of its private half.
   */
  readonly verdict: "usable" | "unsuited" | "private" | MaterialProblem["verdict"];
  /** Why it is not usable: goes on where a sentence has named the key, and never holds a number of it. */
  readonly cause: string;
}

/** What a member of a private or a symmetric key is called (RFC 7518, section 6; `priv` of keys for ML-DSA). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Says whether a JWK holds members of a private key, whatever their values are. */
export function isPrivateJwk(jwk: ValueMap): boolean {
  return privateMembers.some((name) => Object.hasOwn(jwk, name));
}

/**
 * Judges a key as an issuer publishes it (RFC 7517, RFC 7518): the one answer that every command and function has to
 * the question whether a cloud checks signatures with it.
 */
export function judgeKey(jwk: ValueMap, limits: KeyLimits): KeyJudgement {
  if (isPrivateJwk(jwk)) return { verdict: "private", cause: "is published with numbers of its private half" };
  return (
    judgeKind(jwk, limits) ?? judgeMembers(jwk, limits) ?? judgePurpose(jwk, limits) ?? { verdict: "usable", cause: "" }
  );
}

function judgeKind(jwk: ValueMap, limits: KeyLimits): KeyJudgement | undefined {
  const { reader } = limits;
  const { kty, crv } = jwk;
  if (typeof kty !== "string") return malformed('has no kind ("kty")');
  if (kty === "RSA") return judgeRsa(jwk, limits);
  if (kty !== "EC") return unsuited(`is of the kind ${quote(kty)}, and ${reader} takes RSA and EC alone`);
  if (typeof crv !== "string") return malformed('has no curve ("crv")');
  const taken = [...curves].flatMap(([name, { alg }]) => (limits.algorithms.includes(alg) ? name : []));
  if (!taken.includes(crv)) return unsuited(`is on the curve ${quote(crv)}, and ${reader} takes ${taken.join(", ")}`);
  return judgeEc(jwk);
}

// What its other members must be (RFC 7517, section 4), and that none contradicts another.
function judgeMembers(jwk: ValueMap, { reader }: KeyLimits): KeyJudgement | undefined {
  for (const name of ["kid", "use", "alg"])
    if (Object.hasOwn(jwk, name) && typeof jwk[name] !== "string")
      return malformed(`has something else than a text as its "${name}"`);
  return judgeOperations(jwk, reader) ?? judgeAlgorithm(jwk) ?? judgeCertificates(jwk);
}

function judgeOperations({ use, key_ops: operations }: ValueMap, reader: string): KeyJudgement | undefined {
  if (operations === undefined) return undefined;
  if (!isTexts(operations)) return malformed('has no list of texts as its "key_ops"');
  if (new Set(operations).size < operations.length) return malformed('has the same thing twice in its "key_ops"');
  const isForSignatures = operations.includes("verify");
  if ((use === "sig" && !isForSignatures) || (use === "enc" && isForSignatures))
    return malformed('has a "use" and a "key_ops" that contradict each other');
  if (isForSignatures && operations.length > 1)
    return {
      verdict: "unknown",
      cause: `has more than "verify" in its "key_ops", and what ${reader} does then is not documented`,
    };
  return undefined;
}

// Algorithms that the cloud does not take are the owner's business: it can have keys for other readers.
function judgeAlgorithm({ kty, crv, alg }: ValueMap): KeyJudgement | undefined {
  const needed = algorithms.get(String(alg ?? ""));
  if (needed === undefined || (needed.kty === kty && (needed.crv === undefined || needed.crv === crv)))
    return undefined;
  return malformed(`has the "alg" ${quote(alg)}, which contradicts its kind`);
}

// The first certificate must hold the same key (RFC 7517, section 4.7): a reader may take either.
function judgeCertificates(jwk: ValueMap): KeyJudgement | undefined {
  const { x5c } = jwk;
  if (x5c === undefined) return undefined;
  if (!isTexts(x5c) || x5c[0] === undefined) return malformed('has no list of certificates as its "x5c"');
  return isKeyOf(x5c[0], jwk) ? undefined : malformed('has a certificate ("x5c") that is not for the same key');
}

function isKeyOf(text: string, jwk: ValueMap): boolean {
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    const certificate = new X509Certificate(Buffer.from(text, "base64"));
    if (certificate.raw.toString("base64") !== text) return false;
    const own = certificate.publicKey.export({ format: "jwk" });
    return ["kty", "n", "e", "crv", "x", "y"].every((name) => own[name] === jwk[name]);
  } catch {
    return false;
  }
}

function judgePurpose({ kid, use, key_ops: operations, alg }: ValueMap, limits: KeyLimits): KeyJudgement | undefined {
  if (kid === undefined || kid === "") return unsuited('has no key ID ("kid"), so that no token can name it');
  if ((use !== undefined && use !== "sig") || (isTexts(operations) && !operations.includes("verify")))
    return unsuited('is not for signatures, as its "use" or "key_ops" says');
  if (alg !== undefined && !limits.algorithms.includes(String(alg)))
    return unsuited(`is for the algorithm ${quote(alg)}, and ${limits.reader} takes ${limits.algorithms.join(", ")}`);
  return undefined;
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((value) => typeof value === "string");
}

function malformed(cause: string): KeyJudgement {
  return { verdict: "malformed", cause };
}

function unsuited(cause: string): KeyJudgement {
  return { verdict: "unsuited", cause };
}
