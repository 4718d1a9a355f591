import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ccf } from "./ccf.ts";
import { type Run, run } from "./programs.ts";
import { temporary } from "./temporary.ts";

/** An environment for tools that run `ccf` as a program: on PATH, with an empty home, and with nothing else. */
export function environmentWithCcf(): NodeJS.ProcessEnv {
  const home = temporary();
  const program = join(home, "ccf");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${ccf}' "$@"\n`, { mode: 0o755 });
  return { PATH: `${home}${delimiter}${process.env["PATH"] ?? ""}`, HOME: home };
}

/** Runs a line of the shell, in which `kpt` and `ccf` can be used. */
export function shell(line: string, cwd: string): Run {
  return run("sh", ["-c", line], { cwd, env: environmentWithCcf() });
}

/** Runs a package's pipeline with kpt. */
export function kptRender(directory: string): Run {
  return shell("kpt fn render --allow-exec", directory);
}
