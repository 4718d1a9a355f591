import { type Finding, finding } from "../core/finding.ts";
import { describe, isMap, listAt, type Resource, refOf, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { quote, quoteWhole } from "../core/text.ts";
import { providerSpecOf, requestTokenPath } from "./credentials-request.ts";

/*
 * During an upgrade, components of two releases run, and the identity of a Secret needs what both ask for. A package then
 * contains two requests of that Secret: the new release's, and the previous release's, which has an annotation.
 */

/** The annotation of a request of the previous release that stays until an upgrade is finished. */
export const transitionAnnotation = "fn.cloudcredential.dev/transition";

/** The only value of the annotation. */
export const previousRelease = "previous-release";

/** Whether a request belongs to the previous release. */
export function isOfPreviousRelease({ annotations }: Resource): boolean {
  return annotations.get(transitionAnnotation) === previousRelease;
}

/**
 * How one cloud merges `spec.providerSpec` of two releases: what the new one asks for, then what only the previous one asks
 * for. Undefined if one of them does not follow the cloud's schema, which the cloud reports for each request by itself.
 */
export type Merge = (newer: ValueMap, older: ValueMap) => Merged | undefined;

/** The merged `spec.providerSpec`, or why there is none. */
export type Merged = { readonly providerSpec: ValueMap } | Conflict;

/** Why two requests cannot share an identity. */
export interface Conflict {
  /** What contradicts it, as the end of a sentence. */
  readonly conflict: string;
  /** A change of the previous release's request after which they can; undefined if there is none. */
  readonly remedy?: string;
}

/** How requests of two releases are merged. */
export interface Merging {
  readonly merge: Merge;
  /** The token path of requests that name none; undefined if it is unknown. */
  readonly tokenPath?: string | undefined;
}

/**
 * The value of the request that asks for what two requests of one Secret ask for: the new one's, with the permissions and
 * service accounts of the previous one.
 */
export function mergedRequest(
  newer: Value,
  older: Value,
  { merge, tokenPath = "" }: Merging,
): { readonly value: ValueMap } | Conflict | undefined {
  const [spec, provider, before] = [valueAt(newer, ["spec"]), providerSpecOf(newer), providerSpecOf(older)];
  if (!isMap(newer) || !isMap(spec) || provider === undefined || before === undefined) return undefined;
  const names = accountsOf(newer, older);
  const merged = names === undefined ? undefined : merge(provider, before);
  if (merged === undefined || "conflict" in merged) return merged;
  const [path, earlier] = [newer, older].map((value) => requestTokenPath(value) || tokenPath) as [string, string];
  if (path !== earlier) return otherPath(path, earlier);
  const serviceAccountNames = names === undefined || names.length === 0 ? {} : { serviceAccountNames: names };
  return { value: { ...newer, spec: { ...spec, ...serviceAccountNames, providerSpec: merged.providerSpec } } };
}

// A request without a path has it from the ClusterIdentity, which may be unknown here.
function otherPath(path: string, earlier: string): Conflict {
  const shown = (one: string) => (one === "" ? "the cluster's" : quote(one));
  const conflict = `the new one expects its token at a different path (${shown(path)}) than this one (${shown(earlier)}), and their Secret names one path`;
  if (path === "") return { conflict };
  const remedy = `set "spec.cloudTokenPath" of this request to ${shown(path)}, if its component can also use a token at that path`;
  return { conflict, remedy };
}

// Undefined if a list has an unknown form, which a check of the request by itself reports.
function accountsOf(newer: Value, older: Value): readonly Value[] | undefined {
  const path = ["spec", "serviceAccountNames"];
  const isList = (value: Value) => Array.isArray(valueAt(value, path) ?? []);
  if (!isList(newer) || !isList(older)) return undefined;
  const all = [...listAt(newer, path), ...listAt(older, path)];
  // An empty name counts as none.
  const named = all.filter((name) => name !== "");
  return [...new Set(named.length === 0 ? all : named)];
}

/** A request of the previous release that stays alone, because the new release has none for its Secret. */
export function aloneFinding(resource: Resource): Finding {
  return inTransition(resource, "no request of the new release names its Secret, and its identity stays");
}

/** A request of the previous release whose identity also has what the new release asks for. */
export function mergedFinding(newer: Resource, older: Resource): Finding {
  const both = `its identity has what ${described(newer)} asks for, and in addition what only this request asks for`;
  return inTransition(older, both);
}

function inTransition(resource: Resource, what: string): Finding {
  const message = `belongs to the previous release: ${what}. When the upgrade is finished, run "ccf update-requests --final" in the package.`;
  return finding("info", "request-in-transition", message, { resource });
}

/** Two requests that cannot be merged. */
export function conflictFinding(newer: Resource, older: Resource, { conflict, remedy }: Conflict): Finding {
  const change = remedy ?? "write one request that is right for both releases, and remove the other";
  const message = `belongs to the previous release, and cannot share an identity with ${described(newer)}: ${conflict}. Choose: remove this request, if the previous release's component can do without what only this request asks for; or ${change}.`;
  return finding("error", "transition-conflict", message, { resource: older });
}

function described(resource: Resource): string {
  return `${describe(refOf(resource))}${resource.path === undefined ? "" : ` in ${quoteWhole(resource.path)}`}`;
}

/** An annotation with another value, usually misspelled: its request counts as one of the cluster's release. */
export function invalidTransition(resource: Resource): Finding[] {
  const value = resource.annotations.get(transitionAnnotation);
  if (value === undefined || value === previousRelease) return [];
  const field = `metadata.annotations.${transitionAnnotation}`;
  const message = `"${field}" is ${quote(value)}, but must be "${previousRelease}". Correct it, or remove the annotation.`;
  return [finding("error", "transition-invalid", message, { resource, field })];
}
