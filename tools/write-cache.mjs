// Used with `node --import`: when the program ends, writes the V8 code cache of each part that was loaded without one (see
// start.js). So the first run that loads a part determines its cache.
import fs from "node:fs";
import vm from "node:vm";

const { readFileSync } = fs;
const { Script } = vm;
/** @type {Map<string, import("node:vm").Script>} */
const scripts = new Map();
/** @type {string | undefined} */
let missing;

Object.assign(fs, {
  readFileSync(/** @type {string} */ path, /** @type {any[]} */ ...rest) {
    missing = String(path).endsWith(".cache") && !fs.existsSync(path) ? path : undefined;
    return readFileSync(path, ...rest);
  },
});
vm.Script = class extends Script {
  constructor(/** @type {string} */ text, /** @type {import("node:vm").ScriptOptions} */ options) {
    super(text, options);
    if (missing !== undefined) scripts.set(missing, this);
    missing = undefined;
  }
};
process.on("exit", () => {
  for (const [file, script] of scripts) fs.writeFileSync(file, script.createCachedData());
});
