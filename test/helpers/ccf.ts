import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The bundle that users run; `npm test` builds it first. */
export const ccf = fileURLToPath(new URL("../../dist/ccf", import.meta.url));

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built `ccf` as a user does: arguments, standard input, and nothing of this process's environment but PATH. */
export function run(
  args: readonly string[],
  options: { input?: string | Uint8Array; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ccf, ...args], {
    input: options.input ?? "",
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], ...options.env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}
