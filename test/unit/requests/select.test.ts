import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortFindings } from "../../../src/krm/results.ts";
import { selectRequests } from "../../../src/requests/select.ts";
import { type Any, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const rules = {
  profile: "self-managed-high-availability",
  excludeIdentifier: "",
  featureSet: "Default",
  featureGates: [],
} as const;

function select(...objects: Any[]) {
  return selectRequests(
    objects.map((object, index) => resourceOf(object, { path: `${index}.yaml` })),
    rules,
    "AWSProviderSpec",
  );
}

const ofKind = (name: string, kind: Any) => request(name, { spec: { providerSpec: { kind } } });
const sharing = (name: string) => request(name, { spec: { secretRef: { namespace: "ns", name: "shared" } } });

describe("clouds", () => {
  it.each([
    "GCP",
    "Azure",
    "OpenStack",
    "VSphere",
    "Nutanix",
    "IBMCloud",
    "IBMCloudPowerVS",
    "PowerVS",
    "Ovirt",
    "OVirt",
    "Kubevirt",
    "AlibabaCloud",
    "Alibaba",
    "Metal3",
  ])("%s is another cloud", (cloud) => {
    const { requests, findings } = select(ofKind("one", `${cloud}ProviderSpec`));
    expect(requests).toEqual([]);
    expect(findings).toEqual([
      {
        severity: "info",
        code: "skipped-other-cloud",
        message: `excluded: it is for another cloud (${cloud}ProviderSpec).`,
        resource: expect.objectContaining({ kind: "CredentialsRequest", name: "one" }),
        file: { path: "0.yaml", index: 0 },
      },
    ]);
  });

  it("are the cluster's own or another, depending on the provider kind", () => {
    const items = [resourceOf(ofKind("a", "AWSProviderSpec")), resourceOf(ofKind("g", "GCPProviderSpec"))];
    const { requests, findings } = selectRequests(items, rules, "GCPProviderSpec");
    expect(requests.map(({ resource }) => resource.name)).toEqual(["g"]);
    expect(findings.map(({ message }) => message)).toEqual(["excluded: it is for another cloud (AWSProviderSpec)."]);
  });

  it.each([
    ["awsproviderspec", '"awsproviderspec"'],
    ["AWS", '"AWS"'],
    ["constructor", '"constructor"'],
    [null, '""'],
    [["AWSProviderSpec"], "a list of 1"],
    ["\u001b[31m", '"\\u001b[31m"'],
  ])("that are unknown are a warning: %j", (kind, shown) => {
    const { requests, findings } = select(ofKind("one", kind));
    expect(requests).toEqual([]);
    expect(findings).toMatchObject([
      {
        severity: "warning",
        code: "provider-unknown",
        message: `excluded: its "spec.providerSpec.kind" is ${shown}, which belongs to no known cloud. If the request is for this cluster, correct the kind.`,
        field: "spec.providerSpec.kind",
      },
    ]);
  });

  it.each([[undefined], [null], ["AWSProviderSpec"], [[]]])("are named in a mapping, not in %j", (providerSpec) => {
    const { requests, findings } = select(request("one", { spec: { providerSpec } }));
    expect(requests).toEqual([]);
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "request-missing-field",
        message: 'lacks "spec.providerSpec", so it requests no permissions. Complete the request, or remove it.',
        field: "spec.providerSpec",
      },
    ]);
  });
});

it("says of a request that SOPS encrypted that it cannot be read", () => {
  const { requests, findings } = select({ ...request("one"), sops: { version: "3.8.1" } });
  expect(requests).toEqual([]);
  expect(findings).toMatchObject([{ severity: "error", code: "request-encrypted", field: "sops" }]);
});

describe("a tombstone", () => {
  const annotations = { "release.openshift.io/delete": "true" };

  it("is excluded before any other check, and does not exclude a live request", () => {
    const { requests, findings } = select(
      request("one", { annotations, spec: { providerSpec: undefined } }),
      request("one"),
      { ...ofKind("two", "MarsProviderSpec"), metadata: { name: "two", annotations } },
    );
    expect(requests.map(({ resource }) => resource.path)).toEqual(["1.yaml"]);
    expect(findings.map(({ code, message, file }) => [code, message, file?.path])).toEqual([
      ["skipped-deletion", "excluded: it is annotated for deletion.", "0.yaml"],
      ["skipped-deletion", "excluded: it is annotated for deletion.", "2.yaml"],
    ]);
  });

  it.each(["false", "", "True"])("is annotated true, not %j", (value) => {
    const { requests, findings } = select(request("one", { annotations: { "release.openshift.io/delete": value } }));
    expect([requests.length, findings]).toEqual([1, []]);
  });
});

describe("an object that is not a CredentialsRequest", () => {
  const object = (apiVersion: string, kind: string, more: Any) => ({
    apiVersion,
    kind,
    metadata: { name: "o" },
    ...more,
  });
  const [one, two] = [request("one"), request("two")];

  it.each<[Any, severity: string, field: string, message: string]>([
    [
      object("v1", "List", { items: [one, "x", { kind: "ConfigMap" }] }),
      ...(["error", "items[0]", 'is a list with a CredentialsRequest, which is not read ("items[0]"). Write'] as const),
    ],
    [
      object("v1", "ConfigMapList", { items: [null, one, two] }),
      ...([
        "error",
        "items[1]",
        'is a list with 2 CredentialsRequests, which are not read ("items[1]", "items[2]").',
      ] as const),
    ],
    [
      { ...one, kind: "CredentialRequest" },
      "error",
      "kind",
      'has the kind "CredentialRequest", which does not exist in',
    ],
    [
      { ...one, apiVersion: "cloudcredentials.openshift.io/v1" },
      "error",
      "apiVersion",
      'has the apiVersion "cloudcred',
    ],
    [
      object("template.openshift.io/v1", "Template", { objects: [one] }),
      ...(["warning", "objects[0]", 'contains a CredentialsRequest, which is not read ("objects[0]"). If'] as const),
    ],
    [object("v1", "Template", { objects: [one] }), "warning", "objects[0]", "contains a CredentialsRequest"],
    [
      object("hive.openshift.io/v1", "SyncSet", { spec: { resources: [{ a: one }] } }),
      ...(["warning", "spec.resources[0].a", "contains a CredentialsRequest"] as const),
    ],
  ])("but looks like one, or contains some, is reported: %#", (strange, severity, field, message) => {
    const { findings } = select(strange);
    expect(findings).toMatchObject([{ severity, code: "request-misplaced", field }]);
    expect(findings[0]?.message).toContain(message);
  });

  it("and contains none is skipped", () => {
    const others = [
      object("v1", "List", { items: [{ ...one, kind: "Secret" }] }),
      object("v1", "Listing", { items: [one] }),
      { ...one, apiVersion: "example.com/v1" },
      object("hive.openshift.io/v1", "SyncSets", { spec: { resources: [one] } }),
    ];
    expect(select(...others)).toMatchObject({ requests: [], findings: [] });
  });

  it("is skipped without building its value", () => {
    const unread = (object: Any) => ({
      ...resourceOf(object),
      value: () => {
        throw new Error("nobody should ask");
      },
    });
    const items = [
      unread({ ...request("a"), apiVersion: "v1", kind: "Secret" }),
      unread({ ...request("b"), apiVersion: "example.com/v1" }),
    ];
    expect(selectRequests(items, rules, "AWSProviderSpec")).toMatchObject({ requests: [], skipped: [], findings: [] });
    const misspelled = [
      unread({ ...request("c"), apiVersion: "cloudcredential.openshift.io" }),
      unread({ ...request("d"), kind: "credentialsrequest" }),
    ];
    expect(selectRequests(misspelled, rules, "AWSProviderSpec")).toMatchObject({
      requests: [],
      findings: [
        { severity: "error", code: "request-misplaced", field: "apiVersion" },
        { severity: "error", code: "request-misplaced", field: "kind" },
      ],
    });
  });

  it("is recognized by its group, in any version", () => {
    const { requests } = select({ ...request("a"), apiVersion: "cloudcredential.openshift.io/v1beta1" });
    expect(requests).toHaveLength(1);
  });
});

describe("requests that share a Secret", () => {
  it("are errors that name both, one for each beyond the first", () => {
    const { requests, findings } = select(sharing("c"), sharing("a"), sharing("b"));
    expect(requests.map(({ resource }) => resource.name)).toEqual(["a", "b", "c"]);
    const message =
      'names the same Secret "ns/shared" in "spec.secretRef" as CredentialsRequest "openshift-cloud-credential-operator/c" in "0.yaml". Each request needs its own Secret. Remove the request that this cluster does not need, or correct the wrong "spec.secretRef".';
    expect(findings).toMatchObject([
      { severity: "error", code: "secret-shared", message, resource: { name: "a" } },
      { severity: "error", code: "secret-shared", message, resource: { name: "b" } },
    ]);
    expect(findings.map(({ field }) => field)).toEqual(["spec.secretRef", "spec.secretRef"]);
  });

  it("may differ in anything, even in an annotation", () => {
    const { findings } = select(request("one"), request("one", { annotations: { note: "x" } }));
    expect(findings.map(({ code }) => code)).toEqual(["secret-shared"]);
  });

  it("do so by namespace and name", () => {
    const at = (name: string, namespace: string) =>
      request(name, { spec: { secretRef: { namespace, name: "credentials" } } });
    expect(select(at("one", "a"), at("two", "b")).findings).toEqual([]);
  });

  it("do not share it if one is for another cloud, or names no Secret", () => {
    const other = {
      ...sharing("other"),
      spec: { ...sharing("other").spec, providerSpec: { kind: "GCPProviderSpec" } },
    };
    expect(select(sharing("one"), other).findings.map(({ code }) => code)).toEqual(["skipped-other-cloud"]);
    const nameless = (name: string) => request(name, { spec: { secretRef: undefined } });
    expect(select(nameless("one"), nameless("two"))).toMatchObject({ requests: [{}, {}], findings: [] });
  });
});

describe("requests that are equal", () => {
  it("are included once, whatever the order of their keys and however many there are", () => {
    const value = request("one");
    const turned = { spec: Object.fromEntries(Object.entries(value.spec).reverse()), ...value };
    const { requests, findings } = select(value, { ...turned }, value);
    expect(requests.map(({ resource }) => resource.path)).toEqual(["0.yaml"]);
    expect(findings.map(({ severity, code, message, file }) => [severity, code, message, file?.path])).toEqual(
      ["1.yaml", "2.yaml"].map((path) => [
        "info",
        "skipped-duplicate",
        'excluded: an identical request is in "0.yaml".',
        path,
      ]),
    );
  });

  it("are distinguished by their index in a file, and the first is included", () => {
    const items = [2, 0, 1].map((index) => resourceOf(request("one"), { path: "a.yaml", index }));
    const { requests, findings } = selectRequests(items, rules, "AWSProviderSpec");
    expect(requests.map(({ resource }) => resource.index)).toEqual([0]);
    expect(findings.map(({ file }) => file)).toEqual([1, 2].map((index) => ({ path: "a.yaml", index })));
  });

  it("may have no known path", () => {
    const items = [resourceOf(request("one")), resourceOf(request("one"))];
    expect(selectRequests(items, rules, "AWSProviderSpec").findings).toMatchObject([
      { code: "skipped-duplicate", message: "excluded: an identical request is in the package." },
    ]);
  });

  it("differ if big integers differ", () => {
    const withNumber = (number: bigint) => ({ ...request("one"), status: { number } });
    const [a, b] = [9007199254740993n, 9007199254740992n].map((integer) => resourceOf(withNumber(integer) as Any));
    if (a === undefined || b === undefined) throw new Error("two were made");
    expect(selectRequests([a, a], rules, "AWSProviderSpec").requests).toHaveLength(1);
    expect(selectRequests([a, b], rules, "AWSProviderSpec").requests).toHaveLength(2);
  });
});

it.each([
  [
    "default",
    "info",
    'is in the namespace "default". The cloud-credential-operator processes it, but reports its problems only in its own status: the ClusterOperator shows only requests in "openshift-cloud-credential-operator".',
  ],
  [
    undefined,
    "warning",
    'has no namespace, so "oc apply" would create it in the current one. Set "metadata.namespace", usually to "openshift-cloud-credential-operator".',
  ],
])("the namespace %j is reported, and the request is included", (namespace, severity, message) => {
  const { requests, findings } = select(request("one", { metadata: { namespace } }));
  expect(requests).toHaveLength(1);
  expect(findings).toMatchObject([
    {
      severity,
      code: "request-namespace",
      message,
      field: "metadata.namespace",
    },
  ]);
});

it("neither the selection nor the findings depend on the order of the items", () => {
  const items = [
    sharing("a"),
    sharing("b"),
    request("c"),
    request("c"),
    request("d", { metadata: { namespace: "x" } }),
    request("e", { annotations: { "release.openshift.io/delete": "true" } }),
    request("e"),
    ofKind("f", "GCPProviderSpec"),
    ofKind("g", "MarsProviderSpec"),
    request("h", { spec: { providerSpec: undefined } }),
    { ...request("i"), kind: "Secret" },
  ].map((object, index) => resourceOf(object, { path: `${index}.yaml` }));
  const told = (shuffled: typeof items) => {
    const { requests, findings } = selectRequests(shuffled, rules, "AWSProviderSpec");
    return [requests.map(({ resource }) => resource.path), sortFindings(findings)];
  };
  const expected = told(items);
  // Sorted by Secret, by code unit: "ns-c/credentials" comes before "ns/shared".
  expect(expected[0]).toEqual(["2.yaml", "4.yaml", "6.yaml", "0.yaml", "1.yaml"]);
  fc.assert(
    fc.property(fc.shuffledSubarray(items, { minLength: items.length }), (shuffled) => {
      expect(told(shuffled)).toEqual(expected);
    }),
  );
});
