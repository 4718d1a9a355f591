import type { Value, ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { algorithms, curves } from "./algorithms.ts";
import { judgeEc, judgeRsa, type MaterialProblem } from "./judge-material.ts";
import type { KeyLimits } from "./limits.ts";

/** The verdict on a key that an issuer publishes. */
export interface KeyJudgment {
  /**
   * - `usable`: the cloud can check signatures with it;
   * - `unsuited`: well formed as far as this code can tell, but the cloud does not check signatures with it;
   * - `unknown`: how the cloud handles it is not documented;
   * - `malformed`, `weak`: a careful reader refuses it (see {@link MaterialProblem});
   * - `private`: it is published with parts of the private key.
   */
  readonly verdict: "usable" | "unsuited" | "private" | MaterialProblem["verdict"];
  /** Why it is not usable: a predicate for a sentence that begins with the key. It never contains key material. */
  readonly cause: string;
}

/** The members of private and symmetric keys (RFC 7518, section 6; `priv` is for ML-DSA keys). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** Returns whether a JWK has members of a private key, regardless of their values. */
export function isPrivateJwk(jwk: ValueMap): boolean {
  return privateMembers.some((name) => Object.hasOwn(jwk, name));
}

/**
 * Judges whether a cloud checks signatures with a published key (RFC 7517, RFC 7518). Every command and function uses this
 * verdict.
 */
export function judgeKey(jwk: ValueMap, limits: KeyLimits): KeyJudgment {
  if (isPrivateJwk(jwk)) return { verdict: "private", cause: "is published with parts of its private key" };
  return (
    judgeKind(jwk, limits) ?? judgeMembers(jwk, limits) ?? judgePurpose(jwk, limits) ?? { verdict: "usable", cause: "" }
  );
}

function judgeKind(jwk: ValueMap, limits: KeyLimits): KeyJudgment | undefined {
  const { reader } = limits;
  const { kty, crv } = jwk;
  const accepted = [...curves].flatMap(([name, { alg }]) => (limits.algorithms.includes(alg) ? name : []));
  const kinds = accepted.length === 0 ? "RSA" : "RSA and EC";
  if (typeof kty !== "string") return malformed('has no key type ("kty")');
  if (kty === "RSA") return judgeRsa(jwk, limits);
  if (kty !== "EC" || accepted.length === 0)
    return unsuited(`has the type ${quote(kty)}, but ${reader} accepts only ${kinds}`);
  if (typeof crv !== "string") return malformed('has no curve ("crv")');
  if (!accepted.includes(crv))
    return unsuited(`is on the curve ${quote(crv)}, but ${reader} accepts only ${accepted.join(", ")}`);
  return judgeEc(jwk);
}

// The other members must be valid (RFC 7517, section 4) and must not contradict each other.
function judgeMembers(jwk: ValueMap, { reader }: KeyLimits): KeyJudgment | undefined {
  for (const name of ["kid", "use", "alg"])
    if (Object.hasOwn(jwk, name) && typeof jwk[name] !== "string")
      return malformed(`has a member "${name}" that is not a string`);
  return judgeOperations(jwk, reader) ?? judgeAlgorithm(jwk) ?? judgeCertificates(jwk);
}

function judgeOperations({ use, key_ops: operations }: ValueMap, reader: string): KeyJudgment | undefined {
  if (operations === undefined) return undefined;
  if (!isTexts(operations)) return malformed('has a "key_ops" that is not a list of strings');
  if (new Set(operations).size < operations.length) return malformed('has a duplicate entry in its "key_ops"');
  const isForSignatures = operations.includes("verify");
  if ((use === "sig" && !isForSignatures) || (use === "enc" && isForSignatures))
    return malformed('has a "use" and a "key_ops" that contradict each other');
  if (isForSignatures && operations.length > 1)
    return {
      verdict: "unknown",
      cause: `has more than "verify" in its "key_ops"; how ${reader} handles that is not documented`,
    };
  return undefined;
}

// An algorithm that the cloud does not accept is not an error here: an issuer can publish keys for other readers.
function judgeAlgorithm({ kty, crv, alg }: ValueMap): KeyJudgment | undefined {
  const needed = algorithms.get(String(alg ?? ""));
  if (needed === undefined || (needed.kty === kty && (needed.crv === undefined || needed.crv === crv)))
    return undefined;
  return malformed(`has the "alg" ${quote(alg)}, which contradicts its key type`);
}

// The first certificate must contain the same key (RFC 7517, section 4.7), because a reader may use either.
function judgeCertificates(jwk: ValueMap): KeyJudgment | undefined {
  const { x5c } = jwk;
  if (x5c === undefined) return undefined;
  if (!isTexts(x5c) || x5c[0] === undefined) return malformed('has an "x5c" that is not a list of certificates');
  return isKeyOf(x5c[0], jwk) ? undefined : malformed('has a certificate ("x5c") for another key');
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

function judgePurpose({ kid, use, key_ops: operations, alg }: ValueMap, limits: KeyLimits): KeyJudgment | undefined {
  if (kid === undefined || kid === "") return unsuited('has no key ID ("kid"), so no token can name it');
  if ((use !== undefined && use !== "sig") || (isTexts(operations) && !operations.includes("verify")))
    return unsuited('is not for signatures, according to its "use" or "key_ops"');
  if (alg !== undefined && !limits.algorithms.includes(String(alg)))
    return unsuited(
      `is for the algorithm ${quote(alg)}, but ${limits.reader} accepts only ${limits.algorithms.join(", ")}`,
    );
  return undefined;
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((value) => typeof value === "string");
}

function malformed(cause: string): KeyJudgment {
  return { verdict: "malformed", cause };
}

function unsuited(cause: string): KeyJudgment {
  return { verdict: "unsuited", cause };
}
