import { allByKey } from "../core/resource.ts";
import { compareText, printable } from "../core/text.ts";
import { listed } from "../core/words.ts";
import type { DescribedDiff, DescribedIdentity } from "./described-diff.ts";
import type { Verdict } from "./diff.ts";
import { block, changesHeading, code, isShown, valueSections, verdictSentence } from "./diff-text.ts";
import { beginning, changeLines, compacted, definitionLines, firstOf } from "./lines.ts";
import { type Part, parts } from "./values.ts";

/** A package of a fleet that was compared. */
export interface ComparedPackage {
  /** Its path. */
  readonly package: string;
  /** Whether only one side has the package; its identities are then new or gone. */
  readonly side: "both" | "new" | "removed";
  readonly diff: DescribedDiff;
  /** It is not what a render makes of its sources. */
  readonly notRendered: boolean;
  /** What is its own: its account, its region, its name. Texts that differ only there are the same change. */
  readonly names: ReadonlyMap<string, string>;
}

/** Changes that the same packages have. */
export interface ChangeGroup {
  /** Their paths, sorted. */
  readonly packages: readonly string[];
  readonly identities: readonly ChangedIdentity[];
}

/** What changes in identities, or in another part of a package. */
interface ChangedIdentity {
  /** Names as `<secret namespace>/<secret name>`, with the cloud if packages of several clouds change; or the title of another part. */
  readonly name: string;
  /** "": an identity of both sides; "unknown": nothing states whether a side has its request. */
  readonly kind: "" | "new" | "gone" | "unknown";
  /** One a line, as in the comparison of one package; a name such as `{account}` is the one of each package. */
  readonly lines: readonly string[];
}

interface Change {
  readonly part: Part;
  /** "" for what is not part of an identity. */
  readonly cloud: string;
  /** The name of the identity, or the title of the part. */
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
    for (const one of partsOf(diff)) {
      for (const text of one.lines) {
        const { part, cloud, identity, kind } = one;
        const line = generalize(text);
        const key = JSON.stringify([part, cloud, identity, kind, line]);
        const change = changes.get(key) ?? { part, cloud, identity, kind, line, texts: new Map<string, string>() };
        change.texts.set(path, text);
        changes.set(key, change);
      }
    }
  }
  const groups = allByKey([...changes.values()], ({ texts }) => JSON.stringify([...texts.keys()].sort(compareText)));
  const clouds = [...changes.values()].map(({ cloud }) => cloud).filter((cloud) => cloud !== "");
  const isOfOneCloud = new Set(clouds).size < 2;
  return [...groups.values()]
    .map((some) => ({
      packages: [...(some[0]?.texts.keys() ?? [])].sort(compareText),
      identities: identitiesOf(some, isOfOneCloud),
    }))
    .sort((a, b) => b.packages.length - a.packages.length || compareText(a.packages[0] ?? "", b.packages[0] ?? ""));
}

interface ChangedPart extends Pick<Change, "part" | "cloud" | "identity" | "kind"> {
  readonly lines: readonly string[];
}

function partsOf(diff: DescribedDiff): ChangedPart[] {
  const identities = diff.identities.filter(isShown).map((one): ChangedPart => {
    const { cloud, identity } = one;
    const lines = changeLines(one);
    // An identity that only moved has no line of its own.
    return { part: "identities", cloud, identity, kind: kindOf(one), lines: lines.length === 0 ? [""] : lines };
  });
  const others = valueSections(diff).map(({ part, title, lines }): ChangedPart => {
    return { part, cloud: "", identity: title, kind: "", lines };
  });
  return [...identities, ...others];
}

function kindOf({ change, verdict }: DescribedIdentity): ChangedIdentity["kind"] {
  if (verdict === "unknown") return verdict;
  return change === "new" || change === "gone" ? change : "";
}

function identitiesOf(changes: readonly Change[], isOfOneCloud: boolean): ChangedIdentity[] {
  const found = new Map<string, { part: Part; name: string; kind: ChangedIdentity["kind"]; lines: string[] }>();
  for (const { part, cloud, identity, kind, line, texts } of changes) {
    const name = isOfOneCloud || cloud === "" ? identity : `${cloud} ${identity}`;
    const key = `${part} ${name} ${kind}`;
    const one = found.get(key) ?? { part, name, kind, lines: [] };
    const [text = "", ...others] = new Set(texts.values());
    const shown = others.length === 0 ? text : line;
    if (shown !== "") one.lines.push(shown);
    found.set(key, one);
  }
  const sorted = [...found.values()].sort(
    (a, b) =>
      parts.indexOf(a.part) - parts.indexOf(b.part) || compareText(a.name, b.name) || compareText(a.kind, b.kind),
  );
  // Identities with the same changes are one entry.
  const same = allByKey(sorted, ({ part, kind, lines }) => JSON.stringify([part, kind, lines]));
  return [...same.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { kind, lines } = first;
    return [
      {
        name: listed(
          all.map(({ name }) => name),
          maxNamed,
        ),
        kind,
        lines,
      },
    ];
  });
}

/** How many identities an entry names. */
const maxNamed = 40;

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
  /** Those that could not. */
  readonly failed: readonly FailedPackage[];
}

/** A package that could not be compared. */
export interface FailedPackage {
  readonly package: string;
  /** Why, in the lines that a terminal shows. */
  readonly reasons: readonly string[];
}

/** How many packages a line names. */
const maxInLine = 5;

/** A comparison of two fleets for a terminal. */
export function fleetText(fleet: FleetDiff): string[] {
  const { packages, failed, verdict } = fleet;
  const groups = changeGroups(packages);
  const isSame =
    groups.length + failed.length === 0 && packages.every(({ side }) => side === "both") && verdict === "none";
  return [
    ...groups.flatMap(groupText),
    ...onlyOn(packages, "new").map((one) => `new: ${one.package} (${identitiesIn(one)})`),
    ...onlyOn(packages, "removed").map((one) => `removed: ${one.package} (${identitiesIn(one)})`),
    ...failed.map((one) => `not compared: ${printable(one.package)}`),
    verdictSentence({ ...fleet, ...(isPermissionsOnly(packages) ? { only: "permissions" } : {}) }, isSame),
    ...definitionLines(definitionsIn(packages)),
  ];
}

function groupText({ packages, identities }: ChangeGroup): string[] {
  const name = `${clusters(packages.length)} (${printable(listed(packages, maxInLine))}):`;
  const lines = identities.flatMap(({ name: identity, kind, lines }) => {
    const start = printable(kind === "" ? identity : `${identity} (${kind})`);
    const [first = "", ...rest] = compacted(firstOf(lines));
    return rest.length === 0
      ? [`${start} ${first}`.trimEnd()]
      : [start, ...[first, ...rest].map((line) => `  ${line}`)];
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
    `## ${changesHeading({ ...fleet, ...(isPermissionsOnly(packages) ? { only: "permissions" } : {}) })}`,
    "",
    `${clusters(packages.length + failed.length)}${counted(packages)}.`,
    "",
    ...failures(failed),
    ...about(
      "Not what a render makes of its sources, and compared as it is",
      packages.filter((one) => one.notRendered).map(({ package: path }) => path),
    ),
    ...about(
      "Compared by permissions only, because a side is not rendered",
      packages.filter(({ diff }) => diff.only !== undefined).map(({ package: path }) => path),
    ),
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

function isPermissionsOnly(packages: readonly ComparedPackage[]): boolean {
  return packages.length > 0 && packages.every(({ diff }) => diff.only !== undefined);
}

/** How many failures a comment explains. */
const maxFailures = 20;

function failures(failed: readonly FailedPackage[]): string[] {
  if (failed.length === 0) return [];
  const shown = failed.slice(0, maxFailures).map(({ package: path, reasons }) => {
    const [reason = ""] = reasons;
    return `- ${code(printable(path))}: ${code(printable(beginning(reason.replace(/^error: /, ""), longestReason)))}`;
  });
  const more = failed.length - shown.length;
  return [
    "**Not compared, because of an error:**",
    "",
    ...shown,
    ...(more > 0 ? [`- and ${more} more; "ccf diff" prints all`] : []),
    "",
  ];
}

const longestReason = 500;

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function counted(packages: readonly ComparedPackage[]): string {
  const both = onlyOn(packages, "both");
  const changed = both.filter(({ diff }) => partsOf(diff).length > 0).length;
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
