import type { Finding } from "../core/finding.ts";
import type { OutputForm, RetiredForm } from "../core/output-form.ts";
import type { FieldChange, GeneratedObject, Resource } from "../core/resource.ts";

/** What a function reads: the items of a list and, where the caller gave one, its configuration. */
export interface FunctionInput {
  readonly items: readonly Resource[];
  readonly functionConfig: Resource | undefined;
  /** What may be taken away, beside what the configuration itself allows. */
  readonly allowed?: ReadonlySet<string>;
  /** The name that the ClusterIdentity had before: its objects are the function's own too. */
  readonly previousName?: string | undefined;
  /** Others delete from a cluster what the answer does not hold. */
  readonly answerPrunes?: boolean;
  /** Files that the caller found and did not read, ready for a message. */
  readonly notRead?: readonly string[];
  /** Files and directories that the caller leaves out because it is told to, ready for a message. */
  readonly ignored?: readonly string[];
}

/** What a function makes of it. With an error among the findings, nothing of it is used but the findings. */
export interface FunctionOutput {
  /** The name of the ClusterIdentity that the output is for; undefined where none was found. */
  readonly identity: string | undefined;
  /** The package that the output is for, as kpt names it. */
  readonly packagePath: string | undefined;
  readonly objects: readonly GeneratedObject[];
  readonly changes: readonly FieldChange[];
  /** Items of the function that stay as they are: somebody has written something of their own into them. */
  readonly preserved: readonly Resource[];
  readonly findings: readonly Finding[];
}

/** The output of a function that found only findings. */
export function failed(findings: readonly Finding[]): FunctionOutput {
  return { identity: undefined, packagePath: undefined, objects: [], changes: [], preserved: [], findings };
}

/** One KRM function: pure, from values to values. */
export interface KrmFunction {
  /** verb-noun, as in kpt's catalog. */
  readonly name: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  readonly emits: readonly OutputForm[];
  readonly retired?: readonly RetiredForm[];
  /**
   * Functions whose objects, of a form that this one emits, become this one's where it makes the same object: what they
   * were made from has changed hands.
   */
  readonly adoptsFrom?: readonly string[];
  run(input: FunctionInput): FunctionOutput;
}
