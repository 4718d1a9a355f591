import { readSync, writeSync } from "node:fs";
import { safeLine } from "../core/text.ts";
import type { KrmFunction } from "./function.ts";
import { maxBytes, runOnList } from "./run.ts";

/*
 * The only module that writes to standard output and standard error. It makes every line safe itself, so that no caller
 * can forget to. Lists, manifests and scripts are written verbatim: their writers escape what the formats allow.
 * tools/check-output.mjs refuses every other way to print.
 */

/** Runs functions on the ResourceList on standard input, writes the result, and returns the exit code. */
export function runOnStdio(functions: readonly KrmFunction[]): 0 | 1 {
  return withStreams(() => {
    const { stdout, stderr, exitCode } = runOnList(functions, readInput());
    const told = writeLines(2, stderr.split("\n").slice(0, -1));
    return writeContent(stdout) && told ? exitCode : 1;
  });
}

/** The exit code of what uses the standard streams: 1, and one line, if the system does not let it. */
export function withStreams(use: () => 0 | 1): 0 | 1 {
  try {
    return use();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    writeLines(2, [`error: ${error.message}`]);
    return 1;
  }
}

/**
 * Whether an error comes from the operating system: a file, a descriptor, a full disk. Its message contains the
 * unescaped path.
 */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** Reads standard input. Stops soon after the maximum size, so that the caller can refuse input that is too large. */
export function readInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  const size = 1 << 16;
  let chunk = Buffer.allocUnsafe(size);
  let [used, before] = [0, 0];
  for (;;) {
    const count = patiently(() => readSync(0, chunk, used, chunk.length - used, null));
    if (count === undefined || count === 0) break;
    used += count;
    if (before + used > maxBytes) break;
    if (used === chunk.length) {
      chunks.push(chunk);
      before += used;
      chunk = Buffer.allocUnsafe(Math.min(chunk.length * 2, 1 << 24));
      used = 0;
    }
  }
  chunks.push(chunk.subarray(0, used));
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/**
 * Writes complete lines, however slowly the other side reads. Text from the input cannot control a terminal or break a
 * line.
 * @param paint adds colors to a safe line.
 * @returns false if the other side stopped reading.
 */
export function writeLines(descriptor: 1 | 2, lines: readonly string[], paint = (line: string) => line): boolean {
  return writeAll(descriptor, lines.map((line) => `${paint(safeLine(line))}\n`).join(""));
}

/** Replaces the last line of the terminal behind standard error; "" removes it. */
export function writeStatus(text: string): void {
  // "EL" of ECMA-48 erases the rest of the line.
  writeAll(2, `\r${safeLine(text)}\u001b[K`);
}

/**
 * Writes a document to standard output verbatim, for programs, which need every character.
 * @returns false if the other side stopped reading.
 */
export function writeContent(text: string): boolean {
  return writeAll(1, text);
}

function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let offset = 0; offset < bytes.length; ) {
    const count = patiently(() => writeSync(descriptor, bytes, offset));
    if (count === undefined) return false;
    offset += count;
  }
  return true;
}

// A non-blocking pipe fails with EAGAIN while the other side is slow, and with EPIPE or ECONNRESET once that is gone.
// The end of input of a terminal or a Windows pipe is the error EOF.
function patiently(call: () => number): number | undefined {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE" || code === "EOF" || code === "ECONNRESET") return undefined;
      if (code !== "EAGAIN" && code !== "EINTR") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
