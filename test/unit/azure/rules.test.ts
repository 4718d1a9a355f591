import { describe, expect, it } from "vitest";
import { configureOperators } from "../../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { azureInspector } from "../../../src/clouds/azure/inspector.ts";
import { type Any, make, publicKey, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

const subscriptionID = "11111111-1111-4111-8111-111111111111";
const tenantID = "22222222-2222-4222-8222-222222222222";
const clientID = "33333333-3333-4333-8333-333333333333";

const config = (azure: Any = {}): Any => ({
  apiVersion: "fn.cloudcredential.dev/v1alpha1",
  kind: "ClusterIdentity",
  metadata: { name: "demo" },
  spec: {
    issuer: { signingKeys: [{ publicKey }] },
    platform: { azure: { subscriptionID, tenantID, region: "eastus", ...azure } },
  },
});
const asking = (providerSpec: Any) =>
  request("one", {
    spec: {
      secretRef: { namespace: "openshift-one", name: "credentials" },
      providerSpec: { kind: "AzureProviderSpec", ...providerSpec },
    },
  });
const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "openshift-one" } };
const clientIds = (data: Any = { "openshift-one_credentials": clientID }): Any => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "azure-identities",
    annotations: {
      "config.kubernetes.io/local-config": "true",
      "fn.cloudcredential.dev/azure-tenant": tenantID,
      "fn.cloudcredential.dev/azure-subscription": subscriptionID,
      "fn.cloudcredential.dev/resource-prefix": "demo",
    },
  },
  data,
});
const reader = { roleBindings: [{ role: "Reader" }] };

/** A rendered package, as a list of copies of its objects. */
function rendered(asked = asking(reader), azure: Any = {}) {
  const fns = [generateOidcIssuer, generateCloudCredentials, configureOperators];
  const { objects, exitCode, stderr } = make(fns, config(azure), [asked, clientIds()]);
  expect(exitCode, stderr).toBe(0);
  const copy = Object.values<Any>(structuredClone(objects));
  const of = (kind: string, name: string) => copy.find((one) => one.kind === kind && one.metadata.name === name);
  return {
    items: [
      config(azure),
      asked,
      namespace,
      ...copy.filter((one) => one.metadata.name !== "azure-identities"),
      clientIds(),
    ],
    secret: of("Secret", "credentials"),
    webhook: of("Secret", "azure-credentials"),
    bundle: of("ConfigMap", "azure-identity-openshift-one-credentials"),
  };
}

/** Changes the file of a bundle ConfigMap whose name begins so. */
function edit(bundle: Any, start: string, change: (value: Any) => void): void {
  const name = Object.keys(bundle.data).find((key) => key.startsWith(start)) ?? "";
  const value = JSON.parse(bundle.data[name]);
  change(value);
  bundle.data[name] = JSON.stringify(value);
}

/** The codes of rules, without those that only say that a file was edited. */
const edited = new Set(["role-edited", "secret-edited", "bundle-edited"]);
const rulesOf = (items: readonly Any[], live: readonly Any[] = []) =>
  codesOf(validated(items, live)).filter((code) => !edited.has(code));
const found = (providerSpec: Any) => validated([asking(providerSpec)]);

describe("permissions in all scopes", () => {
  const authorization = "Microsoft.Authorization";
  const identities = "Microsoft.ManagedIdentity/userAssignedIdentities";
  const all = ["act-as-identity-any", "assign-role-any", "list-keys-any", "run-command-any"];
  it.each<[string, Any, readonly string[]]>([
    ["an assignment", { permissions: [`${authorization}/roleAssignments/write`] }, ["assign-role-any"]],
    ["a definition, in another case", { permissions: [`${authorization}/ROLEDEFINITIONS/write`] }, ["assign-role-any"]],
    ["elevation", { permissions: [`${authorization}/elevateAccess/action`] }, ["assign-role-any"]],
    ["a wildcard", { permissions: [`${authorization}/*/write`] }, ["assign-role-any"]],
    [
      "a wildcard without it",
      {
        permissions: [`${authorization}/*`],
        notActions: [`${authorization}/*/write`, `${authorization}/elevateAccess/*`],
      },
      [],
    ],
    ["a credential", { permissions: [`${identities}/federatedIdentityCredentials/write`] }, ["act-as-identity-any"]],
    ["an identity", { permissions: [`${identities}/assign/action`] }, ["act-as-identity-any"]],
    ["keys", { permissions: ["Microsoft.Storage/storageAccounts/listKeys/action"] }, ["list-keys-any"]],
    ["a role with keys", { roleBindings: [{ role: "Storage Account Contributor" }] }, ["list-keys-any"]],
    ["a command", { permissions: ["Microsoft.Compute/virtualMachines/runCommand/action"] }, ["run-command-any"]],
    ["an extension", { permissions: ["Microsoft.Compute/virtualMachines/*"] }, ["run-command-any"]],
    ["everything", { permissions: ["*"] }, all],
    [
      "a role of everything but assignments",
      { roleBindings: [{ role: "Contributor" }] },
      all.filter((code) => code !== "assign-role-any"),
    ],
    ["a role of everything", { roleBindings: [{ role: "Owner" }] }, [...all, "unbounded-role"].sort()],
    ["data of everything", { dataPermissions: ["*"] }, []],
    ["a reader", reader, []],
    [
      "a role that changes often",
      { roleBindings: [{ role: "Virtual Machine Contributor" }] },
      ["list-keys-any", "run-command-any"],
    ],
  ])("%s", (_name, providerSpec, codes) => {
    expect(codesOf(found(providerSpec)).sort()).toEqual(codes);
  });

  it("are named with the role or the wildcard that they come with, at its place", () => {
    expect(found({ ...reader, permissions: ["A/read", `${authorization}/*`] })).toMatchObject([
      {
        severity: "warning",
        message:
          'can assign or change roles in its scopes ("Microsoft.Authorization/roleAssignments/write", "Microsoft.Authorization/roleDefinitions/write", "Microsoft.Authorization/roleAssignmentScheduleRequests/write" and 1 more through "Microsoft.Authorization/*"); remove the permission, or accept the finding with the reason.',
        field: "spec.providerSpec.permissions[1]",
      },
    ]);
    expect(found({ roleBindings: [{ role: "Reader" }, { role: "storage account contributor" }] })).toMatchObject([
      { field: "spec.providerSpec.roleBindings[1].role" },
    ]);
  });

  it("are found in an edited package", () => {
    const { items, bundle } = rendered(asking({ permissions: ["A/read"] }));
    expect(rulesOf(items)).toEqual([]);
    edit(bundle, "role-definition", ({ body }) => {
      body.properties.permissions[0].actions.push("Microsoft.Storage/storageAccounts/listKeys/action");
    });
    expect(rulesOf(items)).toEqual(["list-keys-any"]);
  });

  it("are assumed in a file that cannot be read", () => {
    const { items, bundle } = rendered();
    edit(bundle, "role-assignment", (value) => {
      value.body.properties = {};
    });
    expect(rulesOf(items)).toEqual(expect.arrayContaining(["assign-role-any"]));
  });
});

describe("a rendered managed identity", () => {
  it("has roles on resource groups", () => {
    const asked = asking(reader);
    const override = (scopes: readonly string[]) => ({ overrides: { "openshift-one/credentials": { scopes } } });
    expect(rulesOf(rendered(asked, override(["other"])).items)).toEqual([]);
    const { items } = rendered(asked, override([`/subscriptions/${subscriptionID}`]));
    expect(rulesOf(items)).toEqual(["role-scope-subscription"]);
  });

  it.each<[string, (properties: Any) => void]>([
    ["a wildcard", (properties) => (properties.subject = "system:serviceaccount:openshift-one:*")],
    ["another issuer", (properties) => (properties.issuer = "https://example.com")],
    ["another audience", (properties) => (properties.audiences = ["api://AzureADTokenExchange"])],
  ])("accepts no tokens for %s", (_name, change) => {
    const { items, bundle } = rendered();
    edit(bundle, "federated-credential", ({ body }) => change(body.properties));
    expect(rulesOf(items)).toEqual(["credential-without-subject"]);
  });
});

describe("Secrets", () => {
  it.each<[string, string, string]>([
    ["another tenant", "azure_tenant_id", "secret-other-tenant"],
    ["another subscription", "azure_subscription_id", "secret-other-tenant"],
    ["a client secret", "azure_client_secret", "client-secret"],
    ["a client certificate", "AZURE_CLIENT_CERTIFICATE_PATH", "client-secret"],
  ])("contain no %s", (_name, key, code) => {
    const { items, secret } = rendered();
    expect(rulesOf(items)).toEqual([]);
    secret.stringData[key] = "55555555-5555-4555-8555-555555555555";
    expect(rulesOf(items)).toEqual([code]);
    expect(JSON.stringify(validated(items).filter((one) => one.code === "client-secret"))).not.toContain("5555");
  });

  it("show another value only if it has the form of its key", () => {
    const { items, secret } = rendered();
    secret.stringData.azure_tenant_id = "hunter2";
    const [found] = validated(items).filter((one) => one.code === "secret-other-tenant");
    expect(found?.message).toContain('"stringData.azure_tenant_id" is (a value that is not shown), but');
  });

  it.each(['{"clientSecret":"x"}', "AZURE_CLIENT_SECRET=x", "aadClientSecret: x"])(
    "contain no file with %s",
    (text) => {
      const { items, secret } = rendered();
      secret.stringData["cloud.conf"] = text;
      expect(rulesOf(items)).toEqual(["client-secret"]);
    },
  );

  it("include the one of the webhook", () => {
    const { items, webhook } = rendered();
    expect(rulesOf(items.filter((item) => item !== webhook))).toEqual(["webhook-secret-missing"]);
    webhook.stringData.azure_tenant_id = "";
    expect(rulesOf(items)).toContain("webhook-secret-missing");
  });

  it("of the installer do not stay in the cluster", () => {
    const { items } = rendered();
    const left = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "azure-credentials", namespace: "kube-system" },
    };
    expect(rulesOf(items, [left])).toContain("live-azure-credentials");
  });
});

describe("client IDs", () => {
  it("are for requests of the package", () => {
    const items = rendered().items.filter((item) => item.metadata.name !== "azure-identities");
    const data = { "openshift-one_credentials": clientID, "openshift-one_credential": tenantID };
    expect(validated([...items, clientIds(data)]).filter(({ code }) => code === "client-id-unused")).toMatchObject([
      {
        severity: "warning",
        message:
          'no request needs the client ID of "openshift-one_credential" (did you mean "openshift-one_credentials"?). Correct the key, or remove it.',
        field: "data.openshift-one_credential",
      },
    ]);
  });
});

describe("many client IDs of no request", () => {
  it("are all reported, and only the first ones with a hint", () => {
    const items = rendered().items.filter((item) => item.metadata.name !== "azure-identities");
    const keys = Array.from({ length: 30 }, (_, at) => `openshift-one_credentials${at}`);
    const data = Object.fromEntries(keys.map((key) => [key, clientID]));
    const found = validated([...items, clientIds(data)]).filter(({ code }) => code === "client-id-unused");
    expect(found).toHaveLength(30);
    expect(found.filter(({ message }) => message.includes("did you mean"))).toHaveLength(20);
  });
});

describe("the install-config", () => {
  const azure = { region: "eastus", cloudName: "AzurePublicCloud", resourceGroupName: "demo" };
  const fields = (more: Any, platform: Any = {}) => {
    const installConfig = resourceOf({
      apiVersion: "v1",
      kind: "InstallConfig",
      metadata: { name: "demo" },
      credentialsMode: "Manual",
      platform: { azure: { ...azure, ...more } },
    });
    const all = validate({ items: [resourceOf(config(platform))], functionConfig: undefined }, { installConfig });
    return all.filter(({ code }) => code === "install-config-azure").map(({ field }) => field);
  };

  it.each<[string, Any, Any, readonly string[]]>([
    ["the cluster's", {}, {}, []],
    ["the cluster's, in another case", { resourceGroupName: "Demo" }, {}, []],
    ["another region", { region: "westus" }, {}, ["platform.azure.region"]],
    ["another cloud", { cloudName: "AzureUSGovernmentCloud" }, {}, ["platform.azure.cloudName"]],
    ["no cloud", { cloudName: undefined }, {}, []],
    ["no group", { resourceGroupName: undefined }, {}, ["platform.azure.resourceGroupName"]],
    ["another group", { resourceGroupName: "other" }, {}, ["platform.azure.resourceGroupName"]],
    ["a group of the zone", { baseDomainResourceGroupName: "dns" }, {}, ["platform.azure.baseDomainResourceGroupName"]],
    ["that group in both", { baseDomainResourceGroupName: "dns" }, { dnsZoneResourceGroup: "DNS" }, []],
    [
      "another network",
      { networkResourceGroupName: "net" },
      { networkResourceGroup: "n" },
      ["platform.azure.networkResourceGroupName"],
    ],
  ])("names %s", (_name, more, platform, expected) => {
    expect(fields(more, platform)).toEqual(expected);
  });
});

describe("the administrator's role", () => {
  it("is unbounded if it can assign roles", () => {
    const { isUnbounded, unbounded } = azureInspector.exports.adminPolicy;
    expect(unbounded).toMatchObject({ code: "admin-role-unbounded", bundlePath: "azure/cluster.yaml" });
    expect(isUnbounded({ Actions: ["Microsoft.Authorization/roleAssignments/write"] })).toBe(true);
    expect(isUnbounded({ Actions: ["Microsoft.Authorization/roleAssignments/read"] })).toBe(false);
  });
});
