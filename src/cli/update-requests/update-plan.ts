import type { removalOf } from "../../core/allowances.ts";
import { compareText } from "../../core/text.ts";
import type { FileChange, WriteStep } from "../files/write-files.ts";

/** What an update changes in one package, and for which identities. */
export interface UpdatePlan {
  /** The name of the ClusterIdentity. */
  readonly identity: string;
  /** The key of `spec.platform`. */
  readonly platform: string;
  /** Additions first and removals last, so that an interrupted run takes nothing away. Without unchanged files. */
  readonly steps: readonly WriteStep[];
  readonly new: readonly Affected[];
  readonly changed: readonly Affected[];
  readonly kept: readonly Affected[];
  readonly gone: readonly Affected[];
  /** What the next render must be allowed to remove: see {@link removalOf}. */
  readonly removals: readonly string[];
}

/** A component identity that an update concerns. */
export interface Affected {
  /** The key of its Secret, `<namespace>/<name>`. */
  readonly key: string;
  /** Why, for people. */
  readonly why?: string;
}

/** All changes of a plan, in the order in which they are written. */
export function changesOf({ steps }: Pick<UpdatePlan, "steps">): readonly FileChange[] {
  return steps.flatMap(({ changes }) => changes);
}

/** The directories of removed files below the directory of requests, the innermost first. */
export function directoriesOf(changes: readonly FileChange[]): readonly string[] {
  const found = new Set<string>();
  for (const { path, after } of changes) {
    if (after !== undefined) continue;
    const steps = path.split("/").slice(0, -1);
    for (let depth = steps.length; depth > 1; depth--) found.add(steps.slice(0, depth).join("/"));
  }
  return [...found].sort((a, b) => b.split("/").length - a.split("/").length || compareText(a, b));
}
