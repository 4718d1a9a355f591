import type { Finding } from "../../core/finding.ts";
import { prettyJson } from "../../core/json.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { printable, withoutSecrets } from "../../core/text.ts";
import { toLines } from "../../krm/results.ts";
import { writeContent, writeLines } from "../../krm/stdio.ts";
import { hasColors, paintChange, paintSeverity } from "./colors.ts";

/** Writes lines to standard output (1) or standard error (2); what could act on a terminal or break a line is escaped. */
export function write(descriptor: 1 | 2, lines: readonly string[]): void {
  writeLines(descriptor, lines, descriptor === 2 && hasColors(2) ? paintSeverity : undefined);
}

/** Writes what becomes of files or permissions to standard output, a line each. */
export function writeChanges(lines: readonly string[]): void {
  writeLines(1, lines, hasColors(1) ? paintChange : undefined);
}

let isQuiet = false;

/** Says whether the command that runs leaves out what is neither wrong nor asked for: `--quiet`. */
export function beQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** Writes what the command did, or is doing, unless it is to be quiet. */
export function writeNotes(descriptor: 1 | 2, lines: readonly string[]): void {
  if (!isQuiet) descriptor === 1 ? writeChanges(lines) : write(2, lines);
}

/** Writes findings to standard error, a line each; those that are only information not where it is to be quiet. */
export function writeFindings(findings: readonly Finding[]): void {
  write(2, toLines(isQuiet ? findings.filter(({ severity }) => severity !== "info") : findings));
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
