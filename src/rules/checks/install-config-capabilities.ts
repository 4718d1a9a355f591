import { ruleCode } from "../../core/finding.ts";
import { listAt, textAt, type Value } from "../../core/resource.ts";
import { baselineCapabilities } from "../../openshift/capabilities.ts";
import type { Facts } from "../facts.ts";
import { capabilitiesOfRequests, capabilityDifferences, type EnabledCapabilities } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-capabilities"),
  severity: "warning",
  reads: "install-config",
  summary: "The install-config enables other capabilities than `spec.release.capabilities` says.",
  why: "Capabilities decide which requests count. If the installer enables others, a component that is there has no role and no Secret, or a role is made for one that is not. The baseline sets None and v4.11 to v4.18 are known, and vCurrent, the default, has all capabilities of its release. Of a newer set only `additionalEnabledCapabilities` is compared, and of a baseline only what a request of the package needs: an older release does not have all capabilities of a set.",
  cure: "Set `spec.release.capabilities` to what the install-config enables; leave it out for all.",
  check: (facts) => {
    const value = facts.installConfig?.value();
    return value === undefined ? [] : capabilityDifferences(facts, enabledBy(value, facts), "by the install-config");
  },
};

function enabledBy(value: Value, facts: Facts): EnabledCapabilities {
  const baseline = baselineCapabilities(textAt(value, ["capabilities", "baselineCapabilitySet"]));
  const additional = listAt(value, ["capabilities", "additionalEnabledCapabilities"]).map(String);
  const isInBaseline = (text: string) => baseline === "all" || baseline?.includes(text) === true;
  return {
    enabled: [...new Set([...additional, ...capabilitiesOfRequests(facts).filter(isInBaseline)])],
    mayBeEnabled: (text) => additional.includes(text) || baseline === undefined || isInBaseline(text),
  };
}
