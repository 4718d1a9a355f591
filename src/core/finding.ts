import type { FindingCode } from "../generated/finding-codes.ts";
import { type Resource, type ResourceRef, refOf } from "./resource.ts";
import { withoutSecrets } from "./text.ts";

export type { FindingCode };

/** The severity of a finding: a single error makes the function fail; warnings and notes do not. */
export type Severity = "error" | "warning" | "info";

/** The entry of a code in docs/reference/findings.md. Each module explains its codes in its `findings.ts`. */
export interface Explanation {
  readonly severity: Severity;
  readonly cause: string;
  readonly cure: string;
}

/** What a cloud adds to the explanations of findings that are not its own: sentences, by code. */
export type Remarks = Partial<Readonly<Record<FindingCode, Partial<Pick<Explanation, "cause" | "cure">>>>>;

declare const ruleBrand: unique symbol;

/**
 * The code of a rule in src/rules, which this module does not know. docs/reference/validation-rules.md explains each.
 */
export type RuleCode = string & { readonly [ruleBrand]: true };

/** Makes the code of a rule. */
export function ruleCode(code: string): RuleCode {
  return code as RuleCode;
}

/** A problem with the input, or a note about it. All findings of a run are reported together. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode | RuleCode;
  /** What is wrong, where, and what to do. One line; values from the input have passed {@link quote}. */
  readonly message: string;
  readonly resource?: ResourceRef;
  /** The field, as a dotted path: `spec.platform.aws.region`. */
  readonly field?: string;
  readonly file?: { readonly path: string; readonly index: number };
  /** The reason why the user accepts what a rule found, ready for a message. An accepted finding is a note. */
  readonly accepted?: string;
  /** What an accepted finding would be without its acceptance, and the last day of the acceptance. */
  readonly acceptance?: Acceptance;
}

/** See {@link Finding.acceptance}. */
interface Acceptance {
  readonly severity: "error" | "warning";
  readonly message: string;
  /** The reason, whole. */
  readonly reason: string;
  readonly until?: string;
  /** Set if the policy of the company accepts it, and not the package. */
  readonly isOfPolicy?: true;
}

/** Where a finding points: a resource of the list, or one of its fields. */
export interface Location {
  readonly resource?: Resource;
  readonly field?: string;
}

/** Creates a finding about a location. Private keys and tokens are removed from all of its texts, names included. */
export function finding(
  severity: Severity,
  code: FindingCode | RuleCode,
  message: string,
  location: Location = {},
): Finding {
  const { resource, field } = location;
  return {
    severity,
    code,
    message: withoutSecrets(message),
    ...(resource === undefined ? {} : { resource: refWithoutSecrets(resource) }),
    ...(field === undefined ? {} : { field: withoutSecrets(field) }),
    ...(resource?.path === undefined ? {} : { file: { path: withoutSecrets(resource.path), index: resource.index } }),
  };
}

function refWithoutSecrets(resource: Resource): ResourceRef {
  const { apiVersion, kind, name, namespace } = refOf(resource);
  return {
    apiVersion: withoutSecrets(apiVersion),
    kind: withoutSecrets(kind),
    name: withoutSecrets(name),
    ...(namespace === undefined ? {} : { namespace: withoutSecrets(namespace) }),
  };
}

/** Carries a finding out of code that must return a value. The run loop turns it into a result. */
export class FindingError extends Error {
  readonly finding: Finding;

  constructor(what: Finding) {
    super(what.message);
    this.finding = what;
  }
}

/** What a check finds. If the value of an object cannot be built, the finding about that. */
export function findingsOf(check: () => Finding[]): Finding[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof FindingError) return [error.finding];
    throw error;
  }
}

/** Whether any of the findings is an error. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === "error");
}
