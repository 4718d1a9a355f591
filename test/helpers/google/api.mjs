// Google's side of a request: what it refuses, what it answers, and what it changes.
import { accounts } from "./accounts.mjs";
import { denied, GoogleError, NotCovered, StorageError } from "./errors.mjs";
import { pools } from "./pools.mjs";
import { noProject, projects } from "./projects.mjs";
import { roles } from "./roles.mjs";
import { storage } from "./storage.mjs";

/**
 * @import { Request, Response, State, Value, World } from "./types.ts"
 * @typedef {{
 *   method: string, path: RegExp, permission: string,
 *   run: (world: World, match: readonly string[], request: Request) => Value,
 * }} Route
 */

/** @type {readonly Route[]} */
const routes = [...pools, ...accounts, ...roles, ...storage, ...projects];

/** Answers one request. @param {World} world @param {Request} request @returns {Response} */
export function ask(world, request) {
  const { method, path } = request;
  const found = routes.find((route) => route.method === method && route.path.test(path));
  if (found === undefined) throw new NotCovered(`${method} ${path}`);
  const match = found.path.exec(path) ?? [];
  try {
    check(world, found.permission, path, match[1] ?? "");
    world.used.add(found.permission);
    const body = found.run(world, match, request);
    if (body?.media !== undefined) return { status: 200, body: undefined, media: body.media };
    return body === undefined ? { status: 204, body: undefined } : { status: 200, body };
  } catch (error) {
    if (error instanceof GoogleError || error instanceof StorageError) return error.response();
    throw error;
  }
}

/** @param {World} world @param {string} permission @param {string} path @param {string} project */
function check({ state, settings }, permission, path, project) {
  const isStorage = permission.startsWith("storage.");
  if (!isStorage && !isOurs(state, project, path)) throw noProject(permission);
  if (settings.permissions === undefined || settings.permissions.includes(permission)) return;
  if (isStorage) {
    const who = `tester@example.com does not have ${permission} access to the Google Cloud Storage`;
    throw new StorageError(
      403,
      `${who} resource. Permission '${permission}' denied on resource (or it may not exist).`,
    );
  }
  throw denied(permission);
}

/** @param {State} state @param {string} given the project of the request. @param {string} path */
function isOurs({ project, number }, given, path) {
  if (given === "-") return path.includes("/serviceAccounts/");
  return given === project || given === number;
}
