// The stand-in for AWS: accepts calls of ./aws and commands of tests over TCP. `node server.mjs` prints its port, and
// exits when its standard input ends.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { settled, stateOf, usualSettings } from "../amazon/state.mjs";
import { execute } from "./execute.mjs";

/**
 * @import { Socket } from "node:net"
 * @import { Seed, Value } from "../amazon/types.ts"
 * @import { Call, How, Settings } from "./types.ts"
 * @import { World } from "./execute.mjs"
 * @typedef {{ status: number, stdout: Buffer, stderr: string, kill: boolean }} Reply
 */

const variables = ["AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE", "AWS_PAGER", "AWS_DEFAULT_OUTPUT"];

/** @returns {Settings} */
const usual = () => ({ ...usualSettings(), cli: 1, bucketTags: true });

/** @type {World} */
let world = { state: stateOf({}), settings: usual(), policy: undefined };
/** @type {Call[]} */
let calls = [];
/** Planned failures, by the number of the call. @type {Map<number, How>} */
let faults = new Map();
/** Planned failures of the next calls that change something. @type {(How | null)[]} */
let changeFaults = [];

/** @type {Record<string, (argument: Value) => Value>} */
const controls = {
  reset(/** @type {Seed} */ seed) {
    world = { state: stateOf(seed), settings: usual(), policy: undefined };
    calls = [];
    faults = new Map();
    changeFaults = [];
  },
  state: () => settled(world.state),
  calls: () => calls,
  forgetCalls() {
    calls = [];
    faults = new Map();
    changeFaults = [];
  },
  failAt: ({ k, how }) => void faults.set(calls.length + k, how),
  failChanges({ hows }) {
    changeFaults = hows;
  },
  policy({ document }) {
    world.policy = document;
  },
  settings: (/** @type {Partial<Settings>} */ settings) => void Object.assign(world.settings, settings),
  change(/** @type {Seed} */ seed) {
    world.state = stateOf({ ...world.state, ...seed });
  },
};

/** @param {string} text @returns {Reply} */
function control(text) {
  const { ask, argument } = JSON.parse(text);
  const answer = controls[ask]?.(argument);
  return { status: 0, stdout: Buffer.from(JSON.stringify(answer ?? null)), stderr: "", kill: false };
}

/** @param {string[]} fields @returns {Promise<Reply>} */
async function called([pid = "", cwd = "", ...rest]) {
  const environment = Object.fromEntries(variables.map((name, index) => [name, rest[index] ?? ""]));
  const args = rest.slice(variables.length + 1);
  const streams = await streamsOf(args, pid);
  /** @type {Buffer[]} */
  const printed = [];
  const read = (/** @type {string} */ name) => streams.get(name) ?? readFileSync(resolve(cwd, name));
  const write = (/** @type {string} */ name, /** @type {Buffer} */ bytes) =>
    name === "/dev/stdout" ? void printed.push(bytes) : writeFileSync(resolve(cwd, name), bytes);

  /** @type {Call} */
  const call = { service: "", operation: "", args, changes: false, actions: [], foreign: false };
  calls.push(call);
  const planned = faults.get(calls.length);
  const how = () => (call.changes ? changeFaults.shift() : undefined) ?? planned;
  const { status, stdout, stderr, kill } = execute({ args, environment, read, write, how }, world, call);
  if (kill && groupOf(pid) === groupOf(String(process.pid))) {
    return {
      status: 70,
      stdout: Buffer.alloc(0),
      stderr: "aws stand-in: its caller has no process group\n",
      kill: false,
    };
  }
  return { status, stdout: Buffer.concat([...printed, Buffer.from(stdout)]), stderr, kill };
}

/** The content of the caller's own streams, which are read before the call runs. @param {string[]} args @param {string} pid */
async function streamsOf(args, pid) {
  const names = args.flatMap((arg) => /\/dev\/(?:stdin|fd\/\d+)$/.exec(arg)?.[0] ?? []);
  /** @type {Map<string, Buffer>} */
  const streams = new Map();
  for (const name of names) {
    streams.set(name, await readFile(`/proc/${pid}/fd/${name === "/dev/stdin" ? 0 : name.slice(8)}`));
  }
  return streams;
}

/** @param {string} pid */
function groupOf(pid) {
  return execFileSync("ps", ["-o", "pgid=", "-p", pid], { encoding: "utf8" }).trim();
}

/** The texts of a message, if it is complete. @param {Buffer} bytes @returns {string[] | undefined} */
function fieldsOf(bytes) {
  const fields = bytes.toString("utf8").split("\0").slice(0, -1);
  if (fields[0] === "control") return fields.length > 1 ? fields : undefined;
  const count = fields[3 + variables.length];
  return count !== undefined && fields.length >= 4 + variables.length + Number(count) ? fields : undefined;
}

/** @param {Socket} socket @param {string[]} fields */
async function answer(socket, [kind, ...fields]) {
  const { status, stdout, stderr, kill } = kind === "control" ? control(fields[0] ?? "") : await called(fields);
  const lengths = `${Buffer.byteLength(stderr)} ${stdout.length}`;
  socket.end(Buffer.concat([Buffer.from(`${status} ${kill ? "kill" : "-"} ${lengths}\n${stderr}`), stdout]));
}

const server = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    const fields = fieldsOf(bytes);
    if (fields !== undefined) {
      answer(socket, fields).catch((error) => socket.end(`70 - ${Buffer.byteLength(String(error))} 0\n${error}`));
    }
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.stdin.resume().on("end", () => process.exit());
