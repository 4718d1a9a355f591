import { ruleCode } from "../../core/finding.ts";
import { isMap, listAt, type Resource, valueAt } from "../../core/resource.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import { featureGateDifferences, featureSetDifference, type KnownGates } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-feature-gates"),
  severity: "warning",
  reads: "live",
  summary: "The feature set or the feature gates of the cluster differ from `spec.release`.",
  why: "The feature set and the feature gates decide which requests are included. If they are not the cluster's, a component that runs has no role and no Secret, or a disabled component has a Secret for a namespace that does not exist. The rule compares the gates that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what `FeatureGate/cluster` says.",
  check: (facts) => {
    const gates = facts.live.filter((item) => isConfigObject(item, "FeatureGate"));
    return gates.flatMap((item) => [
      ...featureSetDifference(facts, valueAt(item.value(), ["spec", "featureSet"]) ?? "", "the cluster's feature set"),
      ...featureGateDifferences(facts, readGates(item), "in the cluster"),
    ]);
  },
};

// During an upgrade the status lists the gates of both versions: a gate that is off in one of them counts as off.
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
