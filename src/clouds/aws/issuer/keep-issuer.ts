import { quote } from "../../../core/text.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import { previousIssuer } from "../cluster/previous-issuer.ts";

/** How roles keep trusting an issuer while the cluster moves to another one. Its documents must stay readable. */
export function keepIssuer(cluster: AwsCluster, issuer: string): { readonly cure: string; readonly field: string } {
  const { hosting } = cluster;
  const isItsBucket =
    hosting.distribution !== undefined &&
    previousIssuer(cluster, { url: issuer, providerArn: "" }).bucket === hosting.bucket;
  const bucket = isItsBucket
    ? `, and set "spec.platform.aws.issuerHosting.bucket" to a name other than ${quote(hosting.bucket)}`
    : "";
  const field = "spec.issuer.previous";
  return { field, cure: `Add it to "${field}" while the cluster moves${bucket}.` };
}
