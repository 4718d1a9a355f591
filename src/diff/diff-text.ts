import { allByKey } from "../core/resource.ts";
import { compareText, printable } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { DescribedDiff, DescribedIdentity } from "./described-diff.ts";
import type { Verdict } from "./diff.ts";
import { changeLines, compacted, definitionLines, firstOf, stepLines, valueLine } from "./lines.ts";
import { type Part, parts } from "./values.ts";

/** Whether a comparison shows an identity: it changes, or it is unknown whether it does. */
export function isShown({ change, verdict }: Pick<DescribedIdentity, "change" | "verdict">): boolean {
  return change !== "none" || verdict === "unknown";
}

/** A part of a comparison: changes of one kind, or those of identities. */
export interface Section {
  /** The names of the identities; empty for other parts. */
  readonly keys: readonly string[];
  readonly title: string;
  readonly lines: readonly string[];
}

const titles: Readonly<Record<Part, string>> = {
  issuer: "Cluster and issuer",
  identities: "Other files of identities",
  manifests: "Objects for the cluster",
  review: "Review",
  configuration: "Configuration",
};

/**
 * What differs, in the order in which every format shows it. A part without a difference is missing. Identities with the same
 * differences are one section.
 */
export function sectionsOf(described: DescribedDiff): Section[] {
  const others = valueSections(described);
  return parts.flatMap((part) => [
    ...(part === "identities" ? identitySections(described.identities.filter(isShown)) : []),
    ...others
      .filter((one) => one.part === part)
      .map(({ title, lines }) => ({ keys: [], title, lines: firstOf(lines) })),
  ]);
}

/** What differs outside of identities, part by part. */
export function valueSections({ changes = [] }: Pick<DescribedDiff, "changes">) {
  return parts.flatMap((part) => {
    const lines = changes.filter((change) => change.part === part).map((change) => printable(valueLine(change)));
    return lines.length === 0 ? [] : [{ part, title: titles[part], lines }];
  });
}

/** How many identities a title names. */
const maxNamed = 40;

function identitySections(identities: readonly DescribedIdentity[]): Section[] {
  const same = allByKey(
    identities.map((one) => ({ one, lines: firstOf(changeLines(one)) })),
    ({ one, lines }) => JSON.stringify([outcome(one), one.cloud, lines]),
  );
  return [...same.values()].map((all) => {
    const [first] = all;
    const names = all.map(({ one }) => nameOf(one));
    const title = first === undefined ? "" : `${outcome(first.one)}: ${first.one.cloud} ${listed(names, maxNamed)}`;
    return { keys: all.map(({ one }) => one.identity), title: printable(title), lines: first?.lines ?? [] };
  });
}

/** A comparison for a terminal. */
export function diffText(described: DescribedDiff): string[] {
  const { identities, roleDefinitions } = described;
  const sections = sectionsOf(described);
  return [
    ...sections.flatMap(({ title, lines }) => [title, ...compacted(lines).map((line) => `  ${line}`), ""]),
    verdictSentence(described, sections.length === 0 && described.verdict === "none", counts(identities)),
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
  return [
    `## ${changesHeading(described)}`,
    "",
    `${counts(identities)}.`,
    "",
    ...definitionLines(roleDefinitions).flatMap((line) => [code(line), ""]),
    ...sectionsOf(described).flatMap(({ title, lines }) => [`### ${code(title)}`, "", ...block(lines)]),
    ...markdownSteps("Before the upgrade", stepLines(identities, "before")),
    ...markdownSteps("With the upgrade", stepLines(identities, "with")),
    ...markdownSteps("Only after the upgrade", stepLines(identities, "after")),
  ].slice(0, -1);
}

/** The heading of a comparison: its verdict, and what was compared if that is not everything. */
export function changesHeading(described: Pick<DescribedDiff, "verdict" | "certain" | "only">): string {
  return `Changes${described.only === undefined ? "" : ` (${described.only} only)`}: ${overallVerdict(described)}`;
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

/** The name of an identity, with that of its request. */
function nameOf({ identity, request }: DescribedIdentity): string {
  return `${identity}${request === "" ? "" : ` (${request})`}`;
}

/** A verdict for people: "both" would be a word alone. */
function wordOf(verdict: Verdict): string {
  return verdict === "both" ? bothWays : verdict;
}

const bothWays = "broadened and narrowed";

// What is certain comes first: what could not be decided counts as a change, but is not known to be one.
function verdictWords(verdict: Verdict, certain: Verdict = verdict): string {
  if (certain === verdict) return wordOf(verdict);
  return certain === "none" || certain === "unknown" ? `perhaps ${wordOf(verdict)}` : `${certain}, perhaps ${bothWays}`;
}

/** The verdict about all identities, for people. */
export function overallVerdict({ verdict, certain }: Pick<DescribedDiff, "verdict" | "certain">): string {
  return verdictWords(verdict, certain);
}

/**
 * The verdict as a sentence.
 *
 * @param isSame whether nothing differs at all.
 * @param counted how many identities changed, and how.
 */
export function verdictSentence(
  { verdict, certain, only }: Pick<DescribedDiff, "verdict" | "certain" | "only">,
  isSame: boolean,
  counted?: string,
): string {
  if (isSame) return `No changes${only === undefined ? "" : ` of ${only}`}.`;
  const of = only === undefined ? "" : `, ${only} only`;
  return `Verdict${of}: ${verdictWords(verdict, certain)}${counted === undefined ? "" : ` (${counted})`}.`;
}

const outcomes: readonly string[] = ["new", "gone", "broadened", "narrowed", bothWays, "moved", "unknown"];

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
    ...(identities.length > all.length || all.length === 0 ? [`${identities.length - all.length} unchanged`] : []),
  ].join(", ");
}
