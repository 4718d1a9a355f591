import type { GCPPlatform } from "../../../generated/cluster-identity.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { gcpPlatformWords, validateGcpPlatform } from "../../../generated/validate-gcp-platform.js";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { KeyLimits } from "../../../oidc/limits.ts";
import { platformCheck } from "../../cloud.ts";

/** Where Google Cloud finds the public keys of the issuer. */
export type KeyStorage = "PoolJWKFile" | "Bucket" | "External";

/** What the functions for GCP know about a cluster, with every value checked and every default filled in. */
export interface GcpCluster {
  readonly prefix: string;
  /** Says which package made a resource, in the description. */
  readonly mark: string;
  /** `my-project`, or `example.com:my-project`. */
  readonly projectId: string;
  /** Decimal digits. */
  readonly projectNumber: string;
  /** The location of the bucket, in lowercase. */
  readonly region: string;
  /** `googleapis.com`, or the domain of a sovereign cloud. */
  readonly universeDomain: string;
  readonly keyStorage: KeyStorage;
  /** Undefined unless the keys are in a bucket. */
  readonly bucket: string | undefined;
  /** With `https://` and without a trailing slash. */
  readonly issuerUrl: string;
  readonly poolId: string;
  readonly providerId: string;
  readonly audiences: readonly string[];
  /** A CEL expression; "" for no condition. */
  readonly attributeCondition: string;
  readonly tokenPath: string;
  readonly secretEncoding: "stringData" | "data";
  /** Service account IDs that the config sets, sorted. */
  readonly givenAccountIds: readonly string[];
}

/** The universe of Google Cloud itself. */
export const defaultUniverse = defaults["spec.platform.gcp.universeDomain"];

/** Checks `spec.platform.gcp` against its schema. */
export const checkPlatform = platformCheck("gcp", validateGcpPlatform, gcpPlatformWords);

/** A ClusterIdentity for GCP. */
export interface GcpIdentity extends Identity {
  readonly gcp: GCPPlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function gcpIdentity(identity: Identity): GcpIdentity {
  return { ...identity, gcp: identity.platform.spec as unknown as GCPPlatform };
}

/** The names of the cloud. */
export const gcpNames = {
  name: "gcp",
  title: "GCP",
  providerKind: "GCPProviderSpec",
  accountNoun: "project",
  identityNoun: "service account",
} as const;

/** How comparisons name an identity of this cloud. */
export const gcpServiceAccount = { cloud: gcpNames.title, noun: gcpNames.identityNoun } as const;

// Limits of Google Cloud. Each is written here only.

/** The keys that Google Cloud accepts (Security Token Service API, method token, subjectToken). */
export const keyLimits: KeyLimits = { reader: "Google Cloud", algorithms: ["RS256", "ES256"] };

/** The bytes of a mapped subject ("Workload Identity Federation", attribute mappings; measured 2026-09). */
export const maxSubject = 127;

/** The characters of a service account's ID (IAM v1 reference, CreateServiceAccountRequest.accountId). */
export const maxAccountId = 30;

/** The individual permissions of a custom role, and their characters ("Understanding IAM custom roles"). */
export const maxRolePermissions = 3000;
export const maxRoleBytes = 64 * 1024;
