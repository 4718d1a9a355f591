import { compareText } from "../core/text.ts";
import type { IdentityReport, PermissionsReport } from "./described-diff.ts";
import { changeLines } from "./lines.ts";

/** A package of a fleet that was compared. */
export interface ComparedPackage {
  /** Its path. */
  readonly package: string;
  /** Whether only one side has the package; its identities are then new or gone. */
  readonly side: "both" | "new" | "removed";
  readonly report: PermissionsReport;
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
export interface ChangedIdentity {
  /** `<secret namespace>/<secret name>`, and the cloud if packages of several clouds change. */
  readonly name: string;
  /** "": an identity of both sides. */
  readonly kind: "" | "new" | "gone";
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
  for (const { package: path, side, report, names } of all) {
    if (side !== "both") continue;
    const generalize = generalizer(names);
    for (const one of report.identities) {
      if (one.change === "none") continue;
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
  const groups = new Map<string, Change[]>();
  for (const change of changes.values()) {
    const key = JSON.stringify([...change.texts.keys()].sort(compareText));
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const isOfOneCloud = new Set([...changes.values()].map(({ cloud }) => cloud)).size < 2;
  return [...groups.values()]
    .map((some) => ({
      packages: [...(some[0]?.texts.keys() ?? [])].sort(compareText),
      identities: identitiesOf(some, isOfOneCloud),
    }))
    .sort((a, b) => b.packages.length - a.packages.length || compareText(a.packages[0] ?? "", b.packages[0] ?? ""));
}

// An identity that only moved has no line of its own.
function linesOf(report: IdentityReport): readonly string[] {
  const lines = changeLines(report);
  return lines.length === 0 ? [""] : lines;
}

function kindOf({ change }: IdentityReport): ChangedIdentity["kind"] {
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

// A name counts only as a whole word: the cluster "a" is not in every word with this letter. Longer names come first, because
// one may contain another.
function generalizer(names: ReadonlyMap<string, string>): (text: string) => string {
  const keys = new Map([...names].reverse().map(([key, name]) => [name, key]));
  const longest = [...keys.keys()]
    .filter((name) => name !== "")
    .sort((a, b) => b.length - a.length || compareText(a, b));
  if (longest.length === 0) return (text) => text;
  const literals = longest.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${literals.join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replace(pattern, (name) => `{${keys.get(name)}}`);
}
