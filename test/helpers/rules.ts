import { readFileSync } from "node:fs";
import { inspectors, rulesFor } from "../../src/clouds/inspectors.ts";
import type { Rule } from "../../src/rules/rule.ts";

/** A rule, with the examples of its documentation: YAML streams of objects. */
export interface RuleWithExamples {
  readonly rule: Rule;
  readonly good: string;
  readonly bad: string;
}

/** Every rule, of every cloud. */
export const rulesWithExamples: readonly RuleWithExamples[] = rulesFor(...inspectors).map((rule) => {
  const example = (kind: string) => readFileSync(`testdata/rules/${rule.code}/${kind}.yaml`, "utf8");
  return { rule, good: example("good"), bad: example("bad") };
});
