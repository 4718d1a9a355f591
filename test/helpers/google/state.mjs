// The state of a project.

/** @import { Seed, Settings, State, Value } from "./types.ts" */

/** @returns {Settings} */
export const usualSettings = () => ({
  pending: 1,
  begun: "unspecified",
  keysInList: true,
  hidden: 0,
  conflicts: 0,
  constraints: [],
  page: 100,
});

const usualServices = ["iam", "iamcredentials", "sts", "cloudresourcemanager", "storage", "serviceusage"];

/** A project with exactly the given state. @param {Seed} seed @returns {State} */
export function stateOf(seed) {
  const { project = "demo-project", number = "123456789012", universe = "googleapis.com" } = seed;
  const each = (/** @type {Value} */ map, /** @type {Value} */ defaults) =>
    Object.fromEntries(Object.entries(map ?? {}).map(([name, one]) => [name, { ...defaults(name), ...one }]));
  const policy = () => ({ bindings: [], changes: 0 });
  const operated = () => ({ state: "ACTIVE", pending: 0 });
  const provider = () => ({ ...operated(), attributeMapping: {}, oidc: { issuerUri: "" } });
  let made = seed.accountsMade ?? 0;
  const account = () => ({ uniqueId: uniqueId(++made), policy: policy(), hidden: 0 });
  const bucket = () => ({
    projectNumber: number,
    location: "US",
    iamConfiguration: {},
    policy: policy(),
    objects: {},
    metageneration: 1,
  });
  const pools = each(seed.pools, () => ({ ...operated(), providers: {} }));
  for (const pool of Object.values(pools)) pool.providers = each(pool.providers, provider);
  return structuredClone({
    project,
    number,
    universe,
    services: seed.services ?? usualServices.map((name) => `${name}.googleapis.com`),
    policy: { ...policy(), ...seed.policy },
    pools,
    accounts: each(seed.accounts, account),
    roles: each(seed.roles, () => ({ includedPermissions: [], changes: 0 })),
    buckets: each(seed.buckets, bucket),
    accountsMade: made,
  });
}

/** @param {number} count */
export function uniqueId(count) {
  return String(100_000_000_000_000_000_000n + BigInt(count));
}

// What says how a state came about, not what it is.
const history = new Set(["changes", "pending", "before", "hidden", "uniqueId", "generation", "metageneration"]);

/**
 * The state without its history: how often a resource was changed, unfinished operations, and the order of creation.
 *
 * @param {State} state @returns {Value}
 */
export function settled(state) {
  const { accountsMade: _, ...rest } = structuredClone(state);
  return sorted(rest);
}

/** @param {Value} value @returns {Value} */
function sorted(value) {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => !history.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}
