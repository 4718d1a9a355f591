/**
 * A set of texts, written with wildcards: `*` is any text, `?` any one character (IAM User Guide, "AWS JSON policy
 * elements: Action", "... Resource"). What is asked of it is answered for the set, and not for the way it is written: an
 * infinite set is never covered by a list of texts.
 */
export type Glob = string;

/** Stands between the parts of a glob that has several, such as an action and a resource. No wildcard reaches over it. */
export const separator = "\u0000";

/** Thrown where a question about sets takes more steps than an answer is worth: whoever asks must fail closed. */
export class TooComplex extends Error {}

/** How many steps are left for questions that belong together. One that none are left for is too complex. */
export interface Budget {
  steps: number;
}

/** Steps for one question alone: a character that one set reads; some hundred thousand of them take a second. */
export const fewSteps = 200_000;

/** Steps for a whole comparison; those of real releases take some ten thousand. */
export const manySteps = 4_000_000;

/** Says whether a text is in a set. */
export function matches(glob: Glob, text: string): boolean {
  const [globs, texts] = [glob.split(separator), text.split(separator)];
  return globs.length === texts.length && globs.every((one, place) => matchesPart(one, texts[place] as string));
}

// Where a character does not fit, the last star takes one more: what an earlier star would take instead, the last one
// can take as well.
function matchesPart(glob: Glob, text: string): boolean {
  let [at, place, star, taken] = [0, 0, -1, 0];
  while (place < text.length) {
    if (glob[at] === "*") [star, taken] = [at++, place];
    else if (glob[at] === "?" || glob[at] === text[place]) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [at, place] = [star + 1, ++taken];
    else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}

// Whether the texts before their first wildcards, and behind their last, allow two sets to have anything in common.
function mayMeet(a: Glob, b: Glob): boolean {
  const [[headA, tailA], [headB, tailB]] = [endsOf(a), endsOf(b)];
  return (headA.startsWith(headB) || headB.startsWith(headA)) && (tailA.endsWith(tailB) || tailB.endsWith(tailA));
}

function endsOf(glob: Glob): [head: string, tail: string] {
  const parts = glob.split(/[*?]/);
  return [parts[0] ?? "", parts.at(-1) ?? ""];
}

function isText(glob: Glob): boolean {
  return !/[*?]/.test(glob);
}

/**
 * Says whether every text that is in all of the sets `within` is in one of the sets `of`.
 * @throws TooComplex
 */
export function isCovered(within: readonly Glob[], of: readonly Glob[], budget = { steps: fewSteps }): boolean {
  const near = of.filter((glob) => within.every((one) => mayMeet(one, glob)));
  const [only, ...more] = within;
  if (only !== undefined && more.length === 0) {
    if (isText(only)) return near.some((glob) => matches(glob, only));
    if (near.includes(only)) return true;
    // A list of texts is finite.
    if (near.every(isText)) return false;
  }
  return find(within, near, budget) === undefined;
}

/**
 * Says whether there is a text that is in both sets.
 * @throws TooComplex
 */
export function intersects(a: Glob, b: Glob, budget = { steps: fewSteps }): boolean {
  if (isText(a)) return matches(b, a);
  if (isText(b)) return matches(a, b);
  return mayMeet(a, b) && find([a, b], [], budget) !== undefined;
}

interface Reading {
  readonly text: string;
  /** For each glob, how much of it the text so far may have been read by. */
  readonly states: readonly ReadonlySet<number>[];
}

/**
 * A text that is in all of the sets `within` and in none of `outside`, or undefined where there is none. All are read at
 * once, a character at a time, so that no set has to be written out (the product of their automata).
 */
function find(within: readonly Glob[], outside: readonly Glob[], budget: Budget): string | undefined {
  const globs = [...within, ...outside];
  const alphabet = charactersOf(globs);
  const seen = new Set<string>();
  const queue: Reading[] = [{ text: "", states: globs.map(start) }];
  for (let place = 0; place < queue.length; place++) {
    const { text, states } = queue[place] as Reading;
    if (globs.every((glob, one) => states[one]?.has(glob.length) === one < within.length)) return text;
    for (const character of alphabet) {
      budget.steps -= globs.length;
      if (budget.steps < 0) throw new TooComplex("too many wildcards");
      const next = globs.map((glob, one) => step(glob, states[one] as ReadonlySet<number>, character));
      // What one of them has refused, none can take back.
      if (within.some((_, one) => next[one]?.size === 0)) continue;
      const key = next.map((set) => [...set].join()).join(";");
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ text: text + character, states: next });
    }
  }
  return undefined;
}

// All characters that a glob names, and one that none names and that stands for the rest.
function charactersOf(globs: readonly Glob[]): string[] {
  const named = new Set(globs.flatMap((glob) => glob.split("")));
  named.delete("*");
  named.delete("?");
  let other = 0x61;
  while (named.has(String.fromCharCode(other))) other++;
  return [...[...named].sort(), String.fromCharCode(other)];
}

function start(glob: Glob): Set<number> {
  return afterStars(glob, [0]);
}

function step(glob: Glob, states: ReadonlySet<number>, character: string): Set<number> {
  const next: number[] = [];
  for (const state of states) {
    const expected = glob[state];
    if (expected === character && expected !== "*") next.push(state + 1);
    else if (character !== separator && expected === "*") next.push(state);
    else if (character !== separator && expected === "?") next.push(state + 1);
  }
  return afterStars(glob, next);
}

// A star may be no text at all.
function afterStars(glob: Glob, states: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (const state of states) {
    let one = state;
    all.add(one);
    while (glob[one] === "*") all.add(++one);
  }
  return new Set([...all].sort((a, b) => a - b));
}
