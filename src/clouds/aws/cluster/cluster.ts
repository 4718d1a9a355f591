/** Where the issuer's documents are published. */
export type Hosting = S3Public | S3CloudFront | { readonly type: "External" };

/** A bucket that anyone can read two objects of. */
export interface S3Public {
  readonly type: "S3Public";
  readonly bucket: string;
}

/** A private bucket behind a CloudFront distribution. */
export interface S3CloudFront {
  readonly type: "S3CloudFront";
  readonly bucket: string;
  /** The domain that AWS gave the distribution, once it has. */
  readonly distributionDomain: string | undefined;
  /** A domain of one's own, and its certificate. */
  readonly own: { readonly domain: string; readonly certificateArn: string } | undefined;
}

/** An issuer that a role trusts, and its provider in IAM. */
export interface TrustedIssuer {
  /** With `https://` and without a slash at the end. */
  readonly url: string;
  readonly providerArn: string;
}

/** A tag as the AWS API takes it. */
export type Tag = { readonly Key: string; readonly Value: string };

/** What the functions for AWS know of a cluster: every value checked, every default filled in. */
export interface AwsCluster {
  readonly prefix: string;
  /** 12 digits. */
  readonly accountId: string;
  readonly region: string;
  /** Such as `aws` or `aws-us-gov`. */
  readonly partition: string;
  readonly dnsSuffix: string;
  readonly hosting: Hosting;
  /** Undefined until CloudFront has given the distribution its domain: then nothing can trust it yet. */
  readonly issuer: TrustedIssuer | undefined;
  /** Issuers that roles trust beside the issuer, while the cluster moves. */
  readonly previousIssuers: readonly TrustedIssuer[];
  /** The provider exists already; it is not ours to create. */
  readonly providerIsGiven: boolean;
  readonly audiences: readonly string[];
  readonly thumbprints: readonly string[];
  readonly tokenPath: string;
  /** Owner tags first, then the config's, sorted. */
  readonly tags: readonly Tag[];
  readonly rolePath: string;
  readonly nameOverflow: "Truncate" | "Hash" | "Fail";
  readonly permissionsBoundaryArn: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number;
  readonly requireAudience: boolean;
  readonly secretEncoding: "stringData" | "data";
  readonly includeRegion: boolean;
  /** Names of roles that the config gives in place of the computed ones, sorted. */
  readonly givenRoleNames: readonly string[];
  /** Managed policies that the config attaches to roles, sorted. */
  readonly managedPolicyArns: readonly string[];
}

/**
 * The issuers that roles trust: the cluster's own, then those that it moves away from. While its own is not known, those
 * alone: what runs on them goes on.
 */
export function trustedIssuers({ issuer, previousIssuers }: AwsCluster): readonly TrustedIssuer[] {
  return issuer === undefined ? previousIssuers : [issuer, ...previousIssuers];
}

/** A cluster whose issuer is known, so that its documents and its provider can be made. */
export type TrustedCluster = AwsCluster & { readonly issuer: TrustedIssuer };

export function isTrusted(cluster: AwsCluster): cluster is TrustedCluster {
  return cluster.issuer !== undefined;
}
