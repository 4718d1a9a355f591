import { quote } from "../../../core/text.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import { previousIssuer } from "../cluster/previous-issuer.ts";

/** What a move away from an issuer requires besides its URL in the config: its documents must stay readable. */
export function beforeLeaving(cluster: AwsCluster, issuer: string): string {
  const { hosting } = cluster;
  const isItsBucket =
    hosting.type === "S3CloudFront" &&
    previousIssuer(cluster, { url: issuer, providerArn: "" }).bucket === hosting.bucket;
  return isItsBucket
    ? `, and set "spec.platform.aws.issuerHosting.bucket" to a name other than ${quote(hosting.bucket)}`
    : "";
}
