import type { PublishedKey } from "./jwks.ts";
import type { KeyLimits } from "./limits.ts";
import { copyWholeToken, type Token } from "./token.ts";
import type { TokenProblem } from "./token-file.ts";

/** Octets of a signature: R and S of an ECDSA signature have a fixed length each (RFC 7518, section 3.4). */
const ecdsaLengths: ReadonlyMap<string, number> = new Map([
  ["ES256", 64],
  ["ES384", 96],
  ["ES512", 132],
]);

/** An RSA signature is as long as the modulus (RFC 8017, section 8.2.1), and none of less than 2048 bits is taken (RFC 7518, section 3.3). */
const fewestOctets = 256;

/**
 * Why a signature's length says that the token is damaged, whatever its key is; undefined where it says nothing.
 *
 * @param keys the keys that the token names; where there are none, an RSA signature can only be too short for any.
 */
export function wrongLength(
  { text, alg = "" }: Token,
  keys: readonly PublishedKey[],
  { reader }: KeyLimits,
): TokenProblem | undefined {
  const has = Buffer.from(text.split(".")[2] ?? "", "base64url").length;
  const ecdsa = ecdsaLengths.get(alg);
  const lengths = ecdsa === undefined ? keys.map(octetsOfModulus) : [ecdsa];
  if (lengths.length === 0)
    return has < fewestOctets
      ? problem(has, `at least ${fewestOctets}`, `an RSA key that ${reader} takes makes`)
      : undefined;
  if (lengths.includes(has) || lengths.includes(0)) return undefined;
  return problem(has, [...new Set(lengths)].join(" or "), ecdsa === undefined ? "the key makes" : `${alg} makes`);
}

function problem(has: number, needed: string, who: string): TokenProblem {
  const cause = `the token's signature has ${has} bytes, and ${who} ${needed}: the token is cut short or changed`;
  return { cause, cure: copyWholeToken };
}

function octetsOfModulus({ material }: PublishedKey): number {
  const octets = Buffer.from(material["n"] ?? "", "base64url");
  const first = octets.findIndex((octet) => octet !== 0);
  return first < 0 ? 0 : octets.length - first;
}
