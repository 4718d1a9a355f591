import type { ValueMap } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";

/** The key of the tag that marks the resources of a prefix: ccoctl's key, so that its clusters are recognized. */
export function ownerTagKey(prefix: string): string {
  return `openshift.io_cloud-credential-operator_${prefix}`;
}

/** The resource prefix in the key of an owner tag; undefined if the key is another. */
export function prefixOfTagKey(key: string): string | undefined {
  const start = ownerTagKey("");
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

const maxTags = 50;
// A storage account allows shorter names than other resources.
const maxKey = 128;
const maxValue = 256;

/**
 * The tags of every resource of a cluster: the owner tag, then the config's. The limits are from "Use tags to organize your
 * Azure resources"; names are not case-sensitive there.
 */
export function clusterTags(
  prefix: string,
  extra: Readonly<Record<string, string>>,
): { readonly tags: ValueMap; readonly problems: readonly string[] } {
  const owner = ownerTagKey(prefix);
  const taken = new Set([owner.toLowerCase()]);
  const problems: string[] = [];
  const entries = Object.entries(extra).sort(([a], [b]) => compareText(a, b));
  for (const [key, value] of entries) {
    const problem =
      tagProblem(key, value) ??
      (taken.has(key.toLowerCase()) ? "is already set; tag names are not case-sensitive" : undefined);
    if (problem !== undefined) problems.push(`the tag ${quote(key)} ${problem}.`);
    taken.add(key.toLowerCase());
  }
  if (entries.length + 1 > maxTags)
    problems.push(
      `there are ${entries.length} tags, but at most ${maxTags - 1} are allowed: Azure allows ${maxTags}, and ccf sets one itself. Remove some.`,
    );
  return { tags: Object.fromEntries([[owner, "owned"], ...entries]), problems };
}

function tagProblem(key: string, value: string): string | undefined {
  if (key.length < 1 || key.length > maxKey) return `must have a name of 1 to ${maxKey} characters`;
  if (/[<>%&\\?/]/.test(key)) return "must not contain any of <>%&\\?/ in its name";
  if (/^(?:microsoft|azure|windows)/i.test(key)) return 'must not begin with "microsoft", "azure" or "windows"';
  return value.length > maxValue ? `must have a value of at most ${maxValue} characters` : undefined;
}
