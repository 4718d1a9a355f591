import type { ValueMap } from "../../../core/resource.ts";
import type { GCPProviderSpec } from "../../../generated/gcp-provider-spec.ts";
import { validateGcpProviderSpec } from "../../../generated/validate-gcp-provider-spec.js";
import type { Merged } from "../../../requests/transition.ts";

/** Merges what requests of two releases ask for: the roles and permissions of both, by name. */
export function mergeGcp(newer: ValueMap, older: ValueMap): Merged | undefined {
  if (!validateGcpProviderSpec(newer) || !validateGcpProviderSpec(older)) return undefined;
  return { providerSpec: { ...(newer as ValueMap), ...listsOf(newer, older) } };
}

function listsOf(newer: GCPProviderSpec, older: GCPProviderSpec): ValueMap {
  const lists = (["predefinedRoles", "permissions"] as const).map(
    (field) => [field, [...new Set([...(newer[field] ?? []), ...(older[field] ?? [])])]] as const,
  );
  return Object.fromEntries(lists.filter(([, names]) => names.length > 0));
}
