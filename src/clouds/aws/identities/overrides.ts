import type { AWSOverride, Override } from "../../../generated/cluster-identity.ts";
import type { Identity } from "../../../identity/cluster-identity.ts";
import { type AwsIdentity, awsIdentity } from "../cluster/platform.ts";

/** The config's override for one request: the settings for every cloud and those for AWS alone. */
export type RoleOverride = Override & AWSOverride;

/** The overrides from both sections of the config, by `<secret namespace>/<secret name>`. */
export function roleOverrides({ overrides, aws }: AwsIdentity): ReadonlyMap<string, RoleOverride> {
  const all = new Map<string, RoleOverride>(Object.entries(overrides));
  for (const [key, one] of Object.entries(aws.overrides ?? {})) all.set(key, { ...all.get(key), ...one });
  return all;
}

/** The config's override for one request, by `<secret namespace>/<secret name>`; empty without a config. */
export function overrideFor(identity: Identity | undefined, key = ""): RoleOverride {
  return identity === undefined ? {} : { ...identity.overrides[key], ...awsIdentity(identity).aws.overrides?.[key] };
}
