import type { Inspector } from "../../clouds/inspector.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { compareText, printable } from "../../core/text.ts";
import { describedDiff } from "../../diff/described-diff.ts";
import { type DefinitionsOf, diffIdentities, type SidesDiff, verdictOf } from "../../diff/diff.ts";
import type { ClusterContext } from "../../diff/identities.ts";
import type { Contents } from "../../diff/values.ts";
import { withContents } from "../../diff/with-contents.ts";
import type { CloudIdentity } from "../../permissions/identity.ts";
import { defaultRelease, filterFor } from "../../requests/release-filter.ts";
import { capabilitiesFindings, enabledBy, withCapabilities } from "../release/capabilities.ts";
import type { Side } from "./comparison-side.ts";

/** A comparison, and what is to be said about it. */
export interface Comparison {
  readonly diff: SidesDiff;
  /** If one is an error, the sides could not be compared. */
  readonly findings: readonly Finding[];
  /** Errors if a side is not what a render makes of its sources; it was compared as it is. */
  readonly stateFindings: readonly Finding[];
}

/**
 * Compares two sides, and reports what could not be compared. Every command compares permissions with it, so that none contradicts
 * another.
 *
 * @param given the context of the cluster, if the user names it; otherwise that of the sides.
 */
export function diffSides(
  old: Side,
  now: Side,
  given: ClusterContext | undefined,
  definitionsOf: DefinitionsOf,
): Comparison {
  // Roles are of one cloud. Requests for other clouds concern other clusters.
  const cloud = (old.inspector ?? now.inspector)?.title;
  const ofCloud = (context: ClusterContext) => (cloud === undefined ? context : { ...context, cloud });
  const isAssumed = !(old.isRendered && now.isRendered) && (given ?? old.context ?? now.context) === undefined;
  const before = ofRelease(old, given ?? old.context ?? now.context ?? anyCluster);
  const after = given ?? now.context ?? old.context ?? anyCluster;
  const sides = [old.identities(ofCloud(before)), upgraded(old, now, after, ofCloud)] as const;
  const isWhole = old.contents !== undefined && now.contents !== undefined;
  const [left, right] = isWhole
    ? sides.map(({ identities }) => ({ identities, findings: [] }))
    : comparable(sides, old, now);
  const findings: Finding[] = [...sides.flatMap((side) => side.findings), ...left.findings, ...right.findings];
  if (isAssumed) findings.push(finding("info", "cluster-assumed", assumed));
  const identities = diffIdentities(left.identities, right.identities, definitionsOf);
  const diff = asPackages(identities, old.contents, now.contents, now.inspector ?? old.inspector);
  return { diff, findings, stateFindings: [...old.stateFindings, ...now.stateFindings] };
}

// Beside requests, a package is compared by its permissions only.
function asPackages(
  diff: SidesDiff,
  old: Contents | undefined,
  now: Contents | undefined,
  inspector: Inspector | undefined,
): SidesDiff {
  if (old === undefined || now === undefined || inspector === undefined) return diff;
  const identities = diff.identities.filter((one) => one.now !== undefined).length;
  return withContents(diff, old, now, { ...inspector.files, identities });
}

// The version of a cluster's configuration is that of its current release.
function ofRelease({ release }: Side, context: ClusterContext): ClusterContext {
  return release === undefined ? context : { ...context, release: filterFor(context.release, release) };
}

/**
 * The identities of a cluster after an upgrade to the release of a side, with the capabilities that the upgrade enables. If that is
 * unknown for a capability, so are the identities that need it.
 */
function upgraded(old: Side, now: Side, context: ClusterContext, ofCloud: (context: ClusterContext) => ClusterContext) {
  const { release } = now;
  if (release === undefined) return now.identities(ofCloud(context));
  const { release: filter } = ofRelease(now, context);
  const { enabled, unknown } = enabledBy(old.items, release, ofRelease(old, context).release, filter);
  const read = (more: readonly string[]) =>
    now.identities(ofCloud({ ...context, release: withCapabilities(filter, [...enabled, ...more]) }));
  const known = read([]);
  const findings = [
    ...capabilitiesFindings(release, context.release, unknown, context.identity?.resource),
    ...known.findings,
  ];
  if (unknown.length === 0) return { identities: known.identities, findings };
  const keys = new Set(known.identities.map(({ cloud, key }) => `${cloud} ${key}`));
  const gates = [...new Set(unknown.flatMap((one) => one.gates))].sort(compareText);
  const open = read(unknown.map(({ name }) => name)).identities.filter(
    ({ cloud, key }) => !keys.has(`${cloud} ${key}`),
  );
  return { identities: [...known.identities, ...open.map((one) => ({ ...one, unknownGates: gates }))], findings };
}

/** Compares a side with nothing: everything in a new package is new, and in a removed one gone, whatever it contains. */
export function diffAlone(side: Side, is: "new" | "removed", definitionsOf: DefinitionsOf): Comparison {
  const { identities, findings } = side.identities(side.context ?? anyCluster);
  const [old, now] = is === "new" ? [[], identities] : [identities, []];
  const { verdict, certain, ...diff } = diffIdentities(old, now, definitionsOf);
  const whole = is === "new" ? "broadened" : "narrowed";
  return {
    diff: { ...diff, verdict: verdictOf([verdict, whole]), certain: verdictOf([certain, whole]), changes: [] },
    findings,
    stateFindings: side.stateFindings,
  };
}

/** The same as {@link diffSides}, as `ccf diff` describes it. */
export function compareSides(...sides: Parameters<typeof diffSides>) {
  const { diff, ...findings } = diffSides(...sides);
  return { described: describedDiff(diff), ...findings };
}

const assumed =
  'Requests are compared for a cluster with the defaults (feature set "Default", no feature gates, all capabilities). To compare for another cluster, use "--identity FILE" or the other options of the cluster.';

/** A cluster with the defaults, for requests without a cluster. */
export const anyCluster: ClusterContext = {
  release: defaultRelease,
  identity: undefined,
  cloud: undefined,
};

/** The identities of one side that can be compared with the other, and findings about the rest. */
export interface Comparable {
  readonly identities: readonly CloudIdentity[];
  readonly findings: readonly Finding[];
}

type Compared = Pick<Side, "isRendered" | "operators">;
type Identities = Pick<Comparable, "identities">;

/** Drops from each side what the other side cannot contain, and reports a side of which nothing remains. */
export function comparable(
  [before, after]: readonly [Identities, Identities],
  old: Compared,
  now: Compared,
): readonly [Comparable, Comparable] {
  const [left, right] = [oneSide(before, old, after, now), oneSide(after, now, before, old)];
  return [
    { ...left, findings: [...left.findings, ...empty(left, "OLD")] },
    { ...right, findings: [...right.findings, ...empty(right, "NEW")] },
  ];
}

function oneSide(own: Identities, side: Compared, other: Identities, otherSide: Compared): Comparable {
  // A release has no requests of OLM operators, and a request without its cluster does not determine the token path.
  const isBesideRequests = side.isRendered && !otherSide.isRendered;
  const named = new Set(other.identities.map(({ key }) => key));
  const left = isBesideRequests ? own.identities.filter(({ key }) => side.operators.has(key) && !named.has(key)) : [];
  const isOpen = otherSide.isRendered && !side.isRendered;
  const identities = own.identities
    .filter((identity) => !left.includes(identity))
    .map((identity) => (isOpen && identity.tokenPath === "" ? { ...identity, tokenPath: undefined } : identity));
  if (left.length === 0) return { identities, findings: [] };
  const names = left.map(({ key }) => printable(key)).join(", ");
  const message = `Roles of OLM operators are not compared, because the other side has no requests for them: ${names}.`;
  return { identities, findings: [finding("info", "operators-not-compared", message)] };
}

function empty({ identities }: Comparable, name: string): Finding[] {
  if (identities.length > 0) return [];
  const message = `${name} has no identity to compare. Check that it is for the same cloud, and that its requests are included in this cluster.`;
  return [finding("error", "nothing-to-compare", message)];
}
