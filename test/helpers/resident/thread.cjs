// Runs a program again and again in one thread: what Node is started for otherwise. The tests wait meanwhile;
// test/helpers/resident/index.ts is their side.
"use strict";
const fs = require("node:fs");
const { workerData, receiveMessageOnPort } = require("node:worker_threads");

const { file, called, port, turn } = workerData;

let isRunning = false;
/** @type {Record<number, Uint8Array[]>} */
let written = { 1: [], 2: [] };
let input = Buffer.alloc(0);

// The descriptors of this process are the test runner's.
const { readSync, writeSync } = fs;
Object.assign(fs, {
  writeSync(/** @type {number} */ descriptor, /** @type {Uint8Array} */ bytes, /** @type {any[]} */ ...rest) {
    const chunks = written[descriptor];
    if (chunks === undefined) return writeSync(descriptor, bytes, ...rest);
    const [offset = 0, length = bytes.length - offset] = rest;
    return chunks.push(Buffer.from(bytes.subarray(offset, offset + length))) && length;
  },
  readSync(/** @type {number} */ descriptor, /** @type {Uint8Array} */ buffer, /** @type {[any, any, any]} */ ...rest) {
    if (descriptor !== 0) return readSync(descriptor, buffer, ...rest);
    const [offset, length] = rest;
    const count = input.copy(buffer, offset, 0, length);
    input = input.subarray(count);
    return count;
  },
});

// After the replacements above, because the program keeps what it imports.
const program = require(file);

// A program has ended when it has nothing more to do; Node asks at that moment.
process.on("beforeExit", () => {
  if (isRunning) answer(process.exitCode ?? 0);
  begin();
});
process.on("uncaughtException", (error) => {
  written[2]?.push(Buffer.from(`${error.stack}\n`));
  process.exitCode = 1;
});

/** @param {number | string} status */
function answer(status) {
  isRunning = false;
  const [stdout, stderr] = [1, 2].map((descriptor) => Buffer.concat(written[descriptor] ?? []).toString("utf8"));
  port.postMessage({ status, stdout, stderr });
  Atomics.store(turn, 0, 1);
  Atomics.notify(turn, 0);
}

function begin() {
  Atomics.wait(turn, 0, 1);
  const { args, env, stdin } = /** @type {{ message: any }} */ (receiveMessageOnPort(port)).message;
  isRunning = true;
  written = { 1: [], 2: [] };
  input = Buffer.from(stdin);
  process.exitCode = undefined;
  process.argv = [process.execPath, called, ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  // Something to do, so that Node asks again.
  setImmediate(() => program.start(args));
}
