import { closeSync, openSync, readSync } from "node:fs";
import { finding } from "../../core/finding.ts";
import { type JsonReading, readJson } from "../../core/read-json.ts";
import type { Value } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { decodeUtf8 } from "../../yaml/decode.ts";
import { FindingsError } from "../terminal/errors.ts";
import { statOf } from "./stat-of.ts";

/** No document that AWS reads, and no token, comes near to it. */
export const maxBytes = 1 << 20;

/** A problem with a file that the command line names. */
export function inputProblem(flag: string, path: string, problem: string): FindingsError {
  return new FindingsError([finding("error", "input-file-invalid", `The file ${quote(path)} of ${flag} ${problem}.`)]);
}

/**
 * The text of a file that the command line names.
 * @throws FindingsError where it cannot be read, is larger than 1 MiB, or is not UTF-8.
 */
export function readInputFile(flag: string, path: string): string {
  const found = statOf(path);
  if (found === undefined) throw inputProblem(flag, path, "is not there");
  if (found.isDirectory()) throw inputProblem(flag, path, "is a directory");
  const bytes = readSome(path);
  if (bytes === undefined) throw inputProblem(flag, path, "cannot be read");
  if (bytes.length > maxBytes) throw inputProblem(flag, path, `has more than ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw inputProblem(flag, path, "is not UTF-8");
  return text;
}

// One byte more than is taken, also of what has no end.
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

/** A document as an issuer publishes it: also what is wrong with it is an answer. */
export function readDocument(flag: string, path: string): JsonReading {
  return readJson(readInputFile(flag, path));
}

/** The output of a command as JSON. */
export function readJsonFile(flag: string, path: string): Value {
  const read = readDocument(flag, path);
  if ("problem" in read) throw inputProblem(flag, path, read.problem);
  return read.value;
}
