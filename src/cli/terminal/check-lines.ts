import { printable } from "../../core/text.ts";

/** A check, as printed for people. */
export interface ShownCheck {
  readonly name: string;
  readonly status: "passed" | "failed" | "unknown" | "not reached";
  readonly detail: string;
  readonly cure?: string;
  /** The failed check that caused this failure. */
  readonly followsFrom?: string;
}

const marks = { passed: "passed", failed: "FAILED", unknown: "unknown", "not reached": "not reached" } as const;

const indent = " ".repeat(31);

/** A check's line, the lines below it, and its cure. */
export function linesOf(check: ShownCheck, below: readonly string[] = []): string[] {
  const { name, status, detail, cure, followsFrom } = check;
  const more = [
    ...below,
    ...(cure === undefined ? [] : [`Fix: ${cure}.`]),
    ...(followsFrom === undefined
      ? []
      : [`Follows from the failed check "${followsFrom}"; the cure for that check also fixes this.`]),
  ];
  return [
    tableLine(followsFrom === undefined ? marks[status] : "follows", name, detail),
    ...more.map((text) => `${indent}${printable(text)}`),
  ];
}

/** A line of a table of checks. */
export function tableLine(mark: string, name: string, text: string): string {
  return `  ${mark.padEnd(11)}  ${name.padEnd(14)}  ${printable(text)}`;
}
