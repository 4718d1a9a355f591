import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { run } from "./ccf.ts";
import { type Fields, signerKeyFile, succeed } from "./cluster-package.ts";
import { temporary } from "./temporary.ts";

export const subscription = "22222222-2222-2222-2222-222222222222";
export const tenant = "11111111-1111-1111-1111-111111111111";
/** The ID of the resource group of the identities and the storage account. */
export const oidcGroup = `/subscriptions/${subscription}/resourceGroups/demo-oidc`;
export const installGroup = `/subscriptions/${subscription}/resourceGroups/demo`;

/** What a component requests, in the fields of a CredentialsRequest. */
export interface AzureRequest {
  readonly namespace: string;
  readonly secret: string;
  readonly serviceAccounts: readonly string[];
  readonly roles?: readonly string[];
  readonly permissions?: readonly string[];
  readonly dataPermissions?: readonly string[];
}

/** A request for a custom role, and a request of two service accounts for a role of Azure. */
export const twoAzureRequests: readonly AzureRequest[] = [
  {
    namespace: "openshift-image-registry",
    secret: "installer-cloud-credentials",
    serviceAccounts: ["cluster-image-registry-operator"],
    permissions: ["Microsoft.Storage/storageAccounts/read", "Microsoft.Storage/storageAccounts/write"],
    dataPermissions: ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"],
  },
  {
    namespace: "openshift-ingress-operator",
    secret: "cloud-credentials",
    serviceAccounts: ["ingress-operator", "router"],
    roles: ["Contributor"],
  },
];

/** Ten requests, of which every second one has a custom role. */
export const tenAzureRequests: readonly AzureRequest[] = Array.from({ length: 10 }, (_, index) => ({
  namespace: `openshift-component-${index}`,
  secret: "cloud-credentials",
  serviceAccounts: ["operator"],
  ...(index % 2 === 0 ? { permissions: ["Microsoft.Compute/disks/read"] } : { roles: ["Reader"] }),
}));

/** Makes a package for a subscription, and renders it; it goes when the test ends. */
export function renderedAzurePackage(
  azure: Fields = {},
  requests: readonly AzureRequest[] = twoAzureRequests,
  spec: Fields = {},
  name = "demo",
): string {
  const directory = join(temporary(), "package");
  mkdirSync(join(directory, "credentials-requests"), { recursive: true });
  const identity = {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name, annotations: { "config.kubernetes.io/local-config": "true" } },
    spec: {
      issuer: { signingKeys: [{ publicKey: readFileSync(signerKeyFile, "utf8") }] },
      platform: { azure: { subscriptionID: subscription, tenantID: tenant, region: "eastus", ...azure } },
      ...spec,
    },
  };
  writeFileSync(join(directory, "cluster-identity.yaml"), dump(identity));
  for (const [index, request] of requests.entries()) {
    writeFileSync(join(directory, "credentials-requests", `${index}.yaml`), dump(requestOf(request)));
  }
  succeed(run(["render", directory]));
  return directory;
}

/** Renders a package and exports it into a directory. */
export function exportAzureTo(
  out: string,
  azure: Fields = {},
  requests: readonly AzureRequest[] = twoAzureRequests,
  spec: Fields = {},
): void {
  succeed(run(["export", renderedAzurePackage(azure, requests, spec), "--output-dir", out]));
}

function requestOf({ namespace, secret, serviceAccounts, roles, permissions, dataPermissions }: AzureRequest): Fields {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: {
      name: `${namespace}-azure`,
      namespace: "openshift-cloud-credential-operator",
      annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    },
    spec: {
      secretRef: { namespace, name: secret },
      serviceAccountNames: serviceAccounts,
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AzureProviderSpec",
        ...(roles && { roleBindings: roles.map((role) => ({ role })) }),
        ...(permissions && { permissions }),
        ...(dataPermissions && { dataPermissions }),
      },
    },
  };
}
