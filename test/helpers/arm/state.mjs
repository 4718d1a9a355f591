// The state of a tenant.
import { createHash } from "node:crypto";
import { nameOf } from "./common.mjs";

/** @import { Seed, Settings, State, Value } from "./types.ts" */

const tenant = "11111111-1111-1111-1111-111111111111";
const subscription = "22222222-2222-2222-2222-222222222222";

/** @returns {Settings} */
export const usualSettings = () => ({
  pending: 1,
  hiddenPrincipals: 0,
  hiddenDefinitions: 0,
  hiddenParents: 0,
  conflicts: 0,
  throttled: 0,
  hiddenDataRoles: 0,
  publicBlobs: "allowed",
  dataPermissions: ["*"],
  page: 100,
});

/** The client ID, or the ID of the principal, of the n-th identity. @param {"a" | "b"} kind @param {number} n */
export function assignedId(kind, n) {
  return `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** The same of an identity, whenever it was created. @param {"a" | "b"} kind @param {string} id of the identity. */
function settledId(kind, id) {
  const hash = createHash("sha256").update(id.toLowerCase()).digest("hex");
  return `${kind.repeat(8)}-1111-4000-8000-${hash.slice(0, 12)}`;
}

/** A tenant with exactly the given state. @param {Seed} seed @returns {State} */
export function stateOf(seed) {
  let made = seed.identitiesMade ?? 0;
  const each = (/** @type {Value} */ map, /** @type {(name: string) => Value} */ defaults) =>
    Object.fromEntries(
      Object.entries(map ?? {}).map(([name, one]) => [name.toLowerCase(), { ...defaults(name), ...one }]),
    );
  const here = seed.subscription ?? subscription;
  const identity = (/** @type {string} */ id) => {
    const number = ++made;
    const ids = { clientId: assignedId("a", number), principalId: assignedId("b", number) };
    return { id, location: "eastus", tags: {}, ...ids, credentials: {}, hidden: 0, unready: 0 };
  };
  const accounts = each(seed.accounts, (name) => ({
    id: `/subscriptions/${here}/resourceGroups/demo-oidc/providers/Microsoft.Storage/storageAccounts/${name}`,
    location: "eastus",
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
    tags: {},
    properties: {},
    containers: {},
    pending: 0,
  }));
  for (const account of Object.values(accounts)) {
    account.containers = each(account.containers, () => ({ publicAccess: "None", blobs: {} }));
  }
  return structuredClone({
    tenant: seed.tenant ?? tenant,
    subscription: here,
    subscriptions: seed.subscriptions ?? [here],
    cloud: seed.cloud ?? "AzureCloud",
    groups: each(seed.groups, (id) => ({ id, location: "eastus", tags: {}, others: [] })),
    accounts,
    identities: each(seed.identities, identity),
    definitions: each(seed.definitions, () => ({
      description: "",
      type: "CustomRole",
      permissions: [],
      assignableScopes: [`/subscriptions/${here}`],
      hidden: 0,
    })),
    assignments: each(seed.assignments, (id) => ({
      scope: id.replace(/\/providers\/Microsoft\.Authorization\/.*$/i, ""),
      name: nameOf(id),
      principalType: "ServicePrincipal",
    })),
    principals: seed.principals ?? [],
    identitiesMade: made,
  });
}

// What says how a state came about, not what it is.
const history = new Set(["pending", "hidden", "unready", "deleting", "changes", "identitiesMade"]);

/**
 * The state without its history: unfinished operations, and the IDs that Azure assigns, which become
 * a hash of the name.
 *
 * @param {State} state @returns {Value}
 */
export function settled(state) {
  const copy = structuredClone(state);
  const named = new Map();
  for (const identity of Object.values(copy.identities)) {
    named.set(identity.principalId, settledId("b", identity.id));
    identity.principalId = settledId("b", identity.id);
    identity.clientId = settledId("a", identity.id);
  }
  for (const assignment of Object.values(copy.assignments)) {
    assignment.principalId = named.get(assignment.principalId) ?? assignment.principalId;
  }
  return sorted(copy);
}

/** @param {Value} value @returns {Value} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => !history.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}
