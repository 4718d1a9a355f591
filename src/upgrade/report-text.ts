import type { PermissionsReport } from "./described-diff.ts";
import { changeLines, counts, definitionLines, firstOf, headline, overallVerdict, stepLines } from "./lines.ts";

/** A comparison for a terminal. */
export function reportText(report: PermissionsReport): string[] {
  const { identities, roleDefinitions } = report;
  const changed = identities.filter(({ change }) => change !== "none");
  return [
    ...changed.flatMap((one) => [headline(one), ...firstOf(changeLines(one)).map((line) => `  ${line}`), ""]),
    `Verdict: ${overallVerdict(report)} (${counts(identities)}).`,
    ...definitionLines(roleDefinitions),
    ...textSteps("Before the upgrade", stepLines(identities, "before")),
    ...textSteps("With the upgrade", stepLines(identities, "with")),
    ...textSteps("Only after the upgrade", stepLines(identities, "after")),
  ];
}

function textSteps(when: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : ["", `${when}:`, ...list.map((step) => `  ${step}`)];
}

/** A comparison for a pull request. Text from the input appears only in code, so that it cannot become a link or a mention. */
export function reportMarkdown(report: PermissionsReport): string[] {
  const { identities, roleDefinitions } = report;
  const changed = identities.filter(({ change }) => change !== "none");
  return [
    `## Permissions: ${overallVerdict(report)}`,
    "",
    `${counts(identities)}.`,
    "",
    ...definitionLines(roleDefinitions).flatMap((line) => [code(line), ""]),
    ...changed.flatMap((one) => [`### ${code(headline(one))}`, "", ...block(firstOf(changeLines(one)))]),
    ...markdownSteps("Before the upgrade", stepLines(identities, "before")),
    ...markdownSteps("With the upgrade", stepLines(identities, "with")),
    ...markdownSteps("Only after the upgrade", stepLines(identities, "after")),
  ].slice(0, -1);
}

function markdownSteps(when: string, list: readonly string[]): string[] {
  if (list.length === 0) return [];
  return [`**${when}**`, "", ...list.map((step) => `- ${code(step)}`), ""];
}

// CommonMark: a fence, or a code span, ends with as many backticks as it began with.
/** Lines of a difference as a block of Markdown. */
export function block(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [`${fence}diff`, ...lines, fence, ""];
}

/** A text as code of Markdown. */
export function code(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const space = /^[` ]|[` ]$/.test(text) ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
