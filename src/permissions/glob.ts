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

const mostStates = 20_000;

/** Says whether a text is in a set. */
export function matches(glob: Glob, text: string): boolean {
  let states = start(glob);
  for (const character of text) states = step(glob, states, character);
  return states.has(glob.length);
}

/**
 * Says whether every text that is in all of the sets `within` is in one of the sets `of`.
 * @throws TooComplex
 */
export function isCovered(within: readonly Glob[], of: readonly Glob[]): boolean {
  const [only, ...more] = within;
  if (only !== undefined && more.length === 0) {
    if (!/[*?]/.test(only)) return of.some((glob) => matches(glob, only));
    if (of.includes(only)) return true;
  }
  return find(within, of) === undefined;
}

/**
 * Says whether there is a text that is in both sets.
 * @throws TooComplex
 */
export function intersects(a: Glob, b: Glob): boolean {
  return find([a, b], []) !== undefined;
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
function find(within: readonly Glob[], outside: readonly Glob[]): string | undefined {
  const globs = [...within, ...outside];
  const alphabet = charactersOf(globs);
  const seen = new Set<string>();
  const queue: Reading[] = [{ text: "", states: globs.map(start) }];
  for (let place = 0; place < queue.length; place++) {
    const { text, states } = queue[place] as Reading;
    if (globs.every((glob, one) => states[one]?.has(glob.length) === one < within.length)) return text;
    for (const character of alphabet) {
      const next = globs.map((glob, one) => step(glob, states[one] as ReadonlySet<number>, character));
      // What one of them has refused, none can take back.
      if (within.some((_, one) => next[one]?.size === 0)) continue;
      const key = next.map((set) => [...set].join()).join(";");
      if (seen.has(key)) continue;
      if (seen.size === mostStates) throw new TooComplex("too many wildcards");
      seen.add(key);
      queue.push({ text: text + character, states: next });
    }
  }
  return undefined;
}

// All characters that a glob names, and one that none names and that stands for the rest.
function charactersOf(globs: readonly Glob[]): string[] {
  const named = new Set(globs.flatMap((glob) => [...glob]));
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
