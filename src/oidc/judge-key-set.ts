import { quoteWhole } from "../core/text.ts";
import type { PublishedKey } from "./jwks.ts";
import type { TokenLimits } from "./limits.ts";

/** Something that is wrong with the keys of an issuer, whichever of them a token names. */
export interface KeySetProblem {
  /** Failed: a careful reader refuses it, or others than the issuer can sign. Unknown: what the cloud does then is not documented. */
  readonly status: "failed" | "unknown";
  readonly isPrivate: boolean;
  readonly cause: string;
  readonly cure: string;
}

/** What is said of an issuer's keys. */
export interface KeySetAnswer {
  readonly status: "passed" | "failed" | "unknown";
  readonly detail: string;
  readonly cure?: string;
}

/** So many are named; of the rest the number is said. */
const maxNamed = 10;

const newPair =
  "create a new key pair, and publish its public key alone: treat this one as compromised, since others can sign with it";

/**
 * Judges the keys of an issuer as a whole: the cloud must be able to use one, and none may be one that others than the issuer
 * can sign with, or that readers disagree about. Keys for other readers do no harm (RFC 7517, section 5).
 */
export function judgeKeySet(keys: readonly PublishedKey[], limits: TokenLimits): KeySetAnswer {
  const problems = keySetProblems(keys, limits);
  const usable = keys.filter(({ judgement }) => judgement.verdict === "usable");
  const failed = problems.filter(({ status }) => status === "failed");
  if (failed.length > 0) return answer("failed", failed, limits);
  const doubtful = problems.filter(({ status }) => status === "unknown");
  const isOpen = usable.length > 0 || keys.some(({ judgement }) => judgement.verdict === "unknown");
  if (isOpen && doubtful.length > 0) return answer("unknown", doubtful, limits);
  if (usable.length > 0) {
    const ids = listed(usable.map(named));
    return { status: "passed", detail: `${usable.length} of ${keys.length} keys can be used: ${ids}` };
  }
  const causes = keys.map((key) => `the key ${named(key)} ${key.judgement.cause}`);
  const why = causes.length === 0 ? "" : `: ${listed(causes, "; ")}`;
  return {
    status: "failed",
    detail: `the JWKS has no key that ${limits.reader} could use${why}`,
    cure: publishAgain(limits),
  };
}

/** What an administrator does whose documents are not as they were rendered. */
export function publishAgain({ cures }: TokenLimits): string {
  return `publish the documents as they are rendered: ${cures.publish}`;
}

function answer(status: "failed" | "unknown", problems: readonly KeySetProblem[], limits: TokenLimits): KeySetAnswer {
  const causes = problems.map(({ cause }) => cause);
  return { status, detail: listed(causes, "; "), cure: problems[0]?.cure ?? publishAgain(limits) };
}

/** Everything that is wrong with the keys of an issuer, private keys first. */
export function keySetProblems(keys: readonly PublishedKey[], limits: TokenLimits): KeySetProblem[] {
  return [
    ...keys.filter(({ judgement }) => judgement.verdict === "private").map(privateProblem),
    ...keys.flatMap((key) => keyProblem(key, limits) ?? []),
    ...repeated(keys),
    ...tooMany(keys, limits),
  ];
}

function privateProblem(key: PublishedKey): KeySetProblem {
  return { status: "failed", isPrivate: true, cause: causeOf(key), cure: newPair };
}

function keyProblem(key: PublishedKey, limits: TokenLimits): KeySetProblem | undefined {
  switch (key.judgement.verdict) {
    case "weak":
      return { status: "failed", isPrivate: false, cause: causeOf(key), cure: newPair };
    // Whether the cloud passes over such a key, or refuses all of them, is not documented.
    case "malformed":
      return { status: "unknown", isPrivate: false, cause: causeOf(key), cure: publishAgain(limits) };
    case "unknown":
      return {
        status: "unknown",
        isPrivate: false,
        cause: causeOf(key),
        cure: "use RSA of 2048 to 4096 bits, or ECDSA",
      };
    default:
      return undefined;
  }
}

function causeOf(key: PublishedKey): string {
  return `the key ${named(key)} ${key.judgement.cause}`;
}

function repeated(keys: readonly PublishedKey[]): KeySetProblem[] {
  const counts = new Map<string, number>();
  for (const { kid } of keys) if (kid !== undefined) counts.set(kid, (counts.get(kid) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([kid, count]) => ({
      status: "unknown",
      isPrivate: false,
      cause: `${count} keys of the JWKS are called ${quoteWhole(kid)}`,
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
      cause: `the JWKS has more than ${mostOfAKind} ${kind} keys, and ${reader} reads no more`,
      cure: "publish fewer keys",
    }));
}

/** A key's ID, ready for a message. */
export function named({ kid }: PublishedKey): string {
  return kid === undefined ? "without an ID" : quoteWhole(kid);
}

/** Texts for a message, no more than people read. */
export function listed(texts: readonly string[], between = ", "): string {
  const rest = texts.length - maxNamed;
  const shown = texts.slice(0, maxNamed).join(between);
  return rest > 0 ? `${shown}${between}and ${rest} more` : shown;
}
