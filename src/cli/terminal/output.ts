import { prettyJson } from "../../core/json.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { printable, withoutSecrets } from "../../core/text.ts";
import { writeContent, writeLines } from "../../krm/stdio.ts";

/** Writes lines to standard output (1) or standard error (2); what could act on a terminal or break a line is escaped. */
export function write(descriptor: 1 | 2, lines: readonly string[]): void {
  writeLines(descriptor, lines);
}

/**
 * Writes a value as JSON to standard output. Its strings stay what they are for whoever parses it, but for private keys and
 * tokens; what a terminal could act on is written as JSON's own escapes.
 */
export function writeJson(value: Value): void {
  // What `prettyJson` leaves is of the basic plane, where both escape alike.
  writeContent(`${prettyJson(harmless(value)).split("\n").map(printable).join("\n")}\n`);
}

function harmless(value: Value): Value {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [withoutSecrets(key), harmless(one)]));
}
