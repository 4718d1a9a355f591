import type { Finding } from "../../../core/finding.ts";
import type { Resource, Value } from "../../../core/resource.ts";
import { schemaFindings } from "../../../core/validation.ts";
import type { AzurePlatform } from "../../../generated/cluster-identity.ts";
import { azurePlatformWords, validateAzurePlatform } from "../../../generated/validate-azure-platform.js";
import { configCodes, type Identity } from "../../../identity/cluster-identity.ts";

/** Checks `spec.platform.azure` against its schema. */
export function checkPlatform(spec: Value, resource: Resource): readonly Finding[] {
  if (validateAzurePlatform(spec)) return [];
  const at = ["spec", "platform", "azure"];
  return schemaFindings(validateAzurePlatform.errors ?? [], spec, { resource }, configCodes, azurePlatformWords(), at);
}

/** A ClusterIdentity for Azure. */
export interface AzureIdentity extends Identity {
  readonly azure: AzurePlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function azureIdentity(identity: Identity): AzureIdentity {
  return { ...identity, azure: identity.platform.spec as unknown as AzurePlatform };
}
