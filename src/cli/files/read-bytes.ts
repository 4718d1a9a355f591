import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { finding } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { maxBytes } from "../../krm/run.ts";
import { readInput } from "../../krm/stdio.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * The bytes of a file.
 * @throws FindingsError if the file is larger than 48 MiB, the same limit as for standard input. System errors pass
 *   through.
 */
export function readBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const stat = fstatSync(file);
    if (stat.size > maxBytes) throw tooLarge(quoteWhole(path));
    const bytes = stat.isFile() && stat.size > 0 ? readFileSync(file) : readEndless(file);
    if (bytes.byteLength > maxBytes) throw tooLarge(quoteWhole(path));
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** The text of a file; bytes that are not UTF-8 are replaced, as Node does. */
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

function tooLarge(name: string): FindingsError {
  const message = `${name} has more than ${maxBytes} bytes (48 MiB) and was not read. Use a smaller file. If the file is in a package, add it to .krmignore.`;
  return new FindingsError([finding("error", "file-too-large", message)]);
}
