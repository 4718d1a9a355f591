// The state of an account.

/** @import { PublicAccessBlock, Seed, Settings, State, Tag, Value } from "./types.ts" */

/** @returns {Settings} */
export const usualSettings = () => ({ lag: 0, deployment: 2, listLag: 0, page: 100 });

/** @returns {PublicAccessBlock} */
export function publicAccessBlock(on = false) {
  return { BlockPublicAcls: on, IgnorePublicAcls: on, BlockPublicPolicy: on, RestrictPublicBuckets: on };
}

/** An account with exactly the given state. @param {Seed} seed @returns {State} */
export function stateOf(seed) {
  const { account = "123456789012", partition = "aws", caller } = seed;
  const each = (/** @type {Value} */ map, /** @type {Value} */ defaults) =>
    Object.fromEntries(
      Object.entries(map ?? {}).map(([name, one]) => [name, { ...structuredClone(defaults), ...one }]),
    );
  const state = {
    account,
    partition,
    caller: caller ?? `arn:${partition}:iam::${account}:user/tester`,
    accountPublicAccessBlock: { ...publicAccessBlock(), ...seed.accountPublicAccessBlock },
    policies: seed.policies ?? [],
    buckets: each(seed.buckets, { owner: account, region: "us-east-2", objects: {} }),
    roles: each(seed.roles, role),
    providers: each(seed.providers, { url: "", clientIds: [], thumbprints: [], tags: [] }),
    originAccessControls: each(seed.originAccessControls, { config: {}, version: 1 }),
    distributions: each(seed.distributions, { config: {}, tags: [], version: 1, pending: 0 }),
    callerReferences: { ...seed.callerReferences },
  };
  for (const [id, { config }] of Object.entries(state.distributions))
    state.callerReferences[config.CallerReference] = id;
  return structuredClone(state);
}

const role = {
  path: "/",
  trustPolicy: {},
  maxSessionDuration: 3600,
  tags: [],
  inlinePolicies: {},
  attachedPolicies: [],
};

/**
 * The state without its history: how often a resource was changed, and the order of creation.
 *
 * @param {State} state @returns {Value}
 */
export function settled(state) {
  const copy = structuredClone(state);
  for (const originAccessControl of Object.values(copy.originAccessControls))
    Reflect.deleteProperty(originAccessControl, "version");
  for (const distribution of Object.values(copy.distributions)) {
    Reflect.deleteProperty(distribution, "version");
    Reflect.deleteProperty(distribution, "pending");
    Reflect.deleteProperty(distribution, "unlisted");
  }
  for (const map of [copy.buckets, copy.roles, copy.providers, copy.distributions]) {
    for (const { tags } of Object.values(map))
      tags?.sort((/** @type {Tag} */ a, /** @type {Tag} */ b) => (a.Key < b.Key ? -1 : 1));
  }
  for (const { attachedPolicies } of Object.values(copy.roles)) attachedPolicies.sort();
  return sorted(copy);
}

/** @param {Value} value @returns {Value} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
