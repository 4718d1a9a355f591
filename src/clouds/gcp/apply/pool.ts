import { maybeOther, strangeKeys } from "../../../apply/document.ts";
import type { KindWithoutCommand, Reading, Refusal } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import { poolKind } from "../kinds/pool.ts";
import { keysIn, kidOf, providerKind } from "../kinds/provider.ts";
import { nameOf } from "../resources.ts";
import {
  asked,
  type Context,
  compare,
  createSlowly,
  isDeleted,
  isReady,
  markedLive,
  ownerByDescription,
  readNamed,
  removeNamed,
  settled,
  updateSlowly,
} from "./common.ts";
import { operation, page } from "./forms.ts";

/** The workload identity pool of the cluster. Google keeps a deleted pool for 30 days, and its ID belongs to it. */
export function pool(context: Context): KindWithoutCommand {
  async function read(id: string): Promise<Reading> {
    const value = await readNamed(context, id);
    return value === undefined ? { state: "absent" } : poolReading(context, value, await providersOf(context, id));
  }

  return {
    read: ({ id }) => read(id),
    readExtra: ({ id }) => read(id),
    differences: compare(poolKind.fields),
    create: (wanted) => createSlowly(context, wanted, poolKind),
    update: (wanted, live) => updateSlowly(context, wanted, live, poolKind),
    remove: ({ id }) => removeNamed(context, id, operation),
    async keep({ id }, going) {
      const left = (await providersOf(context, id)).find((one) => !isDeleted(one) && !going.has(textAt(one, ["name"])));
      return left === undefined ? undefined : `it contains the provider ${nameOf(textAt(left, ["name"]))}, which stays`;
    },
  };
}

/** All providers of a pool, also deleted ones. Those of a deleted pool may not be readable. */
export function providersOf(context: Context, pool: string): Promise<readonly ValueMap[]> {
  const { url } = asked(context, providerKind.requests.list(pool));
  const form = page("workloadIdentityPoolProviders", `${pool}/providers`);
  return context.client.list(url, "workloadIdentityPoolProviders", form, /^(NOT_FOUND|FAILED_PRECONDITION)$/);
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

/** The provider in the pool: which issuer, audiences and keys Google trusts. */
export function provider(context: Context): KindWithoutCommand {
  async function read(id: string): Promise<Reading> {
    return providerReading(context, await readNamed(context, id));
  }

  return {
    read: ({ id }) => read(id),
    readExtra: ({ id }) => read(id),
    differences: compare(providerKind.fields),
    async create(wanted) {
      await settled(context, poolOf(wanted.id), isReady);
      return createSlowly(context, wanted, providerKind, { repeat: /^NOT_FOUND/ });
    },
    async update(wanted, live) {
      await settled(context, poolOf(wanted.id), isReady);
      return updateSlowly(context, wanted, live, providerKind);
    },
    remove: ({ id }) => removeNamed(context, id, operation),
  };
}

/** The pool of a provider, by their names. */
const poolOf = (id: string) => id.replace(/\/providers\/.*$/, "");

/** A provider, unless it is another cluster's: the mark names a prefix, and another repository may use the same. */
export function providerReading(context: Context, value: ValueMap | undefined): Reading {
  const reading = readingWith(value, (one) => markedLive(context, one));
  if (reading.state !== "present" || reading.live.deleted || reading.live.owner !== "own") return reading;
  const wanted = context.resources.wanted.find(({ id }) => id === reading.live.id);
  const refusal = wanted && strangeIssuer(wanted.body, reading.live.value);
  return refusal === undefined ? reading : { state: "present", live: { ...reading.live, refusal } };
}

function strangeIssuer(body: ValueMap, value: ValueMap): Refusal | undefined {
  const [issuer, own] = [value, body].map((one) => textAt(one, ["oidc", "issuerUri"]));
  if (issuer !== own)
    return maybeOther(`it trusts the issuer ${issuer}, which is not the package's`, "its issuer", "replace-issuer");
  const [found, keys] = [value, body].map((one) => keysIn(textAt(one, ["oidc", "jwksJson"])).map(kidOf)) as [
    string[],
    string[],
  ];
  return keys.length === 0 ? undefined : strangeKeys(found, keys, "its keys");
}
