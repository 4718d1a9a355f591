/** Where the issuer's documents are published. */
export type Hosting =
  | { readonly type: "S3Public"; readonly bucket: string }
  | { readonly type: "S3CloudFront"; readonly bucket: string }
  | { readonly type: "External" };

/** An issuer that a role trusts, and its provider in IAM. */
export interface TrustedIssuer {
  /** With `https://` and without a slash at the end. */
  readonly url: string;
  readonly providerArn: string;
}

/** A tag as the AWS API takes it. */
export interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/** What the functions for AWS know of a cluster: every value checked, every default filled in. */
export interface AwsCluster {
  /** The ClusterIdentity's name. */
  readonly name: string;
  readonly prefix: string;
  /** 12 digits. */
  readonly accountId: string;
  readonly region: string;
  /** Such as `aws` or `aws-us-gov`. */
  readonly partition: string;
  readonly dnsSuffix: string;
  readonly hosting: Hosting;
  readonly issuer: TrustedIssuer;
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
}
