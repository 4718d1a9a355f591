import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { type Any, expectClean, expectFinding, identity, make, request } from "../../helpers/cluster.ts";
import { gcpIdentity } from "../../helpers/gcp-requests.ts";
import { makeWorkloads, workload } from "../../helpers/workloads.ts";

const rails = { namespaces: ["shop", "team-*"] };
const aws = (workloads: Any = rails, more: Any = {}) => identity({ spec: { workloads, ...more } });
const at = (path: string, object: Any) => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, "config.kubernetes.io/path": path },
  },
});
const kptfile = (...names: string[]) =>
  at("Kptfile", {
    apiVersion: "kpt.dev/v1",
    kind: "Kptfile",
    metadata: { name: "demo" },
    pipeline: { mutators: names.map((name) => ({ exec: `ccf ${name}` })) },
  });
const account = (name: string) =>
  at("app/account.yaml", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "shop" } });
const namespace = (level: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "shop", labels: { "openshift.io/run-level": level } },
});

it("generates an identity where the guard rails allow it", () => {
  const made = makeWorkloads(aws(), [workload("cart"), kptfile("generate-workload-identities")]);
  expectClean(made);
  expect(Object.keys(made.objects)).toEqual(["aws/roles/shop-cart.yaml", "manifests/shop-cart-serviceaccount.yaml"]);
});

it.each<[string, string, string, Any, Any[]]>([
  ["no guard rails", "workload-rails-missing", '"namespaces": ["shop"]', identity(), [workload("cart")]],
  ["a namespace that is not listed", "workload-namespace", "does not contain", aws(), [inNamespace("other")]],
  [
    "a namespace of OpenShift",
    "workload-namespace",
    "platform",
    aws({ namespaces: ["*"] }),
    [inNamespace("openshift-x")],
  ],
  ["the namespace openshift", "workload-namespace", "platform", aws({ namespaces: ["*"] }), [inNamespace("openshift")]],
  ["a namespace of Kubernetes", "workload-namespace", "platform", aws({ namespaces: ["*"] }), [inNamespace("kube-x")]],
  ["the default namespace", "workload-namespace", "platform", aws({ namespaces: ["*"] }), [inNamespace("default")]],
  ["a run level", "workload-namespace", "run-level", aws(), [workload("cart"), namespace("1")]],
  [
    "more than a namespace may have",
    "workload-limit",
    "allows 1",
    aws({ ...rails, maxPerNamespace: 1 }),
    [workload("a"), workload("b")],
  ],
  ["an unknown field", "workload-unknown-field", "spec.role", aws(), [workload("cart", { spec: { role: "x" } })]],
  ["a wrong value", "workload-invalid-field", "delivery", aws(), [workload("cart", { spec: { delivery: "Mail" } })]],
  [
    "NotAction",
    "workload-unknown-field",
    "notAction",
    aws(),
    [
      workload("cart", {
        spec: { aws: { statements: [{ effect: "Allow", action: ["s3:*"], notAction: ["iam:*"], resource: "*" }] } },
      }),
    ],
  ],
  [
    "an object that a cluster would get",
    "workload-missing-field",
    "local-config",
    aws(),
    [workload("cart", { metadata: { annotations: { "config.kubernetes.io/local-config": "false" } } })],
  ],
  ["nothing for the cloud", "workload-without-cloud", "AWS", aws(), [withoutAws()]],
  [
    "a wildcard as a service account",
    "workload-invalid-field",
    "*",
    aws(),
    [workload("cart", { spec: { serviceAccounts: ["*"] } })],
  ],
  [
    "a service account of two",
    "workload-account-shared",
    `WorkloadIdentity "shop/a"`,
    aws(),
    [workload("a", { spec: { serviceAccounts: ["x"] } }), workload("b", { spec: { serviceAccounts: ["x"] } })],
  ],
  [
    "a service account of a component",
    "workload-account-shared",
    "CredentialsRequest",
    aws(),
    [
      workload("cart"),
      request("a", { spec: { secretRef: { namespace: "shop", name: "other" }, serviceAccountNames: ["cart"] } }),
    ],
  ],
  [
    "the name of a Secret of a component",
    "workload-name-taken",
    "Secret of CredentialsRequest",
    aws(),
    [workload("cart"), request("a", { spec: { secretRef: { namespace: "shop", name: "cart" } } })],
  ],
  [
    "two with one name",
    "workload-name-taken",
    "twice",
    aws(),
    [workload("cart"), workload("cart", { path: "workloads/x.yaml", spec: { serviceAccounts: ["other"] } })],
  ],
  [
    "a name that another namespace gives, too",
    "role-name-collision",
    "demo-team-a-b",
    aws({ namespaces: ["*"] }),
    [inNamespace("team", "a-b"), inNamespace("team-a", "b")],
  ],
  [
    "an override of its service accounts",
    "workload-override",
    "spec.overrides",
    aws(rails, { overrides: { "shop/cart": { serviceAccountNames: ["other/admin"] } } }),
    [workload("cart")],
  ],
  [
    "an override that attaches a policy",
    "workload-override",
    "spec.platform.aws.overrides",
    {
      ...identity({
        aws: { overrides: { "shop/cart": { managedPolicyARNs: ["arn:aws:iam::aws:policy/AdministratorAccess"] } } },
        spec: { workloads: rails },
      }),
    },
    [workload("cart")],
  ],
  [
    "its service account in the package",
    "workload-account-exists",
    "app/account.yaml",
    aws(),
    [workload("cart"), account("cart")],
  ],
  [
    "a pipeline without the function",
    "workload-function-missing",
    "pipeline.mutators",
    aws(),
    [workload("cart"), kptfile("generate-oidc-issuer")],
  ],
  [
    "guard rails of another cloud",
    "workload-rails-foreign",
    "spec.workloads.gcp",
    aws({ ...rails, gcp: {} }),
    [workload("cart")],
  ],
  [
    "another directory than its namespace",
    "workload-misplaced",
    '"pay"',
    aws(),
    [workload("cart", { path: "workloads/pay/cart.yaml" })],
  ],
  [
    "an audience that the provider refuses",
    "workload-audience",
    "sts.amazonaws.com",
    aws(rails, { issuer: { audiences: ["openshift"] } }),
    [workload("cart")],
  ],
  [
    "another universe of Google",
    "workload-universe",
    "Secret",
    gcpIdentity({ spec: { workloads: rails }, gcp: { universeDomain: "example.com" } }),
    [workload("cart")],
  ],
])("refuses %s", (_, code, said, config, items) => {
  const made = makeWorkloads(config, items);
  expect(expectFinding(made, "error", code)).toContain(said);
  expect(made.objects).toEqual({});
});

describe("the directory workloads/", () => {
  it.each<[string, Any]>([
    ["a CredentialsRequest", request("a")],
    [
      "a Subscription",
      { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription", metadata: { name: "x", namespace: "shop" } },
    ],
    ["a FeatureGate", { apiVersion: "config.openshift.io/v1", kind: "FeatureGate", metadata: { name: "cluster" } }],
    ["a Kptfile", { apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "x" } }],
    ["a policy", { apiVersion: "fn.cloudcredential.dev/v1alpha1", kind: "ReviewPolicy", metadata: { name: "x" } }],
    [
      "a generated object",
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "x", namespace: "shop", annotations: { "fn.cloudcredential.dev/generated-by": "x/demo" } },
      },
    ],
    [
      "client IDs",
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "azure-identities", annotations: { "fn.cloudcredential.dev/azure-tenant": "x" } },
      },
    ],
  ])("must not contain %s, whatever function reads it", (_, object) => {
    for (const path of ["workloads/x.yaml", "workloads/shop/x.yaml"]) {
      for (const run of [
        makeWorkloads,
        (config: Any, items: Any[]) => make([generateCloudCredentials], config, items),
      ]) {
        const made = run(aws(), [at(path, object)]);
        expect(made.exitCode, path).toBe(1);
        expect(made.results.map(({ tags }) => tags.code)).toContain("workload-misplaced");
      }
    }
  });

  it("may contain what the functions do not read", () => {
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x", namespace: "shop" } };
    expectClean(makeWorkloads(aws(), [workload("cart"), at("workloads/shop/x.yaml", deployment)]));
  });
});

function inNamespace(namespace: string, name = "cart"): Any {
  return workload(name, { metadata: { namespace }, path: "workloads/cart.yaml" });
}

function withoutAws(): Any {
  const { spec, ...rest } = workload("cart");
  const { aws: _, ...others } = spec;
  return { ...rest, spec: others };
}
