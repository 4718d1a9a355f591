import { takenOver } from "../../../apply/kinds.ts";
import { attempt, CloudError, type Form, until } from "../../../apply/requests.ts";
import type { Kind, Live, Owner } from "../../../apply/resource.ts";
import { textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { differencesOf, type Fields } from "../../fields.ts";
import { ownerDescription, prefixOfDescription } from "../cluster/resource-names.ts";
import type { poolKind } from "../kinds/pool.ts";
import { type GoogleRequest, named as requests } from "../kinds/requests.ts";
import type { GcpResources } from "../resources.ts";
import type { Asked } from "./answers.ts";
import { absent, type GcpClient } from "./client.ts";
import { named, operation } from "./forms.ts";

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

/** A request as the client sends it. */
export function asked(
  { client }: Pick<Context, "client">,
  request: GoogleRequest,
): Pick<Asked, "method" | "url" | "body"> {
  const { api, method, path, body } = request;
  return { method, url: `${client.connection[api]}/${path}`, ...(body === undefined ? {} : { body }) };
}

/** Whose a resource is, by its description. */
export function ownerByDescription({ resources }: Pick<Context, "resources">, value: Value): Owner {
  const description = textAt(value, ["description"]);
  const { prefix, ownerMark } = resources.facts;
  if (description === ownerDescription(prefix, ownerMark)) return "own";
  return prefixOfDescription(description) === undefined ? "none" : "other";
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

/** Reads a resource of IAM; undefined if Google says that it does not exist. */
export function readNamed(
  context: Pick<Context, "client">,
  name: string,
  more: Pick<Asked, "repeat"> = {},
): Promise<ValueMap | undefined> {
  return context.client.read(asked(context, requests.get(name)).url, named(name), more);
}

/** Changes of pools and providers return before they are done: waits until a read shows what is wanted. */
export async function settled(
  context: Context,
  name: string,
  isDone: (value: ValueMap | undefined) => boolean,
): Promise<ValueMap> {
  let value: ValueMap | undefined;
  await until(
    () => `${name} is still changing`,
    async () => {
      value = await readNamed(context, name);
      return isDone(value);
    },
  );
  return value ?? {};
}

/** Whether no change is under way. */
export function isReady(value: ValueMap | undefined): boolean {
  return value?.["state"] === "ACTIVE";
}

/** Creates a pool or a provider. One that exists is taken over if it is as wanted. */
export async function createSlowly(
  context: Context,
  wanted: WantedResource,
  { fields, requests }: SlowKind,
  more: Pick<Asked, "repeat"> = {},
): Promise<Live | undefined> {
  const request = asked(context, requests.create(wanted.id, wanted.body));
  const { status } = await context.client.send({ ...request, form: operation, expect: /^ALREADY_EXISTS$/, ...more });
  if (status < 400) return ready(context, wanted, fields);
  const live = markedLive(context, await settled(context, wanted.id, isReady));
  return takenOver(wanted, live, compare(fields));
}

/** A kind whose changes take a while. */
type SlowKind = Pick<typeof poolKind, "fields" | "requests">;

/** Compares a resource by the fields of its kind. */
export function compare(fields: Fields): Kind["differences"] {
  return ({ body }, live) => differencesOf(fields, body, live?.value);
}

/** Restores a pool or a provider that was deleted, and changes it. */
export async function updateSlowly(
  context: Context,
  wanted: WantedResource,
  { deleted }: Live,
  { fields, requests }: SlowKind,
): Promise<Live> {
  const { client } = context;
  if (deleted) {
    const expect = /^FAILED_PRECONDITION$/;
    await client.send({ ...asked(context, requests.undelete(wanted.id)), form: operation, expect });
    await settled(context, wanted.id, isReady);
  }
  await client.send({ ...asked(context, requests.update(wanted.id, wanted.body)), form: operation });
  return ready(context, wanted, fields);
}

async function ready(context: Context, { id, body }: WantedResource, fields: Fields): Promise<Live> {
  const isDone = (value: ValueMap | undefined) =>
    value !== undefined && differencesOf(fields, body, value).length === 0;
  return markedLive(context, await settled(context, id, isDone));
}

/** Removes a resource of IAM. @param form of the answer. */
export async function removeNamed(context: Context, name: string, form: Form): Promise<void> {
  const request = { ...asked(context, requests.delete(name)), form, expect: absent };
  const answer = await attempt(() => context.client.send(request));
  if (!("problem" in answer)) return;
  // The answer to an earlier attempt may have been lost.
  const left = await readNamed(context, name);
  if (left !== undefined && !isDeleted(left)) throw new CloudError(answer.problem);
}
