import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import { finding } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { maxBytes } from "../../krm/run.ts";
import { readInput } from "../../krm/stdio.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * The bytes of a regular file, which a search found. Never waits, as the read of a pipe would.
 *
 * @throws FindingsError if it is not a regular file, or is larger than 48 MiB, the same limit as for standard input. System
 *   errors pass through.
 */
export function readBytes(path: string): Buffer {
  // A pipe opens at once. This is undefined on Windows, which has no such files.
  return readOpen(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0), (file, stat) => {
    if (stat.isDirectory()) return readFileSync(file);
    if (!stat.isFile()) throw notRegular(path);
    return stat.size > 0 ? readFileSync(file) : readEndless(file);
  });
}

/**
 * The bytes of a file named on the command line, which may be a pipe or a device: `/dev/stdin`, `<(command)`.
 *
 * @throws FindingsError if it is larger than 48 MiB. System errors pass through.
 */
export function readArgument(path: string): Buffer {
  return readOpen(path, constants.O_RDONLY, (file, stat) =>
    stat.isFile() && stat.size > 0 ? readFileSync(file) : readEndless(file),
  );
}

function readOpen(path: string, flags: number, read: (file: number, stat: Stats) => Buffer): Buffer {
  const file = openSync(path, flags);
  try {
    const stat = fstatSync(file);
    if (stat.size > maxBytes) throw tooLarge(quoteWhole(path));
    const bytes = read(file, stat);
    if (bytes.byteLength > maxBytes) throw tooLarge(quoteWhole(path));
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** The text of a regular file; bytes that are not UTF-8 are replaced, as Node does. */
export function readText(path: string): string {
  return readBytes(path).toString("utf8");
}

/** The bytes of standard input, with the same limit. */
export function readStandardInput(): Uint8Array {
  const bytes = readInput();
  if (bytes.byteLength > maxBytes) throw tooLarge("Standard input");
  return bytes;
}

// A pipe or a device has no known size, and may have no end.
function readEndless(file: number): Buffer {
  const chunks: Uint8Array[] = [];
  for (let used = 0; used <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const count = readSync(file, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    used += count;
  }
  return Buffer.concat(chunks);
}

function notRegular(path: string): FindingsError {
  const message = `${quoteWhole(path)} is not a regular file and was not read. Replace it with the file itself.`;
  return new FindingsError([finding("error", "file-unreadable", message)]);
}

function tooLarge(name: string): FindingsError {
  const message = `${name} has more than ${maxBytes} bytes (48 MiB) and was not read. Use a smaller file. If the file is in a package, add it to .krmignore.`;
  return new FindingsError([finding("error", "file-too-large", message)]);
}
