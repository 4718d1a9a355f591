// How Azure Resource Manager refuses a request.

/** @import { Response, Value } from "./types.ts" */

/** Azure refuses a request. */
export class ArmError extends Error {
  /** @param {number} status @param {string} code @param {string} message @param {Value} [more] more fields of the error. */
  constructor(status, code, message, more = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }

  /** @returns {Response} */
  response() {
    return { status: this.status, body: { error: { code: this.code, message: this.message, ...this.more } } };
  }
}

/** The server does not know what Azure would do: a test must not pass on a guess. */
export class NotCovered extends Error {}

/** The object ID of the caller. */
export const callerId = "cccccccc-0000-4000-8000-000000000001";

/** @param {string} action @param {string} scope */
export function denied(action, scope) {
  return new ArmError(
    403,
    "AuthorizationFailed",
    `The client 'tester@example.com' with object id '${callerId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  );
}

/** @param {string} name */
export function noGroup(name) {
  return new ArmError(404, "ResourceGroupNotFound", `Resource group '${name}' could not be found.`);
}

/** @param {string} type @param {string} name @param {string} group */
export function noResource(type, name, group) {
  return new ArmError(
    404,
    "ResourceNotFound",
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );
}

/** @param {string} name @param {string} group @param {string} there @param {string} wanted */
export function elsewhere(name, group, there, wanted) {
  return new ArmError(
    409,
    "InvalidResourceLocation",
    `The resource '${name}' already exists in location '${there}' in resource group '${group}'. A resource with the same name cannot be created in location '${wanted}'. Please select a new resource name.`,
  );
}

/** @param {string} message */
export function invalid(message) {
  return new ArmError(400, "InvalidRequestContent", message);
}
