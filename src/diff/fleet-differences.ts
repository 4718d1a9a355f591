import { allByKey } from "../core/resource.ts";
import { compareText, printable } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { DescribedDiff, DescribedIdentity } from "./described-diff.ts";
import type { Verdict } from "./diff.ts";
import { block, code, isShown, overallVerdict } from "./diff-text.ts";
import { changeLines, definitionLines, firstOf } from "./lines.ts";

/** A package of a fleet that was compared. */
export interface ComparedPackage {
  /** Its path. */
  readonly package: string;
  /** Whether only one side has the package; its identities are then new or gone. */
  readonly side: "both" | "new" | "removed";
  readonly diff: DescribedDiff;
  /** What is its own: its account, its region, its name. Texts that differ only there are the same change. */
  readonly names: ReadonlyMap<string, string>;
}

/** Changes that the same packages have. */
export interface ChangeGroup {
  /** Their paths, sorted. */
  readonly packages: readonly string[];
  readonly identities: readonly ChangedIdentity[];
}

/** What changes in an identity. */
interface ChangedIdentity {
  /** `<secret namespace>/<secret name>`, and the cloud if packages of several clouds change. */
  readonly name: string;
  /** "": an identity of both sides; "unknown": nothing states whether a side has its request. */
  readonly kind: "" | "new" | "gone" | "unknown";
  /** One a line, as in the comparison of one package; a name such as `{account}` is the one of each package. */
  readonly lines: readonly string[];
}

interface Change {
  readonly cloud: string;
  readonly identity: string;
  readonly kind: ChangedIdentity["kind"];
  readonly line: string;
  /** The line of each package. */
  readonly texts: Map<string, string>;
}

/**
 * Groups the changes of the packages that both sides have: each distinct change is in one group, that of the packages that have
 * it. The groups of most packages come first.
 */
export function changeGroups(all: readonly ComparedPackage[]): ChangeGroup[] {
  const changes = new Map<string, Change>();
  for (const { package: path, side, diff, names } of all) {
    if (side !== "both") continue;
    const generalize = generalizer(names);
    for (const one of diff.identities) {
      if (!isShown(one)) continue;
      for (const text of linesOf(one)) {
        const { cloud, identity } = one;
        const [kind, line] = [kindOf(one), generalize(text)];
        const key = JSON.stringify([cloud, identity, kind, line]);
        const change = changes.get(key) ?? { cloud, identity, kind, line, texts: new Map<string, string>() };
        change.texts.set(path, text);
        changes.set(key, change);
      }
    }
  }
  const groups = allByKey([...changes.values()], ({ texts }) => JSON.stringify([...texts.keys()].sort(compareText)));
  const isOfOneCloud = new Set([...changes.values()].map(({ cloud }) => cloud)).size < 2;
  return [...groups.values()]
    .map((some) => ({
      packages: [...(some[0]?.texts.keys() ?? [])].sort(compareText),
      identities: identitiesOf(some, isOfOneCloud),
    }))
    .sort((a, b) => b.packages.length - a.packages.length || compareText(a.packages[0] ?? "", b.packages[0] ?? ""));
}

// An identity that only moved has no line of its own.
function linesOf(described: DescribedIdentity): readonly string[] {
  const lines = changeLines(described);
  return lines.length === 0 ? [""] : lines;
}

function kindOf({ change, verdict }: DescribedIdentity): ChangedIdentity["kind"] {
  if (verdict === "unknown") return verdict;
  return change === "new" || change === "gone" ? change : "";
}

function identitiesOf(changes: readonly Change[], isOfOneCloud: boolean): ChangedIdentity[] {
  const found = new Map<string, { name: string; kind: ChangedIdentity["kind"]; lines: string[] }>();
  for (const { cloud, identity, kind, line, texts } of changes) {
    const name = isOfOneCloud ? identity : `${cloud} ${identity}`;
    const one = found.get(`${name} ${kind}`) ?? { name, kind, lines: [] };
    const [text = "", ...others] = new Set(texts.values());
    const shown = others.length === 0 ? text : line;
    if (shown !== "") one.lines.push(shown);
    found.set(`${name} ${kind}`, one);
  }
  return [...found.values()].sort((a, b) => compareText(a.name, b.name) || compareText(a.kind, b.kind));
}

/**
 * Replaces what is a cluster's own in a text with its name in braces, such as `{account}`. Texts that are equal then differ only there.
 * A value counts only as a whole word: the cluster "a" is not in every word with this letter. Longer values come first, because one
 * may contain another.
 *
 * @param names the values by their names
 */
export function generalizer(names: ReadonlyMap<string, string>): (text: string) => string {
  const keys = new Map([...names].reverse().map(([key, name]) => [name, key]));
  const longest = [...keys.keys()]
    .filter((name) => name !== "")
    .sort((a, b) => b.length - a.length || compareText(a, b));
  if (longest.length === 0) return (text) => text;
  const literals = longest.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${literals.join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replace(pattern, (name) => `{${keys.get(name)}}`);
}

/** A comparison of two fleets. */
export interface FleetDiff {
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
export function fleetText(fleet: FleetDiff): string[] {
  const { packages } = fleet;
  return [
    ...changeGroups(packages).flatMap(groupText),
    ...onlyOn(packages, "new").map((one) => `new: ${one.package} (${identitiesIn(one)})`),
    ...onlyOn(packages, "removed").map((one) => `removed: ${one.package} (${identitiesIn(one)})`),
    `Verdict: ${overallVerdict(fleet)}.`,
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

function identitiesIn({ diff: { identities } }: ComparedPackage): string {
  return identities.length === 1 ? "1 identity" : `${identities.length} identities`;
}

function definitionsIn(packages: readonly ComparedPackage[]) {
  const all = packages.flatMap(({ diff }) => diff.roleDefinitions ?? []);
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
export function fleetMarkdown(fleet: FleetDiff): string[] {
  const { packages, failed } = fleet;
  const groups = changeGroups(packages);
  const head = [
    `## Permissions: ${overallVerdict(fleet)}`,
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
  const changed = both.filter(({ diff }) => diff.identities.some(isShown)).length;
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
