import { printable, withoutSecret } from "../../core/text.ts";

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
