import { describe, expect, it } from "vitest";
import { isPatch } from "../../../src/workloads/delivery.ts";
import { azureIdentities, azureIdentity, clientIdNumber } from "../../helpers/azure-requests.ts";
import { type Any, expectClean, expectFinding, identity } from "../../helpers/cluster.ts";
import { gcpIdentity } from "../../helpers/gcp-requests.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { makeWorkloads, shopGroup, workload } from "../../helpers/workloads.ts";

const rails = { namespaces: ["shop"] };
const ids = azureIdentities({ shop_cart: clientIdNumber(1) });
const onAzure = (azure: Any, spec: Any = {}, allowed: Any = {}) =>
  makeWorkloads(azureIdentity({ spec: { workloads: { ...rails, azure: allowed } } }), [
    workload("cart", { spec: { azure, ...spec } }),
    ids,
  ]);

describe("guard rails", () => {
  it("take a dot in the pattern of a namespace for a dot", () => {
    const config = identity({ spec: { workloads: { namespaces: ["sh-*"] } } });
    expectFinding(makeWorkloads(config, [workload("cart")]), "error", "workload-namespace");
  });
});

it("a role on two scopes of Azure is assigned on both", () => {
  const scopes = [shopGroup, `${shopGroup}2`];
  const made = onAzure({ roles: scopes.map((scope) => ({ role: "Reader", scope })) });
  const files = Object.keys(made.bundle("azure/identities/shop-cart.yaml"));
  expect(files.filter((name) => name.startsWith("role-assignment-"))).toHaveLength(2);
});

it("a workload with a Secret may be in another universe, and its pods need no label", () => {
  const gcp = { universeDomain: "example.goog", projectID: "example:demo-project" };
  const config = gcpIdentity({ gcp, spec: { workloads: rails } });
  const codes = (delivery: string) =>
    makeWorkloads(config, [workload("cart", { spec: { delivery } })]).results.map(({ tags }) => tags.code);
  expect(codes("ServiceAccount")).toContain("workload-universe");
  expect(codes("Secret")).not.toContain("workload-universe");
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "x", namespace: "shop" },
    spec: { serviceAccountName: "cart" },
  };
  const onSecret = azureIdentity({ spec: { workloads: rails } });
  expectClean(makeWorkloads(onSecret, [workload("cart", { spec: { delivery: "Secret" } }), ids, pod]));
});

it("a ServiceAccount of the team may be in the package if it gets a patch", () => {
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "cart", namespace: "shop" } };
  expectClean(
    makeWorkloads(identity({ spec: { workloads: rails } }), [
      workload("cart", { spec: { delivery: "Patch" } }),
      account,
    ]),
  );
});

it("a pipeline without functions is not one that leaves WorkloadIdentities out", () => {
  const kptfile = { apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "demo" }, pipeline: { mutators: [] } };
  expectClean(makeWorkloads(identity({ spec: { workloads: rails } }), [workload("cart"), kptfile]));
});

it("only a generated object below patches/ is a patch", () => {
  const at = (path: string, annotations: Any) =>
    isPatch(resourceOf({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a", annotations } }, { path }));
  const generated = { "fn.cloudcredential.dev/generated-by": "generate-workload-identities/demo" };
  expect(at("patches/a.yaml", generated)).toBe(true);
  expect(at("patches/a.yaml", {})).toBe(false);
  expect(at("manifests/a.yaml", generated)).toBe(false);
});
