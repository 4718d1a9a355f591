import { type Finding, type FindingCode, FindingError, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { safeLine } from "../../core/text.ts";
import { sortFindings, toLines, toResult } from "../../krm/results.ts";
import { isSystemError } from "../../krm/stdio.ts";

/** An invalid command line or environment: reported with a pointer to `--help`; exit code 1. */
export class UsageError extends Error {}

/** Findings that prevent the command from doing its work; exit code 1. */
export class FindingsError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super("findings");
    this.findings = findings;
  }
}

/** @throws FindingsError with the errors among findings, if there are any. */
export function throwErrors(findings: readonly Finding[]): void {
  if (hasError(findings)) throw new FindingsError(findings.filter(({ severity }) => severity === "error"));
}

/** Findings for a command that needs every file of a directory: a skipped file is an error. */
export function skippedAsErrors(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((one) => (one.code === "file-skipped" ? { ...one, severity: "error" } : one));
}

/** Why a command failed. */
export interface Failure {
  /**
   * `usage`: the command line or the environment; `findings`: the input; `stopped`: the user interrupted the command;
   * `internal`: a bug in the program; otherwise the system's code, such as `EACCES` or `ENOSPC`.
   */
  readonly code: string;
  /** What is wrong, as in JSON. */
  readonly message: string;
  /**
   * The lines for standard error, in a pipe if there are findings; the first one ends with the code of a finding.
   */
  readonly lines: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Converts an exception to a failure.
 * @param help the command line that prints the help.
 */
export function failureOf(error: unknown, help = "ccf --help"): Failure {
  if (error instanceof FindingsError || error instanceof FindingError) {
    const findings = sortFindings(error instanceof FindingsError ? error.findings : [error.finding]);
    const lines = toLines(findings);
    const message = (lines[0] ?? "").replace(/^error: /, "");
    return { code: "findings", message, lines, findings };
  }
  if (error instanceof UsageError) return usage(error.message, help);
  if (!(error instanceof Error)) return internal(new Error(String(error)));
  const code = "code" in error ? String(error.code) : "";
  if (error.name === "AbortError") return failed("stopped", "stopped; nothing was created.", "stopped");
  if (isSystemError(error)) return failed(code, `${error.message}${systemErrorCure(code) ?? ""}`);
  // Node's own limits and checks, for example a string that is too long or a path with a NUL character.
  if (code.startsWith("ERR_")) return failed(code, error.message);
  return internal(error);
}

const cures: Readonly<Record<string, string>> = {
  EMFILE: '; raise the limit of open files, for example with "ulimit -n 1024"',
  ENFILE: "; close some programs, because the system has too many open files",
  ENOSPC: "; free some disk space, and run the command again",
  EACCES: "; change its permissions, or run the command as its owner",
  EROFS: "; write to another directory",
};

/** What to do about a system error, as the end of a sentence about it: "; free some disk space, ...". */
export function systemErrorCure(code: string): string | undefined {
  return cures[code];
}

/** A failure for programs, the same for every command with `-o json`; see schemas/failure.schema.json. */
export function failureJson({ code, message, findings }: Failure): ValueMap {
  return { error: { code, message: safeLine(message) }, findings: findings.map(toResult) };
}

/** Whether a command line requests JSON. The rest of the command line may be invalid. */
export function asksForJson(args: readonly string[]): boolean {
  const stop = args.indexOf("--");
  const flags = stop === -1 ? args : args.slice(0, stop);
  const forms = flags.flatMap((arg, index) => {
    if (arg === "-o" || arg === "--output") return flags.slice(index + 1, index + 2);
    const joined = /^(?:-o|--output=)(.+)$/s.exec(arg);
    return joined === null ? [] : [joined[1]];
  });
  return forms.at(-1) === "json";
}

function usage(message: string, help: string): Failure {
  const failure = failed("usage", `${message}.`, "usage");
  return { ...failure, lines: [...failure.lines, `Run "${help}".`] };
}

function failed(code: string, message: string, finding: FindingCode = "system-error"): Failure {
  return { code, message, lines: [`error: ${message} [${finding}]`], findings: [] };
}

// Includes the lines that a bug report needs.
function internal(error: Error): Failure {
  const stack = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
  const failure = failed("internal", `${error.name}: ${error.message}`, "internal-error");
  return {
    ...failure,
    lines: [...failure.lines, "This is a bug in ccf. Please report it and include these lines:", ...stack],
  };
}
