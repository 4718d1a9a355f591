import { readSync, writeSync } from "node:fs";
import type { KrmFunction } from "./function.ts";
import { runOnList } from "./run.ts";

/** Runs functions on the ResourceList on standard input, and writes what they make of it; the exit code. */
export function runOnStdio(functions: readonly KrmFunction[]): 0 | 1 {
  const { stdout, stderr, exitCode } = runOnList(functions, readInput());
  return writeOutput(stdout, stderr) ? exitCode : 1;
}

/** Reads all of standard input. */
export function readInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  const size = 1 << 16;
  let chunk = Buffer.allocUnsafe(size);
  let used = 0;
  for (;;) {
    const count = patiently(() => readSync(0, chunk, used, chunk.length - used, null));
    if (count === undefined || count === 0) break;
    used += count;
    if (used === chunk.length) {
      chunks.push(chunk);
      chunk = Buffer.allocUnsafe(Math.min(chunk.length * 2, 1 << 24));
      used = 0;
    }
  }
  chunks.push(chunk.subarray(0, used));
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/**
 * Writes standard error, then standard output, whole, however slowly the other side reads.
 * @returns false where the other side stopped reading.
 */
function writeOutput(stdout: string, stderr: string): boolean {
  const told = writeAll(2, stderr);
  return writeAll(1, stdout) && told;
}

/** Writes a text whole; false where the other side stopped reading. */
export function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let offset = 0; offset < bytes.length; ) {
    const count = patiently(() => writeSync(descriptor, bytes, offset));
    if (count === undefined) return false;
    offset += count;
  }
  return true;
}

// A pipe that does not block says "again" while the other side is slow; one whose other side has gone says so. The end
// of a terminal's or a Windows pipe's input is an error of its own.
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
