import { type Finding, finding } from "../../core/finding.ts";
import { defaultRelease } from "../../requests/release-filter.ts";
import { permissionsReport } from "../../upgrade/described-diff.ts";
import { type DefinitionsOf, diffIdentities } from "../../upgrade/diff.ts";
import type { ClusterRules } from "../../upgrade/identities.ts";
import { comparable } from "./comparable.ts";
import type { Side } from "./comparison-side.ts";

/**
 * Compares two sides, and reports what could not be compared. Every command compares permissions with it, so that none contradicts
 * another.
 *
 * @param given the rules of the cluster, if the user names them; otherwise those of the sides.
 */
export function diffSides(old: Side, now: Side, given: ClusterRules | undefined, definitionsOf: DefinitionsOf) {
  // Roles are of one cloud. Requests for other clouds concern other clusters.
  const cloud = old.cloud ?? now.cloud;
  const ofCloud = (rules: ClusterRules) => (cloud === undefined ? rules : { ...rules, cloud });
  const isAssumed = !(old.isRendered && now.isRendered) && (given ?? old.rules ?? now.rules) === undefined;
  const sides = [
    old.identities(ofCloud(given ?? old.rules ?? now.rules ?? anyCluster)),
    now.identities(ofCloud(given ?? now.rules ?? old.rules ?? anyCluster)),
  ] as const;
  const [before, after] = comparable(sides, old, now);
  const findings: Finding[] = [...sides[0].findings, ...sides[1].findings, ...before.findings, ...after.findings];
  if (isAssumed) findings.push(finding("info", "cluster-assumed", assumed));
  return { diff: diffIdentities(before.identities, after.identities, definitionsOf), findings };
}

/** The same, as a report. */
export function compareSides(...sides: Parameters<typeof diffSides>) {
  const { diff, findings } = diffSides(...sides);
  return { report: permissionsReport(diff), findings };
}

const assumed =
  'Requests are compared for a cluster with the defaults (feature set "Default", no feature gates, all capabilities). To compare for another cluster, use "--identity FILE" or the other options of the cluster.';

/** A cluster with the defaults, for requests without a cluster. */
export const anyCluster: ClusterRules = {
  release: defaultRelease,
  identity: undefined,
  cloud: undefined,
};
