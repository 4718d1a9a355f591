import { ruleCode } from "../../core/finding.ts";
import { asText } from "../../core/json.ts";
import { groupOf, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { capabilityDifferences } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-capabilities"),
  severity: "warning",
  reads: "live",
  summary: "The enabled capabilities of the cluster differ from `spec.release.capabilities`.",
  why: "Capabilities decide which requests are included. If they are not the cluster's, a component that runs has no role and no Secret, or a role is created for a component that does not exist. If the ClusterIdentity omits them, all capabilities are assumed to be enabled, and the rule looks for those that a request needs.",
  cure: "Set `spec.release.capabilities` to `status.capabilities.enabledCapabilities` of `ClusterVersion/version`.",
  check: (facts) =>
    facts.live.filter(isClusterVersion).flatMap((item) => {
      const found = valueAt(item.value(), ["status", "capabilities", "enabledCapabilities"]);
      if (!Array.isArray(found)) return [];
      const enabled = (found as readonly Value[]).map(asText);
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
