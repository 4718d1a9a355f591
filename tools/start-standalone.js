// Starts the program in a standalone executable, in which the parts of the program and their V8 code caches are assets. See
// start.js for the program as files.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");
/** @type {Record<string, { exports: any }>} */
const modules = {};
/** @type {ReadonlySet<string>} the parts with a code cache; `tools/standalone.mjs` inserts their names */
const cached = new Set(JSON.parse("CACHED"));

/** @param {string} name @returns {Buffer} without a copy */
function asset(name) {
  return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(name)));
}

/** @param {string} name of a built-in module, or "./" and the name of a part */
function load(name) {
  if (!name.startsWith("./")) return process.getBuiltinModule(name);
  if (modules[name] === undefined) {
    const part = name.slice(2);
    modules[name] = { exports: {} };
    // The text is ASCII. Latin-1 needs no decoding.
    const text = asset(part).toString("latin1");
    // Node.js in this file made the cache, so it is valid without a check of the build.
    const cachedData = cached.has(part) ? asset(`${part}.cache`) : undefined;
    const script = new Script(`(function(require,module){${text}})`, { filename: part, cachedData });
    script.runInThisContext()(load, modules[name]);
  }
  return modules[name].exports;
}

load("./main.js");
