import { type Finding, finding } from "../core/finding.ts";
import { allByKey, compareLocations, describe, type Resource, refOf } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import type { ReleaseFilter } from "./release-filter.ts";

/*
 * Requests that depend on feature gates of which nothing states whether they are enabled. Nothing is granted because of a
 * guess, and nothing is taken away because of one.
 */

/** A request that depends on feature gates of unknown state. */
export interface UndecidedRequest {
  readonly resource: Resource;
  /** The key of its Secret, `<namespace>/<name>`, or undefined if it has no valid `spec.secretRef`. */
  readonly secretKey: string | undefined;
  /** The gates of unknown state, without `-`, sorted. */
  readonly gates: readonly string[];
  /** What it requires of these gates, with `-` before the name of one that must be disabled. */
  readonly terms: readonly string[];
  /** "enabled": it requires such a gate to be enabled; "disabled": it only requires such gates to be disabled. */
  readonly requires: "enabled" | "disabled";
}

/** An undecided request, and what happens to it. */
export interface SettledRequest extends UndecidedRequest {
  /** Only a request that requires gates to be disabled is included. */
  readonly isIncluded: boolean;
  /** The other undecided request for its Secret, of which exactly one is included. */
  readonly rival?: Resource;
}

/**
 * Decides what happens to undecided requests. Two requests for one Secret of which one requires a gate to be enabled, and the
 * other one the same gate to be disabled, exclude each other: neither is included.
 */
export function settle(undecided: readonly UndecidedRequest[]): SettledRequest[] {
  const sorted = [...undecided].sort((a, b) => compareLocations(a.resource, b.resource));
  const bySecret = allByKey(sorted, ({ secretKey }) => secretKey);
  return sorted.map((one) => {
    const same = one.secretKey === undefined ? [] : (bySecret.get(one.secretKey) ?? []);
    const rival = same.find((other) => excludes(one, other))?.resource;
    const isIncluded = one.requires === "disabled" && rival === undefined;
    return { ...one, isIncluded, ...(rival === undefined ? {} : { rival }) };
  });
}

// Whether at most one of two requests is included.
function excludes(one: UndecidedRequest, other: UndecidedRequest): boolean {
  const negated = one.terms.map((term) => (term.startsWith("-") ? term.slice(1) : `-${term}`));
  return negated.some((term) => other.terms.includes(term));
}

/** The warning about an undecided request. */
export function undecidedFinding(
  { resource, gates, isIncluded, rival }: SettledRequest,
  release: ReleaseFilter,
): Finding {
  const what =
    rival !== undefined
      ? `${describe(refOf(rival))} is for the same Secret and is included in the opposite case. Until it is known, neither is included, and what was rendered for the Secret stays.`
      : isIncluded
        ? "Until it is known, the request is included."
        : "Until it is known, the request is not included, and what was rendered for it stays.";
  const message = `depends on ${named(gates)}, and it is unknown whether the release enables ${gates.length === 1 ? "it" : "them"} in the feature set ${quote(release.featureSet)}. ${what} ${cureFor(gates)}`;
  return finding("warning", "feature-gate-unknown", message, { resource });
}

/**
 * The error about two requests for one Secret that exclude each other, if nothing was rendered for it that could stay: its
 * component would have no credentials in either case.
 */
export function contestedFinding({ resource, gates, rival }: SettledRequest & { readonly rival: Resource }): Finding {
  const message = `and ${describe(refOf(rival))} are for the same Secret, and ${named(gates)} decides which of the two is included. It is unknown whether the release enables ${gates.length === 1 ? "it" : "them"}. ${cureFor(gates)}`;
  return finding("error", "feature-gate-contested", message, { resource });
}

/** Why the Secret of an undecided request is missing from an output that is applied as a whole. */
export function missingMessage({ secretKey = "", gates }: UndecidedRequest): string {
  return `the Secret ${quote(secretKey)} is missing from the output, because its request depends on ${named(gates)}, and it is unknown whether the release enables ${gates.length === 1 ? "it" : "them"}. If the output is applied, and a cluster has the Secret, it is deleted there. ${cureFor(gates)}`;
}

function named(gates: readonly string[]): string {
  const names = [...gates].sort(compareText).map(quote).join(", ");
  return `the feature ${gates.length === 1 ? "gate" : "gates"} ${names}`;
}

function cureFor(gates: readonly string[]): string {
  const each = gates.length === 1 ? "the gate" : "each gate";
  return `Get the release's feature gates with its requests: "ccf extract-release VERSION --output-dir DIR", and then "ccf update-requests --from DIR". Or list ${each} in "spec.release.featureGates" of the ClusterIdentity, or in "--feature-gates" of a comparison, with "-" before its name if it is disabled.`;
}
