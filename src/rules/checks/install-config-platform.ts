import { ruleCode } from "../../core/finding.ts";
import { isMap, valueAt } from "../../core/resource.ts";
import { listed } from "../granted.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("install-config-platform"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different platform than the ClusterIdentity.",
  why: "The rendered Secrets name identities of one cloud. A cluster on another platform cannot use them, and its components wait for credentials that do not exist.",
  cure: "Use the install-config of this cluster.",
  check: ({ installConfig, identity, cloud }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const platform = valueAt(installConfig.value(), ["platform"]);
    const names = isMap(platform) ? Object.keys(platform).sort() : [];
    if (names.length === 0 || names.includes(cloud.name)) return [];
    const message = `"platform" is ${listed(names)}, but the ClusterIdentity is for "${cloud.name}"; use the install-config of this cluster.`;
    return [{ message, resource: installConfig, field: "platform" }];
  },
};
