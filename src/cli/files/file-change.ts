/** A file that a command changes; `before` is undefined for a new file, `after` for a file to remove. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The permissions to set; if undefined, an existing file keeps its permissions and a new file gets the default. */
  readonly mode?: number;
}

/** The kind of a change. */
export type ChangeKind = "added" | "changed" | "removed";

/** The paths of changed files, by the kind of change. */
export function changedPaths(changes: readonly FileChange[]): Record<ChangeKind, string[]> {
  const paths: Record<ChangeKind, string[]> = { added: [], changed: [], removed: [] };
  for (const change of changes) paths[kindOf(change)].push(change.path);
  return paths;
}

function kindOf({ before, after }: FileChange): ChangeKind {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}
