import { type Finding, finding } from "../../core/finding.ts";
import type { Resource } from "../../core/resource.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { withStatedGates } from "../../requests/feature-gates.ts";
import { type IndexedManifest, implicitCapabilities, indexed } from "../../requests/manifests-index.ts";
import type { ReleaseFilter } from "../../requests/release-filter.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";

/** A release to which clusters are upgraded. */
export interface NextRelease {
  /** The objects of its directory: requests and FeatureGate manifests. */
  readonly items: readonly Resource[];
  /** All its manifests; undefined if they are not known. */
  readonly index: readonly IndexedManifest[] | undefined;
  /** All manifests of the release that the clusters run; undefined if they are not known. */
  readonly previous: readonly IndexedManifest[] | undefined;
}

/**
 * The capabilities that an upgrade enables in a cluster, without those that it has. They are decided by all manifests of both
 * releases or, if one of them is unknown, by the requests alone; see {@link capabilitiesFinding}.
 *
 * @param items the objects of the package: its requests, and the gates of its release.
 * @param filter of the cluster with its current release.
 * @param next of the cluster with the next release.
 */
export function enabledBy(
  items: readonly Resource[],
  release: NextRelease,
  filter: ReleaseFilter,
  next: ReleaseFilter,
): string[] {
  const { index, previous } = release;
  const isWhole = index !== undefined && previous !== undefined;
  return implicitCapabilities(
    { manifests: isWhole ? previous : requestsIn(items), filter: withStatedGates(filter, items) },
    { manifests: isWhole ? index : requestsIn(release.items), filter: withStatedGates(next, release.items) },
  );
}

function requestsIn(items: readonly Resource[]): IndexedManifest[] {
  return items.filter((item) => isCredentialsRequest(item) && !isOfPreviousRelease(item)).map(indexed);
}

/** A filter with more capabilities, in the order of the configuration, and then by name. */
export function withCapabilities(filter: ReleaseFilter, more: readonly string[]): ReleaseFilter {
  const { capabilities } = filter;
  return capabilities === undefined || more.length === 0
    ? filter
    : { ...filter, capabilities: [...capabilities, ...more] };
}

/**
 * The warning about a cluster with some capabilities if only requests decided which of them an upgrade enables: a component that is
 * new to the requests can come in with another manifest.
 */
export function capabilitiesFinding(
  { index, previous }: NextRelease,
  { capabilities }: ReleaseFilter,
  resource: Resource | undefined,
): Finding[] {
  if (capabilities === undefined || (index !== undefined && previous !== undefined)) return [];
  const field = "spec.release.capabilities";
  const message = `"${field}" does not enable all capabilities. The requests alone decided which ones the upgrade enables, but the cluster-version-operator also decides by other manifests. Extract the current and the new release with "ccf extract-release", and name the directory of the current one with "--previous-release".`;
  const location = resource === undefined ? {} : { resource, field };
  return [finding("warning", "capabilities-by-requests", message, location)];
}
