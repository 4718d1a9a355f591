import type { Location, RuleCode } from "../core/finding.ts";
import type { Facts } from "./facts.ts";

/** Where the things stand that a rule looks at: without them it says nothing. */
export type Reading = "package" | "live" | "install-config";

/** One thing that a rule found. */
export interface Violation extends Location {
  /** What is wrong with the object at this place, and what to do; one line, values of the input quoted. */
  readonly message: string;
}

/**
 * Something that must be so in every package, for every cluster. A rule is a file of `checks/`, named by its code. Its
 * examples are `testdata/rules/<code>/good.yaml` and `bad.yaml`, the documentation and the test: YAML streams of objects; for
 * the reading "install-config" the first document is an install-config. What is live has a `metadata.uid`.
 */
export interface Rule {
  /** Stable: a rule that was released keeps its code, because somebody may have accepted it. */
  readonly code: RuleCode;
  /** An error where the cluster will not work or is insecure beyond doubt; a warning where somebody should look. */
  readonly severity: "error" | "warning";
  readonly reads: Reading;
  /** One sentence. */
  readonly summary: string;
  /** Why that is wrong: a paragraph. */
  readonly why: string;
  readonly cure: string;
  check(facts: Facts): readonly Violation[];
}
