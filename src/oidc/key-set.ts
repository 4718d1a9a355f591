import { entryOf, isMap, type Value, type ValueMap } from "../core/resource.ts";
import { holdsPrivateKey, quote, quoteWhole } from "../core/text.ts";
import { isPrivateJwk, judgeKey, type KeyJudgment } from "./judge-key.ts";
import { algorithms, type KeyLimits, minRsaBits, newRsaBits, type TokenLimits } from "./limits.ts";

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

/** A problem with the keys of an issuer, regardless of which key a token names. */
export interface KeySetProblem {
  /** Failed: a careful reader refuses the keys, or others than the issuer can sign. Unknown: the cloud's behavior is not documented. */
  readonly status: "failed" | "unknown";
  readonly isPrivate: boolean;
  readonly cause: string;
  readonly cure: string;
}

/** The verdict on an issuer's keys. */
export interface KeySetAnswer {
  readonly status: "passed" | "failed" | "unknown";
  readonly detail: string;
  readonly cure?: string;
}

/** How many items a message lists; it gives only the number of the rest. */
const maxNamed = 10;

const newPair =
  "treat this key as compromised, because others can sign with it; create a new key pair and publish only its public key";

/**
 * Judges the keys of an issuer as a whole. The cloud must be able to use at least one key. There must be no key that others
 * than the issuer can sign with, or that readers interpret differently. Keys for other readers do no harm (RFC 7517,
 * section 5), unless the cloud refuses them.
 */
export function judgeKeySet(keys: readonly PublishedKey[], limits: TokenLimits): KeySetAnswer {
  const problems = keySetProblems(keys, limits);
  const usable = keys.filter(({ judgment: judgement }) => judgement.verdict === "usable");
  const failed = problems.filter(({ status }) => status === "failed");
  if (failed.length > 0) return answer("failed", failed, limits);
  const doubtful = problems.filter(({ status }) => status === "unknown");
  const isOpen = usable.length > 0 || keys.some(({ judgment: judgement }) => judgement.verdict === "unknown");
  if (isOpen && doubtful.length > 0) return answer("unknown", doubtful, limits);
  if (usable.length > 0) {
    const ids = joined(usable.map(publishedKeyName));
    return { status: "passed", detail: `${usable.length} of ${keys.length} keys can be used: ${ids}` };
  }
  const causes = keys.map((key) => `the key ${publishedKeyName(key)} ${key.judgment.cause}`);
  const why = causes.length === 0 ? "" : `: ${joined(causes, "; ")}`;
  return {
    status: "failed",
    detail: `the JWKS has no key that ${limits.reader} can use${why}`,
    cure: publishAgain(limits),
  };
}

/** The cure for published documents that differ from the rendered ones. */
export function publishAgain({ cures }: TokenLimits): string {
  return `publish the rendered documents: ${cures.publish}`;
}

function answer(status: "failed" | "unknown", problems: readonly KeySetProblem[], limits: TokenLimits): KeySetAnswer {
  const causes = problems.map(({ cause }) => cause);
  return { status, detail: joined(causes, "; "), cure: problems[0]?.cure ?? publishAgain(limits) };
}

/** All problems with the keys of an issuer, private keys first. */
export function keySetProblems(keys: readonly PublishedKey[], limits: TokenLimits): KeySetProblem[] {
  return [
    ...keys.filter(({ judgment: judgement }) => judgement.verdict === "private").map(privateProblem),
    ...keys.flatMap((key) => keyProblem(key, limits) ?? []),
    ...repeated(keys),
    ...tooMany(keys, limits),
    ...ignored(keys, limits),
  ];
}

// A key that is not read is not missed until the cluster signs with it.
function ignored(keys: readonly PublishedKey[], { reader, maxKeys = keys.length }: TokenLimits): KeySetProblem[] {
  if (keys.length <= maxKeys) return [];
  const cause = `the JWKS has ${keys.length} keys, but ${reader} reads only the first ${maxKeys}`;
  return [{ status: "failed", isPrivate: false, cause, cure: "publish fewer keys" }];
}

function privateProblem(key: PublishedKey): KeySetProblem {
  return { status: "failed", isPrivate: true, cause: causeOf(key), cure: newPair };
}

function keyProblem(key: PublishedKey, limits: TokenLimits): KeySetProblem | undefined {
  switch (key.judgment.verdict) {
    case "weak":
      return { status: "failed", isPrivate: false, cause: causeOf(key), cure: newPair };
    // It is not documented whether the cloud skips such a key or refuses all keys.
    case "malformed":
      return { status: "unknown", isPrivate: false, cause: causeOf(key), cure: publishAgain(limits) };
    case "unknown":
      return {
        status: "unknown",
        isPrivate: false,
        cause: causeOf(key),
        cure: `use RSA of ${minRsaBits} to ${newRsaBits} bits`,
      };
    case "unsuited":
      return unsuitedProblem(key, limits);
    default:
      return undefined;
  }
}

// A key for other readers does no harm, unless the cloud refuses all keys because of it.
function unsuitedProblem(key: PublishedKey, limits: TokenLimits): KeySetProblem | undefined {
  if (limits.keys.others === "skipped") return undefined;
  const isOfUsableKind = limits.algorithms.some((alg) => {
    const needed = algorithms.get(alg);
    return needed?.kty === key.kty && (needed?.crv === undefined || needed.crv === key.crv);
  });
  const cure = `publish only keys that ${limits.reader} can use`;
  const isOpen = isOfUsableKind || limits.keys.others === "unknown";
  return { status: isOpen ? "unknown" : "failed", isPrivate: false, cause: causeOf(key), cure };
}

function causeOf(key: PublishedKey): string {
  return `the key ${publishedKeyName(key)} ${key.judgment.cause}`;
}

function repeated(keys: readonly PublishedKey[]): KeySetProblem[] {
  const counts = new Map<string, number>();
  for (const { kid } of keys) if (kid !== undefined) counts.set(kid, (counts.get(kid) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([kid, count]) => ({
      status: "unknown",
      isPrivate: false,
      cause: `${count} keys of the JWKS have the ID ${quoteWhole(kid)}`,
      cure: "publish each key once",
    }));
}

function tooMany(
  keys: readonly PublishedKey[],
  { keys: { reader, maxPerAlgorithm: mostOfAKind } }: TokenLimits,
): KeySetProblem[] {
  return ["RSA", "EC"]
    .filter((kind) => keys.filter(({ kty }) => kty === kind).length > mostOfAKind)
    .map((kind) => ({
      status: "unknown",
      isPrivate: false,
      cause: `the JWKS has more than ${mostOfAKind} ${kind} keys, which is the most that ${reader} reads`,
      cure: "publish fewer keys",
    }));
}

/** A key's ID, for a message. */
export function publishedKeyName({ kid }: PublishedKey): string {
  return kid === undefined ? "without an ID" : quoteWhole(kid);
}

/** Joins texts for a message, and shortens a long list. */
export function joined(texts: readonly string[], between = ", "): string {
  const rest = texts.length - maxNamed;
  const shown = texts.slice(0, maxNamed).join(between);
  return rest > 0 ? `${shown}${between}and ${rest} more` : shown;
}
