import { bundle, jsonFiles } from "../../../core/generated-object.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { applierFact, clusterFile, markFact } from "../../rendered.ts";
import { distributionFacts } from "../issuer/distribution.ts";
import { awsBundles } from "../rendered/facts.ts";
import { adminPolicy } from "./admin-policy.ts";
import type { AwsCluster } from "./cluster.ts";
import { previousIssuer } from "./read-issuer.ts";
import { ownerTagKey } from "./resource-names.ts";

/**
 * The bundle with the facts about the whole cluster: `cluster.json` contains the facts that `ccf apply` reads, and
 * `admin-policy.json` the permissions that the administrator needs for it. It depends only on the config, so another
 * request does not change it.
 */
export function clusterBundle(cluster: AwsCluster, identity: Identity): GeneratedObject {
  const values = {
    [clusterFile]: { ...clusterFacts(cluster, identity), ...applierFact(identity) },
    "admin-policy.json": adminPolicy(cluster),
  };
  return bundle(awsBundles.cluster, "aws-cluster", jsonFiles(values));
}

function clusterFacts(cluster: AwsCluster, identity: Identity): ValueMap {
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
    ...markFact(cluster, identity),
    tags: cluster.tags,
    ...(issuer === undefined ? {} : { identityProviderARN: issuer.providerArn }),
    ...domain,
    ...(previous.length === 0 ? {} : { previousIssuers: previous }),
  };
}
