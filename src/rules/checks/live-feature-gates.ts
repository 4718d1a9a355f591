import { ruleCode } from "../../core/finding.ts";
import { isMap, listAt, type Resource, valueAt } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { withStatedGates } from "../../requests/feature-gates.ts";
import { gatesOf, type ReleaseRules } from "../../requests/gates.ts";
import type { Facts } from "../facts.ts";
import { listed } from "../granted.ts";
import type { Rule, Violation } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-feature-gates"),
  severity: "warning",
  reads: "live",
  summary: "The cluster has another feature set, or other feature gates, than `spec.release` says.",
  why: "Feature set and gates decide which requests count. Where they are not the cluster's, a component that is on has no role and no Secret, or one that is off has a Secret for a namespace that is not there. Of the gates those are compared that the ClusterIdentity or a request names.",
  cure: "Set `spec.release.featureSet` and `spec.release.featureGates` to what `FeatureGate/cluster` says.",
  check: (facts) => {
    const { identity, live } = facts;
    if (identity === undefined) return [];
    const gates = live.filter((item) => isConfigObject(item, "FeatureGate"));
    return gates.flatMap((item) => [
      ...featureSet(identity.release.featureSet, item, identity.resource),
      ...featureGates(facts, gatesOn(identity.release, facts), item, identity.resource),
    ]);
  },
};

// What FeatureGate manifests in the package state counts like what the ClusterIdentity says.
function gatesOn(release: ReleaseRules, { items }: Facts): string[] {
  return withStatedGates(release, items).featureGates.filter((gate) => !gate.startsWith("-"));
}

function featureSet(expected: string, live: Resource, resource: Resource): Violation[] {
  const set = valueAt(live.value(), ["spec", "featureSet"]) ?? "";
  // OpenShift API, FeatureGateSelection: the default set has the empty name.
  const actual = set === "" ? "Default" : set;
  if (actual === expected) return [];
  const field = "spec.release.featureSet";
  return [
    {
      message: `"${field}" is ${quote(expected)}, and the cluster's feature set is ${quote(actual)}.`,
      resource,
      field,
    },
  ];
}

function featureGates(facts: Facts, expected: readonly string[], live: Resource, resource: Resource): Violation[] {
  const { on, known } = readGates(live);
  const named = new Set([
    ...(facts.identity?.release.featureGates ?? []).map((gate) => gate.replace(/^-/, "")),
    ...facts.items.filter(isCredentialsRequest).flatMap(({ annotations }) => gatesOf(annotations)),
  ]);
  const field = "spec.release.featureGates";
  const wrong = [...named]
    .filter((gate) => known.has(gate) && on.has(gate) !== expected.includes(gate))
    .sort(compareText);
  const [missing, tooMany] = [wrong.filter((gate) => on.has(gate)), wrong.filter((gate) => !on.has(gate))];
  return [
    ...(missing.length === 0 ? [] : [`"${field}" lacks ${listed(missing)}, on in the cluster; add it.`]),
    ...(tooMany.length === 0 ? [] : [`"${field}" has ${listed(tooMany)}, off in the cluster; remove it.`]),
  ].map((message) => ({ message, resource, field }));
}

// While a cluster is upgraded, its status has the gates of both versions: what one of them has off counts as off.
function readGates(live: Resource): { on: ReadonlySet<string>; known: ReadonlySet<string> } {
  const versions = listAt(live.value(), ["status", "featureGates"]);
  const names = (list: string) =>
    versions.flatMap((one) => listAt(one, [list]).flatMap((gate) => (isMap(gate) ? [String(gate["name"])] : [])));
  const off = new Set(names("disabled"));
  const on = new Set(names("enabled").filter((name) => !off.has(name)));
  return { on, known: new Set([...on, ...off]) };
}

export const good = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  release:
    featureSet: Default
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: config.openshift.io/v1
kind: FeatureGate
metadata:
  name: cluster
  uid: 7b7d0c55-53f6-4b59-93f5-1c6fd5b5ca05
spec:
  featureSet: ""
status:
  featureGates:
  - version: 4.19.0
    enabled:
    - name: GatewayAPI
    disabled:
    - name: ClusterAPIInstall
`;

export const bad = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  release:
    featureSet: TechPreviewNoUpgrade
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: config.openshift.io/v1
kind: FeatureGate
metadata:
  name: cluster
  uid: 7b7d0c55-53f6-4b59-93f5-1c6fd5b5ca05
spec:
  featureSet: ""
status:
  featureGates:
  - version: 4.19.0
    enabled:
    - name: GatewayAPI
    disabled:
    - name: ClusterAPIInstall
`;
