import { ruleCode } from "../../core/finding.ts";
import { isMap, listAt, type Resource, valueAt } from "../../core/resource.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import { featureGateDifferences, featureSetDifference, type KnownGates } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-feature-gates"),
  severity: "warning",
  reads: "live",
  summary: "The cluster has another feature set, or other feature gates, than `spec.release` says.",
  why: "Feature set and gates decide which requests count. Where they are not the cluster's, a component that is on has no role and no Secret, or one that is off has a Secret for a namespace that is not there. Of the gates those are compared that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what `FeatureGate/cluster` says.",
  check: (facts) => {
    const gates = facts.live.filter((item) => isConfigObject(item, "FeatureGate"));
    return gates.flatMap((item) => [
      ...featureSetDifference(facts, valueAt(item.value(), ["spec", "featureSet"]) ?? "", "the cluster's feature set"),
      ...featureGateDifferences(facts, readGates(item), "in the cluster"),
    ]);
  },
};

// While a cluster is upgraded, its status has the gates of both versions: what one of them has off counts as off.
function readGates(live: Resource): KnownGates {
  const versions = listAt(live.value(), ["status", "featureGates"]);
  const names = (list: string) =>
    versions.flatMap((version) =>
      listAt(version, [list]).flatMap((gate) => (isMap(gate) ? [String(gate["name"])] : [])),
    );
  const off = new Set(names("disabled"));
  const on = new Set(names("enabled").filter((name) => !off.has(name)));
  return { on, known: new Set([...on, ...off]) };
}
