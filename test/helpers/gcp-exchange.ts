import { readRendered } from "../../src/clouds/gcp/rendered/rendered.ts";
import { gcpExchange } from "../../src/clouds/gcp/tokens/exchange.ts";
import { bundlesOfFiles, type RenderedIssuer } from "../../src/clouds/rendered.ts";
import type { TokenAnswer } from "../../src/oidc/answer.ts";
import { readToken } from "../../src/oidc/token.ts";
import { type Any, makeCredentials, makeIssuer } from "./cluster.ts";
import { claimsOf, now, type Signer } from "./token.ts";

/*
 * A cluster on GCP, rendered in this process, and tokens for it.
 */

const gcpNumber = "123456789012";
export const gcpIssuer = "https://storage.googleapis.com/demo-oidc";
export const gcpPool = `projects/${gcpNumber}/locations/global/workloadIdentityPools/demo`;
export const gcpProvider = `${gcpPool}/providers/demo`;
export const gcpSubject = "system:serviceaccount:ns-one:one-operator";

/** The files of an export, by path, and what the manifests contain. */
export interface GcpExport {
  readonly files: ReadonlyMap<string, string>;
  /** The manifests as plain objects. */
  readonly manifests: readonly Any[];
}

/** A ClusterIdentity for GCP that publishes the keys of signers; `gcp` and `issuer` are merged into it. */
export function gcpIdentity(signers: readonly Signer[], gcp: Any = {}, issuer: Any = {}): Any {
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo" },
    spec: {
      issuer: { signingKeys: signers.map(({ publicPem }) => ({ publicKey: publicPem })), ...issuer },
      platform: { gcp: { projectID: "my-project", projectNumber: gcpNumber, ...gcp } },
    },
  };
}

/** A CredentialsRequest for GCP. */
export function gcpRequest(name = "one", spec: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator" },
    spec: {
      secretRef: { namespace: `ns-${name}`, name: "credentials" },
      serviceAccountNames: [`${name}-operator`],
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "GCPProviderSpec",
        predefinedRoles: ["roles/dns.admin"],
      },
      ...spec,
    },
  };
}

/** Renders a cluster, and returns what an export of it contains. */
export function gcpExport(config: Any, requests: readonly Any[] = [gcpRequest()]): GcpExport {
  const files = new Map<string, string>();
  const manifests: Any[] = [];
  for (const { objects } of [makeIssuer(config), makeCredentials(config, [...requests])])
    for (const [path, object] of Object.entries(objects) as [string, Any][]) {
      if (object.kind !== "ConfigMap") manifests.push(object);
      else
        for (const [name, text] of Object.entries(object.data))
          files.set(`${path === "gcp/cluster.yaml" ? "gcp" : path.replace(/\.yaml$/, "")}/${name}`, text as string);
    }
  return { files, manifests };
}

/** What Google knows: the provider's files, the issuer's documents, and the policy of one service account. */
export interface GcpWorld {
  readonly files: ReadonlyMap<string, string>;
  /** The output of `gcloud iam workload-identity-pools providers describe`, in place of the package's provider. */
  readonly provider?: Any;
  /** The output of `gcloud iam service-accounts get-iam-policy`, in place of the package's bindings. */
  readonly policy?: Any;
  /** Documents of the issuer. */
  readonly discovery?: Any;
  readonly jwks?: Any;
}

/** Google's predicted answer to a token. */
export async function gcpAnswer(token: string, world: GcpWorld, time: number = now): Promise<TokenAnswer> {
  const bundles = bundlesOfFiles(world.files);
  const [known] = readRendered(bundles)?.issuers ?? [];
  const live = world.provider === undefined ? undefined : gcpExchange.readIssuer(world.provider);
  if (known === undefined || (world.provider !== undefined && live === undefined)) throw new Error("no provider");
  const documents = {
    discovery: world.discovery === undefined ? known.discovery : { value: world.discovery },
    keys: live?.keys ?? (world.jwks === undefined ? known.keys : { value: world.jwks }),
  };
  const issuer: RenderedIssuer = { ...(live ?? known), ...documents };
  const [rendered] = gcpExchange.identities(bundles);
  const account =
    world.policy === undefined
      ? rendered
      : gcpExchange.readIdentity(world.policy, rendered?.id ?? "x@y.gserviceaccount.com");
  if (account === undefined) throw new Error("no service account");
  return account.answer({ token: readToken(token, gcpExchange.limits), time, issuers: [issuer] });
}

/** The claims of a token of the one component. */
export function gcpClaims(changes: Any = {}): Any {
  return claimsOf({ iss: gcpIssuer, sub: gcpSubject, ...changes });
}

/** A provider as gcloud describes it, for the keys of signers. */
export function describedProvider(signers: readonly Signer[], changes: Any = {}): Any {
  const { oidc = {}, ...more } = changes;
  return {
    attributeMapping: { "google.subject": "assertion.sub" },
    displayName: "demo",
    name: gcpProvider,
    state: "ACTIVE",
    ...more,
    oidc: {
      allowedAudiences: ["openshift"],
      issuerUri: gcpIssuer,
      jwksJson: JSON.stringify({ keys: signers.map(({ jwk }) => jwk) }),
      ...oidc,
    },
  };
}

/** A policy that lets members use the service account; `binding` is merged into its one binding. */
export function accountPolicy(members: readonly string[], binding: Any = {}): Any {
  return {
    bindings: [{ members, role: "roles/iam.workloadIdentityUser", ...binding }],
    etag: "BwYAAAAAAAA=",
    version: 1,
  };
}

/** The principal of a subject of the cluster's pool. */
export function principalOf(subject: string = gcpSubject, pool: string = gcpPool): string {
  return `principal://iam.googleapis.com/${pool}/subject/${subject}`;
}
