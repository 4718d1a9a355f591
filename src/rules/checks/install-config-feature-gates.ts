import { ruleCode } from "../../core/finding.ts";
import { listAt, type Value, valueAt } from "../../core/resource.ts";
import { featureGateDifferences, featureSetDifference, type KnownGates } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-feature-gates"),
  severity: "warning",
  reads: "install-config",
  summary: "The feature set or the feature gates of the install-config differ from `spec.release`.",
  why: "The feature set and the feature gates decide which requests are included. If the installer enables others, a component that runs has no role and no Secret, or a disabled component has a Secret for a namespace that is never created. The rule compares the gates that the install-config lists and that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what the install-config says.",
  check: (facts) => {
    const value = facts.installConfig?.value();
    if (value === undefined) return [];
    const set = valueAt(value, ["featureSet"]) ?? "";
    return [
      ...featureSetDifference(facts, set, "the install-config's feature set"),
      ...featureGateDifferences(facts, readGates(listAt(value, ["featureGates"])), "in the install-config"),
    ];
  },
};

// The installer reads `<name>=<boolean>`, in the forms that Go's strconv.ParseBool accepts.
function readGates(list: readonly Value[]): KnownGates {
  const pairs = list.flatMap((one): [string, boolean][] => {
    const [, name, value = ""] = /^([^=]+)=(1|t|true|0|f|false)$/i.exec(String(one)) ?? [];
    return name === undefined ? [] : [[name, /^[1t]/i.test(value)]];
  });
  return {
    on: new Set(pairs.filter(([, isOn]) => isOn).map(([name]) => name)),
    known: new Set(pairs.map(([name]) => name)),
  };
}
