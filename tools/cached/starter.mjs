// Starts ccf.js beside this file with the code that this Node's V8 made of it before. That code is a copy of what V8
// would make again: where there is none, nothing differs but the time.
import { readFileSync, realpathSync } from "node:fs";
import { Script } from "node:vm";
import { cacheFile } from "./cache-file.mjs";

const program = realpathSync(String(process.argv[1]));
const filename = `${program}.js`;
// The text is ASCII; as Latin-1 it is taken as it is.
new Script(readFileSync(filename, "latin1"), { filename, cachedData: cached() }).runInThisContext();

function cached() {
  try {
    return readFileSync(cacheFile(program));
  } catch {
    return undefined;
  }
}
