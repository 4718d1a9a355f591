import { compareText, quote } from "../../../core/text.ts";
import { maxTagKey, maxTags, maxTagValue } from "../limits.ts";
import type { Tag } from "./cluster.ts";

/** The key of the tag that marks the resources of a prefix: ccoctl's key, so that its clusters are recognized. */
export function ownerTagKey(prefix: string): string {
  return `openshift.io/cloud-credential-operator/${prefix}`;
}

/** The resource prefix in the key of an owner tag; undefined if the key is another. */
export function prefixOfTagKey(key: string): string | undefined {
  const start = ownerTagKey("");
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/**
 * The tags of every resource of a cluster: the owner tag and the name first, as ccoctl sets them, then the config's. Keys
 * are not case-sensitive (IAM User Guide, "Rules for tagging in IAM").
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
      (taken.has(Key.toLowerCase()) ? "is already set; tag keys are not case-sensitive" : undefined);
    if (problem !== undefined) problems.push(`the tag ${quote(Key)} ${problem}.`);
    taken.add(Key.toLowerCase());
  }
  if (own.length + tags.length > maxTags)
    problems.push(
      `there are ${tags.length} tags, but at most ${maxTags - own.length} are allowed: AWS allows ${maxTags}, and ccf sets ${own.length} itself. Remove some.`,
    );
  return { tags: [...own, ...tags], problems };
}

function tagProblem(key: string, value: string): string | undefined {
  if (key.length < 1 || key.length > maxTagKey) return `must have a key of 1 to ${maxTagKey} characters`;
  if (/^aws:/i.test(key)) return 'must not begin with "aws:"';
  if (value.length > maxTagValue) return `must have a value of at most ${maxTagValue} characters`;
  if (!allowed.test(key) || !allowed.test(value)) return "must contain only letters, digits, spaces and _.:/=+-@";
  return undefined;
}
