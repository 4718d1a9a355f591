import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { run } from "./ccf.ts";
import { type Fields, signerKeyFile, succeed } from "./cluster-package.ts";
import { temporary } from "./temporary.ts";

const project = "demo-project";
const projectNumber = "123456789012";

/** What a component requests, in the fields of a CredentialsRequest. */
export interface GcpRequest {
  readonly namespace: string;
  readonly secret: string;
  readonly serviceAccounts: readonly string[];
  readonly predefinedRoles?: readonly string[];
  readonly permissions?: readonly string[];
}

/** A request for a custom role beside a predefined one, and a request of two service accounts for a predefined role. */
export const twoGcpRequests: readonly GcpRequest[] = [
  {
    namespace: "openshift-image-registry",
    secret: "installer-cloud-credentials",
    serviceAccounts: ["cluster-image-registry-operator"],
    predefinedRoles: ["roles/storage.admin"],
    permissions: ["resourcemanager.tagValues.list", "resourcemanager.tagValues.get"],
  },
  {
    namespace: "openshift-ingress-operator",
    secret: "cloud-credentials",
    serviceAccounts: ["ingress-operator", "router"],
    predefinedRoles: ["roles/dns.admin"],
  },
];

/** Ten requests, of which every second one has a custom role. */
export const tenGcpRequests: readonly GcpRequest[] = Array.from({ length: 10 }, (_, index) => ({
  namespace: `openshift-component-${index}`,
  secret: "cloud-credentials",
  serviceAccounts: ["operator"],
  predefinedRoles: ["roles/dns.admin"],
  ...(index % 2 === 0 ? { permissions: ["compute.disks.get", "compute.disks.list"] } : {}),
}));

/** Makes a package for a project of Google Cloud, and renders it; it goes when the test ends. */
export function renderedGcpPackage(
  gcp: Fields = {},
  requests: readonly GcpRequest[] = twoGcpRequests,
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
      platform: { gcp: { projectID: project, projectNumber, ...gcp } },
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
export function exportGcpTo(
  out: string,
  gcp: Fields = {},
  requests: readonly GcpRequest[] = twoGcpRequests,
  spec: Fields = {},
): void {
  succeed(run(["export", renderedGcpPackage(gcp, requests, spec), "--output-dir", out]));
}

function requestOf({ namespace, secret, serviceAccounts, predefinedRoles, permissions }: GcpRequest): Fields {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: {
      name: `${namespace}-gcp`,
      namespace: "openshift-cloud-credential-operator",
      annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    },
    spec: {
      secretRef: { namespace, name: secret },
      serviceAccountNames: serviceAccounts,
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "GCPProviderSpec",
        ...(predefinedRoles && { predefinedRoles }),
        ...(permissions && { permissions }),
        skipServiceCheck: true,
      },
    },
  };
}
