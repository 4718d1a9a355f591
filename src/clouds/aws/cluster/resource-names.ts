import { compareText, quote } from "../../../core/text.ts";
import { discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import { type AwsCluster, maxTagKey, maxTags, maxTagValue, type Tag } from "./cluster.ts";

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

/**
 * Says what is wrong with a bucket's name, as a predicate to put after the name; undefined if the name is valid. The rules
 * are those of the Amazon S3 User Guide, "General purpose bucket naming rules", without dots: the TLS certificate of
 * Amazon S3 does not cover a name with dots.
 */
export function bucketNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(name)) {
    return "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";
  }
  const reserved =
    ["xn--", "sthree-", "amzn-s3-demo-"].find((start) => name.startsWith(start)) ??
    ["-s3alias", "--ol-s3", "--x-s3", "--table-s3"].find((end) => name.endsWith(end));
  return reserved === undefined ? undefined : `contains "${reserved}", which AWS reserves`;
}

/** The key of the tag that marks the resources of a prefix: ccoctl's key, so that its clusters are recognized. */
export function ownerTagKey(prefix: string): string {
  return `openshift.io/cloud-credential-operator/${prefix}`;
}

/** The resource prefix in the key of an owner tag; undefined if the key is another. */
export function prefixOfTagKey(key: string): string | undefined {
  const start = ownerTagKey("");
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

const allowed = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/**
 * The tags of every resource of a cluster: the owner tag and the name first, as ccoctl sets them, then the config's. Keys
 * are not case-sensitive (IAM User Guide, "Rules for tagging in IAM").
 */
export function clusterTags(
  { prefix, mark }: { readonly prefix: string; readonly mark: string },
  extra: Readonly<Record<string, string>>,
): { tags: Tag[]; problems: string[] } {
  const own: Tag[] = [
    { Key: ownerTagKey(prefix), Value: mark },
    { Key: "Name", Value: prefix },
  ];
  const taken = new Set(own.map((tag) => tag.Key.toLowerCase()));
  const problems: string[] = [];
  const tags = Object.entries(extra)
    .sort(([a], [b]) => compareText(a, b))
    .map(([Key, Value]) => ({ Key, Value }));
  for (const { Key, Value } of tags) {
    const problem =
      tagProblem(Key, Value) ??
      (taken.has(Key.toLowerCase()) ? "is already set; tag keys are not case-sensitive" : undefined);
    if (problem !== undefined) problems.push(`the tag ${quote(Key)} ${problem}.`);
    taken.add(Key.toLowerCase());
  }
  if (own.length + tags.length > maxTags)
    problems.push(
      `there are ${tags.length} tags, but at most ${maxTags - own.length} are allowed: AWS allows ${maxTags}, and ccf sets ${own.length} itself. Remove some.`,
    );
  return { tags: [...own, ...tags], problems };
}

function tagProblem(key: string, value: string): string | undefined {
  if (key.length < 1 || key.length > maxTagKey) return `must have a key of 1 to ${maxTagKey} characters`;
  if (/^aws:/i.test(key)) return 'must not begin with "aws:"';
  if (value.length > maxTagValue) return `must have a value of at most ${maxTagValue} characters`;
  if (!allowed.test(key) || !allowed.test(value)) return "must contain only letters, digits, spaces and _.:/=+-@";
  return undefined;
}
