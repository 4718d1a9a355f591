import { maybeOther, strangeKeys } from "../../../apply/document.ts";
import type { Kind, KindWithoutCommand, Live, Reading, Refusal } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { type Difference, differing } from "../../../core/difference.ts";
import { readJson } from "../../../core/json.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { nameOf } from "../resources.ts";
import {
  type Context,
  createSlowly,
  iamUrl,
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
  const differences: Kind["differences"] = ({ body }, live) => differing(poolView(body), live && poolView(live.value));

  async function read(id: string): Promise<Reading> {
    const value = await readNamed(context, id);
    return value === undefined ? { state: "absent" } : poolReading(context, value, await providersOf(context, id));
  }

  return {
    read: ({ id }) => read(id),
    readExtra: ({ id }) => read(id),
    differences,
    async create(wanted) {
      const [parent, id] = wanted.id.split(/\/(?=[^/]+$)/);
      const url = `${iamUrl(context, parent ?? "")}?workloadIdentityPoolId=${id}`;
      return createSlowly(context, wanted, { url }, { viewOf: poolView, differences });
    },
    update: (wanted, live) =>
      updateSlowly(context, wanted, live, "displayName,description,disabled", { viewOf: poolView }),
    remove: ({ id }) => removeNamed(context, id, operation),
    async keep({ id }, going) {
      const left = (await providersOf(context, id)).find((one) => !isDeleted(one) && !going.has(textAt(one, ["name"])));
      return left === undefined ? undefined : `it contains the provider ${nameOf(textAt(left, ["name"]))}, which stays`;
    },
  };
}

function poolView({ displayName = "", description = "", disabled = false, state = "ACTIVE" }: ValueMap): ValueMap {
  return { displayName, description, disabled, state };
}

/** All providers of a pool, also deleted ones. Those of a deleted pool may not be readable. */
export function providersOf({ client }: Context, pool: string): Promise<readonly ValueMap[]> {
  const url = `${client.connection.iam}/v1/${pool}/providers?showDeleted=true`;
  const form = page("workloadIdentityPoolProviders", `${pool}/providers`);
  return client.list(url, "workloadIdentityPoolProviders", form, /^(NOT_FOUND|FAILED_PRECONDITION)$/);
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
    differences: providerDifferences,
    async create(wanted) {
      const [parent, id] = wanted.id.split(/\/providers\//);
      const pool = iamUrl(context, parent ?? "");
      await settled(context, parent ?? "", isReady);
      const url = `${pool}/providers?workloadIdentityPoolProviderId=${id}`;
      return createSlowly(context, wanted, { url, repeat: /^NOT_FOUND/ }, compared);
    },
    async update(wanted, live) {
      await settled(context, wanted.id.replace(/\/providers\/.*$/, ""), isReady);
      return updateSlowly(context, wanted, live, mask, compared);
    },
    remove: ({ id }) => removeNamed(context, id, operation),
  };
}

const compared = { viewOf: providerView, differences: providerDifferences };
const mask =
  "displayName,description,disabled,attributeMapping,attributeCondition,oidc.issuerUri,oidc.allowedAudiences,oidc.jwksJson";

function providerView(value: ValueMap): ValueMap {
  const { displayName = "", description = "", disabled = false, state = "ACTIVE" } = value;
  const keys = keysIn(value).map((key) => ({ ...(key as ValueMap) }));
  return {
    ...{ displayName, description, disabled, state },
    issuer: textAt(value, ["oidc", "issuerUri"]),
    audiences: listAt(value, ["oidc", "allowedAudiences"]).map(String).sort(),
    attributeMapping: value["attributeMapping"] ?? {},
    attributeCondition: value["attributeCondition"] ?? "",
    keys: keys.sort((a, b) => (kidOf(a) < kidOf(b) ? -1 : 1)),
  };
}

function keysIn(value: ValueMap): readonly Value[] {
  const json = readJson(textAt(value, ["oidc", "jwksJson"]) || "{}");
  return "value" in json ? listAt(json.value, ["keys"]) : ["unreadable"];
}

const kidOf = (key: Value) => textAt(key, ["kid"]);

/** Keys are shown by their IDs, and as a whole only if these are the same. */
function providerDifferences({ body }: WantedResource, live: Live | undefined): Difference[] {
  return differing(providerView(body), live && providerView(live.value)).map((one) => {
    const ids = (value: Value | undefined) => (Array.isArray(value) ? value.map(kidOf) : []);
    if (one.field !== "keys" || live === undefined || String(ids(one.found)) === String(ids(one.wanted))) return one;
    return { field: "keys", found: ids(one.found), wanted: ids(one.wanted) };
  });
}

/** A provider, unless it is another cluster's: the mark names a prefix, and another repository may use the same. */
export function providerReading(context: Context, value: ValueMap | undefined): Reading {
  const reading = readingWith(value, (one) => markedLive(context, one));
  if (reading.state !== "present" || reading.live.deleted || reading.live.owner !== "own") return reading;
  const wanted = context.resources.wanted.find(({ id }) => id === reading.live.id);
  const refusal = wanted && strangeIssuer(wanted.body, reading.live.value);
  return refusal === undefined ? reading : { state: "present", live: { ...reading.live, refusal } };
}

function strangeIssuer(body: ValueMap, value: ValueMap): Refusal | undefined {
  const [issuer, own] = [value, body].map((one) => textAt(valueAt(one, ["oidc"]) ?? null, ["issuerUri"]));
  if (issuer !== own)
    return maybeOther(`it trusts the issuer ${issuer}, which is not the package's`, "its issuer", "replace-issuer");
  const [found, keys] = [value, body].map((one) => keysIn(one).map(kidOf)) as [string[], string[]];
  return keys.length === 0 ? undefined : strangeKeys(found, keys, "its keys");
}
