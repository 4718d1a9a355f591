/** The path of the bundle with the facts about the whole cluster. */
export const clusterBundlePath = "aws/cluster.yaml";

/** The path of the issuer's bundle. */
export const issuerBundlePath = "aws/issuer.yaml";

/** The paths of the roles' bundles, one file for each role. */
export const identityBundlePath = /^aws\/roles\/[^/]+\.yaml$/;

/** The path of the bundle of a role. */
export function pathOfIdentity(baseName: string): string {
  return `aws/roles/${baseName}.yaml`;
}

/** The prefix of the names of the roles' bundle ConfigMaps. */
export const identityBundleName = "aws-role-";
