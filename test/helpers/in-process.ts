import { main } from "../../src/cli/main.ts";
import { printed } from "./printed.ts";

/** What a command wrote to each stream, and its exit code. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, from its source: for very many runs, and where the file system is to fail. */
export async function answerOf(args: readonly string[]): Promise<Answer> {
  printed.stdout = "";
  printed.stderr = "";
  printed.isOn = true;
  process.exitCode = undefined;
  try {
    await main(args, "ccf", true);
    return { status: Number(process.exitCode), stdout: printed.stdout, stderr: printed.stderr };
  } finally {
    printed.isOn = false;
    process.exitCode = undefined;
  }
}
