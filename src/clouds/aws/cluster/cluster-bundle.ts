import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import { clusterFile } from "../../rendered.ts";
import { distributionFacts } from "../issuer/distribution.ts";
import { clusterBundlePath } from "../rendered/bundle-paths.ts";
import { adminPolicy } from "./admin-policy.ts";
import type { AwsCluster } from "./cluster.ts";
import { previousIssuer } from "./previous-issuer.ts";
import { ownerTagKey } from "./tags.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts that the scripts read, and
 * `admin-policy.json` the permissions that the administrator needs to run them. It depends only on the config, so another
 * request does not change it.
 */
export function clusterBundle(cluster: AwsCluster): GeneratedObject {
  const values = { [clusterFile]: clusterFacts(cluster), "admin-policy.json": adminPolicy(cluster) };
  return bundle(clusterBundlePath, "aws-cluster", jsonFiles(values));
}

function clusterFacts(cluster: AwsCluster): ValueMap {
  const { hosting, issuer } = cluster;
  const domain = hosting.distribution === undefined ? {} : distributionFacts(hosting.distribution);
  const previous = cluster.previousIssuers.map((trustedIssuer): ValueMap => {
    const { providerArn, bucket, domain } = previousIssuer(cluster, trustedIssuer);
    return {
      identityProviderARN: providerArn,
      ...(bucket === undefined ? {} : { bucket }),
      ...(domain === undefined ? {} : { domain }),
    };
  });
  return {
    accountID: cluster.accountId,
    partition: cluster.partition,
    region: cluster.region,
    resourcePrefix: cluster.prefix,
    ownerTag: ownerTagKey(cluster.prefix),
    tags: cluster.tags,
    ...(issuer === undefined ? {} : { identityProviderARN: issuer.providerArn }),
    ...domain,
    ...(previous.length === 0 ? {} : { previousIssuers: previous }),
  };
}
