import "../../helpers/seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Any, subscription } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { csv, deploymentSpec, shippedRequest } from "../../helpers/operator.ts";
import { validated } from "../../helpers/validated.ts";

/*
 * Whose a request is shows in what its ClusterServiceVersion is told: without an annotation, that one is missing where the
 * request belongs to it.
 */
type Placed = readonly [object: Any, path?: string];

const silent = (name: string, namespace: string, more: Any = {}) =>
  csv({ name, namespace, annotations: {}, clusterPermissions: [], install: { deployments: [] }, ...more });
const named = (name: string, namespace: string, annotations: Any = {}) =>
  shippedRequest({ name, annotations, spec: { secretRef: { namespace, name: "cloud-credentials" } } });

/** The ClusterServiceVersions that are told that their request needs an annotation. */
function owners(...objects: readonly Placed[]): string[] {
  const paths = objects.map(([, path]) => path ?? "");
  return validated(
    objects.map(([object]) => object),
    [],
    paths,
  )
    .filter(({ code }) => code === "operator-token-auth-undeclared")
    .map(({ resource }) => resource?.name ?? "");
}

describe("a request belongs to", () => {
  it("the only ClusterServiceVersion, wherever it is", () => {
    expect(owners([silent("a", "a-system"), "a/csv.yaml"], [named("r", "b-system"), "b/r.yaml"])).toEqual(["a.v1.0.0"]);
  });

  it("the one of its Secret's namespace", () => {
    const both: Placed[] = [[silent("a", "a-system")], [silent("b", "b-system")]];
    expect(owners(...both, [named("r", "b-system")])).toEqual(["b.v1.0.0"]);
    expect(owners(...both, [named("r", "c-system")])).toEqual([]);
  });

  it("the one whose suggested namespace that is", () => {
    const annotations = { "operatorframework.io/suggested-namespace": "b-system" };
    const both: Placed[] = [[silent("a", "placeholder")], [silent("b", "placeholder", { annotations })]];
    expect(owners(...both, [named("r", "b-system")])).toEqual(["b.v1.0.0"]);
  });

  it("the nearest in the tree, where the namespace does not tell", () => {
    const versions: Placed[] = [
      [silent("a", "a-system"), "1.0/manifests/csv.yaml"],
      [silent("b", "a-system"), "1.1/manifests/csv.yaml"],
    ];
    expect(owners(...versions, [named("r", "a-system"), "1.1/manifests/r.yaml"])).toEqual(["b.v1.0.0"]);
    expect(owners(...versions, [named("r", "a-system"), "1.0/requests/aws/r.yaml"])).toEqual(["a.v1.0.0"]);
    expect(owners(...versions, [named("r", "a-system"), "requests/r.yaml"])).toEqual([]);
    expect(owners(...versions, [named("r", "other"), "1.0/r.yaml"])).toEqual(["a.v1.0.0"]);
    const flat: Placed[] = [
      [silent("a", "a-system"), "a.yaml"],
      [silent("b", "a-system"), "b.yaml"],
    ];
    expect(owners(...flat, [named("r", "a-system"), "b.yaml"])).toEqual(["b.v1.0.0"]);
    expect(owners(...flat, [named("r", "a-system"), "c.yaml"])).toEqual([]);
  });

  it("the one of its namespace, rather than the nearest", () => {
    const versions: Placed[] = [
      [silent("a", "a-system"), "a/csv.yaml"],
      [silent("b", "b-system"), "b/csv.yaml"],
    ];
    expect(owners(...versions, [named("r", "a-system"), "b/r.yaml"])).toEqual(["a.v1.0.0"]);
  });

  it("each version, where it is the same in several places", () => {
    const versions: Placed[] = [
      [silent("a", "a-system"), "1.0/csv.yaml"],
      [silent("b", "a-system"), "1.1/csv.yaml"],
    ];
    const copies: Placed[] = [
      [named("r", "a-system"), "1.0/r.yaml"],
      [named("r", "a-system"), "1.1/r.yaml"],
    ];
    expect(owners(...versions, ...copies)).toEqual(["a.v1.0.0", "b.v1.0.0"]);
    const wrong = versions.map(([one, path = ""]): Placed => [{ ...one, spec: {} }, path]);
    const told = validated(
      [...wrong, ...copies].map(([one]) => one),
      [],
      [...wrong, ...copies].map(([, path]) => path ?? ""),
    );
    // Each is told of the request that is beside it.
    expect(told.filter(({ code }) => code === "operator-service-account").map(({ file }) => file?.path)).toEqual([
      "1.0/r.yaml",
      "1.1/r.yaml",
    ]);
  });

  it("the one that its Subscription installs", () => {
    const versions: Placed[] = [[silent("a", "a-system")], [silent("b", "a-system")]];
    const installs = (name: string) => subscription("s", "a-system", { spec: { startingCSV: name } });
    expect(owners(...versions, [named("r", "a-system")])).toEqual([]);
    expect(owners(...versions, [named("r", "a-system")], [installs("b.v1.0.0")])).toEqual(["b.v1.0.0"]);
    expect(owners(...versions, [named("r", "a-system")], [installs("c.v1.0.0")])).toEqual([]);
  });

  it("the one of the Subscription that its annotation names", () => {
    const versions: Placed[] = [[silent("a", "a-system")], [silent("b", "b-system")]];
    const subscribed: Placed[] = [[subscription("s", "b-system")], [subscription("t", "a-system")]];
    const annotations = { "fn.cloudcredential.dev/subscription": "b-system/s" };
    expect(owners(...versions, ...subscribed, [named("r", "a-system")])).toEqual(["a.v1.0.0"]);
    expect(owners(...versions, ...subscribed, [named("r", "a-system", annotations)])).toEqual(["b.v1.0.0"]);
    const unplaced: Placed[] = [[silent("a", "placeholder")], [silent("b", "b-system")]];
    expect(owners(...unplaced, ...subscribed, [named("r", "a-system", annotations)])).toEqual(["b.v1.0.0"]);
  });

  it("nobody, when a Subscription in another namespace installs its operator", () => {
    const objects: Placed[] = [[silent("a", "a-system")], [named("r", "b-system")]];
    expect(owners(...objects)).toEqual(["a.v1.0.0"]);
    expect(owners(...objects, [subscription("s", "b-system")])).toEqual([]);
    const installs = subscription("s", "b-system", { spec: { startingCSV: "a.v1.0.0" } });
    expect(owners(...objects, [installs])).toEqual(["a.v1.0.0"]);
    const unplaced: Placed[] = [[silent("a", "placeholder")], [named("r", "b-system")]];
    expect(owners(...unplaced, [subscription("s", "b-system")])).toEqual(["a.v1.0.0"]);
  });

  it("nobody, when it is a release's", () => {
    const profile = { "include.release.openshift.io/self-managed-high-availability": "true" };
    const subscribed = { ...profile, "fn.cloudcredential.dev/subscription": "a-system/s" };
    expect(owners([silent("a", "a-system")], [named("r", "a-system", profile)])).toEqual([]);
    expect(owners([silent("a", "a-system")], [named("r", "a-system", subscribed)])).toEqual(["a.v1.0.0"]);
  });
});

describe("a request of which nothing tells whose it is", () => {
  const declared = (name: string, namespace: string) =>
    csv({ name, namespace, install: { deployments: [] }, clusterPermissions: undefined });
  const codes = (...objects: readonly Any[]) => validated(objects).map(({ code, resource }) => [code, resource?.name]);

  it("is missed by none of those that it could be of", () => {
    const three = [declared("a", "a-system"), declared("b", "a-system"), declared("c", "c-system")];
    expect(codes(...three, named("r", "a-system"))).toEqual(
      expect.arrayContaining([["operator-token-auth-unshipped", "c.v1.0.0"]]),
    );
    expect(codes(...three, named("r", "a-system"))).not.toContainEqual(["operator-token-auth-unshipped", "a.v1.0.0"]);
  });

  it("is missed by no operator that another one's Subscription may have it from", () => {
    expect(codes(declared("a", "a-system"), named("a", "openshift-b"), subscription("s", "openshift-b"))).toEqual([]);
  });

  it("is missed by no operator that ships its own as a release does", () => {
    const profile = { "include.release.openshift.io/self-managed-high-availability": "true" };
    expect(codes(declared("a", "a-system"), named("r", "openshift-a", profile))).toEqual([]);
  });
});

describe("a Deployment beside several ClusterServiceVersions", () => {
  const deployment = (namespace: string): Any => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "plugin", namespace },
    spec: deploymentSpec("node"),
  });
  const node = (namespace: string) =>
    shippedRequest({ spec: { secretRef: { namespace, name: "cloud-credentials" }, serviceAccountNames: ["node"] } });

  it("belongs to that of its namespace", () => {
    const both = [csv({ name: "a", namespace: "openshift-a" }), csv({ name: "b", namespace: "openshift-b" })];
    const accounts = (namespace: string) =>
      validated([...both, node("openshift-a"), deployment(namespace)]).filter(
        ({ code }) => code === "operator-service-account",
      );
    expect(accounts("openshift-a")).toEqual([]);
    expect(accounts("openshift-b")).toHaveLength(1);
  });
});

describe("what is found of operators", () => {
  const annotations = { "features.operators.openshift.io/token-auth-aws": "true" };
  const wrong = (name: string, namespace: string) =>
    csv({ name, namespace, annotations, clusterPermissions: [], pod: { volumes: [] } });
  const objects: readonly Placed[] = [
    [wrong("a", "a-system"), "a/csv.yaml"],
    [wrong("a", "a-system")],
    [wrong("b", "a-system"), "b/csv.yaml"],
    [wrong("c", "c-system"), "all.yaml"],
    [csv({ name: "c", namespace: "c-system", annotations: {} }), "all.yaml"],
    [named("a", "a-system"), "a/request.yaml"],
    [named("a", "a-system"), "b/request.yaml"],
    [named("b", "a-system"), "b/other.yaml"],
    [named("c", "c-system"), "all.yaml"],
    [shippedRequest({ name: "c", cloud: "GCP" }), "all.yaml"],
    [subscription("s", "c-system", { spec: { startingCSV: "c.v1.0.0" } }), "all.yaml"],
    [csv({ name: "d", namespace: "d-system", install: { deployments: [] } }), "d.yaml"],
    [named("d", "d-system"), "d.yaml"],
    // Of two of one name and place it is told of the first.
    ...["/d", "/e", "/f"].map(
      (mountPath): Placed => [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "y", namespace: "d-system" },
          spec: deploymentSpec("d", { volumeMounts: [{ name: "cloud-token", mountPath }] }),
        },
      ],
    ),
    [{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: deploymentSpec("c", { env: [] }) }],
    [
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "x" },
        spec: deploymentSpec("c", {}, { volumes: [] }),
      },
    ],
  ];
  const found = (list: readonly Placed[]) =>
    validated(
      list.map(([object]) => object),
      [],
      list.map(([, path]) => path ?? ""),
    ).map((finding) => JSON.stringify(finding));

  it("does not depend on the order of the objects", () => {
    const expected = found(objects).sort();
    expect(expected.length).toBeGreaterThan(8);
    fc.assert(
      fc.property(fc.shuffledSubarray([...objects], { minLength: objects.length }), (order) => {
        expect(found(order).sort()).toEqual(expected);
      }),
      { numRuns: runs(60) },
    );
  });

  it("never throws, whatever the fields contain", () => {
    const junk = fc.constantFrom(null, true, 7, "", "x", [], [null], [[]], {}, { name: 3 }, [{ name: null, rules: 4 }]);
    const parts = ["spec", "install", "deployments", "clusterPermissions", "permissions", "pod", "container"];
    const places = fc.dictionary(fc.constantFrom(...parts), junk);
    fc.assert(
      fc.property(places, junk, junk, (replaced, pod, template) => {
        const { spec, install, deployments, pod: spread, container, ...more } = replaced as Any;
        const value = csv({ ...more, pod: { containers: spread, volumes: container, serviceAccountName: pod } });
        if (deployments !== undefined) value.spec.install.spec.deployments = deployments;
        if (install !== undefined) value.spec.install = install;
        if (spec !== undefined) value.spec = spec;
        const beside = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: { template } };
        const request = shippedRequest({ cloud: "GCP", spec: { serviceAccountNames: pod, secretRef: template } });
        expect(() => validated([value, beside, request])).not.toThrow();
      }),
    );
  });
});
