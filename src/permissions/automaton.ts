import { type Budget, spend } from "./budget.ts";

/** Stands between the parts of a glob that has several, such as an action and a resource. No wildcard reaches over it. */
export const separator = "\u0000";

/** Stands for every character that no glob names where it is read. */
const other = "";

/** What a glob can still become after what was read of a text. */
interface State {
  /** Places in the glob, in order; none where it has refused what was read. */
  readonly places: readonly number[];
  readonly number: number;
  /** Whether what was read is in the set. */
  readonly accepts: boolean;
  /** Whether whatever may follow in the last part is in the set. */
  readonly acceptsAll: boolean;
  /** The characters that are named here. */
  readonly named: readonly string[];
  /** Whether a character that is not named here may follow. */
  readonly isOpen: boolean;
  readonly next: Map<string, State>;
}

/** A glob, read one character at a time; its states are made when they are first reached. */
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

  // A star may be no text at all. Whatever an earlier place could still become, the last star that was reached can become
  // too: the star takes what would have been read on the way to it.
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

/** What all globs can still become; those of the sets that a text is looked for in come first. */
type States = readonly State[];

/**
 * Says whether there is a text that is in all of the sets `within` and in none of `outside`. All are read at once, a
 * character at a time, so that no set has to be written out (the product of their automata). All have as many parts.
 *
 * @throws TooComplex
 */
export function exists(within: readonly string[], outside: readonly string[], budget: Budget): boolean {
  const automata = [...within, ...outside].map((glob) => new Automaton(glob, budget));
  const seen = new Set<string>();
  const stack: States[] = [automata.map(({ start }) => start)];
  for (let states = stack.pop(); states !== undefined; states = stack.pop()) {
    if (states.every(({ accepts }, number) => accepts === number < within.length)) return true;
    for (const character of alphabetOf(states, within.length)) {
      spend(budget, states.length);
      const next = step(automata, states, character, within.length);
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

// Undefined where no text that goes on like this is one that is looked for.
function step(automata: readonly Automaton[], states: States, character: string, inner: number): States | undefined {
  const next: State[] = [];
  for (const [index, automaton] of automata.entries()) {
    const state = automaton.next(states[index] as State, character);
    if (index < inner ? state.places.length === 0 : state.acceptsAll) return undefined;
    next.push(state);
  }
  return next;
}

// The characters that make a difference.
function alphabetOf(states: States, inner: number): Iterable<string> {
  const closed = states.slice(0, inner).find(({ isOpen }) => !isOpen);
  if (closed !== undefined) return new Set(closed.named);
  return new Set([other, ...states.flatMap(({ named }) => named)]);
}
