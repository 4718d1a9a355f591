import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReleaseFeatureGate, withStatedGates } from "../../../src/requests/feature-gates.ts";
import { defaultRelease, gateState, type ReleaseFilter } from "../../../src/requests/release-filter.ts";
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
/** The states of the gates A to D: `+A` enabled, `-A` disabled, `?A` unknown. */
const stated = (filter: ReleaseFilter, objects: Any[], paths: readonly (string | undefined)[] = []) => {
  const items = objects.map((value, index) =>
    resourceOf(value, paths[index] === undefined ? {} : { path: paths[index] }),
  );
  const known = withStatedGates(filter, items);
  const signs = new Map([
    [true, "+"],
    [false, "-"],
  ]);
  return ["A", "B", "C", "D"].map((name) => `${signs.get(gateState(name, known) as boolean) ?? "?"}${name}`).join(" ");
};

describe("the gates that FeatureGate objects state", () => {
  it.each<[what: string, filter: ReleaseFilter, objects: Any[], states: string]>([
    ["unknown without an object", tech, [], "?A ?B ?C ?D"],
    ["unknown without an object in the default set, too", defaultRelease, [], "?A ?B ?C ?D"],
    [
      "those of the manifest of the cluster's feature set, which lists all gates",
      tech,
      [featureGate("TechPreviewNoUpgrade", [gates(["A"], ["B"])]), featureGate("Default", [gates(["C"], ["A"])])],
      "+A -B -C -D",
    ],
    ["those of the default set", defaultRelease, [featureGate("Default", [gates(["A"], ["B"])])], "+A -B -C -D"],
    ["unknown if only other sets have manifests", tech, [featureGate("Default", [gates(["A"], ["B"])])], "?A ?B ?C ?D"],
    [
      "those of the cluster's profile",
      tech,
      [
        featureGate("TechPreviewNoUpgrade", [gates(["A"], [])], {}, profile("self-managed-high-availability")),
        featureGate("TechPreviewNoUpgrade", [gates([], ["A"])], {}, profile("ibm-cloud-managed")),
      ],
      "+A -B -C -D",
    ],
    [
      "those of manifests with only a profile, as in 4.16 to 4.21",
      tech,
      [
        featureGate(undefined, [gates(["A"], [])], {}, profile("self-managed-high-availability")),
        featureGate(
          undefined,
          [gates(["B"], [])],
          { featureSet: "TechPreviewNoUpgrade" },
          profile("self-managed-high-availability"),
        ),
      ],
      "-A +B -C -D",
    ],
    [
      "those of manifests without annotations, as in 4.15",
      tech,
      [
        featureGate(undefined, [gates(["A"], [])]),
        featureGate(undefined, [gates(["B"], [])], { featureSet: "TechPreviewNoUpgrade" }),
      ],
      "-A +B -C -D",
    ],
    [
      "those of the release's major version",
      { ...defaultRelease, version: "5.0" },
      [
        featureGate("Default", [gates(["A"], [])], {}, { "release.openshift.io/major-version": "4" }),
        featureGate("Default", [gates(["B"], [])], {}, { "release.openshift.io/major-version": "5, 6" }),
      ],
      "-A +B -C -D",
    ],
    [
      "those of a manifest that is not for another major version",
      { ...defaultRelease, version: "5.0" },
      [
        featureGate("Default", [gates(["A"], [])], {}, { "release.openshift.io/major-version": "-5" }),
        featureGate("Default", [gates(["B"], [])], {}, { "release.openshift.io/major-version": "-4" }),
      ],
      "-A +B -C -D",
    ],
    [
      "unknown where the list of major versions is malformed",
      { ...defaultRelease, version: "5.0" },
      [featureGate("Default", [gates(["A"], [])], {}, { "release.openshift.io/major-version": "5,x" })],
      "?A ?B ?C ?D",
    ],
    [
      "unknown where manifests contradict each other",
      defaultRelease,
      [featureGate("Default", [gates(["A", "B"], [])]), featureGate("Default", [gates(["B"], ["A"])])],
      "?A +B -C -D",
    ],
    [
      "unknown with the empty object that a release creates",
      defaultRelease,
      [
        featureGate(
          undefined,
          [],
          {},
          { "release.openshift.io/create-only": "true", "include.release.openshift.io/x": "true" },
        ),
      ],
      "?A ?B ?C ?D",
    ],
    [
      "those that a cluster lists",
      tech,
      [featureGate(undefined, [gates(["A"], ["B"], "4.22.1")], { featureSet: "TechPreviewNoUpgrade" })],
      "+A -B ?C ?D",
    ],
    ["none of a cluster with another set", tech, [featureGate(undefined, [gates(["A"], [], "4.22.1")])], "?A ?B ?C ?D"],
    [
      "the default set's, which has no name in a cluster",
      defaultRelease,
      [featureGate(undefined, [gates(["A"], [], "4.22.1")])],
      "+A ?B ?C ?D",
    ],
    [
      "none of which two versions differ",
      defaultRelease,
      [featureGate(undefined, [gates(["A"], ["B"], "4.21.3"), gates([], ["A", "B"], "4.22.0")])],
      "?A -B ?C ?D",
    ],
    [
      "none of another version",
      { ...defaultRelease, version: "4.22" },
      [featureGate(undefined, [gates(["A"], ["B"], "4.21.3")])],
      "?A ?B ?C ?D",
    ],
    [
      "the version's, if it is known",
      { ...defaultRelease, version: "4.22" },
      [featureGate(undefined, [gates(["A"], [], "4.21.3"), gates([], ["A"], "4.22.0"), gates(["A"], [], "4.2.0")])],
      "-A ?B ?C ?D",
    ],
    [
      "none of a version that only begins with the same digits",
      { ...defaultRelease, version: "4.2" },
      [
        featureGate(undefined, [
          gates(["A"], [], "4.22.1"),
          gates(["B"], [], "4.20"),
          gates(["C"], [], "4.2.10"),
          gates(["D"], [], "4.2"),
        ]),
      ],
      "?A ?B +C +D",
    ],
    [
      "those of a list of a cluster without a version",
      { ...defaultRelease, version: "4.22" },
      [featureGate(undefined, [gates(["A"], []), gates(["B"], [], "4.22.1"), gates(["C"], [], "4.21.1")])],
      "+A +B ?C ?D",
    ],
    [
      "custom ones, and otherwise those of the default set",
      { ...defaultRelease, featureSet: "CustomNoUpgrade" },
      [
        featureGate("Default", [gates(["B", "C"], ["A"])]),
        featureGate(undefined, [], {
          featureSet: "CustomNoUpgrade",
          customNoUpgrade: { enabled: ["A"], disabled: ["B"] },
        }),
      ],
      "+A -B +C -D",
    ],
    [
      "those of the configuration before all",
      { ...tech, featureGates: ["-A", "B"] },
      [featureGate("TechPreviewNoUpgrade", [gates(["A", "C"], ["B"])])],
      "-A +B +C -D",
    ],
    [
      "none of a malformed one",
      tech,
      [
        featureGate("TechPreviewNoUpgrade", [{ version: 1, enabled: "A", disabled: [5, null] }], {
          customNoUpgrade: 5,
        }),
      ],
      "-A -B -C -D",
    ],
  ])("are %s", (_, filter, objects, expected) => {
    expect(stated(filter, objects)).toBe(expected);
    expect(stated(filter, [...objects].reverse())).toBe(expected);
  });

  it("are those of the profile in the file name, as in 4.15", () => {
    const objects = [featureGate(undefined, [gates(["A"], [])]), featureGate(undefined, [gates(["B"], [])])];
    const file = (name: string) => `0000_50_cluster-config-api_featureGate-${name}-Default.yaml`;
    const paths = [file("Hypershift"), file("SelfManagedHA")];
    expect(stated(defaultRelease, objects, paths)).toBe("-A +B -C -D");
    expect(stated({ ...defaultRelease, profile: "ibm-cloud-managed" }, objects, paths)).toBe("+A -B -C -D");
  });

  it("is of a release, or of a cluster", () => {
    const isOfRelease = (value: Any) => isReleaseFeatureGate(resourceOf(value));
    expect(isOfRelease(featureGate("Default", []))).toBe(true);
    expect(isOfRelease(featureGate(undefined, [gates(["A"], [])]))).toBe(true);
    expect(isOfRelease(featureGate(undefined, [gates(["A"], [], "4.22.1")]))).toBe(false);
    expect(isOfRelease(featureGate(undefined, [gates(["A"], []), gates([], [], "4.22.1")]))).toBe(false);
    expect(isOfRelease(featureGate(undefined, []))).toBe(false);
    expect(isOfRelease(featureGate(undefined, [], {}, profile("self-managed-high-availability")))).toBe(true);
    expect(isOfRelease(featureGate(undefined, [], {}, { "release.openshift.io/create-only": "true" }))).toBe(true);
    expect(isOfRelease(request("one"))).toBe(false);
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
    [tech, "-A", [1, ["warning feature-gate-unknown"]]],
    [{ ...tech, featureGates: ["A"] }, "A,B", [0, ["warning feature-gate-unknown"]]],
    [{ ...tech, featureGates: ["-A"] }, "A,B", [0, ["info skipped-feature-gate"]]],
    [{ ...tech, featureGates: ["A", "B"] }, "A, B", [1, []]],
    [{ ...tech, featureGates: ["A"] }, "-A", [0, ["info skipped-feature-gate"]]],
    [{ ...tech, featureGates: ["-A"] }, "-A", [1, []]],
    [tech, "TechPreviewNoUpgrade", [1, []]],
    [defaultRelease, "A", [0, ["warning feature-gate-unknown"]]],
    [defaultRelease, "-A", [1, ["warning feature-gate-unknown"]]],
    [{ ...defaultRelease, featureGates: ["A"] }, "A,-B", [1, ["warning feature-gate-unknown"]]],
    [{ ...defaultRelease, featureGates: ["B"] }, "A,-B", [0, ["info skipped-feature-gate"]]],
    [defaultRelease, " , ", [1, []]],
  ])("in %j for %j", (filter, name, expected) => {
    expect(judge(filter, name)).toEqual(expected);
  });

  it("is reported with the gate and both ways to decide it", () => {
    const release = { featureSet: "TechPreviewNoUpgrade" };
    const config = identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } });
    const made = makeCredentials(config, [request("one", gate("ClusterAPI,Other")), request("two")]);
    expect(expectFinding(made, "warning", "feature-gate-unknown")).toBe(
      'depends on the feature gates "ClusterAPI", "Other", and it is unknown whether the release enables them in the feature set "TechPreviewNoUpgrade". Until it is known, the request is not included, and what was rendered for it stays. Get the release\'s feature gates with its requests: "ccf extract-release VERSION --output-dir DIR", and then "ccf update-requests --from DIR". Or list each gate in "spec.release.featureGates" of the ClusterIdentity, or in "--feature-gates" of a comparison, with "-" before its name if it is disabled.',
    );
    const manifest = featureGate("TechPreviewNoUpgrade", [gates(["ClusterAPI", "Other"], [])]);
    const settled = makeCredentials(config, [request("one", gate("ClusterAPI,Other")), manifest]);
    expect(Object.keys(settled.objects)).toContain("manifests/ns-one-credentials-credentials.yaml");
  });

  it("is included in a comparison if the gate is unknown", () => {
    expect(judge(tech, "A", [], { countUndecided: true })).toEqual([1, ["warning feature-gate-unknown"]]);
    expect(judge({ ...tech, featureGates: ["-A"] }, "A", [], { countUndecided: true })[0]).toBe(0);
    const manifest = featureGate("TechPreviewNoUpgrade", [gates([], ["A"])]);
    expect(judge({ ...tech, version: "4.21" }, "A", [manifest], { countUndecided: true })[0]).toBe(0);
  });

  it("does not depend on statements of clusters about other gates", () => {
    const names = fc.uniqueArray(fc.constantFrom("B", "C", "D"));
    fc.assert(
      fc.property(names, names, fc.constantFrom("A", "-A"), (on, off, name) => {
        const object = featureGate(undefined, [gates(on, off, "4.22.1")], { featureSet: "TechPreviewNoUpgrade" });
        expect(judge(tech, name, [object])).toEqual(judge(tech, name));
      }),
    );
  });

  it("counts for a request of the previous release, whatever the new release enables", () => {
    const annotations = {
      "release.openshift.io/feature-gate": "A",
      "capability.openshift.io/name": "Gone",
      "fn.cloudcredential.dev/transition": "previous-release",
    };
    for (const featureGates of [["-A"], []]) {
      const filter = { ...defaultRelease, featureGates, capabilities: [] };
      const items = [resourceOf(request("one", { annotations }))];
      const { requests, findings } = selectRequests(items, filter, "AWSProviderSpec");
      expect([requests.length, findings]).toEqual([1, []]);
    }
  });
});

describe("requests for one Secret that exclude each other", () => {
  const both = [request("on", gate("A")), request("off", gate("-A"))].map((value) => ({
    ...value,
    spec: { ...value.spec, secretRef: { namespace: "ns", name: "shared" } },
  }));
  const config = (featureGates: string[]) =>
    identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release: { featureGates } } });

  it("are an error until the gate is known, because nothing was rendered that could stay", () => {
    const made = makeCredentials(config([]), both);
    expect(expectFinding(made, "error", "feature-gate-contested")).toMatch(
      /^and CredentialsRequest "openshift-cloud-credential-operator\/o(?:n|ff)" are for the same Secret, and the feature gate "A" decides which of the two is included\. /,
    );
    for (const known of [["A"], ["-A"]]) expect(makeCredentials(config(known), both).exitCode).toBe(0);
  });

  it("exclude each other whatever else one of them requires", () => {
    const more = { ...both[0], metadata: { ...both[0]?.metadata, ...gate("A,C") } };
    expectFinding(makeCredentials(config([]), [more, both[1]] as Any[]), "error", "feature-gate-contested");
  });

  it.each([
    ["one of them is certain", ["", "A"], "0"],
    ["one of them only requires a gate to be disabled", ["-A", "B"], "0"],
    ["none of them is included otherwise", ["A", "B"], "0"],
  ])("are one in a comparison if %s", (_, names, expected) => {
    const items = names.map((name, index) =>
      resourceOf({ ...both[0], metadata: { ...both[0]?.metadata, name: `${index}`, ...gate(name) } }),
    );
    const { requests } = selectRequests(items, defaultRelease, "AWSProviderSpec", { countUndecided: true });
    expect(requests.map(({ resource }) => resource.name)).toEqual([expected]);
  });

  it("exclude each other only if they require the opposite of one gate", () => {
    const other = [
      both[0],
      { ...both[1], metadata: { ...both[1]?.metadata, annotations: { "release.openshift.io/feature-gate": "-B" } } },
    ];
    const made = makeCredentials(config([]), other as Any[]);
    expect(made.exitCode).toBe(0);
    const messages = made.results.flatMap(({ tags, message }: Any) =>
      tags.code === "feature-gate-unknown" ? [message] : [],
    );
    expect(messages.sort()).toEqual([
      expect.stringMatching(/^depends on the feature gate "A", .* the request is not included, /),
      expect.stringMatching(/^depends on the feature gate "B", .* the request is included\. /),
    ]);
  });

  it("keep what was rendered", () => {
    const rendered = makeCredentials(config(["A"]), both);
    const items = [...both, ...Object.values(rendered.objects)];
    const again = makeCredentials(config([]), items as Any[]);
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout).items).toEqual(items);
    const codes = again.results.map(({ tags }: Any) => tags.code);
    expect(codes.filter((code: string) => code === "feature-gate-unknown")).toHaveLength(2);
  });
});

it("what was rendered for a request stays only as it was rendered", () => {
  const config = (featureGates: string[], more: Any = {}) =>
    identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release: { featureGates }, ...more } });
  const requests = [request("one", gate("A")), request("two")];
  const rendered = makeCredentials(config(["A"]), requests);
  const objects = Object.values(rendered.objects) as Any[];
  const again = (config: Any, items: readonly Any[]) => makeCredentials(config, [...items]);
  expect(again(config([]), [...requests, ...objects]).exitCode).toBe(0);
  const edited = objects.map((object) => {
    const { "permissions-policy.json": policy, ...files } = object.data ?? {};
    return object.metadata.name.includes("one") && policy !== undefined
      ? { ...object, data: { ...files, "permissions-policy.json": policy.replace("Allow", "Deny") } }
      : object;
  });
  expect(edited).not.toEqual(objects);
  expect(expectFinding(again(config([]), [...requests, ...edited]), "error", "held-object-differs")).toMatch(
    /^stays as it is, because it is unknown whether the release has its request, but it is not what the request asks for now: /,
  );
  const secret = objects.map((object) =>
    object.kind === "Secret" && object.metadata.namespace === "ns-one"
      ? { ...object, stringData: { ...object.stringData, credentials: "[default]\n" } }
      : object,
  );
  expectFinding(again(config([]), [...requests, ...secret]), "error", "held-object-differs");
});

describe("a request for major versions", () => {
  const only = { annotations: { "release.openshift.io/major-version": "4, 5" } };
  const judge = (version: string | undefined, ...more: Any[]) => {
    const release = version === undefined ? {} : { version };
    const config = identity({ spec: { issuer: { signingKeys: [{ publicKey }] }, release } });
    return makeCredentials(config, [request("one", only), request("two"), ...more]);
  };

  it("is not included from 4.22 on: the annotation has no effect on requests before, and excludes them since", () => {
    expect(Object.keys(judge("4.21").objects)).toHaveLength(4);
    for (const version of ["4.22", "5.0"]) {
      const made = judge(version);
      expect(Object.keys(made.objects)).toHaveLength(2);
      expect(expectFinding(made, "info", "skipped-major-version")).toBe(
        "excluded: it has a major-version annotation, which only FeatureGates and CustomResourceDefinitions can have, so no cluster of 4.22 or later includes it.",
      );
    }
    const unknown = judge(undefined);
    expect(Object.keys(unknown.objects)).toHaveLength(4);
    expect(expectFinding(unknown, "info", "major-version-ignored")).toBe(
      '1 of the included requests have the annotation "release.openshift.io/major-version", with which no cluster of 4.22 or later includes a request. Set "spec.release.version".',
    );
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
    for (const version of ["4.21", "4.9"])
      expect(expectFinding(check({ featureSet: "OKD", version }), "error", "feature-set-contradiction")).toBe(
        `"spec.release.featureSet" is "OKD", which requires OpenShift 4.22 or later, but "spec.release.version" is "${version}". Correct one of them.`,
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
