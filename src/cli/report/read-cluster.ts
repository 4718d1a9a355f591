import type { ValueMap } from "../../core/resource.ts";
import { type RenderedDirectory, readRenderedDirectory } from "../files/rendered-directory.ts";
import { clusterIn } from "../fleet/outcome.ts";
import type { Place } from "../fleet/select-packages.ts";
import { throwErrors } from "../terminal/errors.ts";

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
