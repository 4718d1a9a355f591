import type { ValueMap } from "../../../core/resource.ts";
import type { AzureProviderSpec, RoleBinding } from "../../../generated/azure-provider-spec.ts";
import { validateAzureProviderSpec } from "../../../generated/validate-azure-provider-spec.js";
import type { Merged } from "../../../requests/transition.ts";

/**
 * Merges what requests of two releases ask for: the roles and permissions of both. Azure ignores the case of their names.
 *
 * Exceptions are subtracted from all actions of a custom role (Azure RBAC documentation, "Understand Azure role definitions"),
 * and an identity has one custom role. So exceptions that only one request has would take away what the other asks for.
 */
export function mergeAzure(newer: ValueMap, older: ValueMap): Merged | undefined {
  if (!validateAzureProviderSpec(newer) || !validateAzureProviderSpec(older)) return undefined;
  const wrong = (
    [
      ["permissions", "notActions"],
      ["dataPermissions", "notDataActions"],
    ] as const
  ).find(([allowed, exceptions]) => !areExact(newer, older, allowed, exceptions));
  if (wrong !== undefined)
    return {
      remedy: `write "spec.providerSpec.${wrong[1]}" of this request like that of the new one, if each release is then allowed what it needs`,
      conflict: `"spec.providerSpec.${wrong[1]}" lists exceptions, which would count for both releases`,
    };
  const roles = rolesOf(newer, older);
  const lists = listFields.map((field) => [field, merged(newer, older, field)] as const);
  const filled = [["roleBindings", roles] as const, ...lists].filter(([, list]) => list.length > 0);
  return { providerSpec: { ...(newer as ValueMap), ...(Object.fromEntries(filled) as ValueMap) } };
}

const listFields = ["permissions", "notActions", "dataPermissions", "notDataActions"] as const;
type ListField = (typeof listFields)[number];

function rolesOf(newer: AzureProviderSpec, older: AzureProviderSpec): readonly RoleBinding[] {
  return distinct([...(newer.roleBindings ?? []), ...(older.roleBindings ?? [])], ({ role }) => role);
}

function merged(newer: AzureProviderSpec, older: AzureProviderSpec, field: ListField): readonly string[] {
  return distinct([...(newer[field] ?? []), ...(older[field] ?? [])], (name) => name);
}

// The exceptions of both are those of each, or only one of them has anything to except.
function areExact(newer: AzureProviderSpec, older: AzureProviderSpec, allowed: ListField, field: ListField): boolean {
  const [own, before] = [newer, older].map((spec) => new Set((spec[field] ?? []).map((name) => name.toLowerCase())));
  const isSame = own?.size === before?.size && [...(own ?? [])].every((name) => before?.has(name));
  const isNone = (spec: AzureProviderSpec) => (spec[allowed] ?? []).length + (spec[field] ?? []).length === 0;
  return isSame || isNone(newer) || isNone(older);
}

function distinct<T>(list: readonly T[], nameOf: (entry: T) => string): T[] {
  const found = new Map<string, T>();
  for (const entry of list) {
    const name = nameOf(entry).toLowerCase();
    if (!found.has(name)) found.set(name, entry);
  }
  return [...found.values()];
}
