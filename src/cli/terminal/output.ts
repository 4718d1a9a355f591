import { fstatSync } from "node:fs";
import type { Finding } from "../../core/finding.ts";
import { compactJson, prettyJson } from "../../core/json.ts";
import { isMap, type Value } from "../../core/resource.ts";
import { printable, withoutSecrets } from "../../core/text.ts";
import { toLines } from "../../krm/results.ts";
import { writeContent, writeLines } from "../../krm/stdio.ts";
import { diagnosticLines } from "./diagnostics.ts";
import type { Failure } from "./errors.ts";

/** Writes lines to standard output (1) or standard error (2); escapes terminal control characters and line breaks. */
export function write(descriptor: 1 | 2, lines: readonly string[]): void {
  // An invalid command line points to the help.
  if (descriptor === 2) hasFindings ||= lines.some((line) => isFinding(line) && !line.endsWith(" [usage]"));
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

let isVerbose = false;

/** Sets whether the command prints findings with the severity `info`: `--verbose`. */
export function beVerbose(verbose: boolean): void {
  isVerbose = verbose;
}

/** Whether a finding is printed: a note only with `--verbose`, and never with `--quiet`. */
export function isPrinted({ severity }: Finding): boolean {
  return severity !== "info" || (isVerbose && !isQuiet);
}

/** Writes what the command did or is doing, unless `--quiet` is set. */
export function writeNotes(descriptor: 1 | 2, lines: readonly string[]): void {
  if (!isQuiet) descriptor === 1 ? writeChanges(lines) : write(2, lines);
}

/** Writes findings to standard error: those that {@link isPrinted} says. */
export function writeFindings(findings: readonly Finding[]): void {
  write(2, findingLines(findings.filter(isPrinted)));
}

/** Findings as lines for standard error: a line each in a pipe, and in a form for people on a terminal. */
export function findingLines(findings: readonly Finding[]): string[] {
  return isTerminal(2) ? diagnosticLines(findings, process.stderr.columns ?? 80) : toLines(findings);
}

/** The lines for standard error about a failure. */
export function failureLines({ findings, lines }: Failure): readonly string[] {
  return findings.length > 0 ? findingLines(findings) : lines;
}

let hasFindings = false;

/** Whether a line shows an error or a warning with its code. */
export function isFinding(line: string): boolean {
  return /^(?:error|warning)(?:: .* \[[a-z\d-]+\]$|\[[a-z\d-]+\]: )/.test(line);
}

/** Writes how to look up the codes, if findings were written to a terminal without `--quiet`. */
export function writeHint(): void {
  if (hasFindings && !isQuiet && isTerminal(2)) write(2, ["For the cause and the fix: ccf explain-finding CODE"]);
  hasFindings = false;
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

const [red, green, yellow, cyan] = [31, 32, 33, 36];

const severities: Readonly<Record<string, number>> = { error: red, warning: yellow, info: cyan };

/** A finding's line with its severity in color. */
export function paintSeverity(line: string): string {
  return line.replace(/^(error|warning|info)(?:\[[a-z\d-]+\])?:/, (prefix, severity) =>
    inColor(severities[severity], prefix),
  );
}

const changes: Readonly<Record<string, number>> = {
  ...{ added: green, changed: yellow, removed: red },
  ...{ "+": green, "~": yellow, "-": red },
};

/** The line of a changed file or permission, in the color of the change. */
export function paintChange(line: string): string {
  return line.replace(/^(?: {2}([+~-])|(added|changed|removed) ) .*$/, (all, mark, word) =>
    inColor(changes[mark ?? word], all),
  );
}

// SGR codes (ECMA-48).
function inColor(color: number | undefined, text: string): string {
  return `\u001b[${color}m${text}\u001b[0m`;
}

/** Whether a stream shows colors: terminals do, unless `TERM=dumb` or NO_COLOR is set (https://no-color.org). */
function hasColors(descriptor: 1 | 2): boolean {
  const { NO_COLOR = "", TERM } = process.env;
  return NO_COLOR === "" && TERM !== "dumb" && isTerminal(descriptor);
}

/**
 * The columns that text for reading may use on standard output: those of the terminal, but no more than a line that is still easy to
 * read has. A file gets the most.
 */
export function outputWidth(): number {
  return isTerminal(1) ? Math.min(process.stdout.columns ?? 80, maxWidth) : maxWidth;
}

const maxWidth = 120;

// Check the descriptor first, because Node's module for terminals loads streams and sockets.
/** Whether a stream is a terminal. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}
