import { CloudError, until } from "../../../apply/requests.ts";
import type { Kind, Live, Reading } from "../../../apply/resource.ts";
import { liveIn } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { azRest, creationCommand } from "../commands.ts";
import { armRequests } from "../requests.ts";
import { nameOf, same, scopeOf } from "../resources.ts";
import { type Context, idIn, ownerByTag, removeById, statedDifferences } from "./common.ts";
import { principalOf } from "./identity.ts";

/**
 * A role of an identity at a scope. It has no mark: it is the package's if its principal is that of an identity of the
 * package. One with the package's own GUID, role and scope but another principal is what a deleted identity left behind:
 * the GUID depends on the name of the identity. Azure cannot change an assignment, so a change is a removal and a creation.
 */
export function roleAssignment(context: Context): Kind {
  const { client, resources } = context;
  const requests = armRequests("authorization");

  async function identityOf(id: string): Promise<{ value: ValueMap; principal: string } | undefined> {
    const value = await client.read(resourceUrl(id, "identities"));
    return value === undefined ? undefined : { value, principal: principalOf(value) };
  }

  async function read(wanted: WantedResource): Promise<Reading> {
    const identity = await identityOf(wanted.part ?? "");
    const own = await client.read(resourceUrl(wanted.id, "authorization"));
    const list = identity === undefined ? [] : await client.list(ofPrincipal(wanted, identity.principal));
    const all = own === undefined ? list : [own, ...list];
    const owner = identity === undefined ? "own" : ownerByTag(identity.value, resources.facts);
    return assignmentReading(wanted, all, identity?.principal, owner);
  }

  async function create(wanted: WantedResource): Promise<Live | undefined> {
    const identity = await identityOf(wanted.part ?? "");
    if (identity === undefined)
      throw new CloudError(`The managed identity ${nameOf(wanted.part ?? "")} does not exist.`);
    const body = withPrincipal(wanted.body, identity.principal);
    const [method, url] = requests.create({ ...wanted, body });
    const { value, status } = await client.arm(method, url, body, { expect: /^RoleAssignmentExists$/ });
    // It exists, with this or another GUID: what it is decides.
    if (status === 409) return liveIn(await read(wanted));
    const made = { ...(value as ValueMap), ownPrincipal: identity.principal };
    return { id: idIn(value, wanted.id), value: made, owner: "own" };
  }

  return {
    read,
    async readExtra({ id, live, part }) {
      const value = await client.read(resourceUrl(id, "authorization"));
      if (value === undefined) return { state: "absent" };
      const identity = part === undefined ? undefined : await identityOf(part);
      const isSame = same(principalOf(value), principalOf(live.value));
      const owner =
        identity === undefined ? (isSame ? "own" : "none") : identity.principal === principalOf(value) ? "own" : "none";
      return { state: "present", live: { id: idIn(value, id), value, owner } };
    },
    differences({ body, part = "" }, live): readonly Difference[] {
      const principal = `the principal ID of ${nameOf(part)}`;
      if (live === undefined)
        return [...statedDifferences(body, undefined), { field: "principalId", wanted: principal }];
      const { ownPrincipal = null } = live.value;
      const found = principalOf(live.value);
      const other = same(found, ownPrincipal)
        ? []
        : [{ field: "principalId", found, wanted: principal, replaces: true as const }];
      const condition = textAt(live.value, ["properties", "condition"]);
      return [
        ...other,
        ...(condition === "" ? [] : [{ field: "condition", found: condition, replaces: true as const }]),
      ];
    },
    create,
    async update(wanted, live) {
      const url = resourceUrl(live.id, "authorization");
      await removeById(context, live.id, "authorization");
      await until(
        () => `${live.id} still exists after its removal`,
        async () => (await client.read(url)) === undefined,
      );
      return create(wanted);
    },
    remove: ({ id }) => removeById(context, id, "authorization"),
    command(action, wanted, live) {
      const removal = azRest(requests.remove({ id: live?.id ?? "" }));
      if (wanted === undefined || action === "remove") return [removal];
      const creation = creationCommand(resources.facts, wanted);
      return [action === "create" ? creation : `${removal} && ${creation}`];
    },
  };
}

/** The list of all role assignments in a subscription, below it and above it. */
export function assignmentsUrl(subscription: string): string {
  return resourceUrl(`${subscription}/providers/Microsoft.Authorization/roleAssignments`, "authorization");
}

function ofPrincipal({ id }: WantedResource, principal: string): string {
  return `${assignmentsUrl(subscriptionOf(id))}&$filter=principalId%20eq%20%27${principal}%27`;
}

function withPrincipal(body: ValueMap, principalId: string): ValueMap {
  return { ...body, properties: { ...(body["properties"] as ValueMap), principalId } };
}

/** The GUID of the role. ARM answers with the subscription of the scope, so only the GUID identifies it. */
export function roleIn(value: Value): string {
  return nameOf(textAt(value, ["properties", "roleDefinitionId"])).toLowerCase();
}

/** The scope of an assignment as an answer contains it; "" for the root. */
function scopeIn(value: Value): string {
  return (textAt(value, ["properties", "scope"]) || scopeOf(idIn(value))).replace(/\/$/, "").toLowerCase();
}

/**
 * Finds a wanted assignment among others.
 *
 * @param principal of its identity; undefined if the identity does not exist.
 */
export function assignmentReading(
  wanted: WantedResource,
  list: readonly ValueMap[],
  principal: string | undefined,
  owner: Live["owner"],
): Reading {
  const means = (one: ValueMap) =>
    roleIn(one) === roleIn(wanted.body) && scopeIn(one) === scopeOf(wanted.id).toLowerCase();
  const alike = list.filter((one) => means(one) && principal !== undefined && principalOf(one) === principal);
  const right = alike.find((one) => textAt(one, ["properties", "condition"]) === "") ?? alike[0];
  const named = list.find((one) => same(idIn(one), wanted.id));
  const found = right ?? named;
  if (found === undefined) return { state: "absent", parent: owner };
  const live: Live = { id: idIn(found), value: { ...found, ownPrincipal: principal ?? null }, owner };
  if (right !== undefined || means(found)) return { state: "present", live };
  const reason = "another role assignment has the ID that it would have; delete that one, if it is not needed";
  return { state: "present", live: { ...live, refusal: { reason } } };
}
