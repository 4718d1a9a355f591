import { discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import type { AwsCluster } from "./cluster.ts";

type Account = Pick<AwsCluster, "partition" | "accountId">;

/** ARN of an IAM OpenID Connect provider: it contains the URL without the scheme (IAM User Guide, "IAM identifiers"). */
export function providerArn({ partition, accountId }: Account, issuerUrl: string): string {
  return `arn:${partition}:iam::${accountId}:oidc-provider/${withoutScheme(issuerUrl)}`;
}

/** The account in the ARN of an IAM resource, and the URL of the issuer without the scheme, if the resource is a provider. */
export interface IamArn extends Account {
  readonly providerUrl: string | undefined;
}

/** Reads the ARN of an IAM resource; undefined if the text is something else. */
export function readIamArn(text: string): IamArn | undefined {
  const [, partition, accountId, providerUrl] =
    /^arn:([a-z-]+):iam::(\d{12}):(?:oidc-provider\/(.+)$)?/.exec(text) ?? [];
  return partition === undefined || accountId === undefined ? undefined : { partition, accountId, providerUrl };
}

/** ARN of an IAM role; the path begins and ends with a slash. */
export function roleArn({ partition, accountId }: Account, path: string, name: string): string {
  return `arn:${partition}:iam::${accountId}:role${path}${name}`;
}

/** ARN of a CloudFront resource with an ID: a distribution or an origin access control. */
export function withIdArn({ partition, accountId }: Account, kind: string, id: string): string {
  return `arn:${partition}:cloudfront::${accountId}:${kind}/${id}`;
}

/** ARN of a bucket, or of an object in it. */
export function bucketArn(partition: string, bucket: string, key?: string): string {
  return `arn:${partition}:s3:::${bucket}${key === undefined ? "" : `/${key}`}`;
}

/** ARNs of the issuer's documents in a bucket. */
export function documentsArns(partition: string, bucket: string): string[] {
  return [discoveryPath, keysPath].map((key) => bucketArn(partition, bucket, key));
}

/** An issuer as it appears in condition keys and provider ARNs: without `https://`. */
export function withoutScheme(issuerUrl: string): string {
  return issuerUrl.replace(/^https:\/\//, "");
}

/** Changes an ARN of one partition to the same ARN in another partition; any other text is returned unchanged. */
export function inPartition(arn: string, from: string, to: string): string {
  const start = `arn:${from}:`;
  return arn.startsWith(start) ? `arn:${to}:${arn.slice(start.length)}` : arn;
}
