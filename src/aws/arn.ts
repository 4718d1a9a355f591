import type { AwsCluster } from "./cluster.ts";

/** ARN of an IAM OpenID Connect provider: named by its URL without the scheme (IAM User Guide, "IAM identifiers"). */
export function providerArn(
  { partition, accountId }: Pick<AwsCluster, "partition" | "accountId">,
  issuerUrl: string,
): string {
  return `arn:${partition}:iam::${accountId}:oidc-provider/${withoutScheme(issuerUrl)}`;
}

/** ARN of an IAM role; the path begins and ends with a slash. */
export function roleArn(
  { partition, accountId }: Pick<AwsCluster, "partition" | "accountId">,
  path: string,
  name: string,
): string {
  return `arn:${partition}:iam::${accountId}:role${path}${name}`;
}

/** An issuer as it stands in condition keys and provider ARNs: without `https://`. */
export function withoutScheme(issuerUrl: string): string {
  return issuerUrl.replace(/^https:\/\//, "");
}
