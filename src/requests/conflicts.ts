import { type Finding, finding } from "../core/finding.ts";
import { compareLocations, describe, type Resource, refOf } from "../core/resource.ts";
import { quoteWhole } from "../core/text.ts";
import { differences } from "./differences.ts";

/** The fields of an included request that are compared. */
interface Included {
  readonly resource: Resource;
  readonly secretKey: string | undefined;
  readonly copies: readonly Resource[];
}

/**
 * Different requests that name the same Secret: an error for each beyond the first, in the order of their files.
 *
 * @param requests sorted by Secret.
 */
export function sharedSecrets(requests: readonly Included[]): Finding[] {
  const findings: Finding[] = [];
  for (let start = 0; start < requests.length; ) {
    const { secretKey } = requests[start] as Included;
    let end = start + 1;
    while (end < requests.length && requests[end]?.secretKey === secretKey) end++;
    if (secretKey !== undefined && end > start + 1) findings.push(...sharing(requests.slice(start, end), secretKey));
    start = end;
  }
  return findings;
}

/**
 * Requests with one name and namespace but different Secrets: a cluster can contain only one of them, so the others
 * come from another release. A warning for each beyond the first, in the order of their files.
 */
export function repeatedNames(requests: readonly Included[]): Finding[] {
  const byName = new Map<string, Included[]>();
  for (const request of requests) {
    const name = `${request.resource.namespace}/${request.resource.name}`;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [request]);
    else if (same.every(({ secretKey }) => secretKey !== request.secretKey)) same.push(request);
  }
  return [...byName.values()].flatMap((same) => {
    if (same.length === 1) return [];
    const [first, ...others] = byLocation(same);
    return others.map((included) => {
      const location = { resource: included.resource, field: "spec.secretRef" };
      return finding("warning", "request-repeated", sameName(first, included), location);
    });
  });
}

function sharing(sorted: readonly Included[], secretKey: string): Finding[] {
  const inOrder = byLocation(sorted);
  const [first, ...others] = inOrder;
  return others.map((included) => {
    const same = inOrder.find(({ resource }) => resource.name === included.resource.name) ?? included;
    const message = same === included ? differentNames(first, secretKey) : sameName(same, included);
    return finding("error", "secret-shared", message, { resource: included.resource, field: "spec.secretRef" });
  });
}

// Requests with equal locations keep their order, which is deterministic too.
function byLocation(requests: readonly Included[]): [Included, ...Included[]] {
  return [...requests].sort((a, b) => compareLocations(a.resource, b.resource)) as [Included, ...Included[]];
}

/** A common mistake of an upgrade: the files of two releases, with different names, are both in the package. */
function sameName(first: Included, second: Included): string {
  const what = `the same ${describe(refOf(second.resource))}`;
  const { path } = first.resource;
  const files = `${shownFiles(first)} and ${shownFiles(second)}`;
  const where =
    path !== undefined && path !== second.resource.path
      ? `${files} contain ${what}`
      : `${path === undefined ? "the package" : quoteWhole(path)} contains ${what} more than once`;
  const [last, ...before] = differences(first.resource.value(), second.resource.value()).reverse();
  const how =
    last === undefined
      ? ", formatted differently"
      : ` with different ${[before.reverse().join(", "), last].filter((part) => part !== "").join(" and ")}`;
  return `${where}${how}. Keep one.`;
}

function shownFiles({ resource, copies }: Included): string {
  const [first = "", ...others] = [resource, ...copies].map(({ path = "" }) => quoteWhole(path));
  return others.length === 0 ? first : `${first} (and ${others.join(", ")})`;
}

function differentNames(first: Included, secretKey: string): string {
  const { resource } = first;
  return `names the same Secret ${quoteWhole(secretKey)} in "spec.secretRef" as ${describe(refOf(resource))}${inFile(resource)}. Each request needs its own Secret. Remove the request that this cluster does not need, or correct the wrong "spec.secretRef".`;
}

function inFile({ path }: Resource): string {
  return path === undefined ? "" : ` in ${quoteWhole(path)}`;
}
