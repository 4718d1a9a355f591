/** The path of the bundle with the facts about the whole cluster. */
export const clusterBundlePath = "azure/cluster.yaml";

/** The path of the issuer's bundle. */
export const issuerBundlePath = "azure/issuer.yaml";

/** The path of the Secret with which the cloud-credential-operator deploys the webhook. */
export const webhookSecretPath = "manifests/azure-ad-pod-identity-webhook-config.yaml";

/** The paths of the identities' bundles, one file for each identity. */
export const identityBundlePath = /^azure\/identities\/[^/]+\.yaml$/;

/** The path of the bundle of an identity. */
export function pathOfIdentity(baseName: string): string {
  return `azure/identities/${baseName}.yaml`;
}

/** The prefix of the names of the identities' bundle ConfigMaps. */
export const identityBundleName = "azure-identity-";
