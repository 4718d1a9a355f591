// How Google refuses a request.

/** @import { Response } from "./types.ts" */

/** @type {Record<string, number>} */
const codes = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  UNAVAILABLE: 503,
};

/** @type {Record<number, string>} */
const reasons = { 400: "invalid", 403: "forbidden", 404: "notFound", 409: "conflict", 412: "conditionNotMet" };

/** Google refuses a request. */
export class GoogleError extends Error {
  /** @param {string} status @param {string} message @param {unknown[]} [details] */
  constructor(status, message, details) {
    super(message);
    this.status = status;
    this.code = codes[status] ?? 500;
    this.details = details;
  }

  /** @returns {Response} */
  response() {
    const { code, status, message, details } = this;
    const errors = [{ message, domain: "global", reason: reasons[code] ?? "backendError" }];
    return { status: code, body: { error: { code, message, errors, status, ...(details && { details }) } } };
  }
}

/** Cloud Storage refuses a request; it has no status in words. */
export class StorageError extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  /** @returns {Response} */
  response() {
    const { code, message } = this;
    const errors = [{ message, domain: "global", reason: reasons[code] ?? "backendError" }];
    return { status: code, body: { error: { code, message, errors } } };
  }
}

/** The server does not know what Google would do: a test must not pass on a guess. */
export class NotCovered extends Error {}

/** @param {string} permission */
export function denied(permission) {
  return new GoogleError("PERMISSION_DENIED", `Permission '${permission}' denied on resource (or it may not exist).`);
}

export const missing = () => new GoogleError("NOT_FOUND", "Requested entity was not found.");

/** @param {string} message */
export const invalid = (message) => new GoogleError("INVALID_ARGUMENT", message);

/** @param {string} message */
export const unready = (message) => new GoogleError("FAILED_PRECONDITION", message);

export const concurrent = () =>
  new GoogleError(
    "ABORTED",
    "There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.",
  );
