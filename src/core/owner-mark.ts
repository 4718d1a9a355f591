/*
 * Resources in the cloud carry the resource prefix of a cluster, and a mark that says which package made them: that of the cluster, or
 * one of a team. Two packages with one prefix never change what the other one made.
 */

/** The mark of a cluster's own package; ccoctl sets the same one. */
export const clusterMark = "owned";

/** The mark of a team's package. @param name of the package. */
export function teamMark(name: string): string {
  return `workloads/${name}`;
}

/** Whether a text is the mark of a package. */
export function isMark(text: string): boolean {
  return text === clusterMark || text.startsWith(teamMark(""));
}

/** A prefix, and the mark of a package with it. */
export interface Mark {
  /** The key of the tag, which contains the prefix. */
  readonly key: string;
  readonly value: string;
}

/**
 * Whose a resource is, by its tags: what another prefix or another package marks, too, is not only ours.
 *
 * @param marks the tags whose keys contain a prefix.
 */
export function ownerOfMarks(marks: readonly Mark[], own: Mark): "own" | "other" | "none" {
  const known = marks.filter(({ value }) => isMark(value));
  if (known.some(({ key, value }) => key !== own.key || value !== own.value)) return "other";
  return known.length > 0 ? "own" : "none";
}
