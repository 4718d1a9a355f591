import { execFile } from "node:child_process";
import { commandLine } from "../ccf.ts";

/** How a run ended. */
export interface Done {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program while this process answers as its registry; without credentials of the user of the tests. */
export function runBeside(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Done> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env };
    execFile(...commandLine(...args), { env: environment, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}
