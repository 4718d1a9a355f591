import { posix } from "node:path";
import { clusterFile } from "../../clouds/rendered.ts";
import type { ValueMap } from "../../core/resource.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../files/rendered-directory.ts";
import { clusterIn } from "../fleet/outcome.ts";
import type { Place } from "../fleet/select-packages.ts";
import { throwErrors } from "../terminal/errors.ts";
import { isOutdated } from "../upgradeable-to/applied-status.ts";
import { type Results, resultFor } from "../upgradeable-to/status-results.ts";

/** A rendered package or an export, with the name and the platform of its cluster. */
export interface Read extends RenderedDirectory {
  readonly named: ValueMap;
}

/**
 * Reads a package for a report.
 *
 * @throws FindingsError if an identity is unknown: the report would say less than the package contains.
 */
export function readCluster({ directory, inside }: Place): Read {
  const rendered = readRenderedDirectory(directory, inside);
  const { cluster, inspector, items } = rendered;
  if (cluster.identities.some(({ key, id }) => key === undefined || id === undefined)) throwErrors(cluster.findings);
  return { ...rendered, named: { platform: inspector.name, ...clusterIn(items) } };
}

/** What a fleet's results of a status say about a package. */
export interface CloudStatus {
  /** "unknown": no result is for this state of the package; "outdated": too old to rely on, as in `ccf upgradeable-to`. */
  readonly status: "in sync" | "drift" | "outdated" | "unknown";
  /** When the cloud was compared. */
  readonly time: Date | undefined;
}

/** Finds the result for a package or an export, as its files are now. */
export function cloudStatus(read: RenderedDirectory, results: Results, now: Date): CloudStatus {
  const result = resultFor(results, bundledFiles(read));
  if (result === undefined || result.verdict === "unknown") return { status: "unknown", time: undefined };
  return { status: isOutdated(result, now) ? "outdated" : result.verdict, time: result.time };
}

// The paths are those of an export.
function bundledFiles({ bundles, pkg }: RenderedDirectory): { path: string; text: string }[] {
  const bundled = new Map<string, string>();
  for (const { directory, files } of bundles) {
    const isOfCluster = pkg !== undefined && files.has(clusterFile);
    const top = isOfCluster ? posix.dirname(directory) : directory;
    for (const [name, text] of files) bundled.set(`${top}/${name}`, text);
  }
  return [...bundled].map(([path, text]) => ({ path, text }));
}
