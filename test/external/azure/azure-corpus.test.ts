import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import {
  azureIdentities,
  azureIdentity,
  azurePackageOf,
  azureSubscription,
  azureTenant,
  clientIdNumber,
} from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { type Any, subscription } from "../../helpers/cluster.ts";
import { bundledFiles, generatedFiles, succeed } from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

/*
 * Every value is computed here once more, from the rules of the specification and of ccoctl, and without the project's code.
 */

const prefix = "demo";
const region = "westeurope";
const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";
const otherSubscription = "44444444-4444-4444-8444-444444444444";
const pathOf = (id: string, group: string) => `/subscriptions/${id}/resourceGroups/${group}`;
const installGroup = pathOf(azureSubscription, "demo");
const dnsGroup = pathOf(otherSubscription, "zones");
const networkGroup = pathOf(azureSubscription, "shared-network");
const owned = { "openshift.io_cloud-credential-operator_demo": "owned" };

/** The platform of a cluster in an existing network, whose DNS zone is in another subscription. */
const platform = { dnsZoneResourceGroup: dnsGroup, networkResourceGroup: "shared-network" };

/** The Secrets of every release, with the profile and the feature set that a cluster has by default, and their scopes. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  "openshift-cloud-controller-manager/azure-cloud-credentials": [installGroup, networkGroup],
  "openshift-cloud-network-config-controller/cloud-credentials": [installGroup, networkGroup],
  "openshift-cluster-csi-drivers/azure-disk-credentials": [installGroup],
  "openshift-cluster-csi-drivers/azure-file-credentials": [installGroup, networkGroup],
  "openshift-image-registry/installer-cloud-credentials": [installGroup, networkGroup],
  "openshift-ingress-operator/cloud-credentials": [installGroup, dnsGroup, networkGroup],
  "openshift-machine-api/azure-cloud-credentials": [installGroup, networkGroup],
};
const always = Object.keys(scopesOf);

const releases = [
  "releases/4.13/azure",
  "releases/4.14/azure",
  "releases/4.19/azure",
  "releases/main/azure",
  "payload-files/azure",
];

const roleIds: Readonly<Record<string, string>> = {
  Contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  "DNS Zone Contributor": "befefa01-2a29-4197-83a8-272ff33ce314",
  Reader: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
  "Network Contributor": "4d97b98b-1d4f-4787-a291-c67834d212e7",
  "Storage Account Contributor": "17d1049b-9a84-46fb-8f53-869881c3d3ab",
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
  "Virtual Machine Contributor": "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const storageAccount = `demo${sha256(`${azureSubscription}/demo`).slice(0, 10)}`;
const ownIssuer = `https://${storageAccount}.blob.core.windows.net/demo`;

/** A version 5 UUID (RFC 9562, section 5.5). */
function uuid5(namespace: string, name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
const ourNamespace = uuid5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "fn.cloudcredential.dev");
const guidOf = (...parts: string[]) => uuid5(ourNamespace, parts.join("|").toLowerCase());

const secretOf = ({ spec }: Any): string => `${spec.secretRef.namespace}/${spec.secretRef.name}`;
const baseNameOf = (secret: string) => secret.replace("/", "-");
const keyOf = (secret: string) => secret.replace("/", "_");
const clientIdOf = (secret: string) => clientIdNumber(Number.parseInt(sha256(secret).slice(0, 8), 16));
const sorted = (list: readonly string[] | undefined) => [...new Set(list)].sort();
const file = (url: string, body: Any, description?: string) =>
  `${JSON.stringify({ description, url, body }, null, 2)}\n`;

/** What a cluster's own values are, where a test does not use the defaults. */
interface Expected {
  readonly scopes?: (secret: string) => readonly string[];
  readonly issuer?: string;
  readonly roleGuid?: (secret: string) => string | undefined;
}

/** What a package contains of the client IDs: none, or those in bundles, or those in bundles and in Secrets. */
type Known = "no client IDs" | "client IDs" | "secrets";

/** The files of a request's bundle. */
function filesOf(
  request: Any,
  known: Known,
  { scopes, issuer = ownIssuer, roleGuid }: Expected,
): Record<string, string> {
  const secret = secretOf(request);
  const name = `${prefix}-${baseNameOf(secret)}`;
  const id = `${pathOf(azureSubscription, "demo-oidc")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const { roleBindings = [], permissions, dataPermissions } = request.spec.providerSpec;
  const clientID = known === "no client IDs" ? {} : { clientID: clientIdOf(secret) };
  const files: Record<string, string> = {
    "identity.json": `${JSON.stringify({ secret, ...clientID }, null, 2)}\n`,
    "managed-identity.json": file(`${id}?api-version=2023-01-31`, { location: region, tags: owned }),
  };
  for (const account of request.spec.serviceAccountNames) {
    const credential = `${account}-${sha256(issuer).slice(0, 8)}`;
    const subject = `system:serviceaccount:${request.spec.secretRef.namespace}:${account}`;
    files[`federated-credential-${credential}.json`] = file(
      `${id}/federatedIdentityCredentials/${credential}?api-version=2023-01-31`,
      { properties: { issuer, subject, audiences: ["openshift"] } },
    );
  }
  const own = scopes?.(secret) ?? [installGroup];
  const roles = sorted(roleBindings.map(({ role }: Any) => role)).map((role) => ({ role, guid: roleIds[role] ?? "" }));
  if (permissions !== undefined) {
    const guid = roleGuid?.(secret) ?? guidOf(azureSubscription, name);
    roles.push({ role: name, guid });
    files["role-definition.json"] = file(
      `/subscriptions/${azureSubscription}/providers/Microsoft.Authorization/roleDefinitions/${guid}?api-version=2022-04-01`,
      {
        properties: {
          roleName: name,
          type: "CustomRole",
          description: "Custom role for OpenShift. Owned by: demo",
          assignableScopes: sorted(own.map((scope) => scope.slice(0, scope.indexOf("/resourceGroups")))),
          permissions: [
            {
              actions: sorted(permissions),
              notActions: [],
              dataActions: sorted(dataPermissions),
              notDataActions: [],
            },
          ],
        },
      },
    );
  }
  for (const scope of own) {
    for (const { role, guid: roleId } of roles) {
      const [, , scopeSubscription] = scope.split("/");
      const definition = `/subscriptions/${scopeSubscription}/providers/Microsoft.Authorization/roleDefinitions/${roleId}`;
      const guid = guidOf(scope, id, definition);
      files[`role-assignment-${guid}.json`] = file(
        `${scope}/providers/Microsoft.Authorization/roleAssignments/${guid}?api-version=2022-04-01`,
        { properties: { roleDefinitionId: definition, principalType: "ServicePrincipal" } },
        role,
      );
    }
  }
  return files;
}

/** The Secret of a request, as the cloud-credential-operator and ccoctl write it. */
function credentialsOf(request: Any): Any {
  const { name, namespace } = request.spec.secretRef;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, annotations: expect.anything() },
    type: "Opaque",
    stringData: {
      azure_client_id: clientIdOf(secretOf(request)),
      azure_federated_token_file: request.spec.cloudTokenPath ?? tokenPath,
      azure_region: region,
      azure_subscription_id: azureSubscription,
      azure_tenant_id: azureTenant,
    },
  };
}

/** The requests of a directory for Azure, by Secret. */
function requestsBelow(directory: string): ReadonlyMap<string, Any> {
  const texts = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  const objects = texts.flatMap((text) => loadAll(text) as Any[]);
  const ours = objects.filter((object) => object?.spec?.providerSpec?.kind === "AzureProviderSpec");
  return new Map(ours.map((request) => [secretOf(request), request]));
}

// The requests of 4.13 name no service accounts. They get those of 4.14.
const named = () => requestsBelow(join(corpus, "releases/4.14/azure"));

/** The overrides that name the service accounts of 4.13. */
function overrides(): Any {
  return Object.fromEntries(
    [...named()].map(([secret, { spec }]) => [secret, { serviceAccountNames: spec.serviceAccountNames }] as const),
  );
}

const isOld = (release: string) => release.includes("4.13");
const configOf = (release: string) =>
  azureIdentity({
    azure: platform,
    spec: isOld(release)
      ? { overrides: Object.fromEntries(Object.entries(overrides()).filter(([secret]) => always.includes(secret))) }
      : {},
  });

/** The requests that count in a release, with the service accounts that they get. */
function countedIn(release: string): Any[] {
  const known = requestsBelow(join(corpus, release));
  const counted = always.map((secret) => known.get(secret));
  expect(counted).not.toContain(undefined);
  if (!isOld(release)) return counted;
  const known14 = named();
  return counted.map((request) => ({
    ...request,
    spec: { ...request.spec, serviceAccountNames: known14.get(secretOf(request)).spec.serviceAccountNames },
  }));
}

/** A package with the requests of a directory. */
function packageFrom(requests: string, identity: Any): string {
  const directory = azurePackageOf([], identity);
  cpSync(requests, join(directory, "credentials-requests"), { recursive: true });
  return directory;
}

/** A package of `ccf init`, with the same configuration as {@link configOf}. */
function initialized(requests: string): string {
  const directory = join(temporary(), "package");
  const flags = {
    platform: "azure",
    name: prefix,
    "subscription-id": azureSubscription,
    "tenant-id": azureTenant,
    region,
    "dns-zone-resource-group": platform.dnsZoneResourceGroup,
    "network-resource-group": platform.networkResourceGroup,
    "public-key-file": "testdata/sample-cluster/serviceaccount-signer.public",
    "credentials-requests": requests,
  };
  succeed(run(["init", directory, ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])]));
  return directory;
}

/** Stores the client IDs of these requests, as a deployment prints them. */
function assign(directory: string, requests: readonly Any[]): void {
  const ids = Object.fromEntries(requests.map(secretOf).map((secret) => [keyOf(secret), clientIdOf(secret)]));
  const path = join(temporary(), "ids.json");
  writeFileSync(path, JSON.stringify(ids));
  succeed(run(["set-identities", directory, "--from", path]));
}

/** Expects exactly these requests' bundles byte for byte, with their client IDs and Secrets as far as the package contains them. */
function expectRendered(directory: string, requests: readonly Any[], known: Known, expected: Expected = {}): void {
  const files = generatedFiles(directory);
  const named = requests.map((request) => ({ request, name: baseNameOf(secretOf(request)) }));
  const paths = Object.keys(files).filter((path) => path.startsWith("azure/identities/"));
  expect(paths.sort()).toEqual(named.map(({ name }) => `azure/identities/${name}.yaml`).sort());
  for (const { request, name } of named) {
    expect(bundledFiles(files[`azure/identities/${name}.yaml`] ?? ""), name).toEqual(filesOf(request, known, expected));
    const secret = load(files[`manifests/${name}-credentials.yaml`] ?? "null");
    if (known === "secrets") expect(secret, name).toEqual(credentialsOf(request));
    else expect(secret, name).toBeNull();
  }
}

const ofPlatform: Expected = { scopes: (secret) => scopesOf[secret] ?? [installGroup] };

describeWithCorpus([], "real CredentialsRequests for Azure", () => {
  it.each(releases)("%s gives all but the Secrets, and the Secrets once the client IDs are known", (release) => {
    const requests = join(corpus, release);
    const directory = isOld(release) ? packageFrom(requests, configOf(release)) : initialized(requests);
    const counted = countedIn(release);
    const { stderr } = succeed(run(["render", directory]));
    const [names = ""] = /CredentialsRequests? .*(?=: its managed identity has no client ID)/.exec(stderr) ?? [];
    expect(names.split(", ")).toHaveLength(counted.length);
    expectRendered(directory, counted, "no client IDs", ofPlatform);
    assign(directory, counted);
    expect(succeed(run(["render", directory])).stderr).not.toContain("[client-id-unknown]");
    expectRendered(directory, counted, "secrets", ofPlatform);
    const before = readTree(directory);
    assign(directory, counted);
    expect(run(["render", "--check", directory]).status).toBe(0);
    succeed(run(["render", directory]));
    expect(readTree(directory)).toEqual(before);
    for (const name of counted.map((request) => `${prefix}-${baseNameOf(secretOf(request))}`))
      expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/);
  });

  it("of 4.13 require overrides that name the service accounts", () => {
    const directory = packageFrom(join(corpus, "releases/4.13/azure"), azureIdentity());
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(1);
    expect(stderr.match(/\[no-service-account\]/g)).toHaveLength(always.length - 1);
  });

  it("of a preview are included with its feature gate, with the path of the token that they name", () => {
    const release = "releases/main/azure";
    const identity = azureIdentity({ spec: { release: { featureGates: ["ClusterAPIMachineManagement"] } } });
    const directory = packageFrom(join(corpus, release), identity);
    const preview = requestsBelow(join(corpus, release)).get(
      "openshift-cluster-api/capz-manager-bootstrap-credentials",
    );
    const counted = [...countedIn(release), preview];
    assign(directory, counted);
    succeed(run(["render", directory]));
    expectRendered(directory, counted, "secrets");
    expect(credentialsOf(preview).stringData.azure_federated_token_file).toBe("/var/run/secrets/azure/tokens");
  });

  it("keep their identities, their client IDs and their Secrets from release to release", () => {
    const [first = "", ...later] = releases.slice(0, 4);
    const directory = packageFrom(join(corpus, first), configOf(first));
    const before = countedIn(first);
    assign(directory, before);
    succeed(run(["render", directory]));
    const kept = (path: string) => path.startsWith("manifests/") || path === "azure/identities.yaml";
    const secrets = () => Object.fromEntries(Object.entries(readTree(directory)).filter(([path]) => kept(path)));
    const rendered = secrets();
    expect(Object.keys(rendered)).toHaveLength(always.length + 3);
    for (const release of later) {
      rmSync(join(directory, "credentials-requests"), { recursive: true });
      cpSync(join(corpus, release), join(directory, "credentials-requests"), { recursive: true });
      writeFileSync(join(directory, "cluster-identity.yaml"), dump(configOf(release)));
      succeed(run(["render", directory]));
      expectRendered(directory, countedIn(release), "secrets", ofPlatform);
      expect(secrets()).toEqual(rendered);
    }
  });

  it("publish the issuer and the facts of the cluster", () => {
    const directory = packageFrom(join(corpus, "releases/4.19/azure"), configOf("4.19"));
    succeed(run(["render", directory]));
    const files = generatedFiles(directory);
    const { "keys.json": keys = "", ...issuer } = bundledFiles(files["azure/issuer.yaml"] ?? "");
    expect(JSON.parse(keys)).toMatchObject({ keys: [{ kty: "RSA", alg: "RS256", use: "sig" }] });
    const account = `${pathOf(azureSubscription, "demo-oidc")}/providers/Microsoft.Storage/storageAccounts/${storageAccount}`;
    expect(issuer).toEqual({
      "openid-configuration": `${JSON.stringify(
        {
          issuer: ownIssuer,
          jwks_uri: `${ownIssuer}/openid/v1/jwks`,
          response_types_supported: ["id_token"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          claims_supported: JSON.parse(issuer["openid-configuration"] ?? "").claims_supported,
        },
        null,
        2,
      )}\n`,
      "storage-account.json": file(`${account}?api-version=2023-01-01`, {
        kind: "StorageV2",
        location: region,
        sku: { name: "Standard_LRS" },
        properties: {
          allowBlobPublicAccess: true,
          allowSharedKeyAccess: false,
          minimumTlsVersion: "TLS1_2",
          networkAcls: { defaultAction: "Allow" },
          publicNetworkAccess: "Enabled",
          supportsHttpsTrafficOnly: true,
        },
        tags: owned,
      }),
      "container.json": file(`${account}/blobServices/default/containers/demo?api-version=2023-01-01`, {
        properties: { publicAccess: "Blob" },
      }),
    });
    const facts = bundledFiles(files["azure/cluster.yaml"] ?? "");
    expect(JSON.parse(facts["cluster.json"] ?? "")).toEqual({
      subscriptionID: azureSubscription,
      tenantID: azureTenant,
      cloud: "AzurePublicCloud",
      cliCloud: "AzureCloud",
      region,
      resourcePrefix: prefix,
      ownerTag: Object.keys(owned)[0],
      oidcResourceGroup: "demo-oidc",
      installResourceGroup: "demo",
      issuer: ownIssuer,
      storageAccount,
      container: "demo",
      blobEndpoint: `https://${storageAccount}.blob.core.windows.net`,
      uploadAuth: "login",
    });
    expect(load(files["manifests/cluster-authentication-02-config.yaml"] ?? "")).toMatchObject({
      spec: { serviceAccountIssuer: ownIssuer },
    });
    expect(load(files["manifests/azure-ad-pod-identity-webhook-config.yaml"] ?? "")).toMatchObject({
      metadata: { name: "azure-credentials", namespace: "openshift-cloud-credential-operator" },
      stringData: { azure_tenant_id: azureTenant },
    });
  });

  it("move over from ccoctl with its names, its storage account, its roles and its client IDs", () => {
    const release = "releases/4.19/azure";
    const counted = countedIn(release);
    // The name of ccoctl's storage account is the name of the cluster, and the names of its roles are random UUIDs.
    const roleGuid = (secret: string) => clientIdNumber(Number.parseInt(sha256(`role ${secret}`).slice(0, 8), 16));
    const identity = azureIdentity({
      azure: {
        issuerHosting: { type: "BlobPublic", storageAccount: "demo" },
        overrides: Object.fromEntries(always.map((secret) => [secret, { roleDefinitionID: roleGuid(secret) }])),
      },
    });
    const directory = packageFrom(join(corpus, release), identity);
    const path = join(temporary(), "identities.yaml");
    // The client IDs in the Secrets that ccoctl wrote.
    const found = counted.map((request) => credentialsOf(request));
    const ids = found.map(({ metadata, stringData }) => [
      `${metadata.namespace}_${metadata.name}`,
      stringData.azure_client_id,
    ]);
    writeFileSync(path, dump(azureIdentities(Object.fromEntries(ids))));
    succeed(run(["set-identities", directory, "--from", path]));
    succeed(run(["render", directory]));
    const issuer = "https://demo.blob.core.windows.net/demo";
    expectRendered(directory, counted, "secrets", { issuer, roleGuid });
    expect(load(generatedFiles(directory)["manifests/cluster-authentication-02-config.yaml"] ?? "")).toMatchObject({
      spec: { serviceAccountIssuer: issuer },
    });
  });

  describe("of OLM operators", () => {
    const fill = (text: string) =>
      text
        .replaceAll("CRED-REQ-NAMESPACE", "openshift-cloud-credential-operator")
        .replaceAll("CRED-SECRET-NAMESPACE", "openshift-storage")
        .replaceAll("CRED-REQ-NAME", "noobaa")
        .replaceAll("CRED-SECRET-NAME", "noobaa-cloud-creds");
    const nothing = () => undefined;
    const accounts =
      (...names: string[]) =>
      ({ spec }: Any) => {
        spec.serviceAccountNames = names;
      };

    it.each<[file: string, change: (request: Any) => void]>([
      ["cert-manager-operator_credentialsrequest_azure.yaml", nothing],
      ["noobaa-operator_cloud_creds_azure_cr.yaml", accounts("noobaa")],
      ["sandboxed-containers-operator_credentials_request_azure.yaml", accounts("cloud-api-adaptor")],
    ])("%s is configured", (file, change) => {
      const source = join(temporary(), "requests");
      mkdirSync(source);
      const request = load(fill(readFileSync(join(corpus, "operators", file), "utf8"))) as Any;
      change(request);
      request.metadata.namespace = "openshift-cloud-credential-operator";
      request.metadata.annotations = {
        ...request.metadata.annotations,
        "fn.cloudcredential.dev/subscription": "any",
      };
      writeFileSync(join(source, "request.yaml"), dump(request));
      // The variables of the example in the documentation of OpenShift.
      const fragment = load(
        readFileSync(join(corpus, "operators/subscriptions/openshift-docs_fragment_azure.yaml"), "utf8"),
      ) as Any;
      const { namespace } = request.spec.secretRef;
      const subscribed = subscription("any", namespace, { spec: { config: fragment.spec.config } });
      writeFileSync(join(source, "subscription.yaml"), dump(subscribed));
      const directory = packageFrom(source, azureIdentity());
      succeed(run(["render", directory]));
      const unchanged = readTree(join(directory, "credentials-requests"));
      expect(unchanged).toEqual(readTree(source));
      expectRendered(directory, [request], "no client IDs");
      assign(directory, [request]);
      expect(succeed(run(["render", directory])).stderr).not.toContain("warning: ");
      expectRendered(directory, [request], "client IDs");
      const files = readTree(join(directory, "credentials-requests"));
      const clientId = clientIdOf(secretOf(request));
      expect(load(files["request.yaml"] ?? "")).toEqual({
        ...request,
        spec: {
          ...request.spec,
          cloudTokenPath: tokenPath,
          providerSpec: {
            ...request.spec.providerSpec,
            azureClientID: clientId,
            azureTenantID: azureTenant,
            azureSubscriptionID: azureSubscription,
            azureRegion: region,
          },
        },
      });
      expect((load(files["subscription.yaml"] ?? "") as Any).spec.config.env).toEqual([
        { name: "CLIENTID", value: clientId },
        { name: "TENANTID", value: azureTenant },
        { name: "SUBSCRIPTIONID", value: azureSubscription },
      ]);
      const secrets = packageFrom(source, azureIdentity({ spec: { operators: { emitSecrets: true } } }));
      assign(secrets, [request]);
      succeed(run(["render", secrets]));
      expectRendered(secrets, [request], "secrets");
    });

    it("noobaa-operator_cloud_creds_azure_cr.yaml is refused while it is a template", () => {
      const source = join(temporary(), "requests");
      mkdirSync(source);
      cpSync(join(corpus, "operators/noobaa-operator_cloud_creds_azure_cr.yaml"), join(source, "request.yaml"));
      const { status, stderr } = run(["render", packageFrom(source, azureIdentity())]);
      expect(status).toBe(1);
      expect(stderr).toContain("[request-placeholder]");
    });

    it("sandboxed-containers-operator_credentials_request_azure.yaml requires its service accounts", () => {
      const source = join(temporary(), "requests");
      mkdirSync(source);
      const name = "sandboxed-containers-operator_credentials_request_azure.yaml";
      cpSync(join(corpus, "operators", name), join(source, "request.yaml"));
      const { status, stderr } = run(["render", packageFrom(source, azureIdentity())]);
      expect(status).toBe(1);
      expect(stderr).toContain("[no-service-account]");
    });
  });
});
