import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { holdsPrivateKey, quote } from "../core/text.ts";
import { algorithms } from "./algorithms.ts";
import { isPrivateJwk, judgeKey, type KeyJudgement } from "./judge-key.ts";
import type { KeyLimits, TokenLimits } from "./limits.ts";

/** A key as an issuer publishes it (RFC 7517): what of it counts for checking signatures, and what is to be thought of it. */
export interface PublishedKey {
  readonly kid: string | undefined;
  readonly kty: string | undefined;
  readonly alg: string | undefined;
  readonly crv: string | undefined;
  /** The numbers that make up the public key: n and e, or crv, x and y. */
  readonly material: Readonly<Record<string, string>>;
  readonly judgement: KeyJudgement;
}

/** The keys of a JSON Web Key Set (RFC 7517, section 5), each judged, or why it is none. */
export function readJwks(document: Value, limits: TokenLimits): readonly PublishedKey[] | string {
  if (!isMap(document)) return readList(document, limits);
  const known = readBefore.get(document);
  if (known !== undefined) return known;
  const reading = readList(document, limits);
  readBefore.set(document, reading);
  return reading;
}

// A token is held against the same document for each role, and points on curves take their time.
const readBefore = new WeakMap<ValueMap, readonly PublishedKey[] | string>();

function readList(document: Value, limits: TokenLimits): readonly PublishedKey[] | string {
  // As many of each of two kinds are read at most: to judge more would take long, and say nothing more.
  const most = 2 * limits.keys.maxPerAlgorithm;
  const tooMany: KeyJudgement = { verdict: "unknown", cause: `comes after ${most} others, and was not looked at` };
  const list = isMap(document) ? document["keys"] : undefined;
  if (holdsPrivate(document, list)) return "holds a private key beside its keys";
  if (!Array.isArray(list)) return 'has no list "keys"';
  if (!(list as readonly Value[]).every(isMap)) return 'has something in "keys" that is no key';
  return (list as readonly ValueMap[]).map((key, index) =>
    publishedKey(key, index < most || isPrivateJwk(key) ? judgeKey(key, limits) : tooMany),
  );
}

// The keys in the list are judged one by one; what lies elsewhere in the document is published, too.
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

function publishedKey(key: ValueMap, judgement: KeyJudgement): PublishedKey {
  const text = (name: string) => (typeof key[name] === "string" ? (key[name] as string) : undefined);
  const kty = text("kty");
  return {
    kid: text("kid"),
    kty,
    alg: text("alg"),
    crv: text("crv"),
    material: Object.fromEntries(numbersOf(kty).map((name) => [name, text(name) ?? ""])),
    judgement,
  };
}

function numbersOf(kty: string | undefined): readonly string[] {
  return kty !== undefined && Object.hasOwn(publicNumbers, kty) ? (publicNumbers[kty] ?? []) : [];
}

/** Why a key cannot have made a signature of an algorithm; undefined where it can. */
export function mismatch(key: PublishedKey, alg: string, { reader, algorithms: taken }: KeyLimits): string | undefined {
  const needed = taken.includes(alg) ? algorithms.get(alg) : undefined;
  if (needed === undefined) return `${reader} knows no signatures of the algorithm ${quote(alg)}`;
  if (key.kty !== needed.kty) return `it is of the kind ${quote(key.kty ?? "")}, and ${alg} needs ${needed.kty}`;
  if (needed.crv !== undefined && key.crv !== needed.crv)
    return `it is on the curve ${quote(key.crv ?? "")}, and ${alg} needs ${needed.crv}`;
  if (key.alg !== undefined && key.alg !== alg) return `its "alg" is ${quote(key.alg)}, and the token's is ${alg}`;
  return undefined;
}

/** Says whether two keys are the same public key, whatever they are called. */
export function sameMaterial(a: PublishedKey, b: PublishedKey): boolean {
  const names = numbersOf(a.kty);
  return a.kty === b.kty && names.length > 0 && names.every((name) => a.material[name] === b.material[name]);
}
