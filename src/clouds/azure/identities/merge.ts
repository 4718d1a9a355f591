import type { ValueMap } from "../../../core/resource.ts";
import type { Merged } from "../../../requests/transition.ts";
import { readValidSpec } from "../../request.ts";
import { type AzureSpec, azureRequestForm, type ListField, listFields } from "./request.ts";

/**
 * Merges what requests of two releases ask for: the roles and permissions of both. Azure ignores the case of their names.
 *
 * Exceptions are subtracted from all actions of a custom role (Azure RBAC documentation, "Understand Azure role definitions"),
 * and an identity has one custom role. So exceptions that only one request has would take away what the other asks for.
 */
export function mergeAzure(newer: ValueMap, older: ValueMap): Merged | undefined {
  const [own, before] = [newer, older].map((one) => readValidSpec(one, azureRequestForm));
  if (own === undefined || before === undefined) return undefined;
  const wrong = (
    [
      ["permissions", "notActions"],
      ["dataPermissions", "notDataActions"],
    ] as const
  ).find(([allowed, exceptions]) => !areExact(own, before, allowed, exceptions));
  if (wrong !== undefined)
    return {
      remedy: `write "spec.providerSpec.${wrong[1]}" of this request like that of the new one, if each release is then allowed what it needs`,
      conflict: `"spec.providerSpec.${wrong[1]}" lists exceptions, which would count for both releases`,
    };
  const roles = distinct([...own.roles, ...before.roles]).map((role) => ({ role }));
  const lists = listFields.map((field) => [field, distinct([...own[field], ...before[field]])] as const);
  const filled = [["roleBindings", roles] as const, ...lists].filter(([, list]) => list.length > 0);
  return { providerSpec: { ...newer, ...(Object.fromEntries(filled) as ValueMap) } };
}

// The exceptions of both are those of each, or only one of them has anything to except.
function areExact(newer: AzureSpec, older: AzureSpec, allowed: ListField, field: ListField): boolean {
  const [own, before] = [newer, older].map((spec) => new Set(spec[field].map((name) => name.toLowerCase())));
  const isSame = own?.size === before?.size && [...(own ?? [])].every((name) => before?.has(name));
  const isNone = (spec: AzureSpec) => spec[allowed].length + spec[field].length === 0;
  return isSame || isNone(newer) || isNone(older);
}

// The first spelling of each name.
function distinct(names: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const name of names) if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  return [...found.values()];
}
