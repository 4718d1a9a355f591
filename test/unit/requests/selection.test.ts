import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exclusionOf, type ReleaseFilter } from "../../../src/requests/release-filter.ts";
import { type Any, expectClean, expectFinding, identity, makeCredentials, request } from "../../helpers/cluster.ts";

const filter: ReleaseFilter = {
  profile: "self-managed-high-availability",
  excludeIdentifier: "",
  featureSet: "Default",
  featureGates: [],
};
const sets = "release.openshift.io/feature-set";
const gates = "release.openshift.io/feature-gate";
const capability = "capability.openshift.io/name";
const include = "include.release.openshift.io/";
const exclude = "exclude.release.openshift.io/";

describe("exclusionOf", () => {
  it.each<[Record<string, string>, Partial<ReleaseFilter>, string | undefined]>([
    [{}, {}, undefined],
    [{ [sets]: "Default" }, {}, undefined],
    [
      { [sets]: "TechPreviewNoUpgrade" },
      {},
      "it requires the feature set TechPreviewNoUpgrade; this cluster uses Default",
    ],
    [
      { [sets]: "CustomNoUpgrade,TechPreviewNoUpgrade" },
      {},
      "it requires the feature set CustomNoUpgrade or TechPreviewNoUpgrade; this cluster uses Default",
    ],
    [{ [sets]: "CustomNoUpgrade,TechPreviewNoUpgrade" }, { featureSet: "TechPreviewNoUpgrade" }, undefined],
    [{ [gates]: "A" }, {}, "it is unknown whether the feature set Default enables the feature gate A"],
    [{ [gates]: "A" }, { featureGates: ["-A"] }, "it requires the feature gate A, which is not enabled"],
    [
      { [gates]: "A,B,C" },
      { featureGates: ["A"] },
      "it is unknown whether the feature set Default enables the feature gates B, C",
    ],
    [{ [gates]: "A,B" }, { featureGates: ["A", "-B"] }, "it requires the feature gate B, which is not enabled"],
    [{ [gates]: "A,B" }, { featureGates: ["B", "A"] }, undefined],
    [{ [gates]: "-A" }, {}, undefined],
    [{ [gates]: "-A" }, { featureGates: ["A"] }, "it requires the feature gate A to be disabled"],
    [{ [gates]: "B,-A" }, { featureGates: ["B"] }, undefined],
    [
      { [gates]: "TechPreviewNoUpgrade" },
      {},
      "it requires the feature gate TechPreviewNoUpgrade, which is not enabled",
    ],
    [{ [gates]: "TechPreviewNoUpgrade" }, { featureSet: "TechPreviewNoUpgrade" }, undefined],
    [
      { [gates]: "CustomNoUpgrade" },
      { featureSet: "CustomNoUpgrade" },
      "it is unknown whether the feature set CustomNoUpgrade enables the feature gate CustomNoUpgrade",
    ],
    [
      { [gates]: "A", [sets]: "Default" },
      { featureGates: ["A"] },
      "it has both a feature-set and a feature-gate annotation, so no cluster includes it",
    ],
    [{ [capability]: "A+B" }, {}, undefined],
    [{ [capability]: "A+B" }, { capabilities: ["B", "A", "C"] }, undefined],
    [{ [capability]: "A+B" }, { capabilities: ["A"] }, "it requires the capability B, which is not enabled"],
    [{ [capability]: "A" }, { capabilities: [] }, "it requires the capability A, which is not enabled"],
    [{ [`${include}self-managed-high-availability`]: "true" }, {}, undefined],
    [
      { [`${include}self-managed-high-availability`]: "false" },
      {},
      "it is not for the cluster profile self-managed-high-availability",
    ],
    [{ [`${include}hypershift`]: "true" }, {}, "it is not for the cluster profile self-managed-high-availability"],
    [{ [`${include}hypershift`]: "true" }, { profile: "hypershift" }, undefined],
    [{ [`${exclude}internal-openshift-hosted`]: "true" }, {}, undefined],
    [
      { [`${exclude}internal-openshift-hosted`]: "true" },
      { excludeIdentifier: "internal-openshift-hosted" },
      "it is excluded for internal-openshift-hosted",
    ],
    [
      { [`${exclude}internal-openshift-hosted`]: "false" },
      { excludeIdentifier: "internal-openshift-hosted" },
      undefined,
    ],
  ])("%j with %j: %s", (annotations, change, reason) => {
    expect(exclusionOf(new Map(Object.entries(annotations)), { ...filter, ...change })?.reason).toBe(reason);
  });
});

describe("a request is excluded", () => {
  it.each<[string, Any, Any]>([
    ["skipped-deletion", { "release.openshift.io/delete": "true" }, {}],
    ["skipped-feature-set", { [sets]: "TechPreviewNoUpgrade" }, {}],
    ["skipped-feature-gate", { [gates]: "A" }, { featureGates: ["-A"] }],
    ["skipped-capability", { [capability]: "Storage" }, { capabilities: ["Ingress"] }],
    ["skipped-profile", { [`${include}hypershift`]: "true" }, {}],
    ["skipped-excluded", { [`${exclude}x`]: "true" }, { excludeIdentifier: "x" }],
  ])("with the note %s", (code, annotations, release) => {
    const made = makeCredentials(identity({ spec: { release } }), [request("one", { annotations }), request("two")]);
    expectClean(made);
    expect(expectFinding(made, "info", code)).toMatch(/^excluded: (?:it|requires) .*\.$/);
    expect(Object.keys(made.objects)).toHaveLength(2);
  });

  it.each([
    "GCPProviderSpec",
    "AzureProviderSpec",
    "OpenStackProviderSpec",
    "VSphereProviderSpec",
    "NutanixProviderSpec",
    "IBMCloudProviderSpec",
    "IBMCloudPowerVSProviderSpec",
    "OvirtProviderSpec",
    "KubevirtProviderSpec",
    "AlibabaCloudProviderSpec",
  ])("because it is for %s", (kind) => {
    const made = makeCredentials(identity(), [request("one", { spec: { providerSpec: { kind } } }), request("two")]);
    expectClean(made);
    expect(expectFinding(made, "info", "skipped-other-cloud")).toBe(`excluded: it is for another cloud (${kind}).`);
  });

  it.each([
    ["MarsProviderSpec", '"MarsProviderSpec"'],
    [undefined, '""'],
    [5, "5"],
  ])("with a warning if its cloud is %j", (kind, shown) => {
    const made = makeCredentials(identity(), [request("one", { spec: { providerSpec: { kind } } }), request("two")]);
    expect(expectFinding(made, "warning", "provider-unknown")).toContain(`"spec.providerSpec.kind" is ${shown}`);
    expect(made.exitCode).toBe(0);
  });
});

describe("a request that is included", () => {
  it.each([[{ spec: undefined }], [{ spec: {} }], [{ spec: { providerSpec: null } }]])(
    "has a provider spec: %j",
    (change) => {
      const item = { ...request("one"), ...change };
      expect(expectFinding(makeCredentials(identity(), [item]), "error", "request-missing-field")).toContain(
        'lacks "spec.providerSpec"',
      );
      const tombstone = {
        ...item,
        metadata: { ...item.metadata, annotations: { "release.openshift.io/delete": "true" } },
      };
      expect(makeCredentials(identity(), [tombstone, request("two")]).exitCode).toBe(0);
    },
  );

  it("is included despite a tombstone with its name", () => {
    const made = makeCredentials(identity(), [
      request("one", { annotations: { "release.openshift.io/delete": "true" } }),
      request("one"),
    ]);
    expectClean(made);
    expect(Object.keys(made.objects)).toHaveLength(2);
  });

  it("is included once, wherever tools found its copies", () => {
    const copies = ["b.yaml", "a.yaml", "c.yaml"].map((path) =>
      request("one", {
        annotations: { "config.kubernetes.io/path": path, "internal.config.kubernetes.io/path": path },
      }),
    );
    const made = makeCredentials(identity(), copies);
    expectClean(made);
    const notes = made.results.filter((result) => result.tags.code === "skipped-duplicate");
    expect(notes.map((note) => [note.file.path, note.message])).toEqual(
      ["b.yaml", "c.yaml"].map((path) => [path, 'excluded: an identical request is in "a.yaml".']),
    );
  });

  it("is included once, whether a tool has annotated it or not", () => {
    const { annotations, ...metadata } = request("one").metadata;
    expect(annotations).toEqual({});
    const bare = { ...request("one"), metadata };
    const made = makeCredentials(identity(), [
      bare,
      request("one", { annotations: { "config.kubernetes.io/path": "é.yaml" } }),
    ]);
    expectClean(made);
    expect(expectFinding(made, "info", "skipped-duplicate")).toMatch(
      /^excluded: an identical request is in (the package|"é\.yaml")\.$/,
    );
  });

  it("that appears twice has one finding, and its cure helps", () => {
    const newer = request("one", { spec: { serviceAccountNames: ["other"] } });
    const { results } = makeCredentials(identity(), [request("one"), newer]);
    const errors = results.filter(({ severity }) => severity === "error");
    expect(errors.map(({ tags }) => tags.code)).toEqual(["secret-shared"]);
  });

  it("does not share its Secret", () => {
    const other = request("two", { spec: { secretRef: { namespace: "ns-one", name: "credentials" } } });
    expect(expectFinding(makeCredentials(identity(), [other, request("one")]), "error", "secret-shared")).toBe(
      'names the same Secret "ns-one/credentials" in "spec.secretRef" as CredentialsRequest "openshift-cloud-credential-operator/one". Each request needs its own Secret. Remove the request that this cluster does not need, or correct the wrong "spec.secretRef".',
    );
  });

  it.each([
    ["elsewhere", "info", 'is in the namespace "elsewhere"'],
    [undefined, "warning", "has no namespace"],
  ] as const)("may be in any namespace: %j", (namespace, severity, message) => {
    const made = makeCredentials(identity(), [request("one", { metadata: { name: "one", namespace } })]);
    expect(expectFinding(made, severity, "request-namespace")).toContain(message);
    expect(made.exitCode).toBe(0);
  });

  it.each(["${NAMESPACE}", "$(id)", "{{ .Values.x }}", "CRED-REQ-NAME", "<role>"])("has no placeholder: %s", (text) => {
    for (const [change, field] of [
      [{ metadata: { name: text, namespace: "openshift-cloud-credential-operator" } }, "metadata.name"],
      [{ spec: { secretRef: { namespace: text, name: "x" } } }, "spec.secretRef.namespace"],
      [{ spec: { serviceAccountNames: ["a", text] } }, "spec.serviceAccountNames[1]"],
    ] as const) {
      const message = expectFinding(
        makeCredentials(identity(), [request("one", change)]),
        "error",
        "request-placeholder",
      );
      expect(message).toBe(`"${field}" is "${text}", a placeholder that was not filled in. Replace it with the value.`);
    }
  });

  it("contains no private key, plain or in base64, and none is printed", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const text of [pem, Buffer.from(pem).toString("base64"), Buffer.from(`xy${pem}`).toString("base64")]) {
      const made = makeCredentials(identity(), [request("one", { spec: { cloudTokenPath: text } })]);
      expect(expectFinding(made, "error", "private-key")).toContain('"spec.cloudTokenPath" contains a private key');
      const told = made.stderr + JSON.stringify(made.results);
      for (const part of [text.slice(0, 60), pem.split("\n")[1] ?? ""]) expect(told).not.toContain(part);
    }
  });
});

it("the order of requests does not change a byte of the output", () => {
  const items = ["d", "a", "c", "b"].map((name) => request(name));
  const expected = makeCredentials(identity(), items).objects;
  fc.assert(
    fc.property(fc.shuffledSubarray(items, { minLength: 4 }), (shuffled) => {
      const made = makeCredentials(identity(), shuffled);
      expect(JSON.stringify(made.objects)).toBe(JSON.stringify(expected));
    }),
  );
});
