/** What another program left in a text for a person to finish, so that the text is not what its author meant. */
export interface Leftover {
  /** What it is, as the end of "... is not YAML: ". */
  readonly reason: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** What to do: a sentence without a period. */
  readonly cure: string;
}

/** What was left in a text that cannot be parsed, and is probably the reason. */
export function leftoverIn(text: string): Leftover | undefined {
  return conflictAt(text, /^(?:[<>|]{7}(?= |$)|={7}$)/m) ?? placeholderIn(text);
}

/**
 * A merge conflict in any text (git-merge, "How conflicts are presented").
 *
 * @param isIndented the conflict may be in a text inside the text, such as a policy in a ConfigMap.
 */
export function conflictIn(text: string, isIndented = false): Leftover | undefined {
  if (!text.includes("<<<<<<<") || !text.includes(">>>>>>>")) return undefined;
  const [start, end] = isIndented ? [/^[ \t]*<{7}(?= |$)/m, /^[ \t]*>{7}(?= |$)/m] : [/^<{7}(?= |$)/m, /^>{7}(?= |$)/m];
  return end.test(text) ? conflictAt(text, start) : undefined;
}

function conflictAt(text: string, mark: RegExp): Leftover | undefined {
  const found = mark.exec(text);
  if (found === null) return undefined;
  return {
    reason: "it contains a merge conflict",
    line: lineAt(text, found.index),
    cure: "Resolve the conflict: keep what belongs in the file, and delete the lines that begin with <<<<<<<, |||||||, =======, and >>>>>>>",
  };
}

// The last line of a Secret that ccoctl writes with --dry-run (cloud-credential-operator, writeCredReqSecret).
function placeholderIn(text: string): Leftover | undefined {
  const found = /^POPULATE (?:[\w.]+ ){1,20}(?:AND DELETE THIS LINE|GENERATED FROM SCRIPT)/m.exec(text);
  if (found === null) return undefined;
  return {
    reason: `ccoctl wrote it with --dry-run, so it ends with the line "${found[0]}"`,
    line: lineAt(text, found.index),
    cure: "Write the missing values into the file and delete that line, or get the Secret from the cluster",
  };
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n?|\n/).length;
}
