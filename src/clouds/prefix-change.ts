import { identityRenamed } from "../core/allowances.ts";
import { type Finding, finding } from "../core/finding.ts";
import { valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";

/**
 * Refuses a resource prefix that differs from the one that the package was rendered with.
 *
 * @param before the previous prefix, and the name that the ClusterIdentity then had; undefined if they are not known.
 */
export function prefixChange(
  { name, prefix, resource }: Identity,
  before: { readonly prefix: string | undefined; readonly name: string | undefined },
): Finding[] {
  if (before.prefix === undefined || before.prefix === prefix) return [];
  const field = "spec.resourcePrefix";
  // The prefix is derived from the name, so adopting the previous name's objects keeps the prefix.
  if (before.name !== undefined && before.name !== name && valueAt(resource.value(), field.split(".")) === undefined)
    return [identityRenamed(before.name, name, resource)];
  const message = `the resource prefix is ${quote(prefix)}, but the package was rendered with ${quote(before.prefix)}. Cloud resources cannot be renamed, so those with the old prefix would be orphaned. Set "${field}" to ${quote(before.prefix)}, or create a new package for a new set of resources.`;
  return [finding("error", "prefix-changed", message, { resource, field })];
}
