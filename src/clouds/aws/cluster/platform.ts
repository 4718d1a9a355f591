import type { Finding } from "../../../core/finding.ts";
import type { Resource, Value } from "../../../core/resource.ts";
import { schemaFindings } from "../../../core/validation.ts";
import type { AWSPlatform } from "../../../generated/cluster-identity.ts";
import { awsPlatformWords, validateAwsPlatform } from "../../../generated/validate-aws-platform.js";
import { configCodes, type Identity } from "../../../identity/cluster-identity.ts";

/** Checks `spec.platform.aws` against its schema. */
export function checkPlatform(spec: Value, resource: Resource): readonly Finding[] {
  if (validateAwsPlatform(spec)) return [];
  const errors = validateAwsPlatform.errors ?? [];
  const at = ["spec", "platform", "aws"];
  return schemaFindings(errors, spec, { resource }, configCodes, awsPlatformWords(), at);
}

/** A ClusterIdentity for AWS. */
export interface AwsIdentity extends Identity {
  readonly aws: AWSPlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function awsIdentity(identity: Identity): AwsIdentity {
  return { ...identity, aws: identity.platform.spec as unknown as AWSPlatform };
}
