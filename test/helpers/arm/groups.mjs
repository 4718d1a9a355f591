// Resource groups.
import { Answer } from "./answer.mjs";
import { checkFields, contains, groupOf, locationOf, nameOf, own, paged, tagsOf } from "./common.mjs";
import { ArmError } from "./errors.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Group, State, Value, World } from "./types.ts"
 */

const under = "^/subscriptions/([^/]+)/resourceGroups";
const versions = ["2021-04-01", "2020-06-01", "2022-09-01"];
const action = "Microsoft.Resources/subscriptions/resourceGroups";

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`, "i");

/** @param {Group} group */
function shown({ id, location, tags, deleting }) {
  return {
    id,
    name: nameOf(id),
    type: "Microsoft.Resources/resourceGroups",
    location,
    ...(Object.keys(tags).length > 0 && { tags }),
    properties: { provisioningState: deleting === undefined ? "Succeeded" : "Deleting" },
  };
}

/** The group as a read sees it, which may be the last one. @param {State} state @param {string} subscription @param {string} name */
function seen(state, subscription, name) {
  settle(state, subscription, name);
  return groupOf(state, subscription, name);
}

/** @param {State} state @param {string} subscription @param {string} name */
function settle(state, subscription, name) {
  const id = `/subscriptions/${subscription}/resourceGroups/${name}`.toLowerCase();
  const group = own(state.groups, id);
  if (group?.deleting === undefined) return;
  if (group.deleting-- > 0) return;
  delete state.groups[id];
  for (const part of /** @type {const} */ (["accounts", "identities"])) {
    for (const [key, one] of Object.entries(state[part])) if (contains(id, one.id)) delete state[part][key];
  }
  for (const [key, one] of Object.entries(state.assignments)) {
    if (contains(id, one.scope)) delete state.assignments[key];
  }
}

/** @param {State} state @param {Group} group @returns {Value[]} */
function resourcesOf({ accounts, identities }, { id, others }) {
  const all = [
    ...Object.values(accounts).map((one) => ({ ...one, type: "Microsoft.Storage/storageAccounts" })),
    ...Object.values(identities).map((one) => ({ ...one, type: "Microsoft.ManagedIdentity/userAssignedIdentities" })),
    ...others.map((other) => ({ id: other, location: "eastus", tags: {}, type: typeOf(other) })),
  ];
  return all
    .filter((one) => contains(id, one.id))
    .map((one) => ({ id: one.id, name: nameOf(one.id), type: one.type, location: one.location, tags: one.tags }));
}

/** @param {string} id of a resource, not nested. */
const typeOf = (id) => /\/providers\/([^/]+\/[^/]+)\//i.exec(id)?.[1] ?? "";

/** @type {readonly Route[]} */
export const groups = [
  {
    method: "GET",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/read`,
    run: ({ state }, [, subscription = "", name = ""]) => shown(seen(state, subscription, name)),
  },
  {
    method: "HEAD",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/read`,
    run({ state }, [, subscription = "", name = ""]) {
      settle(state, subscription, name);
      const found = own(state.groups, `/subscriptions/${subscription}/resourceGroups/${name}`);
      return new Answer(found === undefined ? 404 : 204);
    },
  },
  {
    method: "GET",
    path: at(""),
    versions,
    action: `${action}/read`,
    run(world, [, subscription = ""], request) {
      const here = Object.values(world.state.groups).filter(({ id }) => contains(`/subscriptions/${subscription}`, id));
      return paged(world, request, here.map(shown));
    },
  },
  {
    method: "PUT",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/write`,
    run({ state }, [id = "", , name = ""], { body }) {
      checkFields(body, ["location", "tags", "properties", "managedBy"], "ResourceGroupDefinition");
      const location = locationOf(body);
      const before = own(state.groups, id);
      if (before?.deleting !== undefined) {
        const why = `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`;
        throw new ArmError(409, "ResourceGroupBeingDeleted", why);
      }
      if (before !== undefined && before.location !== location) {
        const why = `Invalid resource group location '${location}'. The Resource group already exists in location '${before.location}'.`;
        throw new ArmError(409, "InvalidResourceGroupLocation", why);
      }
      const group = { id, others: [], ...before, location, tags: tagsOf(body) };
      state.groups[id.toLowerCase()] = group;
      return new Answer(before === undefined ? 201 : 200, shown(group));
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/delete`,
    run({ state, settings, address }, [, subscription = "", name = ""]) {
      const group = seen(state, subscription, name);
      group.deleting ??= settings.pending;
      const operation = `${address}/subscriptions/${subscription}/operationresults/delete-${name}?api-version=2021-04-01`;
      return new Answer(202, undefined, { location: operation, "retry-after": "15" });
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)/resources"),
    versions,
    action: "Microsoft.Resources/subscriptions/resourceGroups/resources/read",
    run(/** @type {World} */ world, [, subscription = "", name = ""], request) {
      return paged(world, request, resourcesOf(world.state, seen(world.state, subscription, name)));
    },
  },
];
