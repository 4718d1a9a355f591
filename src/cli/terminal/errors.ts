import type { Finding } from "../../core/finding.ts";

/** The command line was wrong: said with a pointer to `--help`, exit 1. */
export class UsageError extends Error {}

/** The command could not do its work, for reasons that are findings: exit 1. */
export class FindingsError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super("findings");
    this.findings = findings;
  }
}
