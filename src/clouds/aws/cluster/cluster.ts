import type { AWSPlatform } from "../../../generated/cluster-identity.ts";
import { awsPlatformWords, validateAwsPlatform } from "../../../generated/validate-aws-platform.js";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { KeyLimits } from "../../../oidc/limits.ts";
import { platformCheck } from "../../cloud.ts";

/** Where the issuer's documents are published: in a bucket, or elsewhere, which is not managed here. */
export type Hosting = BucketHosting | { readonly bucket: undefined; readonly distribution?: never };

/** A bucket with two objects: publicly readable, or through a distribution. */
export interface BucketHosting {
  readonly bucket: string;
  /** Undefined if the objects are public. */
  readonly distribution: Distribution | undefined;
}

/** What makes a private bucket readable: a CloudFront distribution. */
export interface Distribution {
  /** The domain that AWS assigned to the distribution; undefined until then. */
  readonly assigned: string | undefined;
  /** A custom domain and its certificate. */
  readonly own: { readonly domain: string; readonly certificateArn: string } | undefined;
}

/** An issuer that a role trusts, and its provider in IAM. */
export interface TrustedIssuer {
  /** With `https://` and without a trailing slash. */
  readonly url: string;
  readonly providerArn: string;
}

/** A tag in the form of the AWS API. */
export type Tag = { readonly Key: string; readonly Value: string };

/** What the functions for AWS know about a cluster, with every value checked and every default filled in. */
export interface AwsCluster {
  readonly prefix: string;
  /** The value of the owner tag. */
  readonly mark: string;
  /** 12 digits. */
  readonly accountId: string;
  readonly region: string;
  /** Such as `aws` or `aws-us-gov`. */
  readonly partition: string;
  readonly dnsSuffix: string;
  readonly hosting: Hosting;
  /** Undefined until CloudFront has assigned the distribution's domain; until then nothing can trust it. */
  readonly issuer: TrustedIssuer | undefined;
  /** Issuers that roles also trust while the cluster moves. */
  readonly previousIssuers: readonly TrustedIssuer[];
  /** The provider already exists, so no input for its creation is generated. */
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
  /** Role names that the config sets in place of the computed ones, sorted. */
  readonly givenRoleNames: readonly string[];
  /** Managed policies that the config attaches to roles, sorted. */
  readonly managedPolicyArns: readonly string[];
  /** What is different for the roles of workloads; undefined if the config allows none. */
  readonly workloads:
    | (Pick<AwsCluster, "rolePath" | "permissionsBoundaryArn" | "tags"> & { readonly attachesPolicies: boolean })
    | undefined;
}

/**
 * The issuers that roles trust: the cluster's own, then the previous ones. While its own is not known, only the previous
 * ones, so that running components keep their access.
 */
export function trustedIssuers({ issuer, previousIssuers }: AwsCluster): readonly TrustedIssuer[] {
  return issuer === undefined ? previousIssuers : [issuer, ...previousIssuers];
}

/** A cluster whose issuer is known, so its documents and its provider can be generated. */
export type TrustedCluster = AwsCluster & { readonly issuer: TrustedIssuer };

export function isTrusted(cluster: AwsCluster): cluster is TrustedCluster {
  return cluster.issuer !== undefined;
}

/** Checks `spec.platform.aws` against its schema. */
export const checkPlatform = platformCheck("aws", validateAwsPlatform, awsPlatformWords);

/** A ClusterIdentity for AWS. */
export interface AwsIdentity extends Identity {
  readonly aws: AWSPlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function awsIdentity(identity: Identity): AwsIdentity {
  return { ...identity, aws: identity.platform.spec as unknown as AWSPlatform };
}

/** The names of AWS. */
export const awsNames = {
  name: "aws",
  title: "AWS",
  providerKind: "AWSProviderSpec",
  accountNoun: "account",
  identityNoun: "role",
} as const;

/** The noun for an identity on AWS, for messages about identities of any cloud. */
export const awsRole = { cloud: awsNames.title, noun: awsNames.identityNoun } as const;

// Limits of AWS. Each is written here only.

/** The keys that AWS accepts (AWS STS API, AssumeRoleWithWebIdentity, WebIdentityToken). */
export const keyLimits: KeyLimits = {
  reader: "AWS",
  algorithms: ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
  // A maintainer of AWS in aws/amazon-eks-pod-identity-webhook, pull request 9.
  takesEmptyId: true,
};

/** The characters of an issuer's URL (IAM API, CreateOpenIDConnectProvider, Url). */
export const maxIssuerUrl = 255;

/** The characters of a role's name (IAM User Guide, "IAM and AWS STS quotas"). */
export const maxRoleName = 64;

/** The audiences of a cluster that states none. */
export const defaultAudiences = ["openshift", "sts.amazonaws.com"] as const;

/** Tags: how many, and their characters (IAM User Guide, "Rules for tagging in IAM"; the same in AWS STS API, Tag). */
export const maxTags = 50;
export const maxTagKey = 128;
export const maxTagValue = 256;
