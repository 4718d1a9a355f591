import { bundle, jsonFiles } from "../../../core/bundle.ts";
import type { GeneratedObject, ValueMap } from "../../../core/resource.ts";
import { awsScripts } from "../../../generated/aws-scripts.ts";
import { operatorPolicy } from "./admin-policy.ts";
import type { AwsCluster } from "./cluster.ts";
import { previousIssuer } from "./previous-issuer.ts";
import { ownerTagKey } from "./tags.ts";

/** Where the scripts are carried. */
export const scriptsBundlePath = "aws/scripts.yaml";

/**
 * The bundle of the scripts that apply what the other bundles hold. Their text is the same for every cluster; what
 * differs stands in `cluster.json`, and in `operator-policy.json` the permissions that whoever runs them needs.
 *
 * It depends on the config alone, so that each function makes the same, and one more request does not change it.
 */
export function scriptsBundle(cluster: AwsCluster): GeneratedObject {
  const values = { "cluster.json": clusterFacts(cluster), "operator-policy.json": operatorPolicy(cluster) };
  return { ...bundle(scriptsBundlePath, "aws-scripts", { ...awsScripts, ...jsonFiles(values) }), shared: true };
}

function clusterFacts(cluster: AwsCluster): ValueMap {
  const { hosting, issuer } = cluster;
  const domain =
    hosting.type === "S3CloudFront" && hosting.distributionDomain !== undefined
      ? { distributionDomain: hosting.distributionDomain }
      : {};
  const previous = cluster.previousIssuers.map((one): ValueMap => {
    const { providerArn, bucket, domain } = previousIssuer(cluster, one);
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
