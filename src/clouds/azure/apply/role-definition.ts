import type { Kind, Live, Owner, Reading } from "../../../apply/resource.ts";
import type { Difference } from "../../../core/difference.ts";
import { listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { roleDescription } from "../identities/identity.ts";
import { armRequests } from "../requests.ts";
import { type AzureResources, nameOf, same } from "../resources.ts";
import { armKind, type Context, idIn, removeById } from "./common.ts";

/** The custom role of a request that lists permissions. It has no tags: its mark is its description. */
export function roleDefinition(context: Context): Kind {
  const { client, resources } = context;
  const { facts } = resources;
  const liveOf = (value: ValueMap): Live => ({ value, id: idIn(value), owner: roleOwner(value, facts) });
  const arm = armKind(context, "authorization", liveOf);

  async function put(wanted: WantedResource): Promise<Live> {
    const [method, url, body] = armRequests("authorization").create(wanted);
    const { value } = await client.arm(method, url, body, { repeat: taken });
    return liveOf(value as ValueMap);
  }

  return {
    ...arm,
    async read(wanted): Promise<Reading> {
      const reading = await arm.read(wanted);
      if (reading.state !== "absent") return reading;
      return nameReading(wanted, await client.list(rolesUrl(subscriptionOf(wanted.id))), facts);
    },
    differences: ({ body }, live) => definitionDifferences(body, live?.value),
    create: put,
    update: put,
    remove: ({ id }) => removeById(context, id, "authorization", /^RoleDefinitionHasAssignments$/),
  };
}

// A role that was deleted may keep its name for a while.
const taken = /^RoleDefinitionWithSameNameExists$/;

/** The list of the custom roles that can be assigned in a subscription. */
export function rolesUrl(subscription: string): string {
  const filter = "$filter=type%20eq%20%27CustomRole%27";
  return `${resourceUrl(`${subscription}/providers/Microsoft.Authorization/roleDefinitions`, "authorization")}&${filter}`;
}

/** What a description is compared with. */
type RoleFacts = Pick<AzureResources["facts"], "resourcePrefix" | "ownerMark">;

/** Whose a custom role is, by its description. */
export function roleOwner(value: Value, { resourcePrefix, ownerMark }: RoleFacts): Owner {
  const description = textAt(value, ["properties", "description"]);
  if (description === roleDescription(resourcePrefix, ownerMark)) return "own";
  return description.startsWith(roleDescription("")) ? "other" : "none";
}

/** Names of roles are unique in a tenant, and ccoctl gives roles random IDs: whether another role has the name. */
export function nameReading(wanted: WantedResource, list: readonly ValueMap[], facts: RoleFacts): Reading {
  const other = list.find((one) => same(textAt(one, ["properties", "roleName"]), wanted.name));
  if (other === undefined) return { state: "absent" };
  const [guid, owner] = [nameOf(idIn(other)), roleOwner(other, facts)];
  const scopes = (of: Value) =>
    listAt(of, ["properties", "assignableScopes"]).map((one) => subscriptionOf(String(one)).toLowerCase());
  const request = String(wanted.assigned?.["secret"] ?? "");
  const isOurs = owner === "own" && scopes(other).every((one) => scopes(wanted.body).includes(one));
  const reason = isOurs
    ? `it exists with the ID ${guid}; to use it, add "roleDefinitionID: ${guid}" to spec.platform.azure.overrides for ${request}, and render again`
    : `another role has this name, and names are unique in a tenant; set identityName in spec.platform.azure.overrides for ${request}, or another spec.resourcePrefix, and render again`;
  return { state: "present", live: { id: idIn(other), value: other, owner, refusal: { reason } } };
}

const lists = ["actions", "notActions", "dataActions", "notDataActions", "assignableScopes"];

/** Compares what a role allows. Actions and scopes have no order and no case. */
function definitionDifferences(body: ValueMap, value: ValueMap | undefined): Difference[] {
  const texts = ["roleName", "description"].flatMap((field): Difference[] => {
    const [wanted, found] = [body, value ?? null].map((one) => textAt(one, ["properties", field])) as [string, string];
    const isSame = field === "roleName" ? same(found, wanted) : found === wanted;
    return value !== undefined && isSame ? [] : [{ field, wanted, ...(value === undefined ? {} : { found }) }];
  });
  const listed = (of: Value, name: string) =>
    sorted(
      name === "assignableScopes"
        ? listAt(of, ["properties", name])
        : listAt(of, ["properties", "permissions"]).flatMap((one) => listAt(one, [name])),
    );
  const sets = lists.flatMap((field): Difference[] => {
    const [wanted, found] = [listed(body, field), listed(value ?? null, field)];
    if (String(wanted).toLowerCase() === String(found).toLowerCase()) return [];
    return [{ field, wanted, ...(value === undefined ? {} : { found }) }];
  });
  return [...texts, ...sets];
}

function sorted(list: readonly Value[]): string[] {
  return list.map(String).sort((a, b) => compareText(a.toLowerCase(), b.toLowerCase()));
}
