import type { Finding } from "../../core/finding.ts";
import { compactJson, prettyJson } from "../../core/json.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { printable, withoutSecrets } from "../../core/text.ts";
import { toLines } from "../../krm/results.ts";
import { writeContent, writeLines } from "../../krm/stdio.ts";
import { hasColors, paintChange, paintSeverity } from "./colors.ts";

/** Writes lines to standard output (1) or standard error (2); escapes terminal control characters and line breaks. */
export function write(descriptor: 1 | 2, lines: readonly string[]): void {
  writeLines(descriptor, lines, descriptor === 2 && hasColors(2) ? paintSeverity : undefined);
}

/** Writes the lines about changed files or permissions to standard output. */
export function writeChanges(lines: readonly string[]): void {
  writeLines(1, lines, hasColors(1) ? paintChange : undefined);
}

let isQuiet = false;

/** Sets whether the command omits notes and everything else that was not requested: `--quiet`. */
export function beQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** Writes what the command did or is doing, unless `--quiet` is set. */
export function writeNotes(descriptor: 1 | 2, lines: readonly string[]): void {
  if (!isQuiet) descriptor === 1 ? writeChanges(lines) : write(2, lines);
}

/** Writes findings to standard error, a line each. With `--quiet`, omits those with the severity `info`. */
export function writeFindings(findings: readonly Finding[]): void {
  write(2, toLines(isQuiet ? findings.filter(({ severity }) => severity !== "info") : findings));
}

/**
 * Writes a value as JSON to standard output. Private keys and tokens are removed. All other strings are unchanged for a
 * JSON parser: terminal control characters are written as JSON escapes.
 */
export function writeJson(value: Value): void {
  // `prettyJson` leaves only characters of the basic plane, where `printable` writes the same escapes as JSON.
  writeContent(`${prettyJson(harmless(value)).split("\n").map(printable).join("\n")}\n`);
}

/** Writes values as {@link writeJson} does, each on one line. */
export function writeJsonLines(values: readonly Value[]): void {
  for (const value of values) writeContent(`${printable(compactJson(harmless(value)))}\n`);
}

/** Writes a document to standard output verbatim. Its writer has escaped it. */
export function writeDocument(text: string): void {
  writeContent(text);
}

function harmless(value: Value): Value {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(entries.map(([key, child]) => [withoutSecrets(key), harmless(child)]));
}
