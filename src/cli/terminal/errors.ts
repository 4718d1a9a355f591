import { type Finding, hasError } from "../../core/finding.ts";

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
