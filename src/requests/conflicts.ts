import { type Finding, finding } from "../core/finding.ts";
import { compareLocations, describe, type Resource, refOf } from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import { differences } from "./differences.ts";

/** What must be known of a request that counts. */
interface Counted {
  readonly resource: Resource;
  readonly secretKey: string | undefined;
  readonly copies: readonly Resource[];
}

/**
 * Requests that differ and name the same Secret: an error for each beyond the first, in the order of their files.
 *
 * @param requests sorted by Secret.
 */
export function sharedSecrets(requests: readonly Counted[]): Finding[] {
  const found: Finding[] = [];
  for (let start = 0; start < requests.length; ) {
    const { secretKey } = requests[start] as Counted;
    let end = start + 1;
    while (end < requests.length && requests[end]?.secretKey === secretKey) end++;
    if (secretKey !== undefined && end > start + 1) found.push(...sharing(requests.slice(start, end), secretKey));
    start = end;
  }
  return found;
}

/**
 * Requests of one name and namespace that name different Secrets: a cluster has room for one of them, so that the other is
 * of another release. A warning for each beyond the first, in the order of their files.
 */
export function repeatedNames(requests: readonly Counted[]): Finding[] {
  const byName = new Map<string, Counted[]>();
  for (const request of requests) {
    const name = `${request.resource.namespace}/${request.resource.name}`;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [request]);
    else if (same.every(({ secretKey }) => secretKey !== request.secretKey)) same.push(request);
  }
  return [...byName.values()].flatMap((same) => {
    if (same.length === 1) return [];
    const [first, ...others] = byLocation(same);
    return others.map((counted) => {
      const location = { resource: counted.resource, field: "spec.secretRef" };
      return finding("warning", "request-repeated", sameName(first, counted), location);
    });
  });
}

function sharing(sorted: readonly Counted[], secretKey: string): Finding[] {
  const byPlace = byLocation(sorted);
  const [first, ...others] = byPlace;
  return others.map((counted) => {
    const same = byPlace.find(({ resource }) => resource.name === counted.resource.name) ?? counted;
    const message = same === counted ? differentNames(first, secretKey) : sameName(same, counted);
    return finding("error", "secret-shared", message, { resource: counted.resource, field: "spec.secretRef" });
  });
}

// The order of equal places is the one that they came in, which is no matter of chance either.
function byLocation(requests: readonly Counted[]): [Counted, ...Counted[]] {
  return [...requests].sort((a, b) => compareLocations(a.resource, b.resource)) as [Counted, ...Counted[]];
}

/** The usual accident of an upgrade: the files of two releases, with other names, side by side. */
function sameName(first: Counted, second: Counted): string {
  const what = `the same ${describe(refOf(second.resource))}`;
  const { path } = first.resource;
  const files = `${shownFiles(first)} and ${shownFiles(second)}`;
  const where =
    path !== undefined && path !== second.resource.path
      ? `${files} hold ${what}`
      : `${path === undefined ? "the package" : quoteWhole(path)} holds ${what} more than once`;
  const [last, ...before] = differences(first.resource.value(), second.resource.value()).reverse();
  const how =
    last === undefined
      ? ", written in different ways"
      : ` with different ${[before.reverse().join(", "), last].filter((part) => part !== "").join(" and ")}`;
  return `${where}${how}. Keep one.`;
}

function shownFiles({ resource, copies }: Counted): string {
  const [first = "", ...others] = [resource, ...copies].map(({ path = "" }) => quoteWhole(path));
  return others.length === 0 ? first : `${first} (and ${others.join(", ")})`;
}

function differentNames(first: Counted, secretKey: string): string {
  const { resource } = first;
  return `names the Secret ${quoteWhole(secretKey)} in "spec.secretRef", as ${describe(refOf(resource))}${inFile(resource)} does, and each request needs a Secret of its own. Remove the request that this cluster does not need, or correct the "spec.secretRef" that is wrong.`;
}

function inFile({ path }: Resource): string {
  return path === undefined ? "" : ` in ${quoteWhole(path)}`;
}
