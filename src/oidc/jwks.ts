import { entryOf, isMap, type Value, type ValueMap } from "../core/resource.ts";
import { holdsPrivateKey, quote } from "../core/text.ts";
import { algorithms } from "./algorithms.ts";
import { isPrivateJwk, judgeKey, type KeyJudgment } from "./judge-key.ts";
import type { KeyLimits, TokenLimits } from "./limits.ts";

/** A key as an issuer publishes it (RFC 7517): the parts that matter for checking signatures, and the verdict on it. */
export interface PublishedKey {
  readonly kid: string | undefined;
  readonly kty: string | undefined;
  readonly alg: string | undefined;
  readonly crv: string | undefined;
  /** The numbers that make up the public key: n and e, or crv, x and y. */
  readonly material: Readonly<Record<string, string>>;
  readonly judgment: KeyJudgment;
}

/** Returns the keys of a JSON Web Key Set (RFC 7517, section 5), each with its verdict, or why the document is not a JWKS. */
export function readJwks(document: Value, limits: TokenLimits): readonly PublishedKey[] | string {
  if (!isMap(document)) return readList(document, limits);
  const known = readBefore.get(document);
  if (known !== undefined) return known;
  const reading = readList(document, limits);
  readBefore.set(document, reading);
  return reading;
}

// A token is checked against the same document for each role, and checking points on curves is slow.
const readBefore = new WeakMap<ValueMap, readonly PublishedKey[] | string>();

function readList(document: Value, limits: TokenLimits): readonly PublishedKey[] | string {
  // At most this many keys are read, for two key types. Judging more would take long and add little.
  const most = 2 * limits.keys.maxPerAlgorithm;
  const tooMany: KeyJudgment = { verdict: "unknown", cause: `comes after ${most} others and was not checked` };
  const list = isMap(document) ? document["keys"] : undefined;
  if (holdsPrivate(document, list)) return "contains a private key outside its keys";
  if (!Array.isArray(list)) return 'has no list "keys"';
  if (!(list as readonly Value[]).every(isMap)) return 'has an entry in "keys" that is not a key';
  return (list as readonly ValueMap[]).map((key, index) =>
    publishedKey(key, index < most || isPrivateJwk(key) ? judgeKey(key, limits) : tooMany),
  );
}

// The keys in the list are judged separately. Everything else in the document is published, too.
function holdsPrivate(value: Value | undefined, judged: Value | undefined): boolean {
  if (typeof value === "string") return holdsPrivateKey(value);
  if (Array.isArray(value))
    return (value as readonly Value[]).some((one) =>
      value === judged && isMap(one)
        ? Object.values(one).some((part) => holdsPrivate(part, judged))
        : holdsPrivate(one, judged),
    );
  if (!isMap(value)) return false;
  return (
    (typeof value["kty"] === "string" && isPrivateJwk(value)) ||
    Object.values(value).some((value) => holdsPrivate(value, judged))
  );
}

// RFC 7518, section 6.
const publicNumbers: Readonly<Record<string, readonly string[]>> = { RSA: ["n", "e"], EC: ["crv", "x", "y"] };

function publishedKey(key: ValueMap, judgment: KeyJudgment): PublishedKey {
  const text = (name: string) => (typeof key[name] === "string" ? (key[name] as string) : undefined);
  const kty = text("kty");
  return {
    kid: text("kid"),
    kty,
    alg: text("alg"),
    crv: text("crv"),
    material: Object.fromEntries(numbersOf(kty).map((name) => [name, text(name) ?? ""])),
    judgment: judgment,
  };
}

function numbersOf(kty: string | undefined): readonly string[] {
  return kty === undefined ? [] : (entryOf(publicNumbers, kty) ?? []);
}

/** Why a key cannot have created a signature with an algorithm; undefined if it can. */
export function mismatch(key: PublishedKey, alg: string, { reader, algorithms: taken }: KeyLimits): string | undefined {
  const needed = taken.includes(alg) ? algorithms.get(alg) : undefined;
  if (needed === undefined) return `${reader} does not support signatures with the algorithm ${quote(alg)}`;
  if (key.kty !== needed.kty) return `it has the type ${quote(key.kty ?? "")}, but ${alg} requires ${needed.kty}`;
  if (needed.crv !== undefined && key.crv !== needed.crv)
    return `it is on the curve ${quote(key.crv ?? "")}, but ${alg} requires ${needed.crv}`;
  if (key.alg !== undefined && key.alg !== alg) return `its "alg" is ${quote(key.alg)}, but the token's is ${alg}`;
  return undefined;
}

/** Returns whether two keys are the same public key, regardless of their IDs. */
export function sameMaterial(a: PublishedKey, b: PublishedKey): boolean {
  const names = numbersOf(a.kty);
  return a.kty === b.kty && names.length > 0 && names.every((name) => a.material[name] === b.material[name]);
}
