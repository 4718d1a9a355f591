import { differing, takenOver } from "../../../apply/differences.ts";
import type { Difference, Kind, Live, Reading, Refusal } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { readJson } from "../../../core/json.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { gcpCommand } from "../commands.ts";
import { type Context, iamUrl, markedLive, removeAndConfirm, settled } from "./common.ts";
import { isReady } from "./pool.ts";

/** The provider in the pool: which issuer, audiences and keys Google trusts. */
export function provider(context: Context): Kind {
  const { client } = context;

  async function read(id: string): Promise<Reading> {
    return providerReading(context, await client.read(iamUrl(context, id)));
  }

  const ready = async ({ id, body }: WantedResource): Promise<Live> =>
    markedLive(
      context,
      await settled(context, iamUrl(context, id), (value) => {
        return value !== undefined && differing(viewOf(body), viewOf(value)).length === 0;
      }),
    );

  return {
    read: ({ id }) => read(id),
    readExtra: ({ id }) => read(id),
    differences: providerDifferences,
    async create(wanted) {
      const [parent, id] = wanted.id.split(/\/providers\//);
      const pool = iamUrl(context, parent ?? "");
      await settled(context, pool, isReady);
      const url = `${pool}/providers?workloadIdentityPoolProviderId=${id}`;
      const more = { expect: /^ALREADY_EXISTS$/, repeat: /^NOT_FOUND/ };
      const { status } = await client.send({ method: "POST", url, body: wanted.body, ...more });
      if (status >= 400) {
        const live = markedLive(context, await settled(context, iamUrl(context, wanted.id), isReady));
        return takenOver(wanted, live, providerDifferences(wanted, live));
      }
      return ready(wanted);
    },
    async update(wanted, live) {
      const url = iamUrl(context, wanted.id);
      await settled(context, url.replace(/\/providers\/.*$/, ""), isReady);
      if (live.deleted) {
        await client.send({ method: "POST", url: `${url}:undelete`, body: {}, expect: /^FAILED_PRECONDITION$/ });
        await settled(context, url, isReady);
      }
      // What is in the mask and not in the body is cleared.
      const mask =
        "displayName,description,disabled,attributeMapping,attributeCondition,oidc.issuerUri,oidc.allowedAudiences,oidc.jwksJson";
      await client.send({ method: "PATCH", url: `${url}?updateMask=${mask}`, body: wanted.body });
      return ready(wanted);
    },
    remove: ({ id }) => removeAndConfirm(context, iamUrl(context, id)),
    command: gcpCommand(context.resources.facts.projectId),
  };
}

function viewOf(value: ValueMap): ValueMap {
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
  return differing(viewOf(body), live && viewOf(live.value)).map((one) => {
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
  if (issuer !== own) {
    const reason = `it trusts the issuer ${issuer}, which is not the package's, so it may be another cluster's; if the package replaces its issuer, use --allow replace-issuer`;
    return { reason, allow: "replace-issuer" };
  }
  return strangeKeys(keysIn(value).map(kidOf), keysIn(body).map(kidOf));
}

/** Why keys are not those of the package: none of them is in it. */
export function strangeKeys(found: readonly string[], own: readonly string[]): Refusal | undefined {
  if (found.length === 0 || own.length === 0 || found.some((kid) => own.includes(kid))) return undefined;
  const reason = `none of its keys is in the package (${found.join(", ")}), so it may be another cluster's; if the package replaces all keys, use --allow replace-key`;
  return { reason, allow: "replace-key" };
}
