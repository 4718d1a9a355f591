import type { Difference, Kind } from "../../../apply/resource.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { same } from "../resources.ts";
import {
  armKind,
  type Context,
  fixedLocation,
  mergedTags,
  removedTags,
  statedDifferences,
  taggedLive,
} from "./common.ts";

/** The managed identity of one request. Its mark is a tag. Azure assigns its client ID, which Secrets contain. */
export function managedIdentity(context: Context): Kind {
  const { client } = context;
  const liveOf = (value: ValueMap) => taggedLive(context, value);
  const patch = (body: ValueMap, value: ValueMap) => ({ tags: mergedTags(context, body, value) });
  return {
    ...armKind(context, "identities", liveOf, patch),
    differences({ body, assigned = {} }, live): readonly Difference[] {
      const stated = [...statedDifferences(body, live?.value, fixedLocation), ...removedTags(context, live?.value)];
      const { clientId } = assigned;
      const found = textAt(live?.value ?? null, ["properties", "clientId"]);
      if (live === undefined || clientId === undefined || same(found, clientId)) return stated;
      const fixed = `it is ${found}, but the package has ${String(clientId)}, which its component would use without success. If the identity was created again, remove its ID from the package, and apply again`;
      return [...stated, { field: "clientId", found, wanted: clientId, fixed }];
    },
    async create({ id, body }) {
      await client.creations.wait(subscriptionOf(id).toLowerCase());
      const { value } = await client.arm("PUT", resourceUrl(id, "identities"), body);
      return liveOf(value as ValueMap);
    },
    async update({ id, body }, { value }) {
      const answer = await client.arm("PATCH", resourceUrl(id, "identities"), patch(body, value));
      return liveOf(answer.value as ValueMap);
    },
  };
}

/** The ID of an identity's principal, which role assignments name. */
export function principalOf(value: ValueMap): string {
  return textAt(value, ["properties", "principalId"]).toLowerCase();
}
