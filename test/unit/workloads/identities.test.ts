import { describe, expect, it } from "vitest";
import { azureIdentities, azureIdentity, azureSubscription, clientIdNumber } from "../../helpers/azure-requests.ts";
import { type Any, expectClean, expectFinding, identity, request } from "../../helpers/cluster.ts";
import { gcpIdentity } from "../../helpers/gcp-requests.ts";
import { makeWorkloads, workload } from "../../helpers/workloads.ts";

const workloads = { namespaces: ["shop"] };
const group = `/subscriptions/${azureSubscription}/resourceGroups/shop`;
const azureRoles = { roles: [{ role: "Reader", scope: group }] };
const onAzure = (count: number) =>
  workload("cart", {
    spec: { serviceAccounts: Array.from({ length: count }, (_, at) => `sa-${at}`), azure: azureRoles },
  });

describe("on AWS", () => {
  const config = (aws: Any = {}, more: Any = {}) => identity({ spec: { workloads: { ...workloads, aws }, ...more } });
  const roleOf = (made: Any) => made.bundle("aws/roles/shop-cart.yaml");

  it("a role has the path, the boundary, and the tags of workloads", () => {
    const rails = {
      path: "/apps/",
      permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/apps",
      tags: { team: "shop" },
    };
    const { "create-role.json": role } = roleOf(makeWorkloads(config(rails), [workload("cart")]));
    expect(role).toMatchObject({ Path: "/apps/", PermissionsBoundary: rails.permissionsBoundaryARN });
    expect(role.Tags.at(-1)).toEqual({ Key: "team", Value: "shop" });
  });

  it("a role accepts only the audience of its tokens, whatever requireAudience says", () => {
    const audienceOf = (delivery: string) => {
      const made = makeWorkloads(config({}, { issuer: { audiences: ["own", "sts.amazonaws.com"] } }), [
        workload("cart", { spec: { delivery } }),
      ]);
      const [statement] = roleOf(made)["trust-policy.json"].Statement;
      return Object.entries(statement.Condition.StringEquals).find(([key]) => key.endsWith(":aud"))?.[1];
    };
    expect(["ServiceAccount", "Patch", "Secret"].map(audienceOf)).toEqual([
      "sts.amazonaws.com",
      "sts.amazonaws.com",
      "own",
    ]);
  });

  it("a role gets the managed policies of its WorkloadIdentity", () => {
    const arn = "arn:aws:iam::aws:policy/AmazonSQSReadOnlyAccess";
    const spec = { aws: { ...workload("cart").spec.aws, managedPolicyARNs: [arn] } };
    const files = Object.keys(roleOf(makeWorkloads(config(), [workload("cart", { spec })])));
    expect(files.filter((name) => name.startsWith("attach-role-policy-AmazonSQS"))).toHaveLength(1);
  });

  it("a name that is taken by a component is refused", () => {
    const spec = { secretRef: { namespace: "shop-cart", name: "x" } };
    const made = makeWorkloads(config(), [workload("cart-x"), request("a", { spec })]);
    expectFinding(made, "error", "role-name-collision");
  });
});

describe("on GCP", () => {
  it("a service account has roles on buckets, and the first audience of the provider", () => {
    const spec = {
      gcp: {
        resources: [
          { bucket: "data", roles: ["roles/b", "roles/a"] },
          { bucket: "data", roles: ["roles/b"] },
        ],
      },
    };
    const config = gcpIdentity({ spec: { workloads, issuer: { audiences: ["own", "other"] } } });
    const made = makeWorkloads(config, [workload("cart", { spec })]);
    const { "bindings.json": bindings } = made.bundle("gcp/identities/shop-cart.yaml");
    expect(bindings).toMatchObject({ project: [], buckets: { data: ["roles/a", "roles/b"] } });
    const { annotations } = made.objects["manifests/shop-cart-serviceaccount.yaml"].metadata;
    expect(annotations["cloud.google.com/audience"]).toBe("own");
  });

  it("a WorkloadIdentity must ask for something", () => {
    const made = makeWorkloads(gcpIdentity({ spec: { workloads } }), [workload("cart", { spec: { gcp: {} } })]);
    expect(expectFinding(made, "error", "request-without-permissions")).toContain('"spec.gcp.predefinedRoles"');
  });
});

describe("on Azure", () => {
  const config = azureIdentity({ spec: { workloads } });

  it("20 service accounts get an identity, and 21 are refused in terms of the WorkloadIdentity", () => {
    const ids = azureIdentities({ shop_cart: clientIdNumber(1) });
    const made = makeWorkloads(config, [onAzure(20), ids]);
    expectClean(made);
    const files = made.bundle("azure/identities/shop-cart.yaml");
    const credentials = Object.entries(files).filter(([name]) => name.startsWith("federated-credential-"));
    expect(credentials).toHaveLength(20);
    expect(credentials[0]?.[1].body.properties.audiences).toEqual(["api://AzureADTokenExchange"]);
    const message = expectFinding(makeWorkloads(config, [onAzure(21), ids]), "error", "too-many-credentials");
    expect(message).toContain('"spec.serviceAccounts"');
  });

  it("a custom role needs scopes, and scopes need a custom role", () => {
    const refused = (azure: Any) =>
      expectFinding(makeWorkloads(config, [workload("cart", { spec: { azure } })]), "error", "workload-missing-field");
    expect(refused({ permissions: ["A/b/read"] })).toContain('"spec.azure.scopes"');
    expect(refused({ ...azureRoles, scopes: [group] })).toContain('"spec.azure.permissions"');
  });

  it("what pods run with stays while the client ID is missing, and is not dropped where output is pruned", () => {
    const first = makeWorkloads(config, [onAzure(1), azureIdentities({ shop_cart: clientIdNumber(1) })]);
    const rendered = Object.values(first.objects);
    const second = makeWorkloads(config, [onAzure(1), ...rendered]);
    expect(second.results.map(({ tags }) => tags.code)).toEqual(["client-id-unknown"]);
    expect(second.stdout).toContain(clientIdNumber(1));
    const function_ = { "config.kubernetes.io/function": "exec: {path: ccf}" };
    const pruned = { ...config, metadata: { ...config.metadata, annotations: function_ } };
    expectFinding(makeWorkloads(pruned, [onAzure(1)]), "error", "secret-lost");
  });

  it.each([
    ["apps/v1", "Deployment", (template: Any) => ({ template })],
    ["apps/v1", "StatefulSet", (template: Any) => ({ template })],
    ["batch/v1", "CronJob", (template: Any) => ({ jobTemplate: { spec: { template } } })],
    ["v1", "Pod", (template: Any) => template.spec],
  ])("a pod of %s %s without the label is a finding, and with it is none", (apiVersion, kind, specOf) => {
    const template = { metadata: { labels: {} as Any }, spec: { serviceAccountName: "sa-0" } };
    const object = {
      apiVersion,
      kind,
      metadata: { name: "x", namespace: "shop", labels: {} as Any },
      spec: specOf(template),
    };
    const items = [onAzure(1), azureIdentities({ shop_cart: clientIdNumber(1) }), object];
    const message = expectFinding(makeWorkloads(config, items), "warning", "pod-label-missing");
    expect(message).toContain('azure.workload.identity/use: "true"');
    const label = { "azure.workload.identity/use": "true" };
    if (kind === "Pod") object.metadata.labels = label;
    else template.metadata.labels = label;
    expectClean(makeWorkloads(config, items));
  });
});

describe("what a running application lives on", () => {
  const config = identity({ spec: { workloads } });
  const rendered = Object.values(makeWorkloads(config, [workload("cart")]).objects);

  it("is not removed because a WorkloadIdentity is missing, unless the run allows it by name", () => {
    const message = expectFinding(makeWorkloads(config, rendered), "error", "identities-lost");
    expect(message).toContain("the package contains no WorkloadIdentity for them");
    expect(message).toContain("ServiceAccounts");
    const annotations = { "fn.cloudcredential.dev/allow": "removal:shop/cart" };
    const allowed = { ...config, metadata: { ...config.metadata, annotations } };
    const made = makeWorkloads(allowed, rendered);
    expect(made.results.map(({ severity, tags }) => [severity, tags.code])).toContainEqual([
      "warning",
      "identities-lost",
    ]);
    expect(made.exitCode).toBe(0);
  });

  it("keeps its ServiceAccount if the delivery changes", () => {
    const made = makeWorkloads(config, [workload("cart", { spec: { delivery: "Patch" } }), ...rendered]);
    expect(expectFinding(made, "error", "object-lost")).toContain("removal:ServiceAccount/shop.cart");
  });

  it("is not overwritten by a patch in a stream that a cluster gets", () => {
    const annotations = { "config.kubernetes.io/function": "exec: {path: ccf}" };
    const pruned = { ...config, metadata: { ...config.metadata, annotations } };
    const made = makeWorkloads(pruned, [workload("cart", { spec: { delivery: "Patch" } })]);
    expect(expectFinding(made, "warning", "workload-patch-excluded")).toContain("patches/shop-cart.yaml");
  });
});
