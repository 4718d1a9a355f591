import { describe, expect, it } from "vitest";
import { rawPrints } from "../../../tools/check-output.mjs";

const refused = (text: string, path = "src/cli/new-command.ts") =>
  rawPrints(path, text).map((problem) => problem.replace(/^.* uses (.*?); .*$/, "$1"));

describe("a way to print other than the writer, or to start a program", () => {
  it.each([
    ["console.log(x);", "console"],
    ["console[method](x);", "console"],
    ["globalThis.console.error(x);", "globalThis"],
    ["process.stdout.write(x);", "stdout"],
    ['process["stderr"].write(x);', "stderr"],
    ["process[name].write(x);", "process as a value"],
    ["const { stdout } = process;", "process as a value"],
    ["const p = process; p.stdout.write(x);", "process as a value"],
    ["process.emitWarning(x);", "emitWarning"],
    ["process._rawDebug(x);", "_rawDebug"],
    ['import { writeSync } from "node:fs";', "writeSync"],
    ['import { writeSync as w } from "node:fs";', "writeSync"],
    ['import { writeFileSync } from "node:fs"; writeFileSync("/dev/stdout", x);', "writeFileSync"],
    ['import { createWriteStream } from "node:fs";', "createWriteStream"],
    ['import fs from "node:fs";', "default"],
    ['import * as fs from "node:fs";', "default"],
    ['import { execSync } from "node:child_process";', "execSync"],
    ['import { execFileSync } from "child_process";', "execFileSync"],
    ['import { spawnSync } from "node:child_process";', "spawnSync"],
    ['const { spawnSync } = process.getBuiltinModule("child_process");', "spawnSync"],
    ['import * as processes from "node:child_process";', "default"],
    ['import { Worker } from "node:worker_threads";', "Worker"],
    ['import { createRequire } from "node:module";', "createRequire"],
    ['import { runInThisContext } from "node:vm";', "runInThisContext"],
    ['import { appendFileSync } from "fs";', "appendFileSync"],
    ['import { WriteStream } from "node:tty";', "node:tty"],
    ['import { stdout } from "node:process";', "node:process"],
    ['export { writeSync } from "node:fs";', "default"],
    ['const { writeSync } = process.getBuiltinModule("node:fs");', "writeSync"],
    ['const fs = await import("node:fs");', "default"],
    ["const fs = process.getBuiltinModule(name);", "a module of a computed name"],
    ['import { writeContent } from "../krm/stdio.ts"; writeContent(x);', "writeContent"],
  ])("is refused: %s", (text, what) => {
    expect(refused(text)).toContain(what);
  });

  it.each([
    'import { readFileSync } from "node:fs";',
    'import type { WriteStream } from "node:tty";',
    'const { stdout } = spawnSync("git"); process.exitCode = 1;',
    'write(1, ["a"]); writeJson({}); writeLines(2, []);',
    'const { request } = process.getBuiltinModule("node:https");',
  ])("is not found in: %s", (text) => {
    expect(refused(text)).toEqual([]);
  });

  it("is allowed only in the modules that are listed for it", () => {
    expect(refused('import { writeSync } from "node:fs";', "src/krm/stdio.ts")).toEqual([]);
    expect(refused("process.stdout.write(x);", "src/krm/stdio.ts")).toEqual(["stdout"]);
  });

  it("starts programs only in the module that starts Git", () => {
    const text = 'const { spawnSync } = process.getBuiltinModule("node:child_process");';
    expect(refused(text, "src/cli/run-git.ts")).toEqual([]);
    expect(rawPrints("src/cli/fleet/touched.ts", text)).toEqual([
      "src/cli/fleet/touched.ts:1 uses spawnSync; start Git with src/cli/run-git.ts; nothing else starts a program",
    ]);
  });
});
