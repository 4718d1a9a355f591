import { ruleCode } from "../../core/finding.ts";
import { groupOf, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { capabilityDifferences } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-capabilities"),
  severity: "warning",
  reads: "live",
  summary: "The cluster has other capabilities enabled than `spec.release.capabilities` says.",
  why: "Capabilities decide which requests count. Where they are not the cluster's, a component that is there has no role and no Secret, or a role is made for one that is not. Where the ClusterIdentity leaves them out, all count as enabled, and those are looked for that a request needs.",
  cure: "Set `spec.release.capabilities` to `status.capabilities.enabledCapabilities` of `ClusterVersion/version`.",
  check: (facts) =>
    facts.live.filter(isClusterVersion).flatMap((item) => {
      const found = valueAt(item.value(), ["status", "capabilities", "enabledCapabilities"]);
      if (!Array.isArray(found)) return [];
      const enabled = (found as readonly Value[]).map(String);
      return capabilityDifferences(
        facts,
        { enabled, mayBeEnabled: (text) => enabled.includes(text) },
        "in the cluster",
      );
    }),
};

function isClusterVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterVersion" && groupOf(apiVersion) === "config.openshift.io";
}
