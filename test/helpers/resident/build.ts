import { mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { buildSync } from "esbuild";
import { isFresh } from "../fresh.ts";
import { residentProgram } from "./index.ts";

/** Builds the program as one script, once for all tests. What users run is the subject of the tests that start processes. */
export function setup(): void {
  // Each project of vitest.config.mts calls this.
  if (isFresh(residentProgram)) return;
  mkdirSync(dirname(residentProgram), { recursive: true });
  const fresh = `${residentProgram}.${process.pid}`;
  buildSync({
    entryPoints: ["src/start.ts"],
    outfile: fresh,
    bundle: true,
    platform: "node",
    format: "cjs",
    // A package asks for its own place only to start a browser, which nothing here does.
    define: { "import.meta.url": '"file:///ccf"' },
    logLevel: "error",
  });
  renameSync(fresh, residentProgram);
}
