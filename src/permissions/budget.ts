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
