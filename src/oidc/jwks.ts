import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { algorithms } from "./token.ts";

/** A key as an issuer publishes it (RFC 7517): what of it counts for checking signatures. */
export interface PublishedKey {
  readonly kid: string | undefined;
  readonly kty: string | undefined;
  readonly alg: string | undefined;
  readonly crv: string | undefined;
  /** The numbers that make up the public key: n and e, or crv, x and y. */
  readonly material: Readonly<Record<string, string>>;
  /** It holds numbers of the private key: whoever reads it can sign. */
  readonly isPrivate: boolean;
  /** Says that it is not for signatures. */
  readonly isForOthers: boolean;
}

/** The keys of a JSON Web Key Set (RFC 7517, section 5), or why it is none. */
export function readJwks(document: Value): readonly PublishedKey[] | string {
  const list = isMap(document) ? document["keys"] : undefined;
  if (!Array.isArray(list)) return 'has no list "keys"';
  if (!(list as readonly Value[]).every(isMap)) return 'has something in "keys" that is no key';
  return (list as readonly ValueMap[]).map(publishedKey);
}

// RFC 7518, section 6.
const publicNumbers: Readonly<Record<string, readonly string[]>> = { RSA: ["n", "e"], EC: ["crv", "x", "y"] };
const privateNumbers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

function publishedKey(key: ValueMap): PublishedKey {
  const text = (name: string) => (typeof key[name] === "string" ? (key[name] as string) : undefined);
  const kty = text("kty");
  const operations = key["key_ops"];
  return {
    kid: text("kid"),
    kty,
    alg: text("alg"),
    crv: text("crv"),
    material: Object.fromEntries((publicNumbers[kty ?? ""] ?? []).map((name) => [name, text(name) ?? ""])),
    isPrivate: privateNumbers.some((name) => Object.hasOwn(key, name)),
    isForOthers:
      (key["use"] !== undefined && key["use"] !== "sig") ||
      (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))),
  };
}

/** Why a key cannot have made a signature of an algorithm; undefined where it can. */
export function unusable(key: PublishedKey, alg: string): string | undefined {
  const needed = algorithms.get(alg);
  if (needed === undefined) return `AWS knows no signatures of the algorithm ${quote(alg)}`;
  if (key.isForOthers) return 'its "use" or "key_ops" says that it is not for signatures';
  if (key.kty !== needed.kty) return `it is of the kind ${quote(key.kty ?? "")}, and ${alg} needs ${needed.kty}`;
  if (needed.crv !== undefined && key.crv !== needed.crv)
    return `it is on the curve ${quote(key.crv ?? "")}, and ${alg} needs ${needed.crv}`;
  if (key.alg !== undefined && key.alg !== alg) return `its "alg" is ${quote(key.alg)}, and the token's is ${alg}`;
  return undefined;
}

/** Says whether two keys are the same public key, whatever they are called. */
export function sameMaterial(a: PublishedKey, b: PublishedKey): boolean {
  const names = publicNumbers[a.kty ?? ""] ?? [];
  return a.kty === b.kty && names.length > 0 && names.every((name) => a.material[name] === b.material[name]);
}
