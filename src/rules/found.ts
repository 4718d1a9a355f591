import type { Rule, Violation } from "./rule.ts";

/** What a rule found. */
export interface Found {
  readonly rule: Rule;
  readonly violation: Violation;
}
