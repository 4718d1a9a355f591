// Cloud Resource Manager and Service Usage.
import { own, paged } from "./common.mjs";
import { denied, GoogleError, invalid } from "./errors.mjs";
import { setPolicy, shownPolicy } from "./policies.mjs";

/** @import { Route } from "./api.mjs" */
/** @import { State } from "./types.ts" */

/** @type {readonly Route[]} */
export const projects = [
  {
    method: "GET",
    path: /^\/v1\/projects\/([^/:]+(?::[^/:]+)?)$/,
    permission: "resourcemanager.projects.get",
    run: ({ state }) => ({
      projectNumber: state.number,
      projectId: state.project,
      lifecycleState: "ACTIVE",
      name: state.project,
      createTime: "2026-01-02T03:04:05.678Z",
      parent: { type: "organization", id: "100200300400" },
    }),
  },
  {
    method: "POST",
    path: /^\/v1\/projects\/(.+):getIamPolicy$/,
    permission: "resourcemanager.projects.getIamPolicy",
    run: ({ state }, _, { body }) => shownPolicy(state.policy, body?.options?.requestedPolicyVersion ?? 0),
  },
  {
    method: "POST",
    path: /^\/v1\/projects\/(.+):setIamPolicy$/,
    permission: "resourcemanager.projects.setIamPolicy",
    run(world, _, { body }) {
      const { state } = world;
      setPolicy(world, state.policy, body?.policy, (role) => checkRole(state, role));
      return shownPolicy(state.policy, 3);
    },
  },
  {
    method: "GET",
    path: /^\/v1\/projects\/([^/]+)\/services$/,
    permission: "serviceusage.services.list",
    run({ state, settings }, _, { query }) {
      if (query["filter"] !== "state:ENABLED") throw invalid(`unexpected filter: ${query["filter"]}`);
      const all = state.services.map((name) => ({
        name: `projects/${state.number}/services/${name}`,
        config: { name, title: `${name} title` },
        state: "ENABLED",
        parent: `projects/${state.number}`,
      }));
      return paged(all, "services", query, settings.page);
    },
  },
];

/** Whether a role can be granted on the project. @param {State} state @param {string} name */
function checkRole(state, name) {
  const [, project, id = ""] = /^projects\/([^/]+)\/roles\/([^/]+)$/.exec(name) ?? [];
  if (project === undefined) {
    if (!/^roles\/[A-Za-z0-9_.]+$/.test(name)) throw invalid(`Role ${name} is not supported for this resource.`);
    return;
  }
  const role = own(state.roles, id);
  if (project !== state.project || role === undefined || role.blocked === true) {
    throw invalid(`Role (${name}) does not exist in the resource's hierarchy.`);
  }
  if (role.deleted === true) throw invalid(`Role (${name}) is deleted and cannot be granted.`);
}

/** What is said of a project that is not there or not the caller's. @param {string} permission */
export function noProject(permission) {
  return permission.startsWith("resourcemanager.")
    ? new GoogleError("PERMISSION_DENIED", "The caller does not have permission")
    : denied(permission);
}
