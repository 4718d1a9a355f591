import { ruleCode } from "../../core/finding.ts";
import { groupOf, type Resource, type Value, valueAt } from "../../core/resource.ts";
import { compareText } from "../../core/text.ts";
import { capabilitiesOf } from "../../requests/gates.ts";
import type { Facts } from "../facts.ts";
import { listed } from "../granted.ts";
import type { Rule, Violation } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-capabilities"),
  severity: "warning",
  reads: "live",
  summary: "The cluster has other capabilities enabled than `spec.release.capabilities` says.",
  why: "Capabilities decide which requests count. Where they are not the cluster's, a component that is there has no role and no Secret, or a role is made for one that is not. Where the ClusterIdentity leaves them out, all count as enabled, and those are looked for that a request needs.",
  cure: "Set `spec.release.capabilities` to `status.capabilities.enabledCapabilities` of `ClusterVersion/version`.",
  check: (facts) => {
    const { identity, live } = facts;
    if (identity === undefined) return [];
    const field = "spec.release.capabilities";
    return live.filter(isClusterVersion).flatMap((item): Violation[] => {
      const enabled = valueAt(item.value(), ["status", "capabilities", "enabledCapabilities"]);
      if (!Array.isArray(enabled)) return [];
      const names = (enabled as readonly Value[]).map(String);
      return differences(facts, names).map((message) => ({
        message: `"${field}" ${message}`,
        resource: identity.resource,
        field,
      }));
    });
  },
};

function isClusterVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterVersion" && groupOf(apiVersion) === "config.openshift.io";
}

function differences({ release, requests }: Facts, enabled: readonly string[]): string[] {
  const { capabilities } = release;
  if (capabilities === undefined) {
    const needed = requests.flatMap(({ resource }) => capabilitiesOf(resource.annotations));
    const missing = needed.filter((one) => !enabled.includes(one)).sort(compareText);
    if (missing.length === 0) return [];
    return [
      `is left out, which means all, and ${listed(missing)}, which requests need, is not enabled in the cluster; set it.`,
    ];
  }
  const lacks = enabled.filter((one) => !capabilities.includes(one)).sort(compareText);
  const more = capabilities.filter((one) => !enabled.includes(one)).sort(compareText);
  return [
    ...(lacks.length === 0 ? [] : [`lacks ${listed(lacks)}, enabled in the cluster; add it.`]),
    ...(more.length === 0 ? [] : [`has ${listed(more)}, not enabled in the cluster; remove it.`]),
  ];
}

export const good = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  release:
    capabilities: [Ingress, Storage]
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata:
  name: version
  uid: 1d3e0f77-38c0-4cc0-9d6b-9c0b0b6b5a06
status:
  capabilities:
    enabledCapabilities:
    - Ingress
    - Storage
`;

export const bad = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  release:
    capabilities: [Ingress]
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata:
  name: version
  uid: 1d3e0f77-38c0-4cc0-9d6b-9c0b0b6b5a06
status:
  capabilities:
    enabledCapabilities:
    - Ingress
    - Storage
`;
