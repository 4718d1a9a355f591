import { defaults } from "../../../generated/schema-facts.ts";
/** Where Google Cloud finds the public keys of the issuer. */
export type KeyStorage = "PoolJWKFile" | "Bucket" | "External";

/** What the functions for GCP know about a cluster, with every value checked and every default filled in. */
export interface GcpCluster {
  readonly prefix: string;
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
