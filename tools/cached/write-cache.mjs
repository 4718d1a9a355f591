// Runs a program once on standard input and keeps the code that V8 made of what ran.
import { readFileSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";
import { cacheFile } from "./cache-file.mjs";

const program = /** @type {string} */ (process.argv[2]);
const filename = `${program}.js`;
const script = new Script(readFileSync(filename, "latin1"), { filename });
// Of the command line, the program finds what comes behind its own name: ccf nothing, so that it runs all functions.
process.argv = [process.execPath, program, ...process.argv.slice(3)];
script.runInThisContext();
if (process.exitCode) throw new Error("The program failed on its own example.");
writeFileSync(cacheFile(program), script.createCachedData());
