/** One line of a condition: an operator, a key, and the values that it may (or must not) have. */
export interface Clause {
  readonly operator: string;
  /** In lowercase, because keys are case-insensitive. */
  readonly key: string;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}
