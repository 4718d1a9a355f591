import type { Guard } from "../core/allowances.ts";
import type { Finding } from "../core/finding.ts";
import type { OutputForm } from "../core/generated-object.ts";
import type { FieldChange, GeneratedObject, Resource } from "../core/resource.ts";

/** The input of a function: the items of a list and, if there is one, the configuration. */
export interface FunctionInput {
  readonly items: readonly Resource[];
  readonly functionConfig: Resource | undefined;
  /** Allowances in addition to those of the configuration. */
  readonly allowed?: ReadonlySet<string>;
  /** The previous name of the ClusterIdentity. The function also owns the objects with this name. */
  readonly previousName?: string | undefined;
  /** Whether the caller deletes objects from the cluster that are missing from the output. */
  readonly answerPrunes?: boolean;
  /** Files that the caller found but did not read, ready for a message. */
  readonly notRead?: readonly string[];
  /** Files and directories that the caller excludes as configured, ready for a message. */
  readonly ignored?: readonly string[];
}

/** The output of a function. If the findings include an error, only the findings are used. */
export interface FunctionOutput {
  /** The name of the ClusterIdentity that the output is for; undefined if none was found. */
  readonly identity: string | undefined;
  /** The package that the output is for, as kpt names it. */
  readonly packagePath: string | undefined;
  readonly objects: readonly GeneratedObject[];
  readonly changes: readonly FieldChange[];
  /** Items of the function that it preserves: the user has edited them, or it is unknown whether they are still needed. */
  readonly preserved: readonly Resource[];
  /**
   * Which removals of the function's own objects are explained. Without it, none is. A removal that is not explained is an
   * error, unless the guard allows it: an object never disappears because a function forgot it.
   */
  readonly removals?: {
    /** The ClusterIdentity, and what the run allows. Without them, nothing is allowed. */
    readonly guard: Partial<Guard>;
    /** Whether a finding is about the removal of an object, or the input asks for it. */
    isExplained(item: Resource): boolean;
  };
  readonly findings: readonly Finding[];
}

/** An output that consists only of findings. */
export function failedOutput(findings: readonly Finding[]): FunctionOutput {
  return { identity: undefined, packagePath: undefined, objects: [], changes: [], preserved: [], findings };
}

/** A KRM function: pure, from values to values. */
export interface KrmFunction {
  /** A verb and a noun, as in kpt's catalog. */
  readonly name: string;
  /** One line for `--help`: an imperative, in lower case, without a period. */
  readonly summary: string;
  readonly emits: readonly OutputForm[];
  /**
   * Functions from which this function adopts objects. If it generates an object that one of them owned, because the
   * request now belongs to this function, it replaces that object.
   */
  readonly adoptsFrom?: readonly string[];
  run(input: FunctionInput): FunctionOutput;
}

/** Marks the configuration of a function that kustomize runs. */
const kustomizeFunction = "config.kubernetes.io/function";

/** Tells whether the output is applied as a whole: what it does not contain is then deleted from the cluster. */
export function isPruned({ answerPrunes, functionConfig }: FunctionInput): boolean {
  return answerPrunes ?? functionConfig?.annotations.has(kustomizeFunction) === true;
}
