import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./programs.ts";
import { temporary } from "./temporary.ts";

const programsOf = (cloud: string) =>
  [`${cloud}/scripts/${cloud}.awk`, "scripts/json.awk"].map((path) =>
    fileURLToPath(new URL(`../../src/clouds/${path}`, import.meta.url)),
  );

/** The awks that users have, with what must be installed for each. */
export const awks: readonly (readonly [awk: string, tool: string])[] = [
  ["mawk", "mawk"],
  ["gawk", "gawk"],
  ["busybox awk", "busybox"],
  ["original-awk", "original-awk"],
];

/** One call of a cloud's awk file and json.awk: its arguments, of which those that are a File are written to a file first. */
export type Call = readonly (string | File)[];

/** What an argument names. */
export class File {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface Answer {
  readonly status: number;
  readonly lines: readonly string[];
}

/**
 * Runs the awk file of a cloud and json.awk, as the scripts do, for each call, with one start of a shell for all of them.
 * Errors are not looked at.
 */
export function answers(awk: string, calls: readonly Call[], cloud = "aws"): Answer[] {
  const programs = programsOf(cloud);
  const directory = temporary();
  let files = 0;
  const words = calls.map((call) =>
    call.map((argument) => {
      if (typeof argument === "string") return quoted(argument);
      const path = join(directory, String(++files));
      writeFileSync(path, argument.text);
      return quoted(path);
    }),
  );
  const script = words.map(
    (call) =>
      `${awk} ${programs.map((program) => `-f ${quoted(program)}`).join(" ")} ${call.join(" ")} 2>/dev/null; printf '\\0%d\\0' $?`,
  );
  writeFileSync(join(directory, "script"), script.join("\n"));
  const { stdout } = run("sh", [join(directory, "script")], { env: { LC_ALL: "C" } });
  const parts = stdout.split("\0");
  return calls.map((_, index) => ({
    status: Number(parts[2 * index + 1]),
    lines: (parts[2 * index] ?? "").split("\n").slice(0, -1),
  }));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
