import type { AzureOverride, Override } from "../../../generated/cluster-identity.ts";
import type { AzureIdentity } from "../cluster/platform.ts";

/** The config's override for one request: the settings for every cloud and those for Azure alone. */
export type IdentityOverride = Override & AzureOverride;

/** The config's override for a Secret, `<secret namespace>/<secret name>`; empty if it has none. */
export function overrideFor({ overrides, azure }: AzureIdentity, key = ""): IdentityOverride {
  return { ...overrides[key], ...azure.overrides?.[key] };
}
