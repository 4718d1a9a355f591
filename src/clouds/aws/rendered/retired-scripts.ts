import { clusterBundlePath } from "../cluster/cluster-bundle.ts";

/*
 * Packages once carried the scripts, and with them the facts of the cluster, in one ConfigMap that each generator made.
 * A render removes it. In that run, the package has no other facts of its last rendering, so that they are read from it.
 */

const previousPath = "aws/scripts.yaml";

/** The ConfigMap that carried the scripts, whichever function made it. */
export const retiredScripts = {
  apiVersion: "v1",
  kind: "ConfigMap",
  name: "aws-scripts",
  path: /^aws\/scripts\.yaml$/,
  makers: ["shared", "generate-oidc-issuer", "generate-cloud-credentials", "configure-operators"],
};

/** The files that may hold `cluster.json`, the present one first. */
export const clusterFactsPaths: readonly string[] = [clusterBundlePath, previousPath];
