// The stand-in for Azure: accepts calls of ./az and commands of tests over TCP, and, with a directory that has cert.pem and
// key.pem, requests of the real az over HTTPS. `node server.mjs [DIRECTORY]` prints its ports, and exits when its standard
// input ends.
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { httpsServer } from "../arm/https.mjs";
import { settled, stateOf, usualSettings } from "../arm/state.mjs";
import { execute } from "./execute.mjs";

/**
 * @import { Server, Socket } from "node:net"
 * @import { Call, How, Seed, Settings, Value } from "./types.ts"
 * @import { World } from "../arm/types.ts"
 * @typedef {{ status: number, stdout: string, stderr: string, kill: boolean }} Reply
 */

let address = "https://management.azure.com";
/** @param {Seed} seed @returns {World} */
const worldOf = (seed) => ({ state: stateOf(seed), settings: usualSettings(), used: new Set(), address });

let world = worldOf({});
/** @type {Call[]} */
let calls = [];
/** Planned failures, by the number of the call. @type {Map<number, How>} */
let faults = new Map();
/** Planned failures of the next calls that change something. @type {(How | null)[]} */
let changeFaults = [];

/** @type {Record<string, (argument: Value) => Value>} */
const controls = {
  reset(/** @type {Seed} */ seed) {
    world = worldOf(seed);
    controls["forgetCalls"]?.({});
  },
  state: () => settled(world.state),
  whole: () => world.state,
  calls: () => calls,
  usedActions: () => [...world.used].sort(),
  forgetCalls() {
    calls = [];
    faults = new Map();
    changeFaults = [];
    world.used.clear();
  },
  failAt: ({ k, how }) => void faults.set(calls.length + k, how),
  failChanges({ hows }) {
    changeFaults = hows;
  },
  settings: (/** @type {Partial<Settings>} */ settings) => void Object.assign(world.settings, settings),
  // The path of names to a part of the state, and what it becomes; nothing removes it.
  put({ path, value }) {
    /** @type {Value} */
    let at = world.state;
    for (const name of path.slice(0, -1)) at = at[name];
    const last = path.at(-1);
    if (value === undefined) delete at[last];
    else at[last] = value;
    world.state = stateOf(world.state);
  },
};

/** @param {string} text @returns {Reply} */
function control(text) {
  const { ask, argument } = JSON.parse(text);
  const answer = controls[ask]?.(argument);
  return { status: 0, stdout: JSON.stringify(answer ?? null), stderr: "", kill: false };
}

/** @param {string[]} fields @returns {Reply} */
function called([pid = "", cwd = "", settings = "", , ...rest]) {
  const environment = Object.fromEntries(
    rest.slice(0, Number(settings)).map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
  const args = rest.slice(Number(settings));
  /** @type {Call} */
  const call = {
    ...{ command: args.join(" "), args, flags: {}, method: "", path: "", body: undefined, changes: false },
    ...{ input: readlinkSync(`/proc/${pid}/fd/0`), status: 0, http: 0 },
  };
  calls.push(call);
  const planned = faults.get(calls.length);
  const how = () => (call.changes ? changeFaults.shift() : undefined) ?? planned;
  const read = (/** @type {string} */ name) => readFileSync(resolve(cwd, name), "utf8");
  const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(resolve(cwd, name), text);
  const reply = execute({ args, environment, read, write, how }, world, call);
  if (reply.kill && groupOf(pid) === groupOf(String(process.pid))) {
    return { status: 70, stdout: "", stderr: "az stand-in: its caller has no process group\n", kill: false };
  }
  return reply;
}

/** @param {string} pid */
function groupOf(pid) {
  return execFileSync("ps", ["-o", "pgid=", "-p", pid], { encoding: "utf8" }).trim();
}

/** The texts of a message, if it is complete. @param {Buffer} bytes @returns {string[] | undefined} */
function fieldsOf(bytes) {
  const fields = bytes.toString("utf8").split("\0").slice(0, -1);
  if (fields[0] === "control") return fields.length > 1 ? fields : undefined;
  const [, , , settings, count] = fields;
  return count !== undefined && fields.length >= 5 + Number(settings) + Number(count) ? fields : undefined;
}

/** @param {Socket} socket @param {string[]} fields */
function answer(socket, [kind, ...fields]) {
  const { status, stdout, stderr, kill } = kind === "control" ? control(fields[0] ?? "") : called(fields);
  const lengths = `${Buffer.byteLength(stderr)} ${Buffer.byteLength(stdout)}`;
  socket.end(`${status} ${kill ? "kill" : "-"} ${lengths}\n${stderr}${stdout}`);
}

const tcp = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    const fields = fieldsOf(bytes);
    if (fields === undefined) return;
    try {
      answer(socket, fields);
    } catch (error) {
      const text = `az stand-in: ${error instanceof Error ? error.stack : error}\n`;
      socket.end(`70 - ${Buffer.byteLength(text)} 0\n${text}`);
    }
  });
});
/** @param {Server} server @returns {Promise<number>} */
function portOf(server) {
  return new Promise((found) =>
    server.listen(0, "127.0.0.1", () => {
      const at = server.address();
      found(typeof at === "object" ? (at?.port ?? 0) : 0);
    }),
  );
}

const ports = [await portOf(tcp)];
const [, , directory] = process.argv;
if (directory !== undefined) {
  const [cert = "", key = ""] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(directory, name), "utf8"));
  const port = await portOf(httpsServer({ cert, key }, () => world));
  ports.push(port);
  address = `https://localhost:${port}`;
  world.address = address;
}
process.stdout.write(`${ports.join(" ")}\n`);
process.stdin.resume().on("end", () => process.exit());
