import { printable } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { Verdict } from "./diff.ts";
import { type ChangedIdentity, type ChangeGroup, type ComparedPackage, changeGroups } from "./fleet-groups.ts";
import { definitionLines, firstOf, overallVerdict } from "./lines.ts";
import { block, code } from "./report-text.ts";

/** A comparison of two fleets. */
export interface FleetReport {
  readonly verdict: Verdict;
  /** The verdict about what could be decided. */
  readonly certain: Verdict;
  /** Those that could be compared, sorted by path. */
  readonly packages: readonly ComparedPackage[];
  /** The paths of those that could not. */
  readonly failed: readonly string[];
}

/** How many packages a line names. */
const maxInLine = 5;

/** A comparison of two fleets for a terminal. */
export function fleetText(report: FleetReport): string[] {
  const { packages } = report;
  return [
    ...changeGroups(packages).flatMap(groupText),
    ...onlyOn(packages, "new").map((one) => `new: ${one.package} (${identitiesIn(one)})`),
    ...onlyOn(packages, "removed").map((one) => `removed: ${one.package} (${identitiesIn(one)})`),
    `Verdict: ${overallVerdict(report)}.`,
    ...definitionLines(definitionsIn(packages)),
  ];
}

function groupText({ packages, identities }: ChangeGroup): string[] {
  const name = `${clusters(packages.length)} (${printable(listed(packages, maxInLine))}):`;
  const lines = identities.flatMap(({ name: identity, kind, lines }) => {
    const start = printable(kind === "" ? identity : `${identity} (${kind})`);
    return lines.length === 0 ? [start] : firstOf(lines).map((line) => `${start} ${line}`);
  });
  return lines.length === 1 ? [`${name} ${lines[0]}`] : [name, ...lines.map((line) => `  ${line}`)];
}

function onlyOn(packages: readonly ComparedPackage[], side: ComparedPackage["side"]): ComparedPackage[] {
  return packages.filter((one) => one.side === side);
}

function clusters(count: number): string {
  return count === 1 ? "1 cluster" : `${count} clusters`;
}

function identitiesIn({ report: { identities } }: ComparedPackage): string {
  return identities.length === 1 ? "1 identity" : `${identities.length} identities`;
}

function definitionsIn(packages: readonly ComparedPackage[]) {
  const all = packages.flatMap(({ report }) => report.roleDefinitions ?? []);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** GitHub refuses a comment of more than 65,536 characters; GitLab's limit is higher. A workflow adds its own text. */
const maxMarkdown = 60_000;

/** How many packages a folded list names. */
const maxFolded = 200;

/**
 * A comparison of two fleets for a comment on a pull request: the groups first, their clusters folded. It has at most
 * {@link maxMarkdown} characters. Text from the input appears only in code.
 */
export function fleetMarkdown(report: FleetReport): string[] {
  const { packages, failed } = report;
  const groups = changeGroups(packages);
  const head = [
    `## Permissions: ${overallVerdict(report)}`,
    "",
    `${clusters(packages.length + failed.length)}${counted(packages)}.`,
    "",
    ...about("Not compared, because of an error", failed),
    ...about(
      "New",
      onlyOn(packages, "new").map(({ package: path }) => path),
    ),
    ...about(
      "Removed",
      onlyOn(packages, "removed").map(({ package: path }) => path),
    ),
    ...definitionLines(definitionsIn(packages)).flatMap((line) => [code(line), ""]),
  ];
  const shown: string[] = [];
  let length = lengthOf(head);
  for (const [index, group] of groups.entries()) {
    const lines = groupMarkdown(group);
    length += lengthOf(lines);
    if (length > maxMarkdown) {
      const left = groups.length - index;
      shown.push(`**Too long for a comment:** ${left} of ${groups.length} groups of changes are not shown.`, "");
      break;
    }
    shown.push(...lines);
  }
  return [...head, ...shown].slice(0, -1);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function counted(packages: readonly ComparedPackage[]): string {
  const both = onlyOn(packages, "both");
  const changed = both.filter(({ report }) => report.identities.some(({ change }) => change !== "none")).length;
  const counts = [
    [changed, "changed"],
    [both.length - changed, "unchanged"],
    [onlyOn(packages, "new").length, "new"],
    [onlyOn(packages, "removed").length, "removed"],
  ] as const;
  const texts = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  return texts.length === 0 ? "" : `: ${texts.join(", ")}`;
}

function about(what: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`**${what}:** ${names(paths)}`, ""];
}

function names(paths: readonly string[]): string {
  return listed(
    paths.map((path) => code(printable(path))),
    maxFolded,
  );
}

function groupMarkdown({ packages, identities }: ChangeGroup): string[] {
  const folded = ["<details><summary>Which</summary>", "", names(packages), "", "</details>", ""];
  return [
    packages.length === 1 ? `### ${names(packages)}` : `### ${clusters(packages.length)}`,
    "",
    ...(packages.length === 1 ? [] : folded),
    ...block(identities.flatMap(identityLines)),
  ];
}

// A forge shows such a line of a difference as a heading.
function identityLines({ name, kind, lines }: ChangedIdentity): string[] {
  return [`@@ ${printable(name)}${kind === "" ? "" : ` (${kind})`} @@`, ...firstOf(lines)];
}
