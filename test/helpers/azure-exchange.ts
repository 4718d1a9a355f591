import { readRendered } from "../../src/clouds/azure/rendered/rendered.ts";
import { azureExchange } from "../../src/clouds/azure/tokens/exchange.ts";
import type { TrustingIdentity } from "../../src/clouds/inspector.ts";
import { bundlesOfFiles } from "../../src/clouds/rendered.ts";
import type { TokenAnswer } from "../../src/oidc/answer.ts";
import { readToken } from "../../src/oidc/token.ts";
import { type Any, makeCredentials, makeIssuer } from "./cluster.ts";
import { resourceOf } from "./resources.ts";
import { claimsOf, now, type Signer } from "./token.ts";

/*
 * A cluster on Azure, rendered in this process, and tokens for it.
 */

export const azureSubscription = "11111111-1111-4111-8111-111111111111";
export const azureTenant = "22222222-2222-4222-8222-222222222222";
export const azureClient = "33333333-3333-4333-8333-333333333333";
export const azureIssuer = "https://demoissuer.blob.core.windows.net/demo";
export const azureSubject = "system:serviceaccount:ns-one:one-operator";
const group = `/subscriptions/${azureSubscription}/resourceGroups/demo-oidc`;
export const azureIdentityId = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-ns-one-credentials`;

/** The files of an export, by path, and its manifests as plain objects. */
export interface AzureExport {
  readonly files: ReadonlyMap<string, string>;
  readonly manifests: readonly Any[];
}

/** A ClusterIdentity for Azure that publishes the keys of signers; `azure` and `issuer` are merged into it. */
export function azureIdentity(signers: readonly Signer[], azure: Any = {}, issuer: Any = {}): Any {
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo" },
    spec: {
      issuer: { signingKeys: signers.map(({ publicPem }) => ({ publicKey: publicPem })), ...issuer },
      platform: {
        azure: {
          subscriptionID: azureSubscription,
          tenantID: azureTenant,
          region: "westeurope",
          issuerHosting: { storageAccount: "demoissuer" },
          ...azure,
        },
      },
    },
  };
}

/** A CredentialsRequest for Azure. */
export function azureRequest(name = "one", spec: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator" },
    spec: {
      secretRef: { namespace: `ns-${name}`, name: "credentials" },
      serviceAccountNames: [`${name}-operator`],
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AzureProviderSpec",
        roleBindings: [{ role: "Reader" }],
      },
      ...spec,
    },
  };
}

/** The ConfigMap with the client IDs of the managed identities, by `<namespace>_<secret>`. */
export function azureIdentities(data: Any = { "ns-one_credentials": azureClient }): Any {
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
      },
    },
    data,
  };
}

/** Renders a cluster, and returns what an export of it contains. */
export function azureExport(config: Any, items: readonly Any[] = [azureRequest(), azureIdentities()]): AzureExport {
  const files = new Map<string, string>();
  const manifests: Any[] = [];
  for (const { objects, exitCode, stderr } of [makeIssuer(config), makeCredentials(config, [...items])]) {
    if (exitCode !== 0) throw new Error(stderr);
    for (const [path, object] of Object.entries(objects) as [string, Any][]) {
      if (object.kind !== "ConfigMap") manifests.push(object);
      else
        for (const [name, text] of Object.entries(object.data))
          files.set(`${path === "azure/cluster.yaml" ? "azure" : path.replace(/\.yaml$/, "")}/${name}`, text as string);
    }
  }
  return { files, manifests };
}

/** What was rendered. */
export const renderedAzure = (files: ReadonlyMap<string, string>) => readRendered(bundlesOfFiles(files));

/** The claims of a token of the one component. */
export function azureClaims(changes: Any = {}): Any {
  return claimsOf({ iss: azureIssuer, sub: azureSubject, ...changes });
}

/** What Microsoft Entra knows, and what the package contains. */
export interface AzureWorld {
  readonly files: ReadonlyMap<string, string>;
  /** The objects of the package: the Secrets, the ConfigMap with the client IDs. */
  readonly items: readonly Any[];
  /** The output of `az identity federated-credential list`, in place of the package's credentials. */
  readonly credentials?: Any;
  /** The output of `az identity show`. */
  readonly shown?: Any;
  /** Documents of the issuer. */
  readonly discovery?: Any;
  readonly jwks?: Any;
}

/** The identity of the one component, with what commands print about it. */
export function azureTrusting({ files, items, credentials, shown }: AzureWorld): TrustingIdentity {
  const known = azureExchange.identities(
    bundlesOfFiles(files),
    items.map((item) => resourceOf(item)),
  );
  let identity: TrustingIdentity | undefined = known.find(({ id }) => id === azureIdentityId);
  for (const answer of [credentials, shown]) {
    if (answer === undefined) continue;
    identity = azureExchange.readIdentity(
      answer,
      azureIdentityId,
      identity === undefined ? known : [identity, ...known],
    );
    if (identity === undefined) throw new Error("not an output of a command");
  }
  if (identity === undefined) throw new Error("no managed identity");
  return identity;
}

/** The predicted answer of Microsoft Entra to a token. */
export async function azureAnswer(token: string, world: AzureWorld, time: number = now): Promise<TokenAnswer> {
  const known = renderedAzure(world.files)?.issuers ?? [];
  const issuers = known.map((issuer) => ({
    ...issuer,
    discovery: world.discovery === undefined ? issuer.discovery : { value: world.discovery },
    keys: world.jwks === undefined ? issuer.keys : { value: world.jwks },
  }));
  return azureTrusting(world).answer({ token: readToken(token, azureExchange.limits), time, issuers });
}

/** A federated credential, as `az identity federated-credential list` prints it; `undefined` removes a field. */
export function azureCredential(changes: Any = {}): Any {
  return {
    audiences: ["openshift"],
    id: `${azureIdentityId.replace("resourceGroups", "resourcegroups")}/federatedIdentityCredentials/one-operator`,
    issuer: azureIssuer,
    name: "one-operator",
    resourceGroup: "demo-oidc",
    subject: azureSubject,
    systemData: null,
    type: "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
    ...changes,
  };
}

/** A managed identity, as `az identity show` prints it. */
export function azureShown(changes: Any = {}): Any {
  return {
    clientId: azureClient,
    id: azureIdentityId.replace("resourceGroups", "resourcegroups"),
    location: "westeurope",
    name: "demo-ns-one-credentials",
    principalId: "44444444-4444-4444-8444-444444444444",
    resourceGroup: "demo-oidc",
    tags: {},
    tenantId: azureTenant,
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
    ...changes,
  };
}
