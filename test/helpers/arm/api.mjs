// Azure Resource Manager's side of a request: what it refuses, what it answers, and what it changes.
import { Answer } from "./answer.mjs";
import { ArmError, denied, NotCovered } from "./errors.mjs";
import { groups } from "./groups.mjs";
import { identities } from "./identities.mjs";
import { assignments } from "./role-assignments.mjs";
import { definitions } from "./role-definitions.mjs";
import { storage } from "./storage.mjs";
import { subscriptions } from "./subscriptions.mjs";

/**
 * @import { Request, Response, Settings, State, Value, World } from "./types.ts"
 * @typedef {{
 *   method: string, path: RegExp, versions: readonly string[], action: string,
 *   run: (world: World, match: readonly string[], request: Request) => Value,
 * }} Route
 */

/** @type {readonly Route[]} */
const routes = [...assignments, ...definitions, ...storage, ...identities, ...groups, ...subscriptions];

/** Answers one request. @param {World} world @param {Request} request @returns {Response} */
export function ask(world, request) {
  const { method, path, query } = request;
  try {
    throttle(world.settings);
    const found = routes.find((route) => route.method === method && route.path.test(path));
    if (found === undefined) throw new NotCovered(`${method} ${path}`);
    checkVersion(query["api-version"], found);
    const match = found.path.exec(path) ?? [];
    checkSubscription(world.state, path);
    check(world, found.action, path);
    const given = found.run(world, match, request);
    return given instanceof Answer ? given.response : { status: 200, body: given };
  } catch (error) {
    if (error instanceof ArmError) return error.response();
    throw error;
  }
}

/** @param {Settings} settings */
function throttle(settings) {
  if (settings.throttled <= 0) return;
  settings.throttled--;
  throw new ArmError(429, "TooManyRequests", "The request is being throttled.");
}

/** @param {string | undefined} given @param {Route} route */
function checkVersion(given, { versions }) {
  if (given === undefined) {
    throw new ArmError(
      400,
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  if (!versions.includes(given)) throw new NotCovered(`api-version=${given}, only ${versions.join(", ")}`);
}

/** @param {State} state @param {string} path */
function checkSubscription(state, path) {
  const [, id] = /^\/subscriptions\/([^/]+)/i.exec(path) ?? [];
  if (id !== undefined && !state.subscriptions.includes(id.toLowerCase())) {
    throw new ArmError(404, "SubscriptionNotFound", `The subscription '${id}' could not be found.`);
  }
}

/** @param {World} world @param {string} action @param {string} path */
function check({ settings, used }, action, path) {
  if (settings.permissions !== undefined && !allows(settings.permissions, action)) {
    throw denied(action, path.replace(/\/providers\/Microsoft\.Authorization\/permissions$/i, ""));
  }
  used.add(action);
}

/** Whether one of the patterns covers an action. @param {readonly string[]} patterns @param {string} action */
export function allows(patterns, action) {
  return patterns.some((one) => {
    const parts = one.split("*").map((part) => part.replace(/[.\\/]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "i").test(action);
  });
}
