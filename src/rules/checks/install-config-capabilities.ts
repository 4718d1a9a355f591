import { ruleCode } from "../../core/finding.ts";
import { asText } from "../../core/json.ts";
import { listAt, textAt, type Value } from "../../core/resource.ts";
import { baselineCapabilities } from "../../openshift/capabilities.ts";
import type { Facts } from "../facts.ts";
import { capabilitiesOfRequests, capabilityDifferences, type EnabledCapabilities } from "../release-differences.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-capabilities"),
  severity: "warning",
  reads: "install-config",
  summary: "The capabilities that the install-config enables differ from `spec.release.capabilities`.",
  why: "Capabilities decide which requests are included. If the installer enables other capabilities, a component of the cluster has no role and no Secret, or a role is created for a component that does not exist. This rule knows the baseline sets None and v4.11 to v4.18; vCurrent, the default, enables all capabilities of its release. For a newer set it compares only `additionalEnabledCapabilities`. Within a baseline it compares only what a request of the package needs, because an older release does not have all capabilities of a set.",
  cure: "Set `spec.release.capabilities` to what the install-config enables. Omit it for all capabilities.",
  check: (facts) => {
    const value = facts.installConfig?.value();
    return value === undefined ? [] : capabilityDifferences(facts, enabledBy(value, facts), "by the install-config");
  },
};

function enabledBy(value: Value, facts: Facts): EnabledCapabilities {
  const baseline = baselineCapabilities(textAt(value, ["capabilities", "baselineCapabilitySet"]));
  const additional = listAt(value, ["capabilities", "additionalEnabledCapabilities"]).map(asText);
  const isInBaseline = (text: string) => baseline === "all" || baseline?.includes(text) === true;
  return {
    enabled: [...new Set([...additional, ...capabilitiesOfRequests(facts).filter(isInBaseline)])],
    mayBeEnabled: (text) => additional.includes(text) || baseline === undefined || isInBaseline(text),
  };
}
