import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../../functions/generate-oidc-issuer/function.ts";
import {
  azureConfig,
  azureRequest,
  azureSubscription,
  clientId,
  clientIds,
  withAzureIssuer,
} from "../../helpers/azure-cluster.ts";
import {
  type Any,
  expectClean,
  type Made,
  make,
  makeCredentials,
  makeIssuer,
  publicKey,
} from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";

const kid = "HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk";
const both = [generateOidcIssuer, generateCloudCredentials];
const subscription = "/subscriptions/00000000-1111-2222-3333-444444444444";
const other = "/subscriptions/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
const group = `${subscription}/resourceGroups/demo`;
const oidcGroup = `${subscription}/resourceGroups/demo-oidc`;
const owner = { "openshift.io_cloud-credential-operator_demo": "owned" };
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const account = `demo${hashOf("00000000-1111-2222-3333-444444444444/demo").slice(0, 10)}`;
const issuer = `https://${account}.blob.core.windows.net/demo`;

/** RFC 9562, section 5.5, with the hash of Node.js, in the namespace that is the UUID of fn.cloudcredential.dev. */
function uuid5(name: string): string {
  const of = (space: Buffer, text: string) => createHash("sha1").update(space).update(text).digest().subarray(0, 16);
  const marked = (bytes: Buffer) => {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
    return `${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
  };
  const dns = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
  const space = Buffer.from(marked(of(dns, "fn.cloudcredential.dev")), "hex");
  return marked(of(space, name)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const identityOf = (made: Made, name = "ns-one-credentials") => made.bundle(`azure/identities/${name}.yaml`);
const secretOf = ({ objects }: Made) => objects["manifests/ns-one-credentials-credentials.yaml"];
const issuerFiles = (config: Any) => makeIssuer(config).bundle("azure/issuer.yaml");
const clusterFiles = (config: Any) => makeIssuer(config).bundle("azure/cluster.yaml");
const facts = (config: Any) => clusterFiles(config)["cluster.json"];
const one = (config: Any, changes: Any = {}) => identityOf(makeCredentials(config, [azureRequest("one", changes)]));
const filesOf = (files: Readonly<Record<string, Any>>, kind: string) =>
  Object.entries(files).flatMap(([name, file]) => (name.startsWith(`${kind}-`) ? [file] : []));
const scopeOf = ({ url }: Any) => url.split("/providers/Microsoft.Authorization/roleAssignments/")[0];

describe("the issuer", () => {
  it("is a storage account with a container whose blobs can be read, but not listed", () => {
    const made = makeIssuer(azureConfig());
    expectClean(made);
    expect(made.bundle("azure/issuer.yaml")).toEqual({
      "container.json": {
        url: `${oidcGroup}/providers/Microsoft.Storage/storageAccounts/${account}/blobServices/default/containers/demo?api-version=2023-01-01`,
        body: { properties: { publicAccess: "Blob" } },
      },
      "keys.json": { keys: [{ kty: "RSA", alg: "RS256", use: "sig", kid, n: expect.any(String), e: "AQAB" }] },
      "openid-configuration": {
        issuer,
        jwks_uri: `${issuer}/openid/v1/jwks`,
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        claims_supported: ["aud", "exp", "sub", "iat", "iss"],
      },
      "storage-account.json": {
        url: `${oidcGroup}/providers/Microsoft.Storage/storageAccounts/${account}?api-version=2023-01-01`,
        body: {
          kind: "StorageV2",
          location: "eastus",
          sku: { name: "Standard_LRS" },
          properties: {
            allowBlobPublicAccess: true,
            allowSharedKeyAccess: false,
            minimumTlsVersion: "TLS1_2",
            networkAcls: { defaultAction: "Allow" },
            publicNetworkAccess: "Enabled",
            supportsHttpsTrafficOnly: true,
          },
          tags: owner,
        },
      },
    });
    expect(made.objects["manifests/cluster-authentication-02-config.yaml"].spec.serviceAccountIssuer).toBe(issuer);
  });

  it("has what the config says, and a key only for uploads with a key", () => {
    const issuerHosting = { storageAccount: "keys0of1", container: "oidc-1", sku: "Standard_ZRS", uploadAuth: "key" };
    const files = issuerFiles(azureConfig({ azure: { issuerHosting, oidcResourceGroup: "shared", tags: { a: "b" } } }));
    const url = `${subscription}/resourceGroups/shared/providers/Microsoft.Storage/storageAccounts/keys0of1`;
    expect(files["storage-account.json"]).toMatchObject({
      url: `${url}?api-version=2023-01-01`,
      body: {
        sku: { name: "Standard_ZRS" },
        properties: { allowSharedKeyAccess: true },
        tags: { ...owner, a: "b" },
      },
    });
    expect(files["container.json"].url).toBe(`${url}/blobServices/default/containers/oidc-1?api-version=2023-01-01`);
    expect(files["openid-configuration"].issuer).toBe("https://keys0of1.blob.core.windows.net/oidc-1");
  });

  it.each([
    ["AzurePublicCloud", "AzureCloud", "blob.core.windows.net", "eastus"],
    ["AzureUSGovernmentCloud", "AzureUSGovernment", "blob.core.usgovcloudapi.net", "usgovvirginia"],
    ["AzureChinaCloud", "AzureChinaCloud", "blob.core.chinacloudapi.cn", "chinanorth3"],
  ])("in %s, %s for az, is in the domain %s", (cloud, cliCloud, domain, region) => {
    const url = `https://${account}.${domain}/demo`;
    const live = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: { platformStatus: { azure: { cloudName: cloud } } },
    };
    for (const made of [
      makeIssuer(azureConfig({ azure: { cloud, region } })),
      makeIssuer(azureConfig({ azure: { region } }), [live]),
    ]) {
      expectClean(made);
      expect(made.bundle("azure/issuer.yaml")["openid-configuration"].issuer).toBe(url);
      expect(made.bundle("azure/cluster.yaml")["cluster.json"]).toMatchObject({
        cloud,
        cliCloud,
        issuer: url,
        blobEndpoint: `https://${account}.${domain}`,
      });
    }
    expectClean(makeIssuer(withAzureIssuer({ url }, { cloud, region })));
  });

  it("elsewhere is documents alone, and no storage", () => {
    const config = withAzureIssuer({ url: "https://oidc.example.com/demo" }, { issuerHosting: { type: "External" } });
    expectClean(makeIssuer(config));
    expect(Object.keys(issuerFiles(config))).toEqual(["keys.json", "openid-configuration"]);
    expect(issuerFiles(config)["openid-configuration"]).toMatchObject({
      issuer: "https://oidc.example.com/demo",
      jwks_uri: "https://oidc.example.com/demo/openid/v1/jwks",
    });
    expect(Object.keys(facts(config))).toEqual([
      "subscriptionID",
      "tenantID",
      "cloud",
      "cliCloud",
      "region",
      "resourcePrefix",
      "ownerTag",
      "oidcResourceGroup",
      "installResourceGroup",
      "issuer",
    ]);
  });

  it("comes with the Secret for which the webhook is deployed", () => {
    const secret = (spec: Any) =>
      makeIssuer(azureConfig({ spec })).objects["manifests/azure-ad-pod-identity-webhook-config.yaml"];
    const { tenantID } = azureSubscription;
    expect(secret({})).toMatchObject({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "azure-credentials", namespace: "openshift-cloud-credential-operator" },
      type: "Opaque",
      stringData: { azure_tenant_id: tenantID },
    });
    expect(secret({ secret: { encoding: "data" } }).data).toEqual({
      azure_tenant_id: Buffer.from(tenantID).toString("base64"),
    });
  });
});

describe("the cluster's bundle", () => {
  it("contains the facts that ccf apply needs, and its IDs in lowercase", () => {
    const { subscriptionID, tenantID } = azureSubscription;
    const azure = { subscriptionID: "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE", tenantID: tenantID.toUpperCase() };
    expect(facts(azureConfig())).toEqual({
      subscriptionID,
      tenantID,
      cloud: "AzurePublicCloud",
      cliCloud: "AzureCloud",
      region: "eastus",
      resourcePrefix: "demo",
      ownerTag: "openshift.io_cloud-credential-operator_demo",
      oidcResourceGroup: "demo-oidc",
      installResourceGroup: "demo",
      issuer,
      storageAccount: account,
      container: "demo",
      blobEndpoint: `https://${account}.blob.core.windows.net`,
      uploadAuth: "login",
    });
    expect(facts(azureConfig({ azure }))).toMatchObject({
      subscriptionID: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
      tenantID,
      storageAccount: `demo${hashOf("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee/demo").slice(0, 10)}`,
    });
  });

  it("names the previous issuers, each once, and not the present one", () => {
    const previous = ["https://b.example", issuer, "https://a.example/x", "https://b.example"];
    const made = makeIssuer(withAzureIssuer({ previous }));
    expect(made.bundle("azure/cluster.yaml")["cluster.json"].previousIssuers).toEqual([
      "https://b.example",
      "https://a.example/x",
    ]);
  });

  it("creates the two resource groups", () => {
    const azure = { oidcResourceGroup: "One", installResourceGroup: "two", tags: { z: "1", a: "2" } };
    const body = { location: "eastus", tags: { ...owner, a: "2", z: "1" } };
    const url = (name: string) => `${subscription}/resourceGroups/${name}?api-version=2021-04-01`;
    expect(clusterFiles(azureConfig({ azure }))).toMatchObject({
      "oidc-resource-group.json": { url: url("One"), body },
      "install-resource-group.json": { url: url("two"), body },
    });
  });

  it("takes the group of the cluster from its Infrastructure", () => {
    const live = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: { platformStatus: { azure: { resourceGroupName: "demo-x7k2p-rg" } } },
    };
    const made = makeIssuer(azureConfig(), [live]);
    expectClean(made);
    expect(made.bundle("azure/cluster.yaml")["cluster.json"].installResourceGroup).toBe("demo-x7k2p-rg");
  });

  it("contains the permissions of the administrator, in every subscription where roles apply", () => {
    const role = (config: Any) => clusterFiles(config)["admin-role.json"];
    const hosted = (issuerHosting: Any) => role(azureConfig({ azure: { issuerHosting } }));
    const [login, key] = [role(azureConfig()), hosted({ uploadAuth: "key" })];
    const external = role(
      withAzureIssuer({ url: "https://oidc.example.com" }, { issuerHosting: { type: "External" } }),
    );
    for (const one of [login, key, external]) {
      expect(one).toMatchObject({
        Name: "Cluster identity demo",
        IsCustom: true,
        Description: "Permissions to apply the cloud credentials of the cluster demo",
        NotActions: [],
        NotDataActions: [],
        AssignableScopes: [subscription],
      });
      expect(one.Actions).toEqual([...new Set(one.Actions)].sort());
      expect(one.Actions).toContain("Microsoft.Authorization/roleAssignments/write");
    }
    const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
    expect(login.DataActions).toEqual([`${blobs}/read`, `${blobs}/write`]);
    expect([key.DataActions, external.DataActions]).toEqual([[], []]);
    const listKeys = "Microsoft.Storage/storageAccounts/listKeys/action";
    expect(login.Actions).not.toContain(listKeys);
    expect(key.Actions.filter((action: string) => !login.Actions.includes(action))).toEqual([listKeys]);
    expect(external.Actions.filter((action: string) => action.startsWith("Microsoft.Storage/"))).toEqual([
      "Microsoft.Storage/storageAccounts/blobServices/containers/read",
      "Microsoft.Storage/storageAccounts/delete",
      "Microsoft.Storage/storageAccounts/fileServices/shares/read",
      "Microsoft.Storage/storageAccounts/queueServices/queues/read",
      "Microsoft.Storage/storageAccounts/read",
      "Microsoft.Storage/storageAccounts/tableServices/tables/read",
    ]);
    const azure = {
      dnsZoneResourceGroup: `${other}/resourceGroups/dns`,
      networkResourceGroup: "network",
      overrides: {
        "ns-one/credentials": {
          scopes: [
            `${other.toUpperCase().replace("SUBSCRIPTIONS", "subscriptions")}/resourceGroups/x`,
            `${subscription.replace("0000-1", "0000-9")}/resourceGroups/y`,
          ],
        },
      },
    };
    expect(role(azureConfig({ azure })).AssignableScopes).toEqual([
      subscription,
      subscription.replace("0000-1", "0000-9"),
      other,
    ]);
  });
});

describe("an identity", () => {
  const name = "demo-ns-one-credentials";
  const id = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const providerSpec = {
    roleBindings: [{ role: "storage blob data reader" }, { role: "Contributor" }, { role: "contributor" }],
    permissions: ["Microsoft.Network/b/read", "Microsoft.Network/a/*", "microsoft.network/B/read"],
    notActions: ["Microsoft.Network/a/delete"],
    dataPermissions: ["Microsoft.Storage/x/read"],
    notDataActions: ["Microsoft.Storage/x/y/read"],
  };
  const definition = uuid5(`00000000-1111-2222-3333-444444444444|${name}`);
  const definitionId = (guid: string, at = subscription) =>
    `${at}/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
  const assignment = (scope: string, guid: string, at = subscription) =>
    uuid5(`${scope}|${id}|${definitionId(guid, at)}`.toLowerCase());

  it("is a managed identity with a credential, a custom role and an assignment for each role", () => {
    const made = makeCredentials(azureConfig(), [azureRequest("one", { providerSpec })]);
    expect(made.exitCode).toBe(0);
    const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
    const reader = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1";
    const roles = [
      ["Contributor", contributor],
      ["Storage Blob Data Reader", reader],
      [name, definition],
    ] as const;
    const assigned = roles.map(([role, guid]) => {
      const id = assignment(group, guid);
      const properties = { roleDefinitionId: definitionId(guid), principalType: "ServicePrincipal" };
      const url = `${group}/providers/Microsoft.Authorization/roleAssignments/${id}?api-version=2022-04-01`;
      return [`role-assignment-${id}.json`, { description: role, url, body: { properties } }];
    });
    const credential = `one-operator-${hashOf(issuer).slice(0, 8)}`;
    expect(identityOf(made)).toEqual({
      "identity.json": { secret: "ns-one/credentials" },
      "managed-identity.json": { url: `${id}?api-version=2023-01-31`, body: { location: "eastus", tags: owner } },
      [`federated-credential-${credential}.json`]: {
        url: `${id}/federatedIdentityCredentials/${credential}?api-version=2023-01-31`,
        body: {
          properties: {
            issuer,
            subject: "system:serviceaccount:ns-one:one-operator",
            audiences: ["openshift"],
          },
        },
      },
      "role-definition.json": {
        url: `${definitionId(definition)}?api-version=2022-04-01`,
        body: {
          properties: {
            roleName: name,
            type: "CustomRole",
            description: "Custom role for OpenShift. Owned by: demo",
            assignableScopes: [subscription],
            permissions: [
              {
                actions: ["Microsoft.Network/a/*", "Microsoft.Network/b/read"],
                notActions: ["Microsoft.Network/a/delete"],
                dataActions: ["Microsoft.Storage/x/read"],
                notDataActions: ["Microsoft.Storage/x/y/read"],
              },
            ],
          },
        },
      },
      ...Object.fromEntries(assigned),
    });
  });

  it("has no custom role without permissions, and no assignment but that of the custom role without roles", () => {
    const roles = one(azureConfig());
    expect(roles).not.toHaveProperty(["role-definition.json"]);
    expect(filesOf(roles, "role-assignment")).toHaveLength(1);
    for (const permissions of [{ permissions: ["a/b"] }, { dataPermissions: ["a/b"] }]) {
      const custom = one(azureConfig(), { providerSpec: { roleBindings: null, ...permissions } });
      const [assigned, ...more] = filesOf(custom, "role-assignment");
      expect(more).toEqual([]);
      expect(assigned.body.properties.roleDefinitionId).toBe(definitionId(definition));
    }
  });

  it("has a credential for each service account and issuer, of which none is named as another", () => {
    const config = withAzureIssuer({ previous: ["https://old.example/x", "https://older.example"] });
    const files = one(config, { spec: { serviceAccountNames: ["a.b", "c", "c"] } });
    const credentials = filesOf(files, "federated-credential");
    const issuers = [issuer, "https://old.example/x", "https://older.example"];
    const expected = ["a.b", "c"].flatMap((name) =>
      issuers.map((from) => [
        `${name.replace(".", "-")}-${hashOf(from).slice(0, 8)}`,
        { issuer: from, subject: `system:serviceaccount:ns-one:${name}`, audiences: ["openshift"] },
      ]),
    );
    expect(
      Object.fromEntries(credentials.map(({ url, body }) => [url.split("/").at(-1).split("?")[0], body.properties])),
    ).toEqual(Object.fromEntries(expected));
  });

  it("trusts a previous issuer with a note that says how to end that", () => {
    const made = makeCredentials(withAzureIssuer({ previous: ["https://old.example"] }), [azureRequest("one")]);
    expect(made.results).toContainEqual(
      expect.objectContaining({
        severity: "info",
        message:
          'managed identities still trust the previous issuer "https://old.example". When the cluster has moved, remove it from "spec.issuer.previous", render, and run "ccf apply --prune".',
        field: { path: "spec.issuer.previous" },
        tags: { code: "previous-issuer" },
      }),
    );
  });

  it("uses the names, scopes, IDs and service accounts of the overrides", () => {
    const key = "ns-one/credentials";
    const roleDefinitionID = "ABCDEF01-2345-6789-abcd-ef0123456789";
    const scopes = ["Apps", `${other}/resourceGroups/dns/providers/Microsoft.Network/dnsZones/example.com`];
    const config = azureConfig({
      azure: { overrides: { [key]: { identityName: "Kept_1", scopes, roleDefinitionID, clientID: clientId(9) } } },
      spec: { overrides: { [key]: { serviceAccountNames: ["other", "elsewhere/third"] } } },
    });
    const made = makeCredentials(config, [azureRequest("one", { providerSpec: { permissions: ["a/b"] } })]);
    expect(made.exitCode).toBe(0);
    const files = identityOf(made);
    expect(files["managed-identity.json"].url).toBe(`${id.replace(name, "Kept_1")}?api-version=2023-01-31`);
    expect(files["role-definition.json"]).toMatchObject({
      url: `${definitionId(roleDefinitionID.toLowerCase())}?api-version=2022-04-01`,
      body: { properties: { roleName: "Kept_1", assignableScopes: [subscription, other] } },
    });
    expect(filesOf(files, "federated-credential").map(({ body }) => body.properties.subject)).toEqual([
      "system:serviceaccount:ns-one:other",
      "system:serviceaccount:elsewhere:third",
    ]);
    const assigned = filesOf(files, "role-assignment");
    expect(assigned.map((file) => [scopeOf(file), file.body.properties.roleDefinitionId]).sort()).toEqual(
      [
        [`${subscription}/resourceGroups/Apps`, definitionId("b24988ac-6180-42a0-ab88-20f7382dd24c")],
        [`${subscription}/resourceGroups/Apps`, definitionId(roleDefinitionID.toLowerCase())],
        [scopes[1], definitionId("b24988ac-6180-42a0-ab88-20f7382dd24c", other)],
        [scopes[1], definitionId(roleDefinitionID.toLowerCase(), other)],
      ].sort(),
    );
    expect(secretOf(made).stringData.azure_client_id).toBe(clientId(9));
    expect(files["identity.json"]).toEqual({ secret: key, clientID: clientId(9) });
  });

  it.each<[string, Any, readonly string[]]>([
    ["only for DNS zones", { permissions: ["Microsoft.Network/dnszones/TXT/write"] }, ["demo", "dns"]],
    ["with the role for DNS zones", { roleBindings: [{ role: "DNS zone contributor" }] }, ["demo", "dns"]],
    [
      "for private zones",
      {
        permissions: ["Microsoft.Network/privateDnsZones/read"],
        roleBindings: [{ role: "Private DNS Zone Contributor" }],
      },
      ["demo", "dns"],
    ],
    [
      "for more",
      { permissions: ["Microsoft.Network/dnsZones/read", "Microsoft.Network/loadBalancers/read"] },
      ["demo"],
    ],
    [
      "with one more role",
      { permissions: ["Microsoft.Network/dnsZones/read"], roleBindings: [{ role: "Reader" }] },
      ["demo"],
    ],
    ["with more data", { permissions: ["Microsoft.Network/dnsZones/read"], dataPermissions: ["a/b/read"] }, ["demo"]],
    ["with a wildcard for more", { permissions: ["Microsoft.Network/*"] }, ["demo"]],
  ])("%s has its roles in these groups", (_name, providerSpec, groups) => {
    const config = azureConfig({ azure: { dnsZoneResourceGroup: "dns" } });
    const files = one(config, { providerSpec: { roleBindings: [], ...providerSpec } });
    const found = filesOf(files, "role-assignment").map((file) => scopeOf(file));
    expect([...new Set(found)].sort()).toEqual(groups.map((name) => `${subscription}/resourceGroups/${name}`));
  });

  it("has its custom role in a subscription where the role can be assigned", () => {
    const scopes = [`${other}/resourceGroups/x`];
    const config = azureConfig({ azure: { overrides: { "ns-one/credentials": { scopes } } } });
    const file = one(config, { providerSpec: { roleBindings: [], permissions: ["a/b"] } })["role-definition.json"];
    expect(file.url).toBe(`${definitionId(definition, other)}?api-version=2022-04-01`);
    expect(file.body.properties.assignableScopes).toEqual([other]);
  });

  it("has each scope once, whatever its case", () => {
    const scopes = ["Demo", `${other}/resourceGroups/x`, "demo", `${other.replace("aaaa", "AAAA")}/resourceGroups/X`];
    const files = one(azureConfig({ azure: { overrides: { "ns-one/credentials": { scopes } } } }));
    const found = filesOf(files, "role-assignment").map((file) => scopeOf(file).toLowerCase());
    expect(found.sort()).toEqual([group, `${other}/resourceGroups/x`].map((id) => id.toLowerCase()));
  });

  it("has the roles that the config adds", () => {
    const roles = { "Storage Table Data Reader": "76199698-9EEA-4c19-bc75-cec21354c6b6" };
    const files = one(azureConfig({ azure: { roles } }), {
      providerSpec: { roleBindings: [{ role: "storage table data reader" }] },
    });
    expect(filesOf(files, "role-assignment").map(({ body }) => body.properties.roleDefinitionId)).toEqual([
      definitionId("76199698-9eea-4c19-bc75-cec21354c6b6"),
    ]);
  });
});

describe("the scopes", () => {
  const dns = `${other}/resourceGroups/dns`;
  const network = `${subscription}/resourceGroups/network`;
  const config = azureConfig({ azure: { dnsZoneResourceGroup: dns, networkResourceGroup: "network" } });

  it.each([
    ["openshift-ingress-operator/cloud-credentials", [group, dns, network]],
    ["openshift-image-registry/installer-cloud-credentials", [group, network]],
    ["openshift-machine-api/azure-cloud-credentials", [group, network]],
    ["openshift-cluster-csi-drivers/azure-file-credentials", [group, network]],
    ["openshift-cloud-network-config-controller/cloud-credentials", [group, network]],
    ["openshift-cloud-controller-manager/azure-cloud-credentials", [group, network]],
    ["openshift-cluster-csi-drivers/azure-disk-credentials", [group]],
    ["openshift-ingress-operator/other", [group]],
  ])("of %s are %j, whatever the request is named", (key, expected) => {
    const [namespace = "", name = ""] = key.split("/");
    const scopesOf = (config: Any) => {
      const made = makeCredentials(config, [azureRequest("one", { spec: { secretRef: { namespace, name } } })]);
      return filesOf(identityOf(made, `${namespace}-${name}`), "role-assignment")
        .map(scopeOf)
        .sort();
    };
    expect(scopesOf(config)).toEqual([...expected].sort());
    expect(scopesOf(azureConfig())).toEqual([group]);
  });
});

describe("the Secret", () => {
  const known = clientIds(["ns-one/credentials"]);

  it("has the five values that the cloud-credential-operator writes", () => {
    const made = makeCredentials(azureConfig(), [azureRequest("one"), known]);
    expectClean(made);
    expect(secretOf(made)).toMatchObject({
      apiVersion: "v1",
      kind: "Secret",
      type: "Opaque",
      metadata: { namespace: "ns-one", name: "credentials" },
    });
    expect(secretOf(made).stringData).toEqual({
      azure_client_id: clientId(1),
      azure_tenant_id: azureSubscription.tenantID,
      azure_region: "eastus",
      azure_subscription_id: azureSubscription.subscriptionID,
      azure_federated_token_file: "/var/run/secrets/openshift/serviceaccount/token",
    });
  });

  it("names the path of the request's token, or else the config's, and is encoded if asked", () => {
    const config = azureConfig({ spec: { tokenPath: "/var/run/one", secret: { encoding: "data" } } });
    const pathOf = (spec: Any) => {
      const { data } = secretOf(makeCredentials(config, [azureRequest("one", { spec }), known]));
      return Buffer.from(data.azure_federated_token_file, "base64").toString();
    };
    expect(pathOf({})).toBe("/var/run/one");
    expect(pathOf({ cloudTokenPath: "/var/run/two" })).toBe("/var/run/two");
  });

  it("has the client ID of a ConfigMap with another name, in lowercase", () => {
    const data = { "ns-one_credentials": clientId(10).toUpperCase() };
    const made = makeCredentials(azureConfig({ azure: { identities: "ids" } }), [
      azureRequest("one"),
      clientIds([], { name: "ids", data }),
      clientIds(["ns-one/credentials"]),
    ]);
    expectClean(made);
    expect(secretOf(made).stringData.azure_client_id).toBe(clientId(10));
  });
});

it("the output is the same for any order of the requests, of what is in them, and of the config", () => {
  const names = ["a", "b", "c", "d"];
  const roles = ["Reader", "Contributor", "DNS Zone Contributor"];
  const permissions = ["Microsoft.Network/a/read", "Microsoft.Network/*/write", "Microsoft.Compute/disks/read"];
  const accounts = ["one", "two", "three"];
  const scopes = ["demo", "apps", `${other}/resourceGroups/x`];
  const generated = (...[order, roleOrder, permissionOrder, accountOrder, scopeOrder]: (readonly string[])[]) => {
    const tags = Object.fromEntries((accountOrder ?? []).map((name) => [name, "x"]));
    const overrides = { "ns-a/credentials": { scopes: scopeOrder } };
    const providerSpec = { roleBindings: roleOrder?.map((role) => ({ role })), permissions: permissionOrder };
    const made = make(
      both,
      azureConfig({ azure: { tags, overrides }, spec: { issuer: { signingKeys: [{ publicKey }] } } }),
      (order ?? []).map((name) => azureRequest(name, { providerSpec, spec: { serviceAccountNames: accountOrder } })),
    );
    expect(made.exitCode, made.stderr).toBe(0);
    return JSON.stringify(made.objects);
  };
  const first = generated(names, roles, permissions, accounts, scopes);
  const shuffled = (list: readonly string[]) =>
    fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
  fc.assert(
    fc.property(
      shuffled(names),
      shuffled(roles),
      shuffled(permissions),
      shuffled(accounts),
      shuffled(scopes),
      (...orders) => {
        expect(generated(...orders)).toBe(first);
      },
    ),
    { numRuns: runs(200) },
  );
});
