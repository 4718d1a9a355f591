/** One line of a condition: an operator, a key, and the values that it may (or must not) have. */
export interface Clause {
  readonly operator: string;
  /** In lower case: keys are told apart without regard to it. */
  readonly key: string;
  /** Sorted, each once. */
  readonly values: readonly string[];
}
