import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { run } from "./ccf.ts";
import { type Any, publicKey } from "./cluster.ts";
import { succeed } from "./cluster-package.ts";
import { temporary } from "./temporary.ts";

/** A ClusterIdentity for GCP; `gcp` and `spec` are merged into it. */
export function gcpIdentity({ gcp = {}, spec = {}, metadata = {} }: Any = {}): Any {
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo", ...metadata },
    spec: {
      issuer: { signingKeys: [{ publicKey }] },
      ...spec,
      platform: { gcp: { projectID: "demo-project", projectNumber: "123456789012", ...gcp } },
    },
  };
}

/** A CredentialsRequest for GCP; `spec`, `provider` and `annotations` are merged into it. */
export function gcpRequest(name: string, { spec = {}, provider = {}, annotations = {} }: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator", annotations },
    spec: {
      secretRef: { namespace: `ns-${name}`, name: "credentials" },
      serviceAccountNames: [`${name}-operator`],
      providerSpec: { kind: "GCPProviderSpec", predefinedRoles: ["roles/dns.admin"], ...provider },
      ...spec,
    },
  };
}

/** A package for GCP with these objects, not rendered yet. */
export function gcpPackageOf(objects: readonly Any[], identity: Any = gcpIdentity()): string {
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

/** A rendered package for GCP. */
export function renderedGcpPackage(objects: readonly Any[], identity?: Any): string {
  const directory = gcpPackageOf(objects, identity);
  succeed(run(["render", directory]));
  return directory;
}
