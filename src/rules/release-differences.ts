import { compareText, quote } from "../core/text.ts";
import { isCredentialsRequest } from "../requests/credentials-request.ts";
import { withStatedGates } from "../requests/feature-gates.ts";
import { capabilitiesOf, gateName, gatesOf } from "../requests/release-filter.ts";
import type { Facts } from "./facts.ts";
import { listed } from "./granted.ts";
import type { Violation } from "./rule.ts";

/*
 * What `spec.release` of the ClusterIdentity says, and what a cluster or an install-config says of the same.
 */

/**
 * Compares feature sets.
 * @param found "" is the default set (OpenShift API, FeatureGateSelection).
 * @param whose such as "the cluster's feature set".
 */
export function featureSetDifference({ identity }: Facts, found: unknown, whose: string): Violation[] {
  if (identity === undefined) return [];
  const expected = identity.release.featureSet;
  const actual = found === "" ? "Default" : found;
  if (actual === expected) return [];
  const field = "spec.release.featureSet";
  const message = `"${field}" is ${quote(expected)}, and ${whose} is ${quote(actual)}.`;
  return [{ message, resource: identity.resource, field }];
}

/** Feature gates of which something says whether they are on. */
export interface KnownGates {
  readonly on: ReadonlySet<string>;
  /** Those that are on, and those that are off. */
  readonly known: ReadonlySet<string>;
}

/**
 * Compares those feature gates that the ClusterIdentity or a request names.
 * @param where such as "in the cluster".
 */
export function featureGateDifferences(facts: Facts, { on, known }: KnownGates, where: string): Violation[] {
  const { identity, items } = facts;
  if (identity === undefined) return [];
  // What FeatureGate objects in the package state counts like what the ClusterIdentity says.
  const expected = withStatedGates(identity.release, items).featureGates;
  const written = identity.release.featureGates.map(gateName);
  const named = new Set([...written, ...annotationsOfRequests(items).flatMap(gatesOf)]);
  const field = "spec.release.featureGates";
  const wrong = [...named]
    .filter((gate) => known.has(gate) && on.has(gate) !== expected.includes(gate))
    .sort(compareText);
  const [missing, tooMany] = [wrong.filter((gate) => on.has(gate)), wrong.filter((gate) => !on.has(gate))];
  return [
    ...(missing.length === 0 ? [] : [`"${field}" lacks ${listed(missing)}, on ${where}; add it.`]),
    ...(tooMany.length === 0 ? [] : [`"${field}" has ${listed(tooMany)}, off ${where}; remove it.`]),
  ].map((message) => ({ message, resource: identity.resource, field }));
}

/** Which capabilities are enabled, as far as something says it. */
export interface EnabledCapabilities {
  /** Those that are enabled beyond doubt, and that a comparison looks for. */
  readonly enabled: readonly string[];
  /** Says of a capability whether it may be enabled; undefined is "nobody says so". */
  mayBeEnabled(capability: string): boolean;
}

/**
 * Compares capabilities. Where the ClusterIdentity leaves them out, all count as enabled, and those are looked for that
 * requests need.
 * @param where such as "in the cluster".
 */
export function capabilityDifferences(
  { identity, release, requests }: Facts,
  { enabled, mayBeEnabled }: EnabledCapabilities,
  where: string,
): Violation[] {
  if (identity === undefined) return [];
  const field = "spec.release.capabilities";
  const off = (names: readonly string[]) => names.filter((name) => !mayBeEnabled(name)).sort(compareText);
  const { capabilities } = release;
  const violation = (message: string): Violation => ({
    message: `"${field}" ${message}`,
    resource: identity.resource,
    field,
  });
  if (capabilities === undefined) {
    const missing = off(requests.flatMap(({ resource }) => capabilitiesOf(resource.annotations)));
    if (missing.length === 0) return [];
    const message = `is left out, which means all, and ${listed(missing)}, which requests need, is not enabled ${where}; set it.`;
    return [violation(message)];
  }
  const lacks = enabled.filter((text) => !capabilities.includes(text)).sort(compareText);
  const more = off(capabilities);
  return [
    ...(lacks.length === 0 ? [] : [violation(`lacks ${listed(lacks)}, enabled ${where}; add it.`)]),
    ...(more.length === 0 ? [] : [violation(`has ${listed(more)}, not enabled ${where}; remove it.`)]),
  ];
}

/** The capabilities that any request of the package needs, whether or not it counts; sorted. */
export function capabilitiesOfRequests({ items }: Facts): string[] {
  return [...new Set(annotationsOfRequests(items).flatMap(capabilitiesOf))].sort(compareText);
}

function annotationsOfRequests(items: Facts["items"]): ReadonlyMap<string, string>[] {
  return items.filter(isCredentialsRequest).map(({ annotations }) => annotations);
}
