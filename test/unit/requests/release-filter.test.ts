import { describe, expect, it } from "vitest";
import {
  type Exclusion,
  exclusionOf,
  exclusionOfPrevious,
  type ReleaseFilter,
} from "../../../src/requests/release-filter.ts";

const filter: ReleaseFilter = {
  profile: "self-managed-high-availability",
  excludeIdentifier: "",
  featureSet: "Default",
  featureGates: [],
};
const set = "release.openshift.io/feature-set";
const gate = "release.openshift.io/feature-gate";
const capability = "capability.openshift.io/name";
const ours = "include.release.openshift.io/self-managed-high-availability";
const theirs = "include.release.openshift.io/ibm-cloud-managed";
const hosted = "exclude.release.openshift.io/internal-openshift-hosted";

type Case = [annotations: Record<string, string>, change: Partial<ReleaseFilter>, expected: Exclusion | undefined];

function judge(annotations: Record<string, string>, change: Partial<ReleaseFilter>): Exclusion | undefined {
  return exclusionOf(new Map(Object.entries(annotations)), { ...filter, ...change });
}

const both = {
  code: "skipped-feature-gate",
  reason: "it has both a feature-set and a feature-gate annotation, so no cluster includes it",
} as const;

describe("each reason has its code", () => {
  it.each<Case>([
    [
      { [set]: "CustomNoUpgrade" },
      { featureSet: "DevPreviewNoUpgrade" },
      {
        code: "skipped-feature-set",
        reason: "it requires the feature set CustomNoUpgrade; this cluster uses DevPreviewNoUpgrade",
      },
    ],
    [
      { [gate]: "A" },
      {},
      {
        code: "feature-gate-unknown",
        reason: "it is unknown whether the feature set Default enables the feature gate A",
      },
    ],
    [
      { [gate]: "A" },
      { featureGates: ["-A"] },
      { code: "skipped-feature-gate", reason: "it requires the feature gate A, which is not enabled" },
    ],
    [
      { [gate]: "-A" },
      { featureGates: ["A"] },
      { code: "skipped-feature-gate", reason: "it requires the feature gate A to be disabled" },
    ],
    [
      { [capability]: "A" },
      { capabilities: ["B"] },
      { code: "skipped-capability", reason: "it requires the capability A, which is not enabled" },
    ],
    [
      { [theirs]: "true" },
      {},
      { code: "skipped-profile", reason: "it is not for the cluster profile self-managed-high-availability" },
    ],
    [
      { [hosted]: "true" },
      { excludeIdentifier: "internal-openshift-hosted" },
      { code: "skipped-excluded", reason: "it is excluded for internal-openshift-hosted" },
    ],
  ])("%j with %j", (annotations, change, expected) => {
    expect(judge(annotations, change)).toEqual(expected);
  });
});

describe("a feature set and a gate together are never included", () => {
  it.each<[string, string, Partial<ReleaseFilter>]>([
    ["Default", "A", {}],
    ["Default", "A", { featureGates: ["A"] }],
    ["Default", "-A", {}],
    ["Default", "", {}],
    ["TechPreviewNoUpgrade", "TechPreviewNoUpgrade", { featureSet: "TechPreviewNoUpgrade" }],
  ])("%j and %j with %j", (sets, gates, change) => {
    expect(judge({ [set]: sets, [gate]: gates, [ours]: "true" }, change)).toEqual(both);
  });
});

describe("lists", () => {
  it.each<Case>([
    [
      { [set]: " TechPreviewNoUpgrade , Default " },
      {},
      {
        code: "skipped-feature-set",
        reason: 'it names the unknown feature set " TechPreviewNoUpgrade ", so no cluster includes it',
      },
    ],
    [{ [set]: "TechPreviewNoUpgrade,Default" }, {}, undefined],
    [
      { [set]: "default" },
      {},
      { code: "skipped-feature-set", reason: 'it names the unknown feature set "default", so no cluster includes it' },
    ],
    [
      { [set]: "DefaultX,XDefault" },
      {},
      {
        code: "skipped-feature-set",
        reason: 'it names the unknown feature set "DefaultX", so no cluster includes it',
      },
    ],
    [{ [gate]: " A , -B " }, { featureGates: ["A"] }, undefined],
    [{ [gate]: "" }, {}, undefined],
    [
      { [gate]: "A,-B,C" },
      { featureGates: ["A", "B"] },
      { code: "skipped-feature-gate", reason: "it requires the feature gate B to be disabled" },
    ],
    [
      { [gate]: "a" },
      { featureGates: ["A"] },
      {
        code: "feature-gate-unknown",
        reason: "it is unknown whether the feature set Default enables the feature gate a",
      },
    ],
    [
      { [gate]: "-TechPreviewNoUpgrade" },
      { featureSet: "TechPreviewNoUpgrade" },
      { code: "skipped-feature-gate", reason: "it requires the feature gate TechPreviewNoUpgrade to be disabled" },
    ],
    [{ [gate]: "-TechPreviewNoUpgrade" }, {}, undefined],
    [{ [gate]: "TechPreviewNoUpgrade" }, { featureGates: ["TechPreviewNoUpgrade"] }, undefined],
    [
      { [gate]: "TechPreviewNoUpgrade" },
      { featureSet: "DevPreviewNoUpgrade" },
      {
        code: "skipped-feature-gate",
        reason: "it requires the feature gate TechPreviewNoUpgrade, which is not enabled",
      },
    ],
    [{ [capability]: " A + B " }, { capabilities: ["A", "B"] }, undefined],
    [
      { [capability]: "A,B" },
      { capabilities: ["A", "B"] },
      { code: "skipped-capability", reason: "it requires the capability A,B, which is not enabled" },
    ],
    [
      { [capability]: "A+B+C" },
      { capabilities: [] },
      { code: "skipped-capability", reason: "it requires the capability A, which is not enabled" },
    ],
    [{ [capability]: "" }, { capabilities: [] }, undefined],
  ])("%j with %j", (annotations, change, expected) => {
    expect(judge(annotations, change)).toEqual(expected);
  });
});

describe("profiles", () => {
  it.each<Case>([
    [{ [ours]: "true", [theirs]: "true" }, {}, undefined],
    [{ [ours]: "true", [theirs]: "false" }, { profile: "ibm-cloud-managed" }, notFor("ibm-cloud-managed")],
    [{ [theirs]: "false" }, {}, notFor("self-managed-high-availability")],
    [{ [ours]: "True" }, {}, notFor("self-managed-high-availability")],
    // Exclusion overrides inclusion. The exclusion of another identifier has no effect.
    [
      { [ours]: "true", [hosted]: "true" },
      { excludeIdentifier: "internal-openshift-hosted" },
      { code: "skipped-excluded", reason: "it is excluded for internal-openshift-hosted" },
    ],
    [{ [ours]: "true", [hosted]: "true" }, { excludeIdentifier: "other" }, undefined],
    [{ "exclude.release.openshift.io/": "true" }, { excludeIdentifier: "" }, undefined],
    // Without a profile annotation, the request is included in every cluster.
    [{ "app.kubernetes.io/name": "x" }, { profile: "ibm-cloud-managed", capabilities: [] }, undefined],
    [{}, { profile: "ibm-cloud-managed", capabilities: [], featureSet: "CustomNoUpgrade" }, undefined],
  ])("%j with %j", (annotations, change, expected) => {
    expect(judge(annotations, change)).toEqual(expected);
  });
});

it("the first reason is reported, in the order features, capabilities, exclusion, profile", () => {
  const annotations: Record<string, string> = {
    [gate]: "A",
    [capability]: "C",
    [hosted]: "true",
    [theirs]: "true",
  };
  const change = { featureGates: ["-A"], capabilities: [], excludeIdentifier: "internal-openshift-hosted" };
  const codes: (string | undefined)[] = [];
  for (const key of [gate, capability, hosted, theirs]) {
    codes.push(judge(annotations, change)?.code);
    delete annotations[key];
  }
  expect([...codes, judge(annotations, change)]).toEqual([
    "skipped-feature-gate",
    "skipped-capability",
    "skipped-excluded",
    "skipped-profile",
    undefined,
  ]);
});

function notFor(profile: string): Exclusion {
  return { code: "skipped-profile", reason: `it is not for the cluster profile ${profile}` };
}

it.each<Case>([
  [{ [gate]: "-A,B", [capability]: "C", "release.openshift.io/major-version": "4" }, { version: "4.22" }, undefined],
  [{ [ours]: "true", [set]: "Default" }, {}, undefined],
  [
    { [theirs]: "true" },
    {},
    { code: "skipped-profile", reason: "it is not for the cluster profile self-managed-high-availability" },
  ],
  [
    { [set]: "CustomNoUpgrade" },
    {},
    {
      code: "skipped-feature-set",
      reason: "it requires the feature set CustomNoUpgrade; this cluster uses Default",
    },
  ],
])("a request of the previous release depends only on feature set and profile: %j", (annotations, change, expected) => {
  const own = { ...filter, featureGates: ["A"], capabilities: [], ...change };
  expect(exclusionOfPrevious(new Map(Object.entries(annotations)), own)).toEqual(expected);
});
