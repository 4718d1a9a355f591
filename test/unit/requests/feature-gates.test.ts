import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRelease, type ReleaseFilter, withStatedGates } from "../../../src/requests/release-filter.ts";
import { selectRequests } from "../../../src/requests/select.ts";
import { type Any, expectFinding, identity, makeCredentials, publicKey, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const tech: ReleaseFilter = { ...defaultRelease, featureSet: "TechPreviewNoUpgrade" };
const gate = (name: string) => ({ annotations: { "release.openshift.io/feature-gate": name } });

/** A FeatureGate: a release's manifest if sets are given, otherwise that of a cluster. */
function featureGate(sets: string | undefined, versions: Any[], spec: Any = {}, more: Any = {}): Any {
  const annotations = sets === undefined ? more : { "release.openshift.io/feature-set": sets, ...more };
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster", annotations },
    spec,
    status: { featureGates: versions },
  };
}

const gates = (on: string[], off: string[], version = "") => ({
  version,
  enabled: on.map((name) => ({ name })),
  disabled: off.map((name) => ({ name })),
});
const profile = (name: string) => ({
  [`include.release.openshift.io/${name}`]: "false-except-for-the-config-operator",
});
const stated = (filter: ReleaseFilter, ...objects: Any[]) =>
  withStatedGates(
    filter,
    objects.map((value) => resourceOf(value)),
  ).featureGates;

describe("the gates that FeatureGate objects state", () => {
  it.each<[what: string, filter: ReleaseFilter, objects: Any[], gates: string[]]>([
    ["nothing without an object", tech, [], []],
    [
      "those of the cluster's feature set",
      tech,
      [featureGate("TechPreviewNoUpgrade", [gates(["A"], ["B"])]), featureGate("Default", [gates(["C"], ["A"])])],
      ["-B", "A"],
    ],
    [
      "those of its profile",
      tech,
      [
        featureGate("TechPreviewNoUpgrade", [gates(["A"], [])], {}, profile("self-managed-high-availability")),
        featureGate("TechPreviewNoUpgrade", [gates([], ["A"])], {}, profile("ibm-cloud-managed")),
      ],
      ["A"],
    ],
    [
      "a cluster's own",
      tech,
      [featureGate(undefined, [gates(["A"], [])], { featureSet: "TechPreviewNoUpgrade" })],
      ["A"],
    ],
    ["none of a cluster with another set", tech, [featureGate(undefined, [gates(["A"], [])])], []],
    [
      "the default set's, which has no name in a cluster",
      defaultRelease,
      [featureGate(undefined, [gates(["A"], [])])],
      ["A"],
    ],
    [
      "none of which two versions differ",
      tech,
      [featureGate("TechPreviewNoUpgrade", [gates(["A"], [], "4.21.3"), gates([], ["A"], "4.22.0")])],
      [],
    ],
    [
      "none of another version",
      { ...tech, version: "4.22" },
      [featureGate(undefined, [gates(["A"], ["B"], "4.21.3")], { featureSet: "TechPreviewNoUpgrade" })],
      [],
    ],
    [
      "the version's, where it is known",
      { ...tech, version: "4.22" },
      [
        featureGate("TechPreviewNoUpgrade", [
          gates(["A"], [], "4.21.3"),
          gates([], ["A"], "4.22.0"),
          gates(["A"], [], "4.2.0"),
        ]),
      ],
      ["-A"],
    ],
    [
      "custom ones",
      { ...defaultRelease, featureSet: "CustomNoUpgrade" },
      [
        featureGate(undefined, [], {
          featureSet: "CustomNoUpgrade",
          customNoUpgrade: { enabled: ["A"], disabled: ["B"] },
        }),
      ],
      ["-B", "A"],
    ],
    [
      "and the config before all",
      { ...tech, featureGates: ["-A", "B"] },
      [featureGate("TechPreviewNoUpgrade", [gates(["A"], ["B", "C"])])],
      ["-A", "B", "-C"],
    ],
    [
      "nothing of a malformed one",
      tech,
      [
        featureGate("TechPreviewNoUpgrade", [{ version: 1, enabled: "A", disabled: [5, null] }], {
          customNoUpgrade: 5,
        }),
      ],
      [],
    ],
  ])("are %s", (_, filter, objects, expected) => {
    expect(stated(filter, ...objects)).toEqual(expected);
    expect(stated(filter, ...[...objects].reverse())).toEqual(expected);
  });
});

describe("a request for a gate", () => {
  const judge = (filter: ReleaseFilter, name: string, objects: Any[] = [], options = {}) => {
    const items = [request("one", gate(name)), ...objects].map((value) => resourceOf(value));
    const { requests, findings } = selectRequests(items, filter, "AWSProviderSpec", options);
    return [requests.length, findings.map(({ severity, code }) => `${severity} ${code}`)];
  };

  it.each<[ReleaseFilter, string, unknown[]]>([
    [tech, "A", [0, ["warning feature-gate-unknown"]]],
    [tech, "-A", [0, ["warning feature-gate-unknown"]]],
    [{ ...tech, featureGates: ["A"] }, "A,B", [0, ["warning feature-gate-unknown"]]],
    [{ ...tech, featureGates: ["-A"] }, "A,B", [0, ["info skipped-feature-gate"]]],
    [{ ...tech, featureGates: ["A", "B"] }, "A, B", [1, []]],
    [{ ...tech, featureGates: ["A"] }, "-A", [0, ["info skipped-feature-gate"]]],
    [{ ...tech, featureGates: ["-A"] }, "-A", [1, []]],
    [tech, "TechPreviewNoUpgrade", [1, []]],
    [defaultRelease, "A", [0, ["info skipped-feature-gate"]]],
    [defaultRelease, "-A", [1, []]],
  ])("in %j for %j", (filter, name, expected) => {
    expect(judge(filter, name)).toEqual(expected);
  });

  it("is reported with the gate and both ways to decide it", () => {
    const release = { featureSet: "TechPreviewNoUpgrade" };
    const config = identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } });
    const made = makeCredentials(config, [request("one", gate("ClusterAPI,Other")), request("two")]);
    expect(expectFinding(made, "warning", "feature-gate-unknown")).toBe(
      'is undecided: it is unknown whether the feature set TechPreviewNoUpgrade enables the feature gates ClusterAPI, Other. List the gate in "spec.release.featureGates" of the ClusterIdentity, or in "--feature-gates" of a comparison, with "-" before its name if it is disabled. Or put the release\'s FeatureGate manifests (0000_50_cluster-config-api_featureGate-*.yaml) next to the requests.',
    );
    const manifest = featureGate("TechPreviewNoUpgrade", [gates(["ClusterAPI", "Other"], [])]);
    const settled = makeCredentials(config, [request("one", gate("ClusterAPI,Other")), manifest]);
    expect(Object.keys(settled.objects)).toContain("manifests/ns-one-credentials-credentials.yaml");
  });

  it("is included in a comparison if the gate is unknown", () => {
    expect(judge(tech, "A", [], { countUndecided: true })).toEqual([1, ["warning feature-gate-unknown"]]);
    expect(judge({ ...tech, featureGates: ["-A"] }, "A", [], { countUndecided: true })[0]).toBe(0);
    // The gates that a cluster disables are those of its release, but the requests may be of the next release.
    const dump = featureGate(undefined, [gates([], ["A"], "4.21.3")], { featureSet: "TechPreviewNoUpgrade" });
    for (const version of [undefined, "4.21", "4.22"])
      expect(judge({ ...tech, version }, "A", [dump], { countUndecided: true })).toEqual([
        1,
        ["warning feature-gate-unknown"],
      ]);
    const manifest = featureGate("TechPreviewNoUpgrade", [gates([], ["A"])]);
    expect(judge({ ...tech, version: "4.21" }, "A", [manifest], { countUndecided: true })[0]).toBe(0);
  });

  it("does not depend on statements about other gates", () => {
    const names = fc.uniqueArray(fc.constantFrom("B", "C", "D"));
    fc.assert(
      fc.property(names, names, fc.constantFrom("A", "-A"), (on, off, name) => {
        const object = featureGate("TechPreviewNoUpgrade", [gates(on, off)]);
        expect(judge(tech, name, [object])).toEqual(judge(tech, name));
      }),
    );
  });
});

describe("a request for major versions", () => {
  const only = { annotations: { "release.openshift.io/major-version": "4, 5" } };
  const judge = (version: string | undefined, ...more: Any[]) => {
    const release = version === undefined ? {} : { version };
    const config = identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } });
    return makeCredentials(config, [request("one", only), request("two"), ...more]);
  };

  it("is included if the version is one of them, and with a note if the version is unknown", () => {
    for (const version of ["4.22", "5.0"]) expect(Object.keys(judge(version).objects)).toHaveLength(4);
    expect(expectFinding(judge("6.1"), "info", "skipped-major-version")).toBe(
      "excluded: it is for the major version 4 or 5; this cluster has 6.",
    );
    expect(expectFinding(judge(undefined), "info", "major-version-ignored")).toBe(
      '1 of the included requests are only for certain major versions of OpenShift ("release.openshift.io/major-version"). Set "spec.release.version" to exclude those for other versions.',
    );
    expect(Object.keys(judge(undefined).objects)).toHaveLength(4);
  });
});

describe("the feature set", () => {
  const check = (release: Any, ...more: Any[]) =>
    makeCredentials(identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } }), [
      request("one"),
      ...more,
    ]);

  it("OKD exists since 4.22", () => {
    for (const release of [
      { featureSet: "OKD" },
      { featureSet: "OKD", version: "4.22" },
      { featureSet: "OKD", version: "5.0" },
    ])
      expect(check(release).results).toEqual([]);
    expect(expectFinding(check({ featureSet: "OKD", version: "4.21" }), "error", "feature-set-contradiction")).toBe(
      '"spec.release.featureSet" is "OKD", which requires OpenShift 4.22 or later, but "spec.release.version" is "4.21". Correct one of them.',
    );
  });

  it("contradicts a FeatureGate of a cluster with another feature set", () => {
    const dump = featureGate(undefined, [], { featureSet: "TechPreviewNoUpgrade" });
    expect(expectFinding(check({}, dump), "warning", "feature-set-contradiction")).toBe(
      '"spec.release.featureSet" is "Default", but FeatureGate "cluster" in the package has the feature set "TechPreviewNoUpgrade", so its gates are ignored. Correct the field, or replace the FeatureGate.',
    );
    expect(check({}, featureGate(undefined, [])).results).toEqual([]);
    expect(check({}, featureGate("TechPreviewNoUpgrade", [])).results).toEqual([]);
  });

  it.each(["4", "4.22.1", 4.22, ""])("needs a version of major and minor: %j", (version) => {
    expectFinding(check({ version }), "error", "config-invalid-field");
  });
});
