import { join } from "node:path";
import { type Finding, hasError } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { type DescribedDiff, describedDiff } from "../../diff/described-diff.ts";
import { type Verdict, verdictOf } from "../../diff/diff.ts";
import { diffMarkdown, diffText, isShown } from "../../diff/diff-text.ts";
import { type ComparedPackage, type FailedPackage, fleetMarkdown, fleetText } from "../../diff/fleet-differences.ts";
import type { ClusterContext } from "../../diff/identities.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { sortFindings } from "../../krm/results.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import type { FlagsOf } from "../definition.ts";
import { realPathOf, refuseControlCharacters } from "../files/paths.ts";
import { bytesOf, objectsOf } from "../files/read-objects.ts";
import { clusterIn, eachPackage } from "../fleet/each-package.ts";
import { findPackages, searchPackages } from "../fleet/find-packages.ts";
import { configsOf } from "../fleet/labels.ts";
import { insideOf, type Place } from "../fleet/select-packages.ts";
import { skippedFindings } from "../fleet/skipped.ts";
import { placeholderNames } from "../package/placeholders.ts";
import { anyCluster, type Comparison, compareSides, diffAlone, diffSides } from "../permissions/compare-sides.ts";
import {
  type Side as ComparedSide,
  contextAmong,
  definitionsIn,
  type OfRelease,
  readFeatureGates,
  readSide,
} from "../permissions/comparison-side.ts";
import { readPreviousRelease } from "../release/release-directory.ts";
import { FindingsError, failureOf, UsageError } from "../terminal/errors.ts";
import { write, writeChanges, writeFindings, writeJson } from "../terminal/output.ts";
import type { diffCommand as definition } from "./definition.ts";

type FleetValues = FlagsOf<typeof definition>;

/** The states of the summary. */
const states = ["unchanged", "narrowed", "broadened", "both", "unknown", "new", "removed"] as const;

/**
 * `ccf diff OLD NEW --recursive`: exit 0 nothing broadened, 2 broadened or unknown, 1 a package could not be compared.
 *
 * @throws UsageError if neither side contains a package.
 */
export function diffFleets(values: FleetValues, old: string, now: string): Promise<number> {
  refuseClusterFlags(values);
  const { output, quiet } = values;
  const found = searchPackages(now);
  const [before, after] = [findPackages(old), found.packages];
  refuseControlCharacters(after.map((path) => join(now, path)));
  const paths = [...new Set([...before, ...after])].sort(compareText);
  if (paths.length === 0)
    throw new UsageError(
      `${quote(old)} and ${quote(now)} contain no packages; without --recursive, a side is one package`,
    );
  const definitionsOf = definitionsIn(values["role-definitions"]);
  const compare = comparer([old, before], [now, after], definitionsOf);
  const compared: ComparedPackage[] = [];
  const failed: FailedPackage[] = [];
  const places = paths.map((path): Place => ({ directory: path, path, inside: [] }));
  const finish = () => {
    // What was not compared may be anything.
    const isWhole = compared.length === paths.length;
    const left = paths.filter((path) => ![...compared, ...failed].some((one) => one.package === path));
    const verdictOfAll = (verdicts: readonly Verdict[]) => verdictOf([...verdicts, ...(isWhole ? [] : unknown)]);
    const described = {
      verdict: verdictOfAll(compared.map((one) => one.diff.verdict)),
      certain: verdictOfAll(compared.map(({ diff: { verdict, certain = verdict } }) => certain)),
      packages: compared,
      failed: [...failed, ...left.map((path) => ({ package: path, reasons: ["the run was stopped"] }))],
    };
    if (output !== "json") write(1, output === "text" ? fleetText(described) : fleetMarkdown(described));
  };
  const showing = { output: output === "markdown" ? "table" : output, quiet, states, finish };
  const packages = new Set(after.map((path) => realPathOf(join(now, path))));
  // A package that is hidden only now is an error.
  const uncheckedFindings = skippedFindings(now, found, packages, (path) => !before.includes(path));
  return eachPackage({ places, all: places, limits: [], uncheckedFindings }, showing, ({ path }) => {
    const one = attempted(path, failed, () => compare(path));
    compared.push(one);
    const { verdict, identities, changes = [] } = one.diff;
    const isChanged = identities.some(isShown) || changes.length > 0;
    return {
      code: one.stateFindings.length > 0 ? 1 : codeFor(verdict),
      state: one.side !== "both" ? one.side : verdict === "none" ? "unchanged" : verdict,
      lines: [],
      ...(output === "markdown" ? { findings: [], otherFindings: one.stateFindings } : { findings: one.stateFindings }),
      json: {
        change: one.side !== "both" ? one.side : isChanged ? "changed" : "none",
        ...(one.diff as unknown as ValueMap),
      },
      cluster: clusterIn(configsOf(join(one.side === "removed" ? old : now, path))),
    };
  });
}

const unknown: readonly Verdict[] = ["unknown"];

function attempted<T>(path: string, failed: FailedPackage[], compare: () => T): T {
  try {
    return compare();
  } catch (error) {
    failed.push({ package: path, reasons: failureOf(error).lines });
    throw error;
  }
}

interface Compared extends ComparedPackage {
  readonly stateFindings: readonly Finding[];
}

type Side = readonly [root: string, paths: readonly string[]];

function comparer([old, before]: Side, [now, after]: Side, definitionsOf: ReturnType<typeof definitionsIn>) {
  const hidden = new Set(findPackages(now, false).filter((path) => !after.includes(path)));
  const read = (root: string, path: string, all: readonly string[]) => readSide(join(root, path), insideOf(path, all));
  const reported = (
    path: string,
    side: ComparedPackage["side"],
    { diff, findings, stateFindings }: Comparison,
    { issuer }: ComparedSide,
  ): Compared => {
    if (hasError(findings)) throw new FindingsError(findings);
    const config = configsOf(join(side === "removed" ? old : now, path)).find(isClusterIdentity);
    const ofConfig = config === undefined ? [] : placeholderNames(config.value(), [config]);
    const names = new Map([...(issuer === undefined ? [] : ([["issuer", issuer]] as const)), ...ofConfig]);
    return {
      package: path,
      side,
      diff: describedDiff(diff),
      notRendered: stateFindings.length > 0,
      names,
      stateFindings,
    };
  };
  return (path: string): Compared => {
    if (before.includes(path) && after.includes(path)) {
      const sides = [read(old, path, before), read(now, path, after)] as const;
      return reported(path, "both", diffSides(...sides, undefined, definitionsOf), sides[1]);
    }
    // A package that nothing reads any more is not a package that is gone.
    if (hidden.has(path)) throw new UsageError(`${quote(join(now, path))} is a package, but .krmignore hides it`);
    const is = after.includes(path) ? "new" : "removed";
    const side = is === "new" ? read(now, path, after) : read(old, path, before);
    return reported(path, is, diffAlone(side, is, definitionsOf), side);
  };
}

// Each package has its own ClusterIdentity.
function refuseClusterFlags(values: FleetValues): void {
  const flags = [
    "identity",
    "feature-set",
    "feature-gates",
    "feature-gate-manifests",
    "previous-release",
    "capabilities",
    "profile",
  ] as const;
  const given = flags.find((flag) => values[flag] !== undefined);
  if (given !== undefined)
    throw new UsageError(
      `--${given} has no effect with --recursive, because each package has its own cluster; omit it`,
    );
}

type Values = FlagsOf<typeof definition>;

/** `ccf diff OLD NEW`: exit 0 nothing broadened, 2 broadened or unknown, 1 could not compare. */
export function diff(values: Values, old: string, now: string): number | Promise<number> {
  if (values.recursive) return diffFleets(values, old, now);
  const context = contextOf(values);
  const manifests = values["feature-gate-manifests"];
  const gates = manifests === undefined ? [] : readFeatureGates(manifests);
  const definitionsOf = definitionsIn(values["role-definitions"]);
  const newSide = readSide(now, [], { featureGates: gates, previous: previousOf(values) });
  const { described, findings, stateFindings } = compareSides(readSide(old), newSide, context, definitionsOf);
  if (hasError(findings)) throw new FindingsError([...findings, ...stateFindings]);
  writeFindings(sortFindings([...findings, ...stateFindings]));
  print[values.output](described);
  return stateFindings.length > 0 ? 1 : codeFor(described.verdict);
}

// A person must look at what became broader, and at what is unknown.
function codeFor(verdict: Verdict): 0 | 2 {
  return verdict === "none" || verdict === "narrowed" ? 0 : 2;
}

function previousOf({ "previous-release": directory }: Values): OfRelease["previous"] {
  return directory === undefined ? undefined : readPreviousRelease(directory);
}

const print: Readonly<Record<Values["output"], (described: DescribedDiff) => void>> = {
  text: (described) => writeChanges(diffText(described)),
  markdown: (described) => write(1, diffMarkdown(described)),
  json: (described) => writeJson(described as unknown as ValueMap),
};

const clusterFlags = ["feature-set", "feature-gates", "capabilities", "profile"] as const;

// Flags and a ClusterIdentity both describe the cluster and could contradict each other.
function contextOf({ identity, ...flags }: Values): ClusterContext | undefined {
  const given = clusterFlags.flatMap((name) => (flags[name] === undefined ? [] : [name]));
  if (identity === undefined) return given.length === 0 ? undefined : { ...anyCluster, release: releaseOf(flags) };
  if (given.length > 0) throw new UsageError(`--identity and --${given[0]} cannot be used together; use one of them`);
  const name = `--identity ${quote(identity)}`;
  const context = contextAmong(objectsOf(identity, bytesOf(name, identity), "file").items);
  if (context === undefined) throw new UsageError(`${name} contains no ClusterIdentity`);
  return context;
}

function releaseOf(flags: Omit<Values, "identity">): ClusterContext["release"] {
  const { capabilities, "feature-set": featureSet = defaultRelease.featureSet } = flags;
  return {
    ...defaultRelease,
    profile: flags.profile ?? defaultRelease.profile,
    featureSet,
    featureGates: words(flags["feature-gates"]),
    ...(capabilities === undefined ? {} : { capabilities: words(capabilities) }),
  };
}

function words(list = ""): string[] {
  return list.split(/[,+\s]+/).filter((word) => word !== "");
}
