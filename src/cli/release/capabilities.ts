import { type Finding, finding } from "../../core/finding.ts";
import type { Resource } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import { withStatedGates } from "../../requests/feature-gates.ts";
import {
  type ImplicitCapabilities,
  type IndexedManifest,
  implicitCapabilities,
  indexed,
} from "../../requests/manifests-index.ts";
import { filterFor, type ReleaseFilter } from "../../requests/release-filter.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";

/** A release to which clusters are upgraded. */
export interface NextRelease {
  /** The objects of its directory: requests and FeatureGate manifests. */
  readonly items: readonly Resource[];
  /** All its manifests; undefined if they are not known. */
  readonly index: readonly IndexedManifest[] | undefined;
  /** The release that the clusters run; undefined if it is not known. */
  readonly previous: PreviousRelease | undefined;
}

/** The release that clusters run before an upgrade. */
export interface PreviousRelease {
  /** All its manifests. */
  readonly manifests: readonly IndexedManifest[];
  /** Its FeatureGate manifests. */
  readonly gates: readonly Resource[];
  /** Such as `4.22.3`; undefined if it is not known. */
  readonly version: string | undefined;
}

/**
 * The capabilities that an upgrade enables in a cluster, without those that it has. They are decided by all manifests of both
 * releases or, if one of them is unknown, by the requests alone; see {@link capabilitiesFindings}.
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
): ImplicitCapabilities {
  const { index, previous } = release;
  const ofNext = withStatedGates(next, release.items);
  if (index === undefined || previous === undefined)
    return implicitCapabilities(
      { manifests: requestsIn(items), filter: withStatedGates(filter, items) },
      { manifests: requestsIn(release.items), filter: ofNext },
    );
  // The package may have the gates of that release, too, or state some of them itself.
  const own = withStatedGates(filterFor(filter, previous), previous.gates.length > 0 ? previous.gates : items);
  return implicitCapabilities({ manifests: previous.manifests, filter: own }, { manifests: index, filter: ofNext });
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
 * The warnings about a cluster with some capabilities: if only requests decided which of them an upgrade enables, because a component
 * that is new to the requests can come in with another manifest; and about each of which it is unknown.
 */
export function capabilitiesFindings(
  { index, previous }: NextRelease,
  { capabilities }: ReleaseFilter,
  unknown: ImplicitCapabilities["unknown"],
  resource: Resource | undefined,
): Finding[] {
  if (capabilities === undefined) return [];
  const field = "spec.release.capabilities";
  const location = resource === undefined ? {} : { resource, field };
  const both = `Extract the current and the new release with "ccf extract-release", and name the directory of the current one with "--previous-release".`;
  const byRequests = `"${field}" does not enable all capabilities. The requests alone decided which ones the upgrade enables, but the cluster-version-operator also decides by other manifests. ${both}`;
  return [
    ...(index !== undefined && previous !== undefined
      ? []
      : [finding("warning", "capabilities-by-requests", byRequests, location)]),
    ...unknown.map(({ name, gates }) => {
      const names = `the feature ${gates.length === 1 ? "gate" : "gates"} ${gates.map(quote).join(", ")}`;
      const message = `it is unknown whether the upgrade enables the capability ${quote(name)}: that depends on ${names}. ${both} Or add the capability to "${field}" if the cluster has it.`;
      return finding("warning", "capability-unknown", message, location);
    }),
  ];
}
