import { differing, takenOver } from "../../../apply/kinds.ts";
import { attempt, CloudError, until } from "../../../apply/requests.ts";
import type { Kind, Live, Owner } from "../../../apply/resource.ts";
import { textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { prefixOfDescription } from "../cluster/resource-names.ts";
import type { GcpResources } from "../resources.ts";
import type { Asked } from "./answers.ts";
import { absent, type GcpClient } from "./client.ts";

/*
 * What the kinds of resources share: owner marks, comparison, and changes that take a while.
 */

/** What a kind works with. */
export interface Context {
  readonly client: GcpClient;
  readonly resources: GcpResources;
  /** The service accounts that this run created: Google does not know them everywhere at once. */
  readonly young: Set<string>;
  /** Whether the user asks for the removal of custom roles, too. */
  readonly deleteRoles: boolean;
}

/** The URL of a resource of IAM, by its name. */
export function iamUrl({ client }: Pick<Context, "client">, name: string): string {
  return `${client.connection.iam}/v1/${name}`;
}

/** Whose a resource is, by its description. */
export function ownerByDescription({ resources }: Pick<Context, "resources">, value: Value): Owner {
  const prefix = prefixOfDescription(textAt(value, ["description"]));
  return prefix === undefined ? "none" : prefix === resources.facts.prefix ? "own" : "other";
}

/** A resource whose description is its mark, as an answer contains it. */
export function markedLive(context: Pick<Context, "resources">, value: ValueMap): Live {
  const owner = ownerByDescription(context, value);
  return { id: textAt(value, ["name"]), value, owner, ...(isDeleted(value) ? { deleted: true as const } : {}) };
}

/** Whether Google can still restore it. */
export function isDeleted(value: ValueMap): boolean {
  return value["state"] === "DELETED" || value["deleted"] === true;
}

/** Changes of pools and providers return before they are done: waits until a read shows what is wanted. */
export async function settled(
  { client }: Context,
  url: string,
  isDone: (value: ValueMap | undefined) => boolean,
): Promise<ValueMap> {
  let value: ValueMap | undefined;
  await until(`${url.replace(/^.*\/v1\//, "")} is still changing`, async () => {
    value = await client.read(url);
    return isDone(value);
  });
  return value ?? {};
}

/** Whether no change is under way. */
export function isReady(value: ValueMap | undefined): boolean {
  return value?.["state"] === "ACTIVE";
}

/** How pools and providers are compared. */
interface Compared {
  /** The fields that decide whether they are as wanted. */
  readonly viewOf: (value: ValueMap) => ValueMap;
  readonly differences: Kind["differences"];
}

/** Creates a pool or a provider. One that exists is taken over if it is as wanted. */
export async function createSlowly(
  context: Context,
  wanted: WantedResource,
  asked: Pick<Asked, "url" | "repeat">,
  { viewOf, differences }: Compared,
): Promise<Live> {
  const creation = { method: "POST", body: wanted.body, expect: /^ALREADY_EXISTS$/, ...asked } as const;
  const { status } = await context.client.send(creation);
  if (status < 400) return ready(context, wanted, viewOf);
  const live = markedLive(context, await settled(context, iamUrl(context, wanted.id), isReady));
  return takenOver(wanted, live, differences);
}

/** Restores a pool or a provider that was deleted, and changes it. @param mask what is in it and not in the body is cleared. */
export async function updateSlowly(
  context: Context,
  wanted: WantedResource,
  { deleted }: Live,
  mask: string,
  { viewOf }: Pick<Compared, "viewOf">,
): Promise<Live> {
  const { client } = context;
  const url = iamUrl(context, wanted.id);
  if (deleted) {
    await client.send({ method: "POST", url: `${url}:undelete`, body: {}, expect: /^FAILED_PRECONDITION$/ });
    await settled(context, url, isReady);
  }
  await client.send({ method: "PATCH", url: `${url}?updateMask=${mask}`, body: wanted.body });
  return ready(context, wanted, viewOf);
}

async function ready(context: Context, { id, body }: WantedResource, viewOf: Compared["viewOf"]): Promise<Live> {
  const isDone = (value: ValueMap | undefined) =>
    value !== undefined && differing(viewOf(body), viewOf(value)).length === 0;
  return markedLive(context, await settled(context, iamUrl(context, id), isDone));
}

/** Removes a resource, and waits until Google says that it is gone or deleted. */
export async function removeAndConfirm({ client }: Context, url: string): Promise<void> {
  const gone = (value: ValueMap | undefined) => value === undefined || isDeleted(value);
  const answer = await attempt(() => client.send({ method: "DELETE", url, expect: absent }));
  // The answer to an earlier attempt may have been lost.
  if ("problem" in answer && !gone(await client.read(url))) throw new CloudError(answer.problem);
  await until(`${url.replace(/^.*\/v1\//, "")} still exists after its deletion`, async () =>
    gone(await client.read(url)),
  );
}
