import { closeSync, openSync, readSync } from "node:fs";
import { finding } from "../../core/finding.ts";
import { type JsonReading, readJson } from "../../core/json.ts";
import type { Value } from "../../core/resource.ts";
import { decodeUtf8, quote } from "../../core/text.ts";
import { FindingsError } from "../terminal/errors.ts";
import { statOf } from "./paths.ts";

/** Far above the size of any token or document that AWS reads. */
export const maxBytes = 1 << 20;

/** A finding about a file named on the command line. */
export function inputProblem(flag: string, path: string, problem: string): FindingsError {
  return new FindingsError([finding("error", "input-file-invalid", `The file ${quote(path)} of ${flag} ${problem}.`)]);
}

/**
 * Reads the text of a file named on the command line.
 * @throws FindingsError if the file cannot be read, is larger than 1 MiB, or is not UTF-8.
 */
export function readInputFile(flag: string, path: string): string {
  const found = statOf(path);
  if (found === undefined) throw inputProblem(flag, path, "does not exist");
  if (found.isDirectory()) throw inputProblem(flag, path, "is a directory");
  const bytes = readSome(path);
  if (bytes === undefined) throw inputProblem(flag, path, "cannot be read");
  if (bytes.length > maxBytes) throw inputProblem(flag, path, `has more than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw inputProblem(flag, path, "is not UTF-8");
  return text;
}

// Reads at most one byte more than the limit, because a pipe or a device may have no end.
function readSome(path: string): Buffer | undefined {
  const buffer = Buffer.alloc(maxBytes + 1);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let used = 0;
    for (let count = -1; count !== 0 && used < buffer.length; used += count)
      count = readSync(file, buffer, used, buffer.length - used, null);
    return buffer.subarray(0, used);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads a document that an issuer publishes. A syntax problem is a result, not an error. */
export function readDocument(flag: string, path: string): JsonReading {
  return readJson(readInputFile(flag, path));
}

/** Reads the JSON output of another command. */
export function readJsonFile(flag: string, path: string): Value {
  const read = readDocument(flag, path);
  if ("problem" in read) throw inputProblem(flag, path, read.problem);
  return read.value;
}
