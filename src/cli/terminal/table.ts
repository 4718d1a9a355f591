import { printable, safeLine, withoutSecret } from "../../core/text.ts";

/** A value of a table: "" if there is none, and undefined if it is not known. */
export type Cell = string | number | undefined;

/** A table. Each row has as many cells as there are columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The columns that a terminal shows only with `-o wide`. */
  readonly wide?: ReadonlySet<string>;
}

/**
 * Lines with aligned columns under headers in upper case, as in kubectl: no cell is empty, so that a script can count them, and the
 * header of a label is the last part of its key.
 *
 * @param isWide whether to show the columns that are {@link Table.wide}, too.
 */
export function textTable({ columns, rows, wide = new Set() }: Table, isWide: boolean): string[] {
  const shownColumns = columns.flatMap((column, index) => (isWide || !wide.has(column) ? [index] : []));
  const headers = columns.map((column) => column.slice(column.lastIndexOf("/") + 1).toUpperCase());
  const lines = [headers, ...rows].map((cells) => shownColumns.map((index) => valueText(cells[index])));
  const widths = shownColumns.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? "").length)));
  return lines.map((cells) =>
    cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join(columnGap)
      .trimEnd(),
  );
}

const columnGap = "   ";

function valueText(cell: Cell): string {
  return cell === undefined ? "<unknown>" : shown(cell) || "<none>";
}

/** The lines of a table of Markdown. A text from the input is code, so that it is neither markup nor HTML. */
export function markdownTable({ columns, rows }: Table): string[] {
  const cellOf = (cell: Cell) => (typeof cell === "string" && cell !== "" ? code(cell) : shown(cell));
  return [
    row(columns),
    row(columns.map((_, index) => (typeof rows[0]?.[index] === "number" ? "---:" : "---"))),
    ...rows.map((cells) => row(cells.map(cellOf))),
  ];
}

/**
 * A document of comma-separated values (RFC 4180) with a header. Control characters are escaped, so a value is one line.
 *
 * A spreadsheet would execute a text that begins like a formula, so such a text gets an apostrophe in front (OWASP, "CSV
 * Injection"). A semicolon is quoted, too, because spreadsheets separate cells by it in some locales.
 */
export function csvDocument({ columns, rows }: Table): string {
  return [columns, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(cell: Cell): string {
  const text = shown(cell);
  const safe = typeof cell === "string" && /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function shown(cell: Cell): string {
  return safeLine(String(cell ?? ""));
}

/** A text from the input as code of Markdown in a table. It cannot be closed early: the fence is longer than any run of backticks. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${printable(withoutSecret(text)).replaceAll("|", "\\|")}${space}${fence}`;
}

/** A row of a table of Markdown. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

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
