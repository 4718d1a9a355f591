// Keeps, with `node --import`, the code that V8 has made of each part of the program when the program ends. What is kept of a
// part stays: the first run that loads it decides.
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
