/** How many steps are left for questions that belong together. One that none are left for is too complex. */
export interface Budget {
  steps: number;
}

/** Thrown where a question about sets takes more steps than an answer is worth: whoever asks must fail closed. */
export class TooComplex extends Error {}

/** Steps for one question alone. A step is a place in a glob that is looked at; some million of them take a second. */
export const fewSteps = 30_000;

/** Steps for what one identity has more than it had, and how that is called; those of real releases take some thousand. */
export const manySteps = 40_000;

/** What it costs to read a character of a text without a look at what its wildcards can become. */
export const readingCost = 1 / 32;

/** Takes steps from a budget. @throws TooComplex */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw exhausted;
}

// Made once: where one question is too complex, thousands of others often are, and each would note where it was asked.
const exhausted = new TooComplex("too many wildcards");

/** An answer, or what is taken for one where it is too complex. */
export function unlessTooComplex<T>(instead: T, answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    if (error instanceof TooComplex) return instead;
    throw error;
  }
}
