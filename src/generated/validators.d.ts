// Made from schemas/ by tools/generate.mjs. Do not edit.
import type { ClusterIdentity } from "./cluster-identity.ts";
import type { AWSPlatform } from "./cluster-identity.ts";
import type { AWSCredentialsRequest } from "./aws-credentials-request.ts";

export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  propertyName?: string;
}

export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
}

export const validateClusterIdentity: Validator<ClusterIdentity>;
export const validateAwsPlatform: Validator<AWSPlatform>;
export const validateAwsCredentialsRequest: Validator<AWSCredentialsRequest>;

/** What a schema says in words, by the place in it; made when it is asked for, because it seldom is. */
export interface Words {
  readonly musts: Readonly<Record<string, string>>;
  readonly knownFields: Readonly<Record<string, readonly string[]>>;
}

export const clusterIdentityWords: () => Words;
export const awsPlatformWords: () => Words;
export const awsCredentialsRequestWords: () => Words;
