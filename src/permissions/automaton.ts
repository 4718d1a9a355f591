/** The number of steps left for a group of related questions. A question that exceeds it is too complex. */
export interface Budget {
  steps: number;
}

/** Thrown if a question about sets takes more steps than its budget has. The caller must fail closed. */
export class TooComplex extends Error {}

/** Steps for a single question. A step looks at one position in a glob; a few million steps take a second. */
export const fewSteps = 30_000;

/** Steps for comparing the permissions of one identity in one direction. Identities of real releases take some thousand. */
export const manySteps = 40_000;

/** The cost of reading one character of a text without exploring what wildcards can match. */
export const readingCost = 1 / 32;

/** Takes steps from a budget. @throws TooComplex */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw exhausted;
}

// A single instance: if one question is too complex, thousands of others often are, and each new error would capture a stack.
const exhausted = new TooComplex("too many wildcards");

/** Returns an answer, or `instead` if the question is too complex. */
export function unlessTooComplex<T>(instead: T, answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    if (error instanceof TooComplex) return instead;
    throw error;
  }
}

/** Separates the parts of a glob, for example an action and a resource. No wildcard matches it. */
export const separator = "\u0000";

/** Represents every character that no glob names at its current position. */
const other = "";

/** The state of a glob after some characters of a text have been read. */
interface State {
  /** Positions in the glob, in order; none if it does not match what was read. */
  readonly places: readonly number[];
  readonly number: number;
  /** Whether what was read is in the set. */
  readonly accepts: boolean;
  /** Whether any continuation in the last part is in the set. */
  readonly acceptsAll: boolean;
  /** The characters that the glob names at these positions. */
  readonly named: readonly string[];
  /** Whether other characters may follow, too. */
  readonly isOpen: boolean;
  readonly next: Map<string, State>;
}

/** A glob that is matched one character at a time. States are created when they are first reached. */
class Automaton {
  readonly start: State;
  readonly #glob: string;
  readonly #budget: Budget;
  readonly #states = new Map<string, State>();

  constructor(glob: string, budget: Budget) {
    this.#glob = glob;
    this.#budget = budget;
    this.start = this.#stateOf([0]);
  }

  next(state: State, character: string): State {
    const known = state.next.get(character);
    if (known !== undefined) return known;
    const found = this.#stateOf(state.places.flatMap((index) => this.#step(index, character)));
    state.next.set(character, found);
    return found;
  }

  #step(index: number, character: string): number[] {
    const expected = this.#glob[index];
    if (!isWild(expected)) return expected === character ? [index + 1] : [];
    if (character === separator) return [];
    return [expected === "*" ? index : index + 1];
  }

  // A star can match the empty text. Everything that an earlier position could still match, the last star that was reached
  // can match, too. Earlier positions are therefore dropped.
  #stateOf(reached: readonly number[]): State {
    const open = reached.flatMap((index) => (this.#glob[index] === "*" ? [index, index + 1] : [index]));
    const star = open.findLast((index) => this.#glob[index] === "*") ?? -1;
    const places = [...new Set(open)].filter((index) => index >= star).sort((a, b) => a - b);
    spend(this.#budget, 1 + open.length);
    const key = places.join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    spend(this.#budget, 4 + places.length);
    const expected = places.map((index) => this.#glob[index]);
    const state: State = {
      places,
      number: this.#states.size,
      accepts: places.at(-1) === this.#glob.length,
      acceptsAll: this.#glob[star] === "*" && star === this.#glob.length - 1,
      named: expected.filter((text) => text !== undefined && !isWild(text)) as string[],
      isOpen: expected.some(isWild),
      next: new Map(),
    };
    this.#states.set(key, state);
    return state;
  }
}

function isWild(character: string | undefined): boolean {
  return character === "*" || character === "?";
}

/** The states of all globs; those of the sets `within` come first. */
type States = readonly State[];

/** A set, without the texts that are in one of the sets `except`. */
export interface SetDifference {
  readonly set: string;
  readonly except: readonly string[];
}

/** For the last state of each difference: where the state of its set is. Those of its exceptions follow it. */
type Starts = readonly (number | undefined)[];

/**
 * Returns whether there is a text that is in all of the sets `within` and in none of `outside`. It searches the product of
 * their automata, so no set has to be enumerated. All globs must have the same number of parts.
 *
 * @throws TooComplex
 */
export function exists(within: readonly string[], outside: readonly SetDifference[], budget: Budget): boolean {
  const globs = [...within, ...outside.flatMap(({ set, except }) => [set, ...except])];
  const automata = globs.map((glob) => new Automaton(glob, budget));
  const inner = within.length;
  const starts: (number | undefined)[] = Array.from(within, () => undefined);
  for (const { except } of outside) {
    const start = starts.length;
    for (const _ of except) starts.push(undefined);
    starts.push(start);
  }
  const seen = new Set<string>();
  const stack: States[] = [automata.map(({ start }) => start)];
  for (let states = stack.pop(); states !== undefined; states = stack.pop()) {
    if (isFound(states, inner, starts)) return true;
    for (const character of alphabetOf(states, inner)) {
      spend(budget, states.length);
      const next = step(automata, states, character, inner, starts);
      if (next === undefined) continue;
      const key = next.map(({ number }) => number).join();
      if (seen.has(key)) continue;
      spend(budget, key.length);
      seen.add(key);
      stack.push(next);
    }
  }
  return false;
}

// Whether what was read is in all of `within` and in none of `outside`.
function isFound(states: States, inner: number, starts: Starts): boolean {
  return states.every(({ accepts }, index) => {
    const start = starts[index];
    if (index < inner) return accepts;
    if (start === index) return !accepts;
    return start === undefined || !(states[start] as State).accepts || isExcepted(states, start, index);
  });
}

function isExcepted(states: States, start: number, last: number): boolean {
  for (let index = start + 1; index <= last; index++) if (states[index]?.accepts === true) return true;
  return false;
}

// Undefined if no text with this beginning can be in all of `within` and in none of `outside`.
function step(
  automata: readonly Automaton[],
  states: States,
  character: string,
  inner: number,
  starts: Starts,
): States | undefined {
  const next: State[] = [];
  for (const [index, automaton] of automata.entries()) {
    const state = automaton.next(states[index] as State, character);
    next.push(state);
    const start = starts[index];
    if (index < inner ? state.places.length === 0 : start !== undefined && holdsAll(next, start)) return undefined;
  }
  return next;
}

// Whether every continuation is in the set whose states are the last ones, and none in its exceptions.
function holdsAll(states: States, start: number): boolean {
  if ((states[start] as State).acceptsAll !== true) return false;
  for (let index = start + 1; index < states.length; index++) if (states[index]?.places.length !== 0) return false;
  return true;
}

// The characters that make a difference. The last one is tried first: what no glob names usually answers the question.
function alphabetOf(states: States, inner: number): Iterable<string> {
  const closed = states.slice(0, inner).find(({ isOpen }) => !isOpen);
  if (closed !== undefined) return new Set(closed.named);
  return new Set([...states.flatMap(({ named }) => named), other]);
}
