import type { Kind, Live, Owner } from "../../../apply/resource.ts";
import { flatten } from "../../../apply/show.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { canonicalJson } from "../../../core/json.ts";
import { clusterMark, ownerOfMarks } from "../../../core/owner-mark.ts";
import { isMap, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { prefixOfTagKey, resourceUrl } from "../cluster/resource-names.ts";
import { azRest, creationCommand } from "../commands.ts";
import { type Api, type ArmRequests, armRequests } from "../requests.ts";
import type { AzureResources } from "../resources.ts";
import { type AzureClient, absent } from "./client.ts";

/*
 * What the kinds of resources share: owner tags, comparison, and requests of Azure Resource Manager.
 */

/** What a kind works with. */
export interface Context {
  readonly client: AzureClient;
  readonly resources: AzureResources;
  /** The keys of tags that are removed from what the package owns. */
  readonly removeTags: readonly string[];
}

/** The ID of the resource group that contains everything but role assignments and custom roles. */
export function groupIdOf({ resources: { facts } }: Pick<Context, "resources">): string {
  return `/subscriptions/${facts.subscriptionID}/resourceGroups/${facts.oidcResourceGroup}`;
}

/** Whose a resource is, by its tags: what another prefix marks, too, is not only ours. Names of tags have no case in Azure. */
export function ownerByTag(value: Value, { ownerTag, ownerMark }: OwnerFacts): Owner {
  const marks = Object.entries(mapAt(value, "tags"))
    .map(([name, text]) => ({ key: name.toLowerCase(), value: String(text) }))
    .filter(({ key }) => prefixOfTagKey(key) !== undefined);
  return ownerOfMarks(marks, { key: ownerTag.toLowerCase(), value: ownerMark ?? clusterMark });
}

/** The mark of what the package makes. */
type OwnerFacts = Pick<AzureResources["facts"], "ownerTag" | "ownerMark">;

/** A resource that carries the owner tag itself, as an answer contains it. */
export function taggedLive({ resources }: Pick<Context, "resources">, value: ValueMap, fallback = ""): Live {
  return { id: idIn(value, fallback), value, owner: ownerByTag(value, resources.facts) };
}

/** The object in a field; empty if there is none. */
export function mapAt(value: Value, ...path: readonly string[]): ValueMap {
  const found = valueAt(value, path);
  return isMap(found) ? found : {};
}

/** The ID that an answer contains. */
export function idIn(value: Value, fallback = ""): string {
  return textAt(value, ["id"]) || fallback;
}

/** The stated fields that differ in an answer, as {@link flatten} names them. Without an answer, all of them. */
export function statedDifferences(
  body: ValueMap,
  value: ValueMap | undefined,
  fixed: Readonly<Record<string, string>> = {},
): Difference[] {
  const found = new Map([...flatten(value)].map(([field, one]) => [field.toLowerCase(), one]));
  return [...flatten(body)].flatMap(([field, wanted]): Difference[] => {
    const there = found.get(field.toLowerCase());
    if (
      value !== undefined &&
      canonicalJson(canonical(field, wanted)) === canonicalJson(canonical(field, there ?? null))
    )
      return [];
    const cannot = value === undefined ? undefined : fixed[field];
    return [{ field, found: there, wanted, ...(cannot === undefined ? {} : { fixed: cannot }) }];
  });
}

// Azure ignores the case of names and locations, and answers with the name of a location or its display name.
function canonical(field: string, value: Value): Value {
  if (typeof value !== "string" || field.startsWith("tags.")) return value;
  return field === "location" ? value.toLowerCase().replaceAll(" ", "") : value.toLowerCase();
}

/** Why a location cannot be changed. */
export const fixedLocation = {
  location: "Azure cannot change the location of a resource. Delete it, or use another name",
} as const;

/** The tags that the user removes and that a resource has. */
export function removedTags({ removeTags }: Pick<Context, "removeTags">, value: ValueMap | undefined): Difference[] {
  const removed = new Set(removeTags.map((key) => key.toLowerCase()));
  return Object.entries(mapAt(value ?? null, "tags")).flatMap(([name, found]): Difference[] =>
    removed.has(name.toLowerCase()) ? [{ field: `tags.${name}`, found }] : [],
  );
}

/** The tags that a change sends: those of others stay, but for those that the user removes. */
export function mergedTags({ removeTags }: Pick<Context, "removeTags">, body: ValueMap, value: ValueMap): ValueMap {
  const wanted = mapAt(body, "tags");
  const names = new Set([...Object.keys(wanted), ...removeTags].map((name) => name.toLowerCase()));
  const others = Object.entries(mapAt(value, "tags")).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...wanted };
}

/** Removes a resource. */
export async function removeById({ client }: Context, id: string, api: Api, repeat?: RegExp): Promise<void> {
  const more = { expect: absent, ...(repeat === undefined ? {} : { repeat }) };
  const [method, url] = armRequests(api).remove({ id });
  await client.arm(method, url, undefined, more);
}

/** The commands for the requests of a kind. A creation is the command for the file of an export. */
export function armCommand(
  { resources: { facts } }: Pick<Context, "resources">,
  { update, remove }: ArmRequests,
): Kind["command"] {
  return (action, wanted, live) => {
    if (wanted === undefined || action === "remove") return [azRest(remove({ id: wanted?.id ?? live?.id ?? "" }))];
    if (action === "create") return [creationCommand(facts, wanted)];
    return [azRest(update(wanted, live ?? { id: wanted.id, value: {} }))];
  };
}

/** What kinds of resources share that have an owner mark of their own. */
export function armKind(
  context: Context,
  api: Api,
  liveOf: (value: ValueMap) => Live,
  requests = armRequests(api),
): Pick<Kind, "read" | "readExtra" | "remove" | "command"> {
  const read = async ({ id }: { readonly id: string }) =>
    readingWith(await context.client.read(resourceUrl(id, api)), liveOf);
  const remove = ({ id }: Live) => removeById(context, id, api);
  return { read, readExtra: read, remove, command: armCommand(context, requests) };
}
