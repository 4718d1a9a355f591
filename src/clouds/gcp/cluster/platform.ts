import type { Finding } from "../../../core/finding.ts";
import type { Resource, Value } from "../../../core/resource.ts";
import { schemaFindings } from "../../../core/validation.ts";
import type { GCPPlatform } from "../../../generated/cluster-identity.ts";
import { gcpPlatformWords, validateGcpPlatform } from "../../../generated/validate-gcp-platform.js";
import { configCodes, type Identity } from "../../../identity/cluster-identity.ts";

/** Checks `spec.platform.gcp` against its schema. */
export function checkPlatform(spec: Value, resource: Resource): readonly Finding[] {
  if (validateGcpPlatform(spec)) return [];
  const at = ["spec", "platform", "gcp"];
  return schemaFindings(validateGcpPlatform.errors ?? [], spec, { resource }, configCodes, gcpPlatformWords(), at);
}

/** A ClusterIdentity for GCP. */
export interface GcpIdentity extends Identity {
  readonly gcp: GCPPlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function gcpIdentity(identity: Identity): GcpIdentity {
  return { ...identity, gcp: identity.platform.spec as unknown as GCPPlatform };
}
