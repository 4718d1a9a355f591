import { compareText, quote } from "../core/text.ts";
import { isCredentialsRequest } from "../requests/credentials-request.ts";
import { withStatedGates } from "../requests/feature-gates.ts";
import { capabilitiesOf, gateName, gateState, gatesOf } from "../requests/release-filter.ts";
import { quotedList } from "./granted.ts";
import type { Facts, Violation } from "./rule.ts";

/*
 * Compares `spec.release` of the ClusterIdentity with a cluster or an install-config.
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

/** Feature gates whose state is known. */
export interface KnownGates {
  readonly on: ReadonlySet<string>;
  /** The gates that are on or off. */
  readonly known: ReadonlySet<string>;
}

/**
 * Compares the feature gates that the ClusterIdentity or a request names.
 * @param where such as "in the cluster".
 */
export function featureGateDifferences(facts: Facts, { on, known }: KnownGates, where: string): Violation[] {
  const { identity, items } = facts;
  if (identity === undefined) return [];
  // The state in FeatureGate objects of the package counts as if the ClusterIdentity named it.
  const expected = withStatedGates(identity.release, items);
  const written = identity.release.featureGates.map(gateName);
  const named = new Set([...written, ...annotationsOfRequests(items).flatMap(gatesOf)]);
  const field = "spec.release.featureGates";
  const wrong = [...named]
    .filter((gate) => known.has(gate) && on.has(gate) !== (gateState(gate, expected) ?? false))
    .sort(compareText);
  // What the release in the package enables, and the cluster does not, can be the next release's.
  const isWritten = (gate: string) => identity.release.featureGates.includes(gate);
  const [missing, tooMany] = [
    wrong.filter((gate) => on.has(gate)),
    wrong.filter((gate) => !on.has(gate) && isWritten(gate)),
  ];
  return [
    ...(missing.length === 0 ? [] : [`"${field}" lacks what is enabled ${where}: ${quotedList(missing)}. Add it.`]),
    ...(tooMany.length === 0
      ? []
      : [`"${field}" contains what is disabled ${where}: ${quotedList(tooMany)}. Remove it.`]),
  ].map((message) => ({ message, resource: identity.resource, field }));
}

/** Which capabilities are enabled, as far as it is known. */
export interface EnabledCapabilities {
  /** The capabilities that are certainly enabled; a comparison looks for these. */
  readonly enabled: readonly string[];
  /** Whether a capability may be enabled. */
  mayBeEnabled(capability: string): boolean;
}

/**
 * Compares capabilities. If the ClusterIdentity omits them, all count as enabled, and only those that requests need are
 * compared.
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
    const message = `is not set, which means all capabilities, but requests need what is not enabled ${where}: ${quotedList(missing)}. Set the field.`;
    return [violation(message)];
  }
  const lacks = enabled.filter((text) => !capabilities.includes(text)).sort(compareText);
  const more = off(capabilities);
  return [
    ...(lacks.length === 0 ? [] : [violation(`lacks what is enabled ${where}: ${quotedList(lacks)}. Add it.`)]),
    ...(more.length === 0 ? [] : [violation(`contains what is not enabled ${where}: ${quotedList(more)}. Remove it.`)]),
  ];
}

/** The capabilities that any request of the package needs, included or not; sorted. */
export function capabilitiesOfRequests({ items }: Facts): string[] {
  return [...new Set(annotationsOfRequests(items).flatMap(capabilitiesOf))].sort(compareText);
}

function annotationsOfRequests(items: Facts["items"]): ReadonlyMap<string, string>[] {
  return items.filter(isCredentialsRequest).map(({ annotations }) => annotations);
}
