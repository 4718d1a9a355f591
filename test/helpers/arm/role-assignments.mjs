// Role assignments.
import { Answer } from "./answer.mjs";
import { checkFields, contains, groupOf, nameOf, own, paged } from "./common.mjs";
import { ArmError, callerId, invalid } from "./errors.mjs";
import { definitionAt, subscriptionIn, unknownDefinition } from "./role-definitions.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Assignment, State } from "./types.ts"
 */

const versions = ["2022-04-01", "2020-04-01-preview", "2018-01-01-preview"];
const action = "Microsoft.Authorization/roleAssignments";

/** @param {string} rest */
const at = (rest) =>
  new RegExp(`^((?:/subscriptions/[^/]+(?:/.*)?)?)/providers/Microsoft\\.Authorization/roleAssignments${rest}$`, "i");

/** @param {Assignment} assignment */
function shown({ scope, name, role, principalId, principalType, condition = undefined }) {
  const moment = "2026-01-01T00:00:00.0000000Z";
  return {
    properties: {
      roleDefinitionId: `${subscriptionIn(scope)}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      principalId,
      principalType,
      scope: scope === "" ? "/" : scope,
      condition: condition ?? null,
      conditionVersion: null,
      createdOn: moment,
      updatedOn: moment,
      createdBy: callerId,
      updatedBy: callerId,
      delegatedManagedIdentityResourceId: null,
      description: null,
    },
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    type: action,
    name,
  };
}

/** Throws if the group of a scope does not exist. @param {State} state @param {string} scope */
function checkScope(state, scope) {
  const [, subscription = "", group] = /^\/subscriptions\/([^/]+)(?:\/resourceGroups\/([^/]+))?/i.exec(scope) ?? [];
  if (group !== undefined) groupOf(state, subscription, group);
}

/** What a filter selects. @param {string} scope @param {string | undefined} filter @returns {(assignment: Assignment) => boolean} */
function selected(scope, filter) {
  const tests = (filter ?? "").split(/ and /i).filter((one) => one.trim() !== "");
  const each = tests.map((test) => {
    if (/^\s*atScope\(\)\s*$/i.test(test)) return (/** @type {Assignment} */ one) => contains(one.scope, scope);
    const [, id] = /^\s*(?:principalId eq '([^']*)'|assignedTo\('([^']*)'\))\s*$/i.exec(test)?.filter(Boolean) ?? [];
    if (id === undefined) throw new ArmError(400, "UnsupportedFilter", `The filter '${filter}' is not supported.`);
    return (/** @type {Assignment} */ one) => one.principalId.toLowerCase() === id.toLowerCase();
  });
  return (assignment) => each.every((one) => one(assignment));
}

/** @param {State} state @param {string} principalId */
function checkPrincipal(state, principalId) {
  const identity = Object.values(state.identities).find((one) => one.principalId === principalId);
  if (identity !== undefined && identity.hidden > 0) identity.hidden--;
  else if (identity !== undefined || state.principals.includes(principalId)) return;
  const why = `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${state.tenant}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype`;
  throw new ArmError(400, "PrincipalNotFound", why);
}

/** @type {readonly Route[]} */
export const assignments = [
  {
    method: "GET",
    path: at(""),
    versions,
    action: `${action}/read`,
    run(world, [, scope = ""], request) {
      checkScope(world.state, scope);
      const isSelected = selected(scope, request.query["$filter"]);
      const list = Object.values(world.state.assignments)
        .filter((one) => contains(scope, one.scope) || contains(one.scope, scope))
        .filter(isSelected);
      return paged(world, request, list.map(shown));
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/read`,
    run({ state }, [id = "", scope = "", name = ""]) {
      checkScope(state, scope);
      const found = own(state.assignments, id);
      if (found === undefined) {
        throw new ArmError(404, "RoleAssignmentNotFound", `The role assignment '${name}' is not found.`);
      }
      return shown(found);
    },
  },
  {
    method: "PUT",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/write`,
    run({ state }, [id = "", scope = "", name = ""], { body }) {
      checkScope(state, scope);
      checkFields(body, ["properties", "name", "id", "type"], "RoleAssignment");
      checkFields(
        body?.properties,
        ["roleDefinitionId", "principalId", "principalType", "scope", "description"],
        "RoleAssignmentProperties",
      );
      const { roleDefinitionId = "", principalId = "", principalType = "User" } = body?.properties ?? {};
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(principalId)) {
        throw invalid(`The principal ID '${principalId}' is not a valid GUID.`);
      }
      const role = nameOf(roleDefinitionId).toLowerCase();
      const wanted = { scope, name, role, principalId, principalType };
      const before = own(state.assignments, id);
      if (before !== undefined) {
        if (before.principalId !== principalId || before.role !== role) {
          const why = "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.";
          throw new ArmError(400, "RoleAssignmentUpdateNotPermitted", why);
        }
        return shown(before);
      }
      const definition = definitionAt(state, scope, role);
      if (definition === undefined) throw unknownDefinition(role);
      if (definition.hidden > 0) {
        definition.hidden--;
        throw unknownDefinition(role);
      }
      checkPrincipal(state, principalId);
      const same = Object.values(state.assignments).find(
        (one) =>
          one.scope.toLowerCase() === scope.toLowerCase() && one.role === role && one.principalId === principalId,
      );
      if (same !== undefined) throw new ArmError(409, "RoleAssignmentExists", "The role assignment already exists.");
      state.assignments[id.toLowerCase()] = wanted;
      return new Answer(201, shown(wanted));
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/delete`,
    run({ state }, [id = "", scope = ""]) {
      checkScope(state, scope);
      const found = own(state.assignments, id);
      if (found === undefined) return new Answer(204);
      delete state.assignments[id.toLowerCase()];
      return shown(found);
    },
  },
];
