import { type Finding, finding } from "../core/finding.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { listed, nearest } from "../core/words.ts";
import type { SelectedRequest } from "./select.ts";

/** How many keys get a cure of their own: it compares a key with all requests, and many wrong keys have one cause. */
const maxCures = 20;

/** How many keys a message lists if none is similar. */
const maxKeys = 5;

/**
 * Overrides that match the Secret of no request, each with the key that the user probably meant.
 *
 * @param base path of the field that contains the overrides
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
    .map((key, at) => {
      const cure = at < maxCures ? cureFor(key, selected) : "Correct the name, or remove it.";
      const field = `${base}.${key}`;
      const message = `the override ${quoteWhole(key)} in "${base}" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". ${cure}`;
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

// Finds the request that the user meant: by the request's name in place of its Secret's, with the namespace of either;
// or by a correct half of the key, if it matches exactly one request.
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
