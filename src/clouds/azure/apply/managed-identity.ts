import type { Difference, Kind } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { azRest } from "../commands.ts";
import { same } from "../resources.ts";
import {
  type Context,
  fixedLocation,
  mergedTags,
  removeAndConfirm,
  removedTags,
  statedDifferences,
  taggedLive,
  usualCommand,
} from "./common.ts";

/** The managed identity of one request. Its mark is a tag. Azure assigns its client ID, which Secrets contain. */
export function managedIdentity(context: Context): Kind {
  const { client } = context;
  const liveOf = (value: ValueMap) => taggedLive(context, value);
  return {
    read: async ({ id }) => readingWith(await client.read(resourceUrl(id, "identities")), liveOf),
    readExtra: async ({ id }) => readingWith(await client.read(resourceUrl(id, "identities")), liveOf),
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
      const answer = await client.arm("PATCH", resourceUrl(id, "identities"), {
        tags: mergedTags(context, body, value),
      });
      return liveOf(answer.value as ValueMap);
    },
    remove: ({ id }) => removeAndConfirm(context, id, "identities"),
    command: (action, wanted, live) =>
      action === "update" && wanted !== undefined && live !== undefined
        ? azRest("patch", resourceUrl(wanted.id, "identities"), { tags: mergedTags(context, wanted.body, live.value) })
        : usualCommand(context, "identities")(action, wanted, live),
  };
}

/** The ID of an identity's principal, which role assignments name. */
export function principalOf(value: ValueMap): string {
  return textAt(value, ["properties", "principalId"]).toLowerCase();
}
