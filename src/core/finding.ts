import { type Resource, type ResourceRef, refOf } from "./resource.ts";
import { withoutSecrets } from "./text.ts";

/** How much a finding weighs: one error makes the function fail, a warning and a note do not. */
export type Severity = "error" | "warning" | "info";

/** What docs/reference/findings.md says of a code. Each module explains its codes in its `findings.ts`. */
export interface Explanation {
  readonly severity: Severity;
  readonly cause: string;
  readonly cure: string;
}

/** The codes of all modules, which this one does not know: src/cli/validate/all-findings.ts adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with the one that has the codes
export interface FindingCodes {}

/**
 * The stable name of a kind of finding; docs/reference/findings.md explains each. A code that was released never gets another
 * meaning.
 */
export type FindingCode = keyof FindingCodes;

declare const ruleBrand: unique symbol;

/** The code of a rule of src/rules, which this module does not know; docs/reference/validation-rules.md explains each. */
export type RuleCode = string & { readonly [ruleBrand]: true };

/** Makes the code of a rule. */
export function ruleCode(code: string): RuleCode {
  return code as RuleCode;
}

/** Something that is wrong, or worth saying, about the input. All findings of a run are reported together. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode | RuleCode;
  /** What is wrong, where, and what to do. One line; values of the input in it have passed {@link quote}. */
  readonly message: string;
  readonly resource?: ResourceRef;
  /** The field, as a dotted path: `spec.platform.aws.region`. */
  readonly field?: string;
  readonly file?: { readonly path: string; readonly index: number };
  /** Why somebody accepts what a rule found, ready for a message; such a finding is a note. */
  readonly accepted?: string;
}

/** Where a finding is: a resource of the list, or only a field of one. */
export interface Location {
  readonly resource?: Resource;
  readonly field?: string;
}

/** Makes a finding about a location. Whatever the names in it, no private key and no token gets out. */
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

/** A finding thrown where a value cannot be returned; the run loop turns it into a result. */
export class FindingError extends Error {
  readonly finding: Finding;

  constructor(what: Finding) {
    super(what.message);
    this.finding = what;
  }
}

/** Says whether one of the findings is an error. */
export function hasError(list: readonly Finding[]): boolean {
  return list.some((finding) => finding.severity === "error");
}
