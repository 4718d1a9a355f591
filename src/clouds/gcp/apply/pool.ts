import { differing } from "../../../apply/differences.ts";
import type { Kind, KindWithoutCommand, Reading } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import { nameOf } from "../resources.ts";
import {
  type Context,
  createSlowly,
  iamUrl,
  isDeleted,
  markedLive,
  ownerByDescription,
  removeAndConfirm,
  updateSlowly,
} from "./common.ts";

/** The workload identity pool of the cluster. Google keeps a deleted pool for 30 days, and its ID belongs to it. */
export function pool(context: Context): KindWithoutCommand {
  const { client } = context;
  const differences: Kind["differences"] = ({ body }, live) => differing(viewOf(body), live && viewOf(live.value));

  async function read(id: string): Promise<Reading> {
    const value = await client.read(iamUrl(context, id));
    return value === undefined ? { state: "absent" } : poolReading(context, value, await providersOf(context, id));
  }

  return {
    read: ({ id }) => read(id),
    readExtra: ({ id }) => read(id),
    differences,
    async create(wanted) {
      const [parent, id] = wanted.id.split(/\/(?=[^/]+$)/);
      const url = `${iamUrl(context, parent ?? "")}?workloadIdentityPoolId=${id}`;
      return createSlowly(context, wanted, { url }, { viewOf, differences });
    },
    update: (wanted, live) => updateSlowly(context, wanted, live, "displayName,description,disabled", { viewOf }),
    remove: ({ id }) => removeAndConfirm(context, iamUrl(context, id)),
    async keep({ id }, going) {
      const left = (await providersOf(context, id)).find((one) => !isDeleted(one) && !going.has(textAt(one, ["name"])));
      return left === undefined ? undefined : `it contains the provider ${nameOf(textAt(left, ["name"]))}, which stays`;
    },
  };
}

function viewOf({ displayName = "", description = "", disabled = false, state = "ACTIVE" }: ValueMap): ValueMap {
  return { displayName, description, disabled, state };
}

/** All providers of a pool, also deleted ones. Those of a deleted pool may not be readable. */
export function providersOf({ client }: Context, pool: string): Promise<readonly ValueMap[]> {
  const url = `${client.connection.iam}/v1/${pool}/providers?showDeleted=true`;
  return client.list(url, "workloadIdentityPoolProviders", /^(NOT_FOUND|FAILED_PRECONDITION)$/);
}

/** A pool with a provider of others is not the package's alone: Google would trust their tokens like the cluster's. */
export function poolReading(context: Context, value: ValueMap, providers: readonly ValueMap[]): Reading {
  const reading = readingWith(value, (one) => markedLive(context, one));
  const own = context.resources.wanted.map(({ id }) => id);
  const strange = providers.find((one) => {
    return !isDeleted(one) && ownerByDescription(context, one) !== "own" && !own.includes(textAt(one, ["name"]));
  });
  if (strange === undefined || reading.state !== "present" || reading.live.owner !== "own") return reading;
  const reason = `it contains the provider ${nameOf(textAt(strange, ["name"]))}, which the package does not own, and whose tokens would be trusted like the cluster's; delete that provider, or set spec.platform.gcp.pool to another name`;
  return { state: "present", live: { ...reading.live, refusal: { reason } } };
}
