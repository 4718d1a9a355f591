import { guarded } from "../../../core/allowances.ts";
import type { Finding } from "../../../core/finding.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { AwsCluster } from "../cluster/cluster.ts";
import { previousIssuer } from "../cluster/previous-issuer.ts";

/**
 * What is wrong with a change of the issuer: roles would no longer trust the tokens that the cluster makes.
 *
 * @param before the issuer that the package was rendered with, where it was rendered.
 */
export function issuerChange(before: string | undefined, cluster: AwsCluster, identity: Identity): Finding[] {
  const trusted = [cluster.issuer, ...cluster.previousIssuers].flatMap((one) => one?.url ?? []);
  if (before === undefined || trusted.includes(before)) return [];
  const { hosting } = cluster;
  const isItsBucket =
    hosting.type === "S3CloudFront" &&
    previousIssuer(cluster, { url: before, providerArn: "" }).bucket === hosting.bucket;
  // The documents of the former issuer must stay readable.
  const bucket = isItsBucket
    ? `, and set "spec.platform.aws.issuerHosting.bucket" to another name than ${quote(hosting.bucket)}`
    : "";
  const message = `the package was rendered with the issuer ${quoteWhole(before)}, which roles would no longer trust; add it to "spec.issuer.previous" while the cluster moves${bucket}.`;
  const place = { resource: identity.resource, field: "spec.issuer.previous" };
  return [guarded(identity, "replace-issuer", "issuer-changed", message, place)];
}
