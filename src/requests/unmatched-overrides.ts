import { type Finding, finding } from "../core/finding.ts";
import { listed } from "../core/listed.ts";
import { nearest } from "../core/nearest.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import type { SelectedRequest } from "./select.ts";

/** How many keys a message holds where none is near. */
const maxKeys = 5;

/**
 * Overrides that are for no request's Secret, each with the key that was meant, as far as that can be told.
 *
 * @param base path of the field that holds the overrides
 * @param overrides by `<secret namespace>/<secret name>`
 */
export function unmatchedOverrides(
  resource: Resource,
  base: string,
  overrides: Readonly<Record<string, unknown>>,
  selected: readonly SelectedRequest[],
): Finding[] {
  const keys = Object.keys(overrides);
  if (keys.length === 0) return [];
  const secrets = new Set(selected.map(({ secretKey }) => secretKey));
  return keys
    .filter((key) => !secrets.has(key))
    .map((key) => {
      const field = `${base}.${key}`;
      const message = `the override ${quoteWhole(key)} in "${base}" matches no request that counts for this cluster; overrides are named "<secret namespace>/<secret name>". ${cureFor(key, selected)}`;
      return finding("error", "override-unmatched", message, { resource, field });
    });
}

function cureFor(key: string, selected: readonly SelectedRequest[]): string {
  const meant = namedBy(key, selected);
  if (meant !== undefined)
    return `Rename it to ${quoteWhole(meant.secretKey)}, the Secret of ${describe(refOf(meant.resource))}, or remove it.`;
  const keys = [...new Set(selected.flatMap(({ secretKey }) => secretKey ?? []))];
  const near = nearest(key, keys);
  if (near !== undefined) return `Rename it to ${quoteWhole(near)}, or remove it.`;
  return keys.length === 0 ? "Remove it." : `Rename it to one of ${listed(keys.map(quote), maxKeys)}, or remove it.`;
}

interface Named extends SelectedRequest {
  readonly secretKey: string;
}

// The name of the request in the place of its Secret's, below the namespace of either; or one half of the key, where it is
// right and leads to one request and no other.
function namedBy(key: string, selected: readonly SelectedRequest[]): Named | undefined {
  const [namespace = "", name = ""] = key.split("/");
  const all = selected.filter((request): request is Named => request.secretKey !== undefined);
  const half = (one: Named, at: number, text: string) => one.secretKey.split("/")[at] === text;
  const ways: ((one: Named) => boolean)[] = [
    (one) => one.resource.name === name && (one.resource.namespace === namespace || half(one, 0, namespace)),
    (one) => half(one, 0, namespace),
    (one) => half(one, 1, name),
  ];
  for (const way of ways) {
    const found = all.filter(way);
    if (found.length === 1) return found[0];
  }
  return undefined;
}
