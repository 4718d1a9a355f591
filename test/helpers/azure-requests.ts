import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { run } from "./ccf.ts";
import { type Any, publicKey } from "./cluster.ts";
import { succeed } from "./cluster-package.ts";
import { temporary } from "./temporary.ts";

/** The subscription and the tenant of the sample cluster on Azure. */
export const azureSubscription = "11111111-1111-4111-8111-111111111111";
export const azureTenant = "22222222-2222-4222-8222-222222222222";

/** A ClusterIdentity for Azure; `azure`, `spec` and `metadata` are merged into it. */
export function azureIdentity({ azure = {}, spec = {}, metadata = {} }: Any = {}): Any {
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo", ...metadata },
    spec: {
      issuer: { signingKeys: [{ publicKey }] },
      ...spec,
      platform: {
        azure: { subscriptionID: azureSubscription, tenantID: azureTenant, region: "westeurope", ...azure },
      },
    },
  };
}

/** A CredentialsRequest for Azure; `spec`, `provider` and `annotations` are merged into it. */
export function azureRequest(name: string, { spec = {}, provider = {}, annotations = {} }: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator", annotations },
    spec: {
      secretRef: { namespace: `ns-${name}`, name: "credentials" },
      serviceAccountNames: [`${name}-operator`],
      providerSpec: { kind: "AzureProviderSpec", roleBindings: [{ role: "Reader" }], ...provider },
      ...spec,
    },
  };
}

/** A client ID, as Azure could assign it. */
export function clientIdNumber(number: number): string {
  return `c0ffee00-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** The ConfigMap that `ccf apply` writes for the sample cluster; `metadata` is merged into its own. */
export function azureIdentities(
  data: Readonly<Record<string, string>>,
  { annotations = {}, ...metadata }: Any = {},
): Any {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: "azure-identities",
      annotations: {
        "config.kubernetes.io/local-config": "true",
        "fn.cloudcredential.dev/azure-subscription": azureSubscription,
        "fn.cloudcredential.dev/azure-tenant": azureTenant,
        "fn.cloudcredential.dev/resource-prefix": "demo",
        ...annotations,
      },
      ...metadata,
    },
    data,
  };
}

/** A package for Azure with these objects, not rendered yet. */
export function azurePackageOf(objects: readonly Any[], identity: Any = azureIdentity()): string {
  const directory = join(temporary(), "package");
  mkdirSync(join(directory, "credentials-requests"), { recursive: true });
  const functions = ["generate-oidc-issuer", "generate-cloud-credentials", "configure-operators"];
  const mutators = functions.map((name) => ({ exec: `ccf ${name}`, configPath: "cluster-identity.yaml" }));
  const kptfile = { apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "demo" }, pipeline: { mutators } };
  writeFileSync(join(directory, "Kptfile"), dump(kptfile));
  writeFileSync(join(directory, "cluster-identity.yaml"), dump(identity));
  objects.forEach((object, index) => {
    writeFileSync(join(directory, "credentials-requests", `${index}.yaml`), dump(object));
  });
  return directory;
}

/** A rendered package for Azure. */
export function renderedAzurePackage(objects: readonly Any[], identity?: Any): string {
  const directory = azurePackageOf(objects, identity);
  succeed(run(["render", directory]));
  return directory;
}
