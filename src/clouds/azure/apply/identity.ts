import { CloudError } from "../../../apply/requests.ts";
import type { Inside, Kind, Reading } from "../../../apply/resource.ts";
import { liveIn, partReading } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { type ArmRequests, armRequests } from "../requests.ts";
import { kinds, nameOf, same } from "../resources.ts";
import {
  armCommand,
  armKind,
  type Context,
  fixedLocation,
  idIn,
  mergedTags,
  ownerByTag,
  removeById,
  removedTags,
  statedDifferences,
  taggedLive,
} from "./common.ts";

/** The managed identity of one request. Its mark is a tag. Azure assigns its client ID, which Secrets contain. */
export function managedIdentity(context: Context): Kind {
  const { client } = context;
  const liveOf = (value: ValueMap) => taggedLive(context, value);
  const requests = armRequests("identities", (body, value) => ({ tags: mergedTags(context, body, value) }));
  return {
    ...armKind(context, "identities", liveOf, requests),
    differences({ body, assigned = {} }, live): readonly Difference[] {
      const stated = [...statedDifferences(body, live?.value, fixedLocation), ...removedTags(context, live?.value)];
      const { clientId } = assigned;
      const found = textAt(live?.value ?? null, ["properties", "clientId"]);
      if (live === undefined || clientId === undefined || same(found, clientId)) return stated;
      const fixed = `it is ${found}, but the package has ${String(clientId)}, which its component would use without success. If the identity was created again, remove its ID from the package, and apply again`;
      return [...stated, { field: "clientId", found, wanted: clientId, fixed }];
    },
    inside: ({ id }) => credentialsInside(context, id),
    async create(wanted) {
      await client.creations.wait(subscriptionOf(wanted.id).toLowerCase());
      const { value } = await client.arm(...requests.create(wanted));
      return liveOf(value as ValueMap);
    },
    async update(wanted, live) {
      const { value } = await client.arm(...requests.update(wanted, live));
      return liveOf(value as ValueMap);
    },
  };
}

/** The credentials that trust an issuer that is neither the package's nor a previous one. */
async function credentialsInside({ client, resources: { facts } }: Context, id: string): Promise<Inside[]> {
  const own = [facts.issuer, ...(facts.previousIssuers ?? [])];
  const list = await client.list(credentialsUrl(id));
  return list.flatMap((one): Inside[] => {
    const [issuer, subject] = ["issuer", "subject"].map((field) => textAt(one, ["properties", field]));
    if (own.includes(issuer ?? "")) return [];
    return [{ kind: kinds.credential, name: `${nameOf(id)}: ${subject} of ${issuer}`, isForeign: true }];
  });
}

/** The ID of an identity's principal, or of the one that a role assignment names. */
export function principalOf(value: Value): string {
  return textAt(value, ["properties", "principalId"]).toLowerCase();
}

/** The trust of an identity in one issuer and one service account. The identity is its owner mark. */
export function federatedCredential(context: Context): Kind {
  const { client, resources } = context;
  const ownerOf = (identity: ValueMap) => ownerByTag(identity, resources.facts);

  async function readAll(identityId: string): Promise<{ identity: ValueMap; list: readonly ValueMap[] } | undefined> {
    const identity = await client.read(resourceUrl(identityId, "identities"));
    if (identity === undefined) return undefined;
    return { identity, list: await client.list(credentialsUrl(identityId)) };
  }

  async function read(wanted: WantedResource): Promise<Reading> {
    const all = await readAll(wanted.part ?? "");
    if (all === undefined) return { state: "absent" };
    return credentialReading(wanted, all.list, ownerOf(all.identity));
  }

  const base = armRequests("identities");
  // It is found by what it says, so its name can be another one.
  const requests: ArmRequests = { ...base, update: ({ body }, { id }) => base.create({ id, body }) };

  async function put({ body }: WantedResource, id: string) {
    const { value } = await client.arm(...requests.create({ id, body }));
    return { id: idIn(value, id), value: value as ValueMap, owner: "own" as const };
  }

  return {
    within: true,
    read,
    async readExtra({ id }) {
      const identityId = id.replace(/\/federatedIdentityCredentials\/[^/]+$/i, "");
      const all = await readAll(identityId);
      const found = all?.list.find((one) => same(idIn(one), id));
      if (all === undefined || found === undefined) return { state: "absent" };
      return { state: "present", live: { id: idIn(found), value: found, owner: ownerOf(all.identity) } };
    },
    differences({ body }, live): readonly Difference[] {
      if (live === undefined) return statedDifferences(body, undefined);
      const [wanted = [], found = []] = [body, live.value].map((one) => listAt(one, ["properties", "audiences"]));
      return String(wanted) === String(found) ? [] : [{ field: "audiences", found, wanted }];
    },
    // A name that something else has is not written over: that would end the trust in another issuer at once.
    async create(wanted) {
      const list = await client.list(credentialsUrl(wanted.part ?? ""));
      const isTaken = (id: string) => list.some((one) => same(textAt(one, ["name"]), nameOf(id)));
      let [id, suffix] = [wanted.id, 1];
      while (isTaken(id)) id = `${wanted.id}-${++suffix}`;
      try {
        return await put(wanted, id);
      } catch (error) {
        // Azure allows one credential for an issuer and a subject: another run, or an earlier attempt, may have created it.
        if (!(error instanceof CloudError) || (error.status !== 409 && error.status !== 400)) throw error;
        const now = liveIn(await read(wanted));
        if (now === undefined) throw error;
        return now;
      }
    },
    // Azure allows one credential for an issuer and a subject, so another audience is a change.
    update: (wanted, live) => put(wanted, live.id),
    remove: ({ id }) => removeById(context, id, "identities"),
    command: armCommand(context, requests),
  };
}

/** The list of an identity's credentials. */
export function credentialsUrl(identityId: string): string {
  return resourceUrl(`${identityId}/federatedIdentityCredentials`, "identities");
}

/** Finds a wanted credential among those of its identity, by what it says and not by its name. */
export function credentialReading(
  { body }: WantedResource,
  list: readonly ValueMap[],
  owner: ReturnType<typeof ownerByTag>,
): Reading {
  const found = list.find((one) => meaning(one) === meaning(body));
  return partReading(found && { id: idIn(found), value: found, owner }, owner);
}

/** The issuer and the subject; their case counts. */
export function meaning(credential: Value): string {
  return `${textAt(credential, ["properties", "issuer"])} ${textAt(credential, ["properties", "subject"])}`;
}
