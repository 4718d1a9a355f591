import { FindingError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { safeLine } from "../../core/text.ts";
import { sortFindings, toLines, toResult } from "../../krm/results.ts";
import { isSystemError } from "../../krm/stdio.ts";
import { FindingsError, UsageError } from "./errors.ts";

/** Why a command has no answer. */
export interface Failure {
  /**
   * `usage`: the command line or the environment; `findings`: what was read; `stopped`: a person interrupted it; `internal`: a
   * defect of the program; else the system's code, such as `EACCES` or `ENOSPC`.
   */
  readonly code: string;
  /** For people, on standard error. */
  readonly lines: readonly string[];
  readonly findings: readonly ValueMap[];
}

/**
 * What an exception means.
 * @param help the command line that says how the command is used.
 */
export function failureOf(error: unknown, help = "ccf --help"): Failure {
  if (error instanceof FindingsError || error instanceof FindingError) {
    const findings = sortFindings(error instanceof FindingsError ? error.findings : [error.finding]);
    return { code: "findings", lines: toLines(findings), findings: findings.map(toResult) };
  }
  if (error instanceof UsageError) return usage(error.message, help);
  if (!(error instanceof Error)) return internal(new Error(String(error)));
  const code = "code" in error ? String(error.code) : "";
  if (error.name === "AbortError") return failed("stopped", "stopped; nothing was made.");
  if (isSystemError(error)) return failed(code, `${error.message}${cures[code] ?? ""}`);
  // Node's own limits and checks: a text that is too long, a path with a NUL.
  if (code.startsWith("ERR_")) return failed(code, error.message);
  return internal(error);
}

const cures: Readonly<Record<string, string>> = {
  EMFILE: '; raise the limit of open files, as with "ulimit -n 1024"',
  ENFILE: "; the machine has too many open files",
  ENOSPC: "; free some space, and run the command again",
  EACCES: "; change its permissions, or run as its owner",
  EROFS: "; write to another directory",
};

/** The same for a program, in the one form that every command has with `-o json`: schemas/failure.schema.json describes it. */
export function failureJson({ code, lines, findings }: Failure): ValueMap {
  return { error: { code, message: safeLine((lines[0] ?? "").replace(/^error: /, "")) }, findings };
}

/** Whether a command line asks for JSON, also where something else of it is wrong. */
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
  return { code: "usage", lines: [`error: ${message}.`, `Run "${help}".`], findings: [] };
}

function failed(code: string, message: string): Failure {
  return { code, lines: [`error: ${message}`], findings: [] };
}

// Lines that a report of the defect needs.
function internal(error: Error): Failure {
  const stack = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
  const head = `error: ${error.name}: ${error.message}`;
  return {
    code: "internal",
    lines: [head, "This is a defect of ccf. Please report it, with these lines:", ...stack],
    findings: [],
  };
}
