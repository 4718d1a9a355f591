import { compareText, quote } from "../../../core/text.ts";
import type { Tag } from "./cluster.ts";

/** The key of the tag that marks what belongs to a prefix: ccoctl's, so that clusters made with it are recognised. */
export function ownerTagKey(prefix: string): string {
  return `openshift.io/cloud-credential-operator/${prefix}`;
}

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const most = 50;

/**
 * The tags of every resource of a cluster: the owner's mark and the name first, as ccoctl sets them, then the config's.
 * Limits are those of the IAM User Guide, "Rules for tagging in IAM": keys are not told apart by case.
 */
export function clusterTags(
  prefix: string,
  extra: Readonly<Record<string, string>>,
): { tags: Tag[]; problems: string[] } {
  const own: Tag[] = [
    { Key: ownerTagKey(prefix), Value: "owned" },
    { Key: "Name", Value: prefix },
  ];
  const taken = new Set(own.map((tag) => tag.Key.toLowerCase()));
  const problems: string[] = [];
  const tags = Object.entries(extra)
    .sort(([a], [b]) => compareText(a, b))
    .map(([Key, Value]) => ({ Key, Value }));
  for (const { Key, Value } of tags) {
    const problem =
      tagProblem(Key, Value) ??
      (taken.has(Key.toLowerCase()) ? "is there already; keys are not told apart by case" : undefined);
    if (problem !== undefined) problems.push(`the tag ${quote(Key)} ${problem}.`);
    taken.add(Key.toLowerCase());
  }
  if (own.length + tags.length > most)
    problems.push(`there are ${tags.length} tags, and with the owner's two at most ${most} are allowed.`);
  return { tags: [...own, ...tags], problems };
}

function tagProblem(key: string, value: string): string | undefined {
  if (key.length < 1 || key.length > 128) return "must have a key of 1 to 128 characters";
  if (/^aws:/i.test(key)) return 'must not begin with "aws:"';
  if (value.length > 256) return "must have a value of at most 256 characters";
  if (!allowed.test(key) || !allowed.test(value)) return "must hold letters, digits, spaces and _.:/=+-@ alone";
  return undefined;
}
