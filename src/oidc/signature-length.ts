import { curves, minRsaBits } from "./algorithms.ts";
import type { PublishedKey } from "./jwks.ts";
import type { KeyLimits } from "./limits.ts";
import { copyWholeToken, type Token } from "./token.ts";
import type { TokenProblem } from "./token-file.ts";

/** Octets of a signature: in ECDSA, R and S each are as long as a coordinate (RFC 7518, section 3.4). */
const ecdsaLengths = new Map(Array.from(curves.values(), ({ alg, octets }) => [alg, 2 * octets] as const));

/** An RSA signature is as long as the modulus (RFC 8017, section 8.2.1). */
const fewestOctets = minRsaBits / 8;

/**
 * Why the length of a signature shows that the token is damaged; undefined if the length does not show that.
 *
 * @param keys the keys that the token names; without them, an RSA signature can only be too short for every key.
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
      ? problem(has, `at least ${fewestOctets}`, `an RSA key that ${reader} accepts creates`)
      : undefined;
  if (lengths.includes(has) || lengths.includes(0)) return undefined;
  return problem(has, [...new Set(lengths)].join(" or "), ecdsa === undefined ? "the key creates" : `${alg} creates`);
}

function problem(has: number, needed: string, who: string): TokenProblem {
  const cause = `the token's signature has ${has} bytes, but ${who} ${needed}: the token was truncated or changed`;
  return { cause, cure: copyWholeToken };
}

function octetsOfModulus({ material }: PublishedKey): number {
  const octets = Buffer.from(material["n"] ?? "", "base64url");
  const first = octets.findIndex((octet) => octet !== 0);
  return first < 0 ? 0 : octets.length - first;
}
