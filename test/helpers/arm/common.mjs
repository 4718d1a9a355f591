// What several kinds of resources share.
import { ArmError, invalid, noGroup } from "./errors.mjs";

/** @import { Group, Request, State, Tags, Value, World } from "./types.ts" */

/** @template T @param {Record<string, T>} map @param {string} name @returns {T | undefined} */
export function own(map, name) {
  const key = name.toLowerCase();
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Azure accepts `East US` for `eastus`. @param {Value} body @returns {string} */
export function locationOf(body) {
  if (typeof body?.location !== "string" || body.location === "") {
    throw new ArmError(400, "LocationRequired", "The location property is required for this definition.");
  }
  return body.location.toLowerCase().replaceAll(" ", "");
}

/** @param {Value} body @returns {Tags} */
export function tagsOf(body) {
  const tags = body?.tags ?? {};
  if (typeof tags !== "object" || Object.values(tags).some((one) => typeof one !== "string")) {
    throw invalid("The request content was invalid and could not be deserialized: 'tags'.");
  }
  if (Object.keys(tags).length > 50) {
    throw new ArmError(400, "InvalidTags", "The number of tags must not exceed '50'.");
  }
  return { ...tags };
}

/** @param {Value} body @param {readonly string[]} fields @param {string} what */
export function checkFields(body, fields, what) {
  const unknown = Object.keys(body ?? {}).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw invalid(`Could not find member '${unknown}' on object of type '${what}'.`);
}

/** The group of a resource; throws if it does not exist. @param {State} state @param {string} subscription @param {string} name @returns {Group} */
export function groupOf(state, subscription, name) {
  const group = own(state.groups, `/subscriptions/${subscription}/resourceGroups/${name}`);
  if (group === undefined) throw noGroup(name);
  return group;
}

/** The last segment of an ID. @param {string} id */
export const nameOf = (id) => id.slice(id.lastIndexOf("/") + 1);

/** One page of a list. @param {World} world @param {Request} request @param {Value[]} items @returns {Value} */
export function paged({ settings, address }, { path, query }, items) {
  const from = Number(query["$skiptoken"] ?? 0);
  const value = items.slice(from, from + settings.page);
  if (from + settings.page >= items.length) return { value };
  const next = new URLSearchParams({ ...query, $skiptoken: String(from + settings.page) });
  return { value, nextLink: `${address}${path}?${next.toString().replaceAll("+", "%20")}` };
}

/** Whether one scope is the other or contains it. @param {string} outer @param {string} inner */
export function contains(outer, inner) {
  const [a, b] = [outer.toLowerCase().replace(/\/$/, ""), inner.toLowerCase()];
  return a === b || b.startsWith(`${a}/`);
}
