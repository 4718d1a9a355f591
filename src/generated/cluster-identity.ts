// Made from schemas/cluster-identity.schema.json by tools/generate.mjs. Do not edit.

export type Word = string;
export type IssuerURL = string;
export type Arn = string;

/**
 * How the components of one OpenShift or OKD cluster prove to a cloud who they are: with tokens of the cluster's own issuer instead of long-lived keys.
 */
export interface ClusterIdentity {
  /**
   * Group and version of this kind.
   */
  apiVersion: "fn.cloudcredential.dev/v1alpha1";
  /**
   * The kind.
   */
  kind: "ClusterIdentity";
  metadata: Metadata;
  spec: ClusterIdentitySpec;
}
/**
 * Names the identity. Generated objects carry the name, so a rename needs 'ccf render --rename-from OLD'.
 */
export interface Metadata {
  /**
   * Name of the identity, and of the cluster for whoever reads it.
   */
  name: string;
  /**
   * Annotations of Kubernetes.
   */
  annotations?: {
    [k: string]: unknown;
  };
  /**
   * Labels of Kubernetes.
   */
  labels?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * What is known of the cluster before it exists.
 */
export interface ClusterIdentitySpec {
  /**
   * Names and tags every cloud resource of the cluster, as --name does for ccoctl. Default: metadata.name.
   */
  resourcePrefix?: string;
  release?: Release;
  issuer?: Issuer;
  /**
   * Where a component finds its service account token when its request does not say.
   */
  tokenPath?: string;
  secret?: SecretFormat;
  operators?: Operators;
  /**
   * Exceptions, by <secret namespace>/<secret name>. A key that matches no request is an error.
   */
  overrides?: {
    [k: string]: Override;
  };
  /**
   * Findings of rules that are accepted for this cluster: docs/guides/validate.md. Files that a release replaces cannot lose them.
   */
  accept?: Acceptance[];
  platform: Platform;
}
/**
 * Which CredentialsRequests of a release count for this cluster, by the rules of 'oc adm release extract --included'.
 */
export interface Release {
  /**
   * The release's major and minor version, for requests of several majors and for gates that a cluster states for several versions.
   */
  version?: string;
  /**
   * The cluster profile.
   */
  profile?: string;
  /**
   * Leaves out objects annotated exclude.release.openshift.io/<identifier>.
   */
  excludeIdentifier?: string;
  /**
   * The feature set of FeatureGate/cluster.
   */
  featureSet?: "Default" | "TechPreviewNoUpgrade" | "DevPreviewNoUpgrade" | "CustomNoUpgrade" | "OKD";
  /**
   * Feature gates that are on, or off with '-' before the name, for requests that ask for them by name. They count before what a FeatureGate object in the package says.
   */
  featureGates?: string[];
  /**
   * Capabilities that are enabled. Left out: all.
   */
  capabilities?: Word[];
}
/**
 * Who signs the service account tokens, and where the world finds the public keys.
 */
export interface Issuer {
  /**
   * The issuer, as it stands in tokens. Left out, it follows from where the documents are hosted.
   */
  url?: string;
  /**
   * Issuers that roles still trust, while a cluster moves from one issuer to another: docs/guides/migration.md.
   */
  previous?: IssuerURL[];
  /**
   * Audiences that tokens may be made for. Left out, the cloud's: for AWS, openshift and sts.amazonaws.com.
   *
   * @minItems 1
   * @maxItems 100
   */
  audiences?: [string, ...string[]];
  /**
   * Public keys of the service account signer, in the order in which they are published. More than one while a key is rotated: docs/guides/key-rotation.md.
   *
   * @minItems 1
   */
  signingKeys?: [SigningKey, ...SigningKey[]];
}
/**
 * One public key: written here, or in an object of the same package.
 */
export interface SigningKey {
  /**
   * The public key in PEM form: 'PUBLIC KEY' or 'RSA PUBLIC KEY'.
   */
  publicKey?: string;
  from?: SigningKeySource;
}
/**
 * Where the public key stands.
 */
export interface SigningKeySource {
  configMapKeyRef: ConfigMapKeyRef;
}
/**
 * A key of a ConfigMap in the list that the function reads.
 */
export interface ConfigMapKeyRef {
  /**
   * Name of the ConfigMap.
   */
  name: string;
  /**
   * Namespace of the ConfigMap, where it has one.
   */
  namespace?: string;
  /**
   * Key in its data.
   */
  key: string;
}
/**
 * How Secrets are written.
 */
export interface SecretFormat {
  /**
   * stringData for people; data (base64) where a tool compares what the cluster holds.
   */
  encoding?: "stringData" | "data";
}
/**
 * For operators installed with OLM (docs/guides/operators.md).
 */
export interface Operators {
  /**
   * Manual is set in Subscriptions, so that an update cannot outrun its permissions. Automatic leaves them as they are, with a warning.
   */
  installPlanApproval?: "Manual" | "Automatic";
  /**
   * Emits the Secrets of operators too, for releases before 4.14.
   */
  emitSecrets?: boolean;
}
/**
 * An exception for one request.
 */
export interface Override {
  /**
   * Leaves the request out: no component identity, no Secret.
   */
  skip?: boolean;
  /**
   * Service accounts that may use the component identity, in place of the request's: a name in the Secret's namespace, or <namespace>/<name>.
   *
   * @minItems 1
   */
  serviceAccountNames?: [string, ...string[]];
}
/**
 * A rule, and an object in which its finding is accepted, with the reason.
 */
export interface Acceptance {
  /**
   * Code of a rule of docs/reference/validation-rules.md.
   */
  rule: string;
  /**
   * The object: <secret namespace>/<secret name> for a request, its role and its Secret, or <Kind>/<namespace>/<name>, or <Kind>/<name>.
   */
  object: string;
  /**
   * Why it is accepted.
   */
  reason: string;
  /**
   * The last day, in UTC, on which 'ccf validate' accepts it. Left out, it does not expire.
   */
  until?: string;
}
/**
 * The cloud: exactly one key.
 */
export interface Platform {
  aws?: AWSPlatform;
}
/**
 * Amazon Web Services: roles that components assume with AssumeRoleWithWebIdentity.
 */
export interface AWSPlatform {
  /**
   * The account: 12 digits, in quotes (a leading zero is lost without them).
   */
  accountID: string;
  /**
   * The cluster's region. Left out, it is read from Infrastructure/cluster in the list.
   */
  region?: string;
  /**
   * The partition of AWS. Left out, it follows from the region.
   */
  partition?: "aws" | "aws-cn" | "aws-us-gov" | "aws-eusc" | "aws-iso" | "aws-iso-b" | "aws-iso-e" | "aws-iso-f";
  /**
   * ARN of an OpenID Connect provider that exists already. Left out, it is computed.
   */
  identityProviderARN?: string;
  issuerHosting?: IssuerHosting;
  roles?: Roles;
  /**
   * Thumbprints of the issuer's certificate authority. Left out, IAM finds them itself.
   *
   * @maxItems 5
   */
  thumbprints?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string];
  /**
   * Tags of every cloud resource, beside the owner tags. One that is taken out stays in the cloud until apply.sh --remove-tag names it.
   */
  tags?: {
    [k: string]: string;
  };
  /**
   * Adds the region to the credentials file. AWS GovCloud needs it.
   */
  includeRegionInSecret?: boolean;
  /**
   * Exceptions that only AWS has, by <secret namespace>/<secret name>. A key that matches no request is an error.
   */
  overrides?: {
    [k: string]: AWSOverride;
  };
}
/**
 * Where the discovery document and the keys are published.
 */
export interface IssuerHosting {
  /**
   * S3Public: a bucket that anyone can read two objects of. S3CloudFront: a private bucket behind CloudFront (docs/guides/cloudfront.md). External: somewhere else, at issuer.url.
   */
  type?: "S3Public" | "S3CloudFront" | "External";
  /**
   * Name of the bucket. Default: <prefix>-oidc.
   */
  bucket?: string;
  /**
   * S3CloudFront: the domain that AWS gave the distribution. 'ccf set-distribution-domain' writes it.
   */
  distributionDomain?: string;
  /**
   * S3CloudFront: a domain of your own, with a certificate.
   */
  domain?: string;
  /**
   * S3CloudFront: the certificate of the domain, in AWS Certificate Manager.
   */
  certificateARN?: string;
}
/**
 * What all roles have in common.
 */
export interface Roles {
  /**
   * IAM path of the roles. Those that exist cannot be moved to another.
   */
  path?: string;
  /**
   * What happens to names over 64 characters: cut as ccoctl does, cut and ended in a hash, or an error.
   */
  nameOverflow?: "Truncate" | "Hash" | "Fail";
  /**
   * Permissions boundary of every role. Without one, whoever may apply can do anything in the account.
   */
  permissionsBoundaryARN?: string;
  /**
   * Longest session of a role, in seconds.
   */
  maxSessionDuration?: number;
  /**
   * Adds the token's audience to the trust policies.
   */
  requireAudience?: boolean;
}
/**
 * An exception for the role of one request.
 */
export interface AWSOverride {
  /**
   * Name of the role, in place of the computed one.
   */
  roleName?: string;
  /**
   * Managed policies that are attached to the role beside its own permissions.
   *
   * @maxItems 20
   */
  managedPolicyARNs?:
    | []
    | [Arn]
    | [Arn, Arn]
    | [Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn]
    | [Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn, Arn];
}
