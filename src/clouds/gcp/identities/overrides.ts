import type { GCPOverride, Override } from "../../../generated/cluster-identity.ts";
import type { GcpIdentity } from "../cluster/platform.ts";

/** The config's override for one request: the settings for every cloud and those for GCP alone. */
export type AccountOverride = Override & GCPOverride;

/** The config's override for a Secret, `<secret namespace>/<secret name>`; empty if it has none. */
export function overrideFor({ overrides, gcp }: GcpIdentity, key = ""): AccountOverride {
  return { ...overrides[key], ...gcp.overrides?.[key] };
}
