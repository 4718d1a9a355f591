/** A file that a command changes: its new text, or undefined where it goes. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The permissions that it gets; left out, those that it has, or a new file's. */
  readonly mode?: number;
}

/** What happens to a file. */
export type ChangeKind = "added" | "changed" | "removed";

/** The paths of changed files, by what happens to them. */
export function changedPaths(changes: readonly FileChange[]): Record<ChangeKind, string[]> {
  const paths: Record<ChangeKind, string[]> = { added: [], changed: [], removed: [] };
  for (const change of changes) paths[kindOf(change)].push(change.path);
  return paths;
}

function kindOf({ before, after }: FileChange): ChangeKind {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}
