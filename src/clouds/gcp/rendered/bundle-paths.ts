/** The path of the bundle with the facts about the whole cluster. */
export const clusterBundlePath = "gcp/cluster.yaml";

/** The path of the issuer's bundle. */
export const issuerBundlePath = "gcp/issuer.yaml";

/** The paths of the identities' bundles, one file for each identity. */
export const identityBundlePath = /^gcp\/identities\/[^/]+\.yaml$/;

/** The path of the bundle of an identity. */
export function pathOfIdentity(baseName: string): string {
  return `gcp/identities/${baseName}.yaml`;
}

/** The prefix of the names of the identities' bundle ConfigMaps. */
export const identityBundleName = "gcp-identity-";
