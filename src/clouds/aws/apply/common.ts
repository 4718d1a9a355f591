import { pause } from "../../../apply/requests.ts";
import type { Kind, Live, Owner } from "../../../apply/resource.ts";
import { liveIn } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { canonicalJson, readJson } from "../../../core/json.ts";
import { ownerOfMarks } from "../../../core/owner-mark.ts";
import { listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { describeCondition } from "../../../permissions/condition.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { prefixOfTagKey } from "../cluster/resource-names.ts";
import { policyVariable } from "../permissions/condition-operators.ts";
import { policyPermissions } from "../permissions/permissions.ts";
import type { AwsResources } from "../resources.ts";
import type { AwsClient } from "./account.ts";

/*
 * What the kinds of resources share: owner tags, tags, policy documents, and what is young.
 */

/** What a kind works with. */
export interface Context {
  readonly client: AwsClient;
  readonly resources: AwsResources;
  /** The keys of tags that are removed from what the package owns. */
  readonly removeTags: readonly string[];
  /** The IDs of the resources that this run created: AWS does not know them everywhere at once. */
  readonly young: Set<string>;
  /** What CloudFront assigned, as far as it was read. */
  readonly assigned: { accessControl?: string; distribution?: string; domain?: string };
}

/** Repeats what says that a resource does not exist, if this run created it. */
export function ifYoung({ young }: Pick<Context, "young">, id: string, repeat = /^NoSuch/): { repeat?: RegExp } {
  return young.has(id) ? { repeat } : {};
}

/** Whose a resource is, by its tags: what another prefix marks, too, is not only ours. @param tags in the form of the API. */
export function ownerByTags({ resources }: Pick<Context, "resources">, tags: readonly Value[]): Owner {
  const { ownerTag, ownerMark } = resources.facts;
  const marks = tags
    .map((tag) => ({ key: textAt(tag, ["Key"]), value: textAt(tag, ["Value"]) }))
    .filter(({ key }) => prefixOfTagKey(key) !== undefined);
  return ownerOfMarks(marks, { key: ownerTag, value: ownerMark });
}

/**
 * The tags that differ, and those that the user removes. What others added does not count.
 *
 * @param found undefined if there is no resource.
 */
export function tagDifferences(
  { removeTags }: Pick<Context, "removeTags">,
  wanted: readonly Value[],
  found: readonly Value[] | undefined,
): Difference[] {
  const values = tagsByKey(found ?? []);
  const missing = [...tagsByKey(wanted)].flatMap(([key, value]): Difference[] => {
    const there = values.get(key);
    return there === value ? [] : [{ field: `tags.${key}`, found: there, wanted: value }];
  });
  return [
    ...missing,
    ...removedKeys({ removeTags }, found ?? []).map((key) => ({ field: `tags.${key}`, found: values.get(key) })),
  ];
}

function tagsByKey(tags: readonly Value[]): Map<string, string> {
  return new Map(tags.map((tag) => [textAt(tag, ["Key"]), textAt(tag, ["Value"])]));
}

/** The keys that the user removes and that a resource has. */
export function removedKeys({ removeTags }: Pick<Context, "removeTags">, found: readonly Value[]): string[] {
  return [...tagsByKey(found).keys()].filter((key) => removeTags.includes(key));
}

/** All tags that a resource has after a change, for an API that replaces them together. */
export function mergedTags(
  { removeTags }: Pick<Context, "removeTags">,
  wanted: readonly Value[],
  found: readonly Value[],
): ValueMap[] {
  const own = tagsByKey(wanted);
  const others = [...tagsByKey(found)].filter(([key]) => !own.has(key) && !removeTags.includes(key));
  return [...own, ...others].map(([Key, Value]) => ({ Key, Value }));
}

/** Changes the tags of a resource of IAM, which are changed one by one. @param what the fields that name the resource. */
export async function changeIamTags(
  context: Context,
  kind: "Role" | "OpenIDConnectProvider",
  what: ValueMap,
  wanted: readonly Value[],
  found: readonly Value[],
): Promise<void> {
  const removed = removedKeys(context, found);
  const changes = tagDifferences({ removeTags: [] }, wanted, found);
  if (changes.length > 0) await context.client.send(`iam:Tag${kind}`, { ...what, Tags: wanted });
  if (removed.length > 0) await context.client.send(`iam:Untag${kind}`, { ...what, TagKeys: removed });
}

/** A policy document of an answer: JSON, with percent-encoding in answers of IAM. */
export function documentIn(text: string): Value {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // It is not encoded, and contains a percent sign.
  }
  const json = readJson(plain);
  return "value" in json ? json.value : text;
}

/** What a policy document says, one text for each principal, action, and resource. Its form and order do not matter. */
export function policyTerms(document: Value): string[] {
  const version = textAt(document, ["Version"]);
  const said = policyPermissions(document).flatMap(grantTerms);
  return [...new Set([...(version === "2012-10-17" ? [] : [`version ${version || "(none)"}`]), ...said])].sort(
    compareText,
  );
}

/** Whom a policy document lets do what, and what it denies, for people. */
export function grantsOf(document: Value): string[] {
  return policyPermissions(document)
    .flatMap(grantTerms)
    .map((term) => (term.startsWith("deny ") ? `denies ${term.slice("deny ".length)}` : `allows ${term}`));
}

function grantTerms({ effect, principals, actions, resources, condition, undecided }: Grant): string[] {
  const start = effect === "Deny" ? "deny " : "";
  // One with a policy variable is not decided either, but it says what it is of.
  const isWhole = !resources.some((resource) => resource.includes(policyVariable));
  if (undecided !== undefined && isWhole) return [`${start}${undecided}`];
  const end = condition.length === 0 ? "" : ` if ${describeCondition(condition)}`;
  return principals.flatMap((principal) =>
    actions.flatMap((action) =>
      resources.map((resource) => {
        const on = principal === "" || resource !== "*" ? ` on ${resource}` : "";
        return `${start}${action}${on}${principal === "" ? "" : ` for ${principal}`}${end}`;
      }),
    ),
  );
}

/** The difference of two policy documents. Actions have no case. @param found undefined if there is none. */
export function policyDifferences(field: string, wanted: Value, found: Value | undefined): Difference[] {
  const own = policyTerms(wanted);
  if (found === undefined) return [{ field, wanted: own }];
  const spelled = new Map(own.map((term) => [inLowerCase(term), term]));
  const there = [...new Set(policyTerms(found).map((term) => spelled.get(inLowerCase(term)) ?? term))].sort(
    compareText,
  );
  return canonicalJson(there) === canonicalJson(own) ? [] : [{ field, found: there, wanted: own }];
}

function inLowerCase(term: string): string {
  return term.replace(/^(deny )?[A-Za-z0-9*?-]+:[A-Za-z0-9*?]+/, (action) => action.toLowerCase());
}

/** A document as requests contain it. */
export function policyText(document: Value | undefined): string {
  return JSON.stringify(document, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}

/**
 * Reads after a change until the answer shows it: IAM is eventually consistent. If it does not after some time, the last
 * answer counts.
 */
export async function settledLive(
  { read, differences }: Pick<Kind, "read" | "differences">,
  wanted: WantedResource,
  isDone = (live: Live) => differences(wanted, live).length === 0,
): Promise<Live | undefined> {
  for (let tries = 0; ; tries++) {
    const live = liveIn(await read(wanted));
    if ((live !== undefined && isDone(live)) || tries >= 8) return live;
    await pause(Math.min(2 ** tries, 10));
  }
}

/** The list of tags in a body or an answer. */
export function tagsIn(value: Value, path: readonly string[] = ["Tags"]): readonly Value[] {
  return listAt(value, path);
}

/** The wanted resource of a kind that a package has once. */
export function theWanted({ resources }: Pick<Context, "resources">, kind: string): WantedResource | undefined {
  return resources.wanted.find((one) => one.kind === kind);
}
