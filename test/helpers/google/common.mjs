// What several services share.
import { concurrent, GoogleError, invalid } from "./errors.mjs";

/** @import { Value } from "./types.ts" */

/** @template T @param {Record<string, T>} map @param {string} name @returns {T | undefined} */
export function own(map, name) {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** An etag, which Google writes in base64. @param {number} changes */
export function etag(changes) {
  return Buffer.from(`etag${String(changes).padStart(5, "0")}`).toString("base64");
}

/** @param {string | undefined} given @param {number} changes */
export function checkEtag(given, changes) {
  if (given !== undefined && given !== "" && given !== etag(changes)) throw concurrent();
}

/** One page of a list. @param {Value[]} items @param {string} name @param {Record<string, string>} query @param {number} page @returns {Value} */
export function paged(items, name, query, page) {
  const from = Number(query["pageToken"] ?? 0);
  const size = Math.min(page, Number(query["pageSize"] ?? page) || page);
  const some = items.slice(from, from + size);
  const more = from + size < items.length;
  return { ...(some.length > 0 && { [name]: some }), ...(more && { nextPageToken: String(from + size) }) };
}

/** Omits what is false or empty, as Google's JSON does. @param {Value} value @returns {Value} */
export function told(value) {
  const isSaid = (/** @type {Value} */ one) => one !== undefined && one !== "" && one !== false && !isEmpty(one);
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isSaid(one)));
}

/** @param {Value} value */
function isEmpty(value) {
  return Array.isArray(value) ? value.length === 0 : typeof value === "object" && Object.keys(value).length === 0;
}

/** @param {Value} body @param {readonly string[]} fields @param {string} type */
export function checkFields(body, fields, type) {
  for (const name of Object.keys(body ?? {})) {
    if (!fields.includes(name)) {
      throw invalid(`Invalid JSON payload received. Unknown name "${name}" at '${type}': Cannot find field.`);
    }
  }
}

/** @param {string | undefined} text @param {number} max of bytes. @param {string} name */
export function checkLength(text, max, name) {
  if (Buffer.byteLength(text ?? "") > max) throw invalid(`${name} is too long: at most ${max} bytes are allowed.`);
}

/** @param {string} what */
export function exists(what) {
  return new GoogleError("ALREADY_EXISTS", what);
}
