// Custom roles of a project, in IAM v1.
import { checkEtag, checkFields, checkLength, etag, exists, own, paged, told } from "./common.mjs";
import { GoogleError, invalid, unready } from "./errors.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Role, State, Value } from "./types.ts"
 */

const under = "^/v1/projects/([^/]+)/roles";
const fields = ["name", "title", "description", "stage", "includedPermissions", "etag", "deleted"];

/** @param {string} rest */
const at = (rest) => new RegExp(`${under}${rest}$`);

/** @param {State} state @param {string} id @param {boolean} isFull @returns {Value} */
function shown({ project, roles }, id, isFull) {
  const { title, description, stage, includedPermissions, deleted, changes } = /** @type {Role} */ (roles[id]);
  const name = `projects/${project}/roles/${id}`;
  const more = isFull ? { includedPermissions: [...includedPermissions].sort() } : {};
  return told({ name, title, description, ...more, stage, etag: etag(changes), deleted });
}

/** @param {State} state @param {string} id @returns {Role} */
function roleOf({ project, roles }, id) {
  const role = own(roles, id);
  if (role === undefined || role.blocked === true) {
    throw new GoogleError("NOT_FOUND", `The role named projects/${project}/roles/${id} was not found.`);
  }
  return role;
}

/** @param {Value} role */
function checkRole(role) {
  checkFields(role, fields, "role");
  checkLength(role.title, 100, "title");
  checkLength(role.description, 300, "description");
  if (role.stage !== undefined && !["ALPHA", "BETA", "GA", "DEPRECATED", "DISABLED", "EAP"].includes(role.stage)) {
    throw invalid(`Invalid launch stage: ${role.stage}`);
  }
  const permissions = role.includedPermissions ?? [];
  if (permissions.length > 3000) throw invalid("A role can have at most 3000 permissions.");
  for (const one of permissions) {
    if (
      !/^[a-z][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)*(\/[A-Za-z0-9]+)?(\.[A-Za-z0-9]+){2,}$/.test(one) ||
      /invalid/.test(one)
    ) {
      throw invalid(`Permission ${one} is not valid.`);
    }
  }
}

/** @param {Value} role @returns {Omit<Role, "changes">} */
function content({ title, description, stage, includedPermissions = [] }) {
  const texts = told({ title, description, stage });
  return { ...texts, includedPermissions: [...new Set(includedPermissions)] };
}

/** @type {readonly Route[]} */
export const roles = [
  {
    method: "GET",
    path: at(""),
    permission: "iam.roles.list",
    run({ state, settings }, _, { query }) {
      const isDeletedToo = /^true$/i.test(query["showDeleted"] ?? "");
      const all = Object.entries(state.roles).filter(
        ([, { deleted, blocked }]) => blocked !== true && (isDeletedToo || deleted !== true),
      );
      const list = all.map(([id]) => shown(state, id, query["view"] === "FULL"));
      return paged(list, "roles", query, settings.page);
    },
  },
  {
    method: "POST",
    path: at(""),
    permission: "iam.roles.create",
    run({ state }, _, { body }) {
      const { roleId = "", role = {} } = body;
      if (!/^[A-Za-z0-9_.]{3,64}$/.test(roleId)) throw invalid(`The role_id ${roleId} is invalid.`);
      const before = own(state.roles, roleId);
      if (before?.deleted === true || before?.blocked === true) {
        throw unready(`You can't create a role_id (${roleId}) which has been marked for deletion.`);
      }
      if (before !== undefined) throw exists(`A role named ${roleId} in projects/${state.project} already exists.`);
      checkRole(role);
      state.roles[roleId] = { ...content(role), changes: 1 };
      return shown(state, roleId, true);
    },
  },
  {
    method: "GET",
    path: at("/([^/:]+)"),
    permission: "iam.roles.get",
    run({ state }, [, , id = ""]) {
      roleOf(state, id);
      return shown(state, id, true);
    },
  },
  {
    method: "PATCH",
    path: at("/([^/:]+)"),
    permission: "iam.roles.update",
    run({ state }, [, , id = ""], { query, body }) {
      const role = roleOf(state, id);
      if (role.deleted === true) throw unready(`You can't update a deleted role (${id}).`);
      checkEtag(body.etag, role.changes);
      checkRole(body);
      const mask = query["updateMask"]?.split(",");
      const given = content(mask === undefined ? body : { ...role, ...picked(body, mask) });
      state.roles[id] = { ...given, changes: role.changes + 1 };
      return shown(state, id, true);
    },
  },
  {
    method: "DELETE",
    path: at("/([^/:]+)"),
    permission: "iam.roles.delete",
    run({ state }, [, , id = ""], { query }) {
      const role = roleOf(state, id);
      checkEtag(query["etag"], role.changes);
      if (role.deleted === true) throw unready(`The role ${id} is already deleted.`);
      role.deleted = true;
      role.changes++;
      return shown(state, id, true);
    },
  },
  {
    method: "POST",
    path: at("/([^/:]+):undelete"),
    permission: "iam.roles.undelete",
    run({ state }, [, , id = ""], { body }) {
      const role = roleOf(state, id);
      checkEtag(body?.etag, role.changes);
      if (role.deleted !== true) throw unready(`The role ${id} is not deleted.`);
      delete role.deleted;
      role.changes++;
      return shown(state, id, true);
    },
  },
];

/** @param {Value} body @param {readonly string[]} mask */
function picked(body, mask) {
  return Object.fromEntries(mask.map((name) => [name, body[name]]));
}
