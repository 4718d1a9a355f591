// Used with `node --import`: when the program ends, writes the V8 code cache of each part that was loaded. An existing cache
// stays unchanged, so the first run that loads a part determines its cache.
import { existsSync, statSync, writeFileSync } from "node:fs";
import vm from "node:vm";
import { cacheFile } from "./bundle.mjs";

const { Script } = vm;
/** @type {Map<string, import("node:vm").Script>} */
const scripts = new Map();
vm.Script = class extends Script {
  constructor(/** @type {string} */ text, /** @type {import("node:vm").ScriptOptions} */ options) {
    super(text, options);
    scripts.set(/** @type {string} */ (options.filename), this);
  }
};
process.on("exit", () => {
  for (const [filename, script] of scripts) {
    const file = cacheFile(filename, process, statSync);
    if (!existsSync(file)) writeFileSync(file, script.createCachedData());
  }
});
