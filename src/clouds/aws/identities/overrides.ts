import type { AWSOverride, Override } from "../../../generated/cluster-identity.ts";
import type { AwsIdentity } from "../cluster/platform.ts";

/** What the config says of one request: what it can say for every cloud, and what only AWS has. */
export type RoleOverride = Override & AWSOverride;

/** The overrides of both places in the config, by `<secret namespace>/<secret name>`. */
export function roleOverrides({ overrides, aws }: AwsIdentity): ReadonlyMap<string, RoleOverride> {
  const all = new Map<string, RoleOverride>(Object.entries(overrides));
  for (const [key, one] of Object.entries(aws.overrides ?? {})) all.set(key, { ...all.get(key), ...one });
  return all;
}
