import { compareText, printable } from "../core/text.ts";
import type { DescribedDiff, DescribedIdentity } from "./described-diff.ts";
import type { Verdict } from "./diff.ts";
import { changeLines, definitionLines, firstOf, stepLines } from "./lines.ts";

/** Whether a comparison shows an identity: it changes, or it is unknown whether it does. */
export function isShown({ change, verdict }: Pick<DescribedIdentity, "change" | "verdict">): boolean {
  return change !== "none" || verdict === "unknown";
}

/** A comparison for a terminal. */
export function diffText(described: DescribedDiff): string[] {
  const { identities, roleDefinitions } = described;
  const changed = identities.filter(isShown);
  return [
    ...changed.flatMap((one) => [headline(one), ...firstOf(changeLines(one)).map((line) => `  ${line}`), ""]),
    `Verdict: ${overallVerdict(described)} (${counts(identities)}).`,
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
export function diffMarkdown(described: DescribedDiff): string[] {
  const { identities, roleDefinitions } = described;
  const changed = identities.filter(isShown);
  return [
    `## Permissions: ${overallVerdict(described)}`,
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

/** The heading of an identity: its change, its cloud, its names. */
export function headline(described: DescribedIdentity): string {
  const { cloud, identity, request } = described;
  return printable(`${outcome(described)}: ${cloud} ${identity}${request === "" ? "" : ` (${request})`}`);
}

// What is certain comes first: what could not be decided counts as a change, but is not known to be one.
function verdictWords(verdict: Verdict, certain: Verdict = verdict): string {
  if (certain === verdict) return verdict;
  return certain === "none" || certain === "unknown" ? `perhaps ${verdict}` : `${certain}, perhaps both`;
}

/** The verdict about all identities, for people. */
export function overallVerdict({ verdict, certain }: Pick<DescribedDiff, "verdict" | "certain">): string {
  return verdictWords(verdict, certain);
}

const outcomes: readonly string[] = ["new", "gone", "broadened", "narrowed", "both", "moved", "unknown"];

function outcome({ change, verdict, certain }: DescribedIdentity): string {
  if (verdict === "unknown") return verdict;
  if (change !== "changed") return change;
  return verdict === "none" ? "moved" : verdictWords(verdict, certain);
}

/** The number of identities by outcome. */
export function counts(identities: readonly DescribedIdentity[]): string {
  const all = identities.map(outcome).filter((text) => text !== "none");
  const rank = (text: string) => (outcomes.includes(text) ? outcomes.indexOf(text) : outcomes.length);
  const words = [...new Set(all)].sort((a, b) => rank(a) - rank(b) || compareText(a, b));
  return [
    ...words.map((word) => `${all.filter((each) => each === word).length} ${word}`),
    `${identities.length - all.length} unchanged`,
  ].join(", ");
}
