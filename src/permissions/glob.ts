import { compareText } from "../core/text.ts";
import {
  type Budget,
  exists,
  fewSteps,
  readingCost,
  type SetDifference,
  separator,
  spend,
  TooComplex,
} from "./automaton.ts";

/**
 * A set of texts, written with wildcards: `*` matches any text, `?` any single character (IAM User Guide, "AWS JSON policy
 * elements: Action", "... Resource"). Questions are answered for the set, not for its notation: for example, a list of texts
 * never covers an infinite set.
 */
export type Glob = string;

export type { SetDifference };

/** The maximum length of a part with wildcards, which is that of a resource (IAM API Reference, "ResourceNameType"). */
const longestPart = 2048;

/** Returns whether a text is in a set. @throws TooComplex */
export function matches(glob: Glob, text: string, budget: Budget = { steps: Number.POSITIVE_INFINITY }): boolean {
  const [globs, texts] = [glob.split(separator), text.split(separator)];
  return (
    globs.length === texts.length && globs.every((glob, index) => matchesPart(glob, texts[index] as string, budget))
  );
}

// If a character does not match, the last star matches one more character. Going back to an earlier star is not necessary,
// because the last star can match the same text.
function matchesPart(glob: Glob, text: string, budget: Budget): boolean {
  let [at, index, star, taken] = [0, 0, -1, 0];
  while (index < text.length) {
    budget.steps -= readingCost;
    if (glob[at] === "*") [star, taken] = [at++, index];
    else if (glob[at] === "?" || glob[at] === text[index]) [at, index] = [at + 1, index + 1];
    else if (star >= 0) [at, index] = [star + 1, ++taken];
    else return false;
  }
  spend(budget, 0);
  while (glob[at] === "*") at++;
  return at === glob.length;
}

/** Whether two sets may overlap, judged by the texts before the first wildcards and after the last ones. */
export function mayOverlap(a: Glob, b: Glob): boolean {
  const [[headA, tailA], [headB, tailB]] = [endsOf(a), endsOf(b)];
  return (headA.startsWith(headB) || headB.startsWith(headA)) && (tailA.endsWith(tailB) || tailB.endsWith(tailA));
}

// The same, part by part, for sets that may begin or end with a wildcard.
function mayMeetInParts(a: Glob, b: Glob): boolean {
  const [parts, others] = [a.split(separator), b.split(separator)];
  return parts.length === others.length && parts.every((part, index) => mayOverlap(part, others[index] as string));
}

/**
 * Whether a set contains another one because its stars match what the other has in their places, wildcards included. If it has
 * a "?", that could stand for a star of the other, so the answer is no. @throws TooComplex
 */
export function containsText(glob: Glob, text: Glob, budget: Budget): boolean {
  return !glob.includes("?") && matches(glob, text, budget);
}

/** Texts of a set, with something in the places of its wildcards that other sets hardly name, or with nothing there. */
export function examplesOf(glob: Glob): readonly string[] {
  if (isText(glob)) return [glob];
  const [long, short] = [glob.replace(/[*?]/g, unnamed), glob.replaceAll("*", "").replaceAll("?", unnamed)];
  return long === short ? [long] : [long, short];
}

/** A character for private use (Unicode Standard, section 23.5). */
const unnamed = "\ue000";

function endsOf(glob: Glob): [head: string, tail: string] {
  const parts = glob.split(/[*?]/);
  return [parts[0] ?? "", parts.at(-1) ?? ""];
}

/** Whether a set is a single text. */
export function isText(glob: Glob): boolean {
  return !/[*?]/.test(glob);
}

/**
 * Returns whether every text that is in all of the sets `within` is in one of the sets `of`.
 * @throws TooComplex
 */
export function isCovered(
  within: readonly Glob[],
  of: readonly (Glob | SetDifference)[],
  budget = { steps: fewSteps },
): boolean {
  spend(budget, lookingCost(within) + within.length * lookingCost(of));
  const meets = (glob: Glob) => within.every((text) => mayOverlap(text, glob));
  const plain = new Set<Glob>();
  const cut: SetDifference[] = [];
  for (const one of of) {
    if (typeof one === "string") {
      if (meets(one)) plain.add(one);
      continue;
    }
    if (!meets(one.set)) continue;
    const except = one.except.filter((glob) => within.every((text) => mayMeetInParts(text, glob)));
    if (except.length === 0) plain.add(one.set);
    else cut.push({ set: one.set, except });
  }
  const near = [...plain];
  if (within.some((text) => plain.has(text) || near.some((glob) => containsText(glob, text, budget)))) return true;
  const isIn = (text: string) => (glob: Glob) => matches(glob, text, budget);
  const isOutside = (text: string) =>
    within.every(isIn(text)) &&
    !near.some(isIn(text)) &&
    !cut.some(({ set, except }) => isIn(text)(set) && !except.some(isIn(text)));
  if (within.some((glob) => examplesOf(glob).some(isOutside))) return false;
  const [only, ...more] = within;
  if (only !== undefined && more.length === 0) {
    if (isText(only)) return true;
    // A list of texts is finite.
    if ([...near, ...cut.map(({ set }) => set)].every(isText)) return false;
  }
  return !find(within, [...near.map((set) => ({ set, except: [] })), ...cut], budget);
}

/**
 * Returns whether there is a text that is in both sets.
 * @throws TooComplex
 */
export function intersects(a: Glob, b: Glob, budget = { steps: fewSteps }): boolean {
  spend(budget, lookingCost([a, b]));
  if (isText(a)) return matches(b, a, budget);
  if (isText(b)) return matches(a, b, budget);
  if (!mayOverlap(a, b)) return false;
  const areIn = (texts: readonly string[], glob: Glob) => texts.some((text) => matches(glob, text, budget));
  return areIn(examplesOf(a), b) || areIn(examplesOf(b), a) || find([a, b], [], budget);
}

// The base cost of looking at sets; it grows with their length.
function lookingCost(globs: readonly (Glob | SetDifference)[]): number {
  let cost = 0;
  for (const glob of globs)
    cost += typeof glob === "string" ? 1 / 8 + glob.length * readingCost : lookingCost([glob.set, ...glob.except]);
  return cost;
}

function find(within: readonly Glob[], outside: readonly SetDifference[], budget: Budget): boolean {
  const parts = within.map(partsOf);
  // No wildcard matches a separator, so sets with different numbers of parts do not overlap.
  if (parts.some((part) => part !== parts[0])) return false;
  const isComparable = (glob: Glob) => partsOf(glob) === parts[0];
  const outer = outside
    .filter(({ set }) => isComparable(set))
    .map(({ set, except }) => ({ set: plain(set), except: except.filter(isComparable).map(plain) }));
  return exists(within.map(plain), outer, budget);
}

function partsOf(glob: Glob): number {
  return glob.split(separator).length;
}

// The same set in its shortest form.
function plain(glob: Glob): Glob {
  const short = glob.replace(/[*?]{2,}/g, (run) => run.replaceAll("*", "") + (run.includes("*") ? "*" : ""));
  if (short.split(separator).some((part) => part.length > longestPart)) throw new TooComplex("too long");
  return short;
}

/** Returns a function that finds the sets of a list that overlap with a given set. Its results are cached. */
export function overlapFinder(sets: readonly Glob[], budget: Budget): (text: Glob) => readonly Glob[] {
  const sorted = [...new Set(sets)].sort(compareText);
  const texts = new Set(sorted.filter((text) => !isWild(text)));
  const wild = sorted.filter(isWild);
  const known = new Map<Glob, readonly Glob[]>();
  return (text) => {
    const answer = known.get(text) ?? overlapping(text);
    known.set(text, answer);
    return answer;
  };

  function overlapping(text: Glob): Glob[] {
    const near = isWild(text) ? [...texts] : texts.has(text) ? [text] : [];
    spend(budget, 1 + near.length + wild.length);
    return [...near, ...wild].filter((other) => intersects(text, other, budget));
  }
}

function isWild(glob: Glob): boolean {
  return /[*?]/.test(glob);
}
