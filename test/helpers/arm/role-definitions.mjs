// Role definitions: those of Azure, and those of the tenant, which are known by GUID.
import { Answer } from "./answer.mjs";
import { checkFields, own, paged } from "./common.mjs";
import { ArmError, invalid } from "./errors.mjs";

/**
 * @import { Route } from "./api.mjs"
 * @import { Definition, State, Value } from "./types.ts"
 */

/** Roles of Azure, and what they are for is not compared. @type {Record<string, string>} */
const builtIn = {
  "b24988ac-6180-42a0-ab88-20f7382dd24c": "Contributor",
  "acdd72a7-3385-48ef-bd42-f606fba81ae7": "Reader",
  "4d97b98b-1d4f-4787-a291-c67834d212e7": "Network Contributor",
  "9980e02c-c2be-4d73-94e8-173b1dc7cf3c": "Virtual Machine Contributor",
  "befefa01-2a29-4197-83a8-272ff33ce314": "DNS Zone Contributor",
  "b12aa53e-6015-4669-85d0-8515ebb3ae7f": "Private DNS Zone Contributor",
  "17d1049b-9a84-46fb-8f53-869881c3d3ab": "Storage Account Contributor",
  "ba92f5b4-2d11-453d-a403-e96b0029c9fe": "Storage Blob Data Contributor",
  "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1": "Storage Blob Data Reader",
  "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9": "User Access Administrator",
  "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
};

const versions = ["2022-04-01", "2018-01-01-preview", "2022-05-01-preview"];
const action = "Microsoft.Authorization/roleDefinitions";

/** @param {string} rest */
const at = (rest) =>
  new RegExp(`^(/subscriptions/[^/]+(?:/.*)?)?/providers/Microsoft\\.Authorization/roleDefinitions${rest}$`, "i");

/** The subscription of a scope, as `/subscriptions/<id>`. @param {string} scope */
export const subscriptionIn = (scope) => scope.split("/", 3).join("/");

/** @param {string} scope of the request. @param {string} guid @param {Definition} definition */
function shown(scope, guid, { roleName, type, description, permissions, assignableScopes }) {
  const moment = "2026-01-01T00:00:00.0000000Z";
  return {
    properties: {
      roleName,
      type,
      description,
      assignableScopes,
      permissions: permissions.map(({ actions = [], notActions = [], dataActions = [], notDataActions = [] }) => ({
        actions,
        notActions,
        dataActions,
        notDataActions,
      })),
      createdOn: moment,
      updatedOn: moment,
      createdBy: null,
      updatedBy: null,
    },
    // Azure names a definition by the subscription that was asked.
    id: `${subscriptionIn(scope)}/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
    type: action,
    name: guid,
  };
}

/** The definition with a GUID that can be seen from a scope. @param {State} state @param {string} scope @param {string} guid @returns {Definition | undefined} */
export function definitionAt(state, scope, guid) {
  const roleName = own(builtIn, guid);
  if (roleName !== undefined) {
    return { roleName, type: "BuiltInRole", description: "", permissions: [], assignableScopes: ["/"], hidden: 0 };
  }
  const found = own(state.definitions, guid);
  return found !== undefined && isVisible(found, scope) ? found : undefined;
}

/** @param {Definition} definition @param {string} scope */
function isVisible({ assignableScopes }, scope) {
  const here = subscriptionIn(scope).toLowerCase();
  return assignableScopes.some((one) => subscriptionIn(one).toLowerCase() === here);
}

/** What a filter selects: equalities and atScopeAndBelow(), joined by `and`. @param {string | undefined} filter @returns {(definition: Definition) => boolean} */
function selected(filter) {
  const tests = (filter ?? "").split(/ and /i).filter((one) => one.trim() !== "");
  const each = tests.map((test) => {
    if (/^\s*atScopeAndBelow\(\)\s*$/i.test(test)) return () => true;
    const [, name = "", value = ""] = /^\s*(\w+) eq '((?:[^']|'')*)'\s*$/i.exec(test) ?? [];
    const wanted = value.replaceAll("''", "'").toLowerCase();
    if (/^roleName$/i.test(name)) return (/** @type {Definition} */ one) => one.roleName.toLowerCase() === wanted;
    if (/^type$/i.test(name)) return (/** @type {Definition} */ one) => one.type.toLowerCase() === wanted;
    throw new ArmError(400, "UnsupportedFilter", `The filter '${filter}' is not supported.`);
  });
  return (definition) => each.every((one) => one(definition));
}

/** @param {Value} body @returns {Omit<Definition, "hidden">} */
function definitionOf(body) {
  checkFields(body, ["properties", "name", "id", "type"], "RoleDefinition");
  const names = ["roleName", "type", "description", "assignableScopes", "permissions"];
  checkFields(body?.properties, names, "RoleDefinitionProperties");
  const { roleName, type = "CustomRole", description = "", assignableScopes, permissions } = body?.properties ?? {};
  if (typeof roleName !== "string" || roleName === "") throw invalid("The role definition has no name.");
  if (!Array.isArray(assignableScopes) || assignableScopes.length === 0) {
    throw new ArmError(400, "MissingAssignableScopes", "The role definition has no assignable scopes.");
  }
  if (!Array.isArray(permissions) || permissions.length !== 1) {
    throw new ArmError(400, "InvalidPermissions", "The role definition must have one set of permissions.");
  }
  for (const one of [permissions[0].actions ?? [], permissions[0].dataActions ?? []].flat()) {
    if (!/^(?:\*|[A-Za-z0-9.]+\/[A-Za-z0-9.*/]+|[*]\/[a-z*/]+)$/.test(one) || /invalid/.test(one)) {
      const why = `'${one}' does not match any of the actions supported by the providers.`;
      throw new ArmError(400, "InvalidActionOrNotAction", why);
    }
  }
  return { roleName, type, description, assignableScopes, permissions };
}

/** @type {readonly Route[]} */
export const definitions = [
  {
    method: "GET",
    path: at(""),
    versions,
    action: `${action}/read`,
    run(world, [, scope = ""], request) {
      const isSelected = selected(request.query["$filter"]);
      const guids = [...Object.keys(builtIn), ...Object.keys(world.state.definitions)];
      const list = guids.flatMap((guid) => {
        const one = definitionAt(world.state, scope, guid);
        return one !== undefined && isSelected(one) ? [shown(scope, guid, one)] : [];
      });
      return paged(world, request, list);
    },
  },
  {
    method: "GET",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/read`,
    run({ state }, [, scope = "", guid = ""]) {
      const found = definitionAt(state, scope, guid);
      if (found === undefined) throw unknownDefinition(guid);
      return shown(scope, guid.toLowerCase(), found);
    },
  },
  {
    method: "PUT",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/write`,
    run({ state, settings }, [, scope = "", guid = ""], { body }) {
      const given = definitionOf(body);
      const key = guid.toLowerCase();
      const same = Object.entries(state.definitions).find(
        ([other, one]) => other !== key && one.roleName.toLowerCase() === given.roleName.toLowerCase(),
      );
      if (same !== undefined || Object.values(builtIn).includes(given.roleName)) {
        const why = `A custom role with the same name already exists in this directory. Use a different name.`;
        throw new ArmError(409, "RoleDefinitionWithSameNameExists", why);
      }
      const before = own(state.definitions, key);
      state.definitions[key] = { hidden: before?.hidden ?? settings.hiddenDefinitions, ...given };
      return new Answer(201, shown(scope, key, state.definitions[key]));
    },
  },
  {
    method: "DELETE",
    path: at("/([^/]+)"),
    versions,
    action: `${action}/delete`,
    run({ state }, [, scope = "", guid = ""]) {
      const found = definitionAt(state, scope, guid);
      if (found === undefined) return new Answer(204);
      if (Object.values(state.assignments).some(({ role }) => role === guid.toLowerCase())) {
        const why = "There are existing role assignments referencing role (code: RoleDefinitionHasAssignments).";
        throw new ArmError(400, "RoleDefinitionHasAssignments", why);
      }
      delete state.definitions[guid.toLowerCase()];
      return shown(scope, guid.toLowerCase(), found);
    },
  },
];

/** @param {string} guid */
export function unknownDefinition(guid) {
  const why = `The specified role definition with ID '${guid.replaceAll("-", "")}' does not exist.`;
  return new ArmError(404, "RoleDefinitionDoesNotExist", why);
}
