import { printable } from "../core/text.ts";

/** A check as people read it. */
export interface ShownCheck {
  readonly name: string;
  readonly status: "passed" | "failed" | "unknown" | "not reached";
  readonly detail: string;
  readonly cure?: string;
}

const marks = { passed: "passed", failed: "FAILED", unknown: "unknown", "not reached": "not reached" } as const;

const indent = " ".repeat(31);

/** A check's line, those that belong below it, and its cure. */
export function linesOf({ name, status, detail, cure }: ShownCheck, below: readonly string[] = []): string[] {
  return [
    tableLine(marks[status], name, detail),
    ...[...below, ...(cure === undefined ? [] : [`Cure: ${cure}.`])].map((text) => `${indent}${printable(text)}`),
  ];
}

/** A line of a table of checks. */
export function tableLine(mark: string, name: string, text: string): string {
  return `  ${mark.padEnd(11)}  ${name.padEnd(14)}  ${printable(text)}`;
}
