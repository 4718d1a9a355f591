import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { quote } from "../../core/text.ts";
import { UsageError } from "../terminal/errors.ts";
import { findPackages } from "./find-packages.ts";
import type { FleetFlags } from "./flags.ts";
import { isInShard, readShard } from "./shard.ts";
import { readTouched } from "./touched.ts";

/** A package that a command line selects. */
export interface Place {
  /** As a command line names it. */
  readonly directory: string;
  /** Relative to the root that was searched, with slashes; without a search, to the current directory. */
  readonly path: string;
  /** The packages inside it that are processed by themselves, relative to it, with slashes. */
  readonly inside: readonly string[];
}

/** The packages that a command line selects. */
export interface Selection {
  /** Those that a search found, sorted by path, then those that the command line names, in its order. */
  readonly places: readonly Place[];
  /** How many packages there are. */
  readonly total: number;
  /** What limited the selection: "touched", "shard 3/10". */
  readonly limits: readonly string[];
}

/**
 * Selects packages: the directories of a command line, and what {@link FleetFlags.recursive} finds, of which
 * {@link FleetFlags.touched} and {@link FleetFlags.shard} select some.
 *
 * @throws UsageError if there is no package at all, or an option is invalid.
 */
export function selectPackages(directories: readonly string[], flags: FleetFlags): Selection {
  if (flags.shared.length > 0 && flags.touched === undefined)
    throw new UsageError("--shared requires --touched, which names the changed paths");
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard);
  const touched = flags.touched === undefined ? undefined : readTouched(flags.touched, flags.shared);
  const all = placesOf(directories, flags.recursive);
  const reals = new Map(all.map((place) => [place, realPath(place.directory)]));
  const packages = new Set(reals.values());
  const places = all.filter(
    (place) =>
      (shard === undefined || isInShard(place.path, shard)) &&
      (touched === undefined || touched.isShared || touched.isIn(reals.get(place) ?? "", packages)),
  );
  const limits = [
    ...(touched === undefined ? [] : ["touched"]),
    ...(shard === undefined ? [] : [`shard ${flags.shard}`]),
  ];
  return { places, total: all.length, limits };
}

function placesOf(directories: readonly string[], root: string | undefined): Place[] {
  const found = root === undefined ? [] : findPackages(root);
  if (root !== undefined && found.length === 0)
    throw new UsageError(
      `--recursive ${quote(root)} contains no packages: no Kptfile with a function of this project, and no ClusterIdentity`,
    );
  const named = directories.length === 0 && root === undefined ? ["."] : directories;
  const places = [
    ...found.map((path) => ({ directory: pathOf(root ?? "", path), path, inside: insideOf(path, found) })),
    ...named.map((directory) => ({ directory, path: relativePath(directory), inside: [] })),
  ];
  // The same package under two names would be processed twice.
  const seen = new Set<string>();
  return places.filter(({ directory }) => {
    const real = realPath(directory);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function pathOf(root: string, path: string): string {
  return path === "." ? root : join(root, path);
}

function insideOf(path: string, all: readonly string[]): string[] {
  const prefix = path === "." ? "" : `${path}/`;
  return all.filter((other) => other !== path && other.startsWith(prefix)).map((other) => other.slice(prefix.length));
}

function relativePath(directory: string): string {
  return relative(realPath("."), realPath(directory)).split(sep).join("/") || ".";
}

// Reading the package reports a path that does not exist.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
