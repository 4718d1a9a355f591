import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { discoveryDocument } from "../../../src/oidc/issuer-url.ts";
import { isKeyProblem, readPublicKey } from "../../../src/oidc/public-key.ts";
import type { Seed } from "../../helpers/google/types.ts";
import { sample } from "../../helpers/sample.ts";
import { objectsFile } from "./objects-file.ts";

/** The made-up release of the pages about GCP. */
export const gcpRequests = fileURLToPath(
  new URL("../../../testdata/sample-cluster-gcp/credentials-requests", import.meta.url),
);

const project = { project: "my-project", number: "123456789012" };
const services = ["cloudresourcemanager", "compute", "iam", "iamcredentials", "serviceusage", "storage", "sts"].map(
  (name) => `${name}.googleapis.com`,
);

/** The project of the pages, which has nothing but the services that a cluster needs. */
export function emptyProject(): Seed {
  return { ...project, services };
}

interface Request {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly secretRef: { readonly namespace: string; readonly name: string };
    readonly serviceAccountNames: readonly string[];
    readonly providerSpec: { readonly permissions?: readonly string[]; readonly predefinedRoles?: readonly string[] };
  };
}

/** What `ccoctl gcp create-all --name demo` chose at random, by request. */
const accountIds: Readonly<Record<string, string>> = {
  "sample-image-registry": "demo-sample-imag-x7k2p",
  "sample-ingress": "demo-sample-ingr-4qz9w",
  "sample-block-storage": "demo-sample-bloc-m3v8d",
};

const createdByCcoctl = "Created By OpenShift ccoctl";
const pool = `projects/${project.number}/locations/global/workloadIdentityPools/demo`;
const issuer = "https://storage.googleapis.com/demo-oidc";

function requests(): (Request & { readonly email: string; readonly roleId: string })[] {
  const names = ["10-registry.yaml", "20-ingress.yaml", "30-storage.yaml"];
  return names
    .flatMap((name) => loadAll(readFileSync(join(gcpRequests, name), "utf8")) as Request[])
    .map((request) => ({
      ...request,
      email: `${accountIds[request.metadata.name]}@my-project.iam.gserviceaccount.com`,
      roleId: `myproject_${request.metadata.name.replaceAll("-", "")}`,
    }));
}

/** The project after `ccoctl gcp create-all --name demo --region us-central1` with the sample's requests and key. */
export function projectOfCcoctl(): Seed {
  const key = readPublicKey(readFileSync(join(sample, "serviceaccount-signer.public"), "utf8"));
  if (isKeyProblem(key)) throw new Error(key.problem);
  const all = requests();
  const object = (value: unknown) => ({
    body: `${JSON.stringify(value, undefined, "\t")}\n`,
    contentType: "text/plain; charset=utf-8",
    generation: 1,
  });
  const binding = (role: string, ...members: string[]) => ({ role, members });
  const granted = all.flatMap(({ email, roleId, spec: { providerSpec } }) => [
    ...(providerSpec.predefinedRoles ?? []).map((role) => binding(role, `serviceAccount:${email}`)),
    ...(providerSpec.permissions ? [binding(`projects/my-project/roles/${roleId}`, `serviceAccount:${email}`)] : []),
  ]);
  return {
    ...emptyProject(),
    policy: { bindings: granted },
    pools: {
      demo: {
        displayName: "demo",
        description: createdByCcoctl,
        providers: {
          demo: {
            displayName: "demo",
            description: createdByCcoctl,
            state: "ACTIVE",
            pending: 0,
            attributeMapping: { "google.subject": "assertion.sub" },
            oidc: { issuerUri: issuer, allowedAudiences: ["openshift"] },
          },
        },
      },
    },
    accounts: Object.fromEntries(
      all.map(({ email, metadata, spec: { secretRef, serviceAccountNames } }) => [
        email,
        {
          displayName: `demo-${metadata.name}`,
          description: `${createdByCcoctl} for service account demo-${metadata.name}`,
          policy: {
            changes: 0,
            bindings: [
              binding(
                "roles/iam.workloadIdentityUser",
                ...serviceAccountNames.map(
                  (name) =>
                    `principal://iam.googleapis.com/${pool}/subject/system:serviceaccount:${secretRef.namespace}:${name}`,
                ),
              ),
            ],
          },
        },
      ]),
    ),
    roles: Object.fromEntries(
      all
        .filter(({ spec: { providerSpec } }) => providerSpec.permissions)
        .map(({ roleId, metadata, spec: { providerSpec } }) => [
          roleId,
          {
            title: `my-project-${metadata.name}`,
            description: createdByCcoctl,
            stage: "GA",
            includedPermissions: [...(providerSpec.permissions ?? [])],
          },
        ]),
    ),
    buckets: {
      "demo-oidc": {
        location: "US-CENTRAL1",
        iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: "inherited" },
        policy: { changes: 0, bindings: [binding("roles/storage.objectViewer", "allUsers")] },
        objects: {
          ".well-known/openid-configuration": object(discoveryDocument(issuer, ["RS256"])),
          "keys.json": object({ keys: [key.jwk] }),
        },
      },
    },
  };
}

/** The objects of the cluster whose project {@link projectOfCcoctl} describes. */
export function gcpClusterOfCcoctl(): string {
  const url = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts";
  const secrets = requests().map(({ email, spec: { secretRef } }) => {
    const configuration = {
      type: "external_account",
      audience: `//iam.googleapis.com/${pool}/providers/demo`,
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: "https://sts.googleapis.com/v1/token",
      service_account_impersonation_url: `${url}/${email}:generateAccessToken`,
      credential_source: {
        file: "/var/run/secrets/openshift/serviceaccount/token",
        format: { type: "text" },
      },
    };
    const text = JSON.stringify(configuration, undefined, "\t");
    return [`${secretRef.namespace}/${secretRef.name}`, { "service_account.json": text }] as const;
  });
  return objectsFile({
    platform: "GCP",
    issuer,
    // ccoctl ignores the path, and OpenShift's own requests have none.
    requests: requests().map(({ email, roleId, spec, ...request }) => ({
      ...request,
      spec: { ...spec, cloudTokenPath: undefined },
    })),
    secrets: Object.fromEntries(secrets),
    status: { projectID: project.project, region: "us-central1" },
  });
}
