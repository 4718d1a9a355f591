import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import { functions } from "../../../functions/registry.ts";
import { run } from "../../helpers/ccf.ts";
import { type Any, identity, request, subscription } from "../../helpers/cluster.ts";
import { workload } from "../../helpers/workloads.ts";

const at = (path: string, object: Any): Any => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, "config.kubernetes.io/path": path },
  },
});

// Identical requests, a tombstone, excluded requests, and objects that describe the cluster.
const items: readonly Any[] = [
  at("b.yaml", request("twice")),
  at("a.yaml", request("twice")),
  at("c.yaml", request("gone", { annotations: { "release.openshift.io/delete": "true" } })),
  at("d.yaml", request("gone")),
  at("e.yaml", request("preview", { annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" } })),
  at("f.yaml", request("other", { spec: { providerSpec: { kind: "GCPProviderSpec" } } })),
  at("g.yaml", request("unknown", { metadata: { namespace: "elsewhere" }, spec: { providerSpec: { kind: "X" } } })),
  at("h.yaml", request("zone", { spec: { serviceAccountNames: ["z", "a"] } })),
  at("i.yaml", {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { platformStatus: { aws: { region: "eu-west-1" } } },
  }),
  at("j.yaml", {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer: "https://old.example.com" },
  }),
  at("k.yaml", request("operators", { annotations: { "fn.cloudcredential.dev/subscription": "ns-other/other" } })),
  at("l.yaml", request("node", { annotations: { "credentials.openshift.io/role-arns-vars": "NODE_ROLEARN" } })),
  at("m.yaml", subscription("other", "ns-other")),
  at("n.yaml", subscription("node", "ns-node")),
  at("workloads/shop/b.yaml", workload("b", { spec: { serviceAccounts: ["z", "a"] } })),
  at("workloads/shop/a.yaml", workload("a", { spec: { serviceAccounts: ["b"], delivery: "Patch" } })),
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "same" }, data: { a: "1" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "same" }, data: { a: "1" } },
];

/** Orders in which each item is first once and last once. */
const orders = items.map((_, index) => [...items.slice(index), ...items.slice(0, index)]);

describe.each(generators.map(({ name }) => name))("%s", (name) => {
  const made = (list: readonly Any[]) => {
    const functionConfig = identity({ aws: { region: undefined }, spec: { workloads: { namespaces: ["shop"] } } });
    const input = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: list, functionConfig };
    const { status, stdout, stderr } = run([name], { input: JSON.stringify(input) });
    const output = JSON.parse(stdout);
    return {
      status,
      stderr,
      passed: output.items.slice(0, list.length),
      added: output.items.slice(list.length),
      results: output.results,
    };
  };

  it("has the same output and findings for every order of the items", () => {
    const { passed: _, ...expected } = made(items);
    expect(expected.status).toBe(0);
    expect(expected.added.length).toBeGreaterThan(0);
    for (const order of [[...items].reverse(), ...orders]) {
      const { passed, ...rest } = made(order);
      expect(JSON.stringify(rest)).toBe(JSON.stringify(expected));
      // Input items keep their place and text, except for the field that is set.
      expect(passed.map((item: Any) => item.metadata)).toEqual(order.map((item) => item.metadata));
    }
  });
});

it("all generators together generate what each generates alone", () => {
  const list = (more: Any[]) =>
    JSON.stringify({
      apiVersion: "config.kubernetes.io/v1",
      kind: "ResourceList",
      items: [request("one"), request("two"), subscription("two", "ns-two"), ...more],
      functionConfig: identity(),
    });
  const added = (args: string[]) => {
    const { status, stdout } = run(args, { input: list([]) });
    expect(status).toBe(0);
    return JSON.parse(stdout).items.slice(3) as Any[];
  };
  const pathOf = (object: Any) => object.metadata.annotations["config.kubernetes.io/path"];
  const alone = generators.flatMap(({ name }) => added([name]));
  expect(added([]).map(pathOf)).toEqual([...new Set(alone.map(pathOf))].sort());
  expect(added([])).toEqual(expect.arrayContaining(alone));
});

it.each(functions.map(({ name }) => name))("%s has its documents in its directory", (name) => {
  expect(readFileSync(`functions/${name}/metadata.yaml`, "utf8")).toContain(name);
  expect(readFileSync(`functions/${name}/README.md`, "utf8")).toContain(name);
});
