import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporary } from "./temporary.ts";

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
}

/** Runs a program with nothing in its environment but PATH and what is given. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Run {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.cwd,
    input: options.input ?? "",
    env: { PATH: process.env["PATH"], ...options.env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** A PATH on which these programs come first, each a script of the shell. */
export function pathWith(scripts: Readonly<Record<string, string>>): string {
  const directory = temporary();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return `${directory}${delimiter}${process.env["PATH"] ?? ""}`;
}
