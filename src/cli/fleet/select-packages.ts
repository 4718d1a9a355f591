import { join, relative, sep } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { realPathOf, refuseControlCharacters } from "../files/paths.ts";
import { UsageError } from "../terminal/errors.ts";
import { type FoundPackages, searchPackages } from "./find-packages.ts";
import type { FleetFlags } from "./flags.ts";
import { describedLabels, type LabelSelector, labelsOf, readLabelSelector } from "./labels.ts";
import { skippedFindings } from "./skipped.ts";
import { readTouched, uncheckedPaths } from "./touched.ts";

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
  /** The same, and those that a limit excludes. */
  readonly all: readonly Place[];
  /** What limited the selection: "touched", "selector wave=1", "shard 3/10". */
  readonly limits: readonly string[];
  /**
   * Findings about touched paths that are or were in a package, but are in none that was found. If the selection is not limited
   * to touched paths, findings about everything that the search skipped.
   */
  readonly uncheckedFindings: readonly Finding[];
}

/**
 * Selects packages: the directories of a command line, and what {@link FleetFlags.recursive} finds, of which
 * {@link FleetFlags.touched}, {@link FleetFlags.selector} and {@link FleetFlags.shard} select some.
 *
 * @throws UsageError if no package exists, a selector matches none, or an option is invalid.
 */
export function selectPackages(directories: readonly string[], flags: FleetFlags): Selection {
  if (flags.shared.length > 0 && flags.touched === undefined)
    throw new UsageError("--shared requires --touched, which names the changed paths");
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard);
  const touched = flags.touched === undefined ? undefined : readTouched(flags.touched, flags.shared);
  const selector = flags.selector === undefined ? undefined : readSelector(flags.selector);
  const found = flags.recursive === undefined ? undefined : search(flags.recursive);
  const byRealPath = placesOf(directories, flags.recursive, found?.packages ?? []);
  // One such path stops all: a script that reads the output of this command could act on a part of it.
  refuseControlCharacters([...byRealPath.values()].map(({ directory }) => directory));
  const matching = selector === undefined ? undefined : matchingOf([...byRealPath.values()], selector);
  const packages = new Set(byRealPath.keys());
  const selected = [...byRealPath].filter(
    ([real, place]) =>
      (shard === undefined || isInShard(place.path, shard)) &&
      (matching === undefined || matching.has(place)) &&
      (touched === undefined || touched.isShared || touched.isIn(real, packages)),
  );
  const places = selected.map(([, place]) => place);
  const limits = [
    ...(touched === undefined ? [] : ["touched"]),
    ...(selector === undefined ? [] : [`selector ${flags.selector}`]),
    ...(shard === undefined ? [] : [`shard ${flags.shard}`]),
  ];
  const uncheckedFindings: Finding[] = [];
  if (flags.recursive !== undefined && touched !== undefined)
    uncheckedFindings.push(...uncheckedPaths(flags.recursive, touched.paths, packages));
  if (flags.recursive !== undefined && found !== undefined && (touched === undefined || touched.isShared)) {
    const isSelected = (path: string) => shard === undefined || isInShard(path, shard);
    const named = new Set(uncheckedFindings.map(({ file }) => file?.path));
    const skipped = skippedFindings(flags.recursive, found, packages, isSelected);
    uncheckedFindings.push(...skipped.filter(({ file }) => !named.has(file?.path)));
  }
  return { places, all: [...byRealPath.values()], limits, uncheckedFindings };
}

function search(root: string): FoundPackages {
  const found = searchPackages(root);
  if (found.packages.length > 0) return found;
  throw new UsageError(
    `--recursive ${quote(root)} contains no packages: no Kptfile with a function of this project, and no ClusterIdentity`,
  );
}

// By real path: the same package under two names would be processed twice.
function placesOf(
  directories: readonly string[],
  root: string | undefined,
  found: readonly string[],
): Map<string, Place> {
  const named = directories.length === 0 && root === undefined ? ["."] : directories;
  const places = new Map<string, Place>();
  for (const path of found) {
    const directory = pathOf(root ?? "", path);
    places.set(realPathOf(directory), { directory, path, inside: insideOf(path, found) });
  }
  for (const directory of named) {
    const real = realPathOf(directory);
    if (!places.has(real)) places.set(real, { directory, path: relativePath(directory), inside: [] });
  }
  return places;
}

function pathOf(root: string, path: string): string {
  return path === "." ? root : join(root, path);
}

/** The packages inside another one of the same search, relative to it. */
export function insideOf(path: string, all: readonly string[]): string[] {
  const prefix = path === "." ? "" : `${path}/`;
  return all.filter((other) => other !== path && other.startsWith(prefix)).map((other) => other.slice(prefix.length));
}

function relativePath(directory: string): string {
  return relative(realPathOf("."), realPathOf(directory)).split(sep).join("/") || ".";
}

/** A selector with its text. */
interface Selector extends LabelSelector {
  readonly text: string;
}

function readSelector(text: string): Selector {
  const selector = readLabelSelector(text);
  if ("problem" in selector) throw new UsageError(`--selector ${quoteWhole(text)} ${selector.problem}`);
  return { ...selector, text };
}

// A package that cannot be read fails, and is not skipped silently.
function matchingOf(places: readonly Place[], { text, matches }: Selector): ReadonlySet<Place> {
  const labels = new Map(places.map((place) => [place, labelsOf(place.directory, place.inside)]));
  const matching = places.filter((place) => {
    const some = labels.get(place);
    return some === undefined || matches(some);
  });
  if (matching.length > 0) return new Set(matching);
  const all = [...labels.values()].filter((some) => some !== undefined);
  throw new UsageError(
    `--selector ${quoteWhole(text)} matches none of ${places.length} package${places.length === 1 ? "" : "s"}; labels: ${describedLabels(all)}`,
  );
}

/** A part of all packages. */
export interface Shard {
  /** From 1 to {@link count}. */
  readonly index: number;
  readonly count: number;
}

const maxCount = 10_000;

/** Reads `--shard I/N`. @throws UsageError */
export function readShard(text: string): Shard {
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (first === undefined || index < 1 || index > count || count > maxCount)
    throw new UsageError(
      `--shard must be I/N with I from 1 to N and N up to ${maxCount}, such as "1/4", not ${quote(text)}; a CI system or a Job that counts from 0 must add 1`,
    );
  return { index, count };
}

/**
 * Whether a package is in a part: the first six bytes of the SHA-256 of its path, modulo the number of parts. So the part of
 * a package does not depend on other packages.
 */
export function isInShard(path: string, { index, count }: Shard): boolean {
  return sha256(path).readUIntBE(0, 6) % count === index - 1;
}
