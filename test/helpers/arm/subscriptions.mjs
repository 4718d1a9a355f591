// Subscriptions, and what the caller may do.
import { groupOf } from "./common.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { State, World } from "./types.ts"
 */

/** @param {State} state @param {string} id */
function shown({ tenant }, id) {
  return {
    id: `/subscriptions/${id}`,
    authorizationSource: "RoleBased",
    managedByTenants: [],
    subscriptionId: id,
    tenantId: tenant,
    displayName: "demo",
    state: "Enabled",
    subscriptionPolicies: {
      locationPlacementId: "Public_2014-09-01",
      quotaId: "PayAsYouGo_2014-09-01",
      spendingLimit: "Off",
    },
  };
}

/** @param {World} world */
const permissions = ({ settings }) => ({
  value: [
    {
      actions: settings.permissions ?? ["*"],
      notActions: [],
      dataActions: settings.dataPermissions,
      notDataActions: [],
    },
  ],
});

const mine = {
  method: "GET",
  versions: ["2022-04-01", "2018-07-01", "2015-07-01"],
  action: "Microsoft.Authorization/permissions/read",
};

/** @type {readonly Route[]} */
export const subscriptions = [
  {
    method: "GET",
    path: /^\/subscriptions$/i,
    versions: ["2016-06-01", "2019-11-01", "2020-01-01", "2022-12-01"],
    action: "Microsoft.Resources/subscriptions/read",
    run: ({ state }) => ({ value: state.subscriptions.map((id) => shown(state, id)) }),
  },
  {
    method: "GET",
    path: /^\/subscriptions\/([^/]+)$/i,
    versions: ["2019-11-01", "2020-01-01", "2022-12-01"],
    action: "Microsoft.Resources/subscriptions/read",
    run: ({ state }, [, id = ""]) => shown(state, id.toLowerCase()),
  },
  {
    ...mine,
    path: /^\/subscriptions\/([^/]+)\/providers\/Microsoft\.Authorization\/permissions$/i,
    run: permissions,
  },
  {
    ...mine,
    path: /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)(?:\/providers\/[^/]+\/[^/]+\/[^/]+)?\/providers\/Microsoft\.Authorization\/permissions$/i,
    run(world, [, id = "", group = ""]) {
      groupOf(world.state, id, group);
      return permissions(world);
    },
  },
];
