// One call, from its arguments to its result.
import { ask } from "../google/api.mjs";
import { parsed } from "./cli.mjs";
import { failureOf, iamCommands } from "./commands-iam.mjs";
import { storageCommands } from "./commands-storage.mjs";
import { Failure, Lines, Own, Usage } from "./failure.mjs";

/**
 * @import { Call, How, Situation, Value } from "./types.ts"
 * @import { World } from "../google/types.ts"
 * @typedef {{ args: string[], universe: string, read: (name: string) => string, how: () => How | undefined }} Request
 * @typedef {{ status: number, stdout: string, stderr: string, kill: boolean }} Answer
 */

/** Every command that the stand-in knows. */
export const commands = { ...iamCommands, ...storageCommands };

/** @param {Request} request @param {World} world @param {Call} call that is filled in. @returns {Answer} */
export function execute(request, world, call) {
  if (request.args[0] === "version" || request.args[0] === "--version") {
    return { status: 0, stdout: "Google Cloud SDK 528.0.0\n", stderr: "", kill: false };
  }
  const answer = failing(request, world, call);
  call.status = answer.status;
  return answer;
}

/** @param {Request} request @param {World} world @param {Call} call @returns {Answer} */
function failing(request, world, call) {
  const fail = (/** @type {string} */ text, status = 1) => {
    const stderr = `ERROR: (gcloud.${call.command.replaceAll(" ", ".")}) ${text}\n`;
    return { status, stdout: "", stderr, kill: false };
  };
  try {
    const { command, names, flags, project } = parsed(request.args, commands);
    Object.assign(call, { command, names, flags, changes: commands[command]?.changes === true });
    // Only now it is known whether the call changes something.
    const how = request.how();
    if (how === "killed-before") return { ...fail(""), kill: true };
    if (how === "refused") return fail("PERMISSION_DENIED: The caller does not have permission");
    if (how === "unavailable") return fail("UNAVAILABLE: The service is currently unavailable.");
    if (typeof how === "object") return fail(how.error);
    if ((request.universe || "googleapis.com") !== world.state.universe) {
      const given = request.universe || "googleapis.com";
      return fail(
        `The configured universe domain [${given}] does not match that of the credentials [${world.state.universe}].`,
      );
    }
    const run = () => carriedOut(command, { names, flags, project }, request, world, call);
    const answer = run();
    if (how === "lost-and-retried") return run();
    if (how === "lost") {
      const why =
        "gcloud crashed (ConnectionError): ('Connection aborted.', RemoteDisconnected('closed without response'))";
      return { status: 1, stdout: "", stderr: `ERROR: ${why}\n`, kill: false };
    }
    return { ...answer, kill: how === "killed-after" };
  } catch (error) {
    if (error instanceof Usage) return fail(error.message, 2);
    // This must not look like a message of gcloud.
    const text = error instanceof Error ? error.stack : String(error);
    return { status: 70, stdout: "", stderr: `gcloud stand-in: ${text}\n`, kill: false };
  }
}

/**
 * @param {string} command @param {Pick<Situation, "names" | "flags" | "project">} given
 * @param {Request} request @param {World} world @param {Call} call @returns {Answer}
 */
function carriedOut(command, given, request, world, call) {
  /** @type {string[]} */
  const said = [];
  const response = (/** @type {string} */ method, /** @type {string} */ path, /** @type {Value} */ more = {}) => {
    call.requests.push(`${method} ${path}`);
    return ask(world, { method, path, query: {}, body: undefined, ...more });
  };
  /** @type {Situation} */
  const situation = {
    ...given,
    state: world.state,
    settings: world.settings,
    response,
    ask(method, path, more) {
      const answer = response(method, path, more);
      if (answer.status >= 400) throw failureOf(command, given.project, answer);
      return answer.body;
    },
    read(name) {
      try {
        return request.read(name);
      } catch {
        throw new Own(`Unable to read file [${name}]: [Errno 2] No such file or directory: '${name}'`);
      }
    },
    say: (text) => void said.push(`${text}\n`),
  };
  try {
    const value = commands[command]?.run(situation);
    return { status: 0, stdout: `${JSON.stringify(sorted(value), null, 2)}\n`, stderr: said.join(""), kill: false };
  } catch (error) {
    const started = said.join("");
    // A list that failed is printed nevertheless.
    const stdout = / (?:list|hash)$/.test(command) || error instanceof Lines ? "[]\n" : "";
    if (error instanceof Lines) return { status: 1, stdout, stderr: `${started}${error.message}\n`, kill: false };
    if (!(error instanceof Failure || error instanceof Own)) throw error;
    const before = error instanceof Failure ? error.before : "";
    const stderr = `${started}${before}ERROR: (gcloud.${command.replaceAll(" ", ".")}) ${error.message}\n`;
    return { status: 1, stdout, stderr, kill: false };
  }
}

/** gcloud sorts names. @param {Value} value @returns {Value} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]));
}
