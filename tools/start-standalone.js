// Starts the program in a standalone executable, in which the parts of the program and their V8 code caches are assets. See
// start.js for the program as files.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");
/** @type {Record<string, (require: typeof load, module: { exports: any }) => void>} the parts of the files that were read */
const parts = {};
/** @type {Record<string, { exports: any }>} */
const modules = {};
/** @type {ReadonlySet<string>} the files with a code cache; `tools/standalone.mjs` inserts their names */
const cached = new Set(JSON.parse("CACHED"));

/** @param {string} name @returns {Buffer} without a copy */
function asset(name) {
  return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(name)));
}

/** @param {string} name as in start.js */
function load(name) {
  if (!name.startsWith("./")) return process.getBuiltinModule(name);
  if (modules[name] === undefined) {
    if (parts[name] === undefined) Object.assign(parts, read(name.slice(2).replace(/#.*/, "")));
    modules[name] = { exports: {} };
    /** @type {(typeof parts)[string]} */ (parts[name])(load, modules[name]);
  }
  return modules[name].exports;
}

/** @param {string} file */
function read(file) {
  // The text is ASCII. Latin-1 needs no decoding.
  const text = asset(file).toString("latin1");
  // Node.js in this file made the cache, so it is valid without a check of the build.
  const cachedData = cached.has(file) ? asset(`${file}.cache`) : undefined;
  return new Script(text, { filename: file, cachedData }).runInThisContext();
}

load("./function.js#main.js");
