import { writeAll } from "../krm/stdio.ts";

/** Writes lines to standard output (1) or standard error (2). */
export function write(descriptor: 1 | 2, lines: readonly string[]): void {
  writeAll(descriptor, lines.map((line) => `${line}\n`).join(""));
}
