import type { ReleaseFilter } from "../../requests/release-filter.ts";

/** `spec.release.version` of a release: major and minor version. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** The filter of a cluster for a release that it may not run yet: nothing but the configuration says what the cluster enables. */
export function filterFor(
  { version: _, ...filter }: ReleaseFilter,
  { version }: { readonly version: string | undefined },
): ReleaseFilter {
  return version === undefined ? filter : { ...filter, version: minorOf(version) };
}
