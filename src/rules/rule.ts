import type { Location, RuleCode } from "../core/finding.ts";
import type { Facts } from "./facts.ts";

/** The input that a rule reads. Without that input it finds nothing. */
export type Reading = "package" | "packages" | "live" | "install-config";

/** One violation of a rule. */
export interface Violation extends Location {
  /** What is wrong with the object at this location, and the fix; one line, input values quoted. */
  readonly message: string;
  /** Set if something that cannot be decided may rule it out; the message says what. */
  readonly isUndecided?: true;
}

/**
 * A requirement that holds for every package and every cluster. The rules are in `checks/`, by subject. Its
 * examples, `testdata/rules/<code>/good.yaml` and `bad.yaml`, are documentation and test. They are YAML streams of objects; for
 * the reading "install-config" the first document is an install-config, and for "packages" each is a package. Live objects have a `metadata.uid`.
 */
export interface Rule {
  /** Stable: a released rule keeps its code, because users may have accepted it. */
  readonly code: RuleCode;
  /** An error if the cluster certainly will not work or is insecure; a warning if a person should look. */
  readonly severity: "error" | "warning";
  readonly reads: Reading;
  /** Off by default: `spec.optionalRules` of the ClusterIdentity turns it on. */
  readonly isOptional?: true;
  /** One sentence. */
  readonly summary: string;
  /** Why a violation is a problem: a paragraph. */
  readonly why: string;
  readonly cure: string;
  /** What it finds is a way to get more permissions than its own. Such a rule reads only {@link Facts.granted} and rendered identities. */
  readonly escalates?: true;
  check(facts: Facts): readonly Violation[];
}
