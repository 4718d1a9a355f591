import { dirname, join, relative, sep } from "node:path";
import { quote } from "../../core/text.ts";
import { realPathOf, statOf } from "../files/paths.ts";
import { findPackages } from "../fleet/find-packages.ts";
import { insideOf, type Place, type Selection } from "../fleet/select-packages.ts";
import { UsageError } from "../terminal/errors.ts";

/** What a package is compared with. */
export interface OldSide {
  /** A package, an export, or CredentialsRequests; for a new package, the directory that does not have it. */
  readonly old: string;
  readonly isNew: boolean;
  /** The packages inside it that are compared by themselves. */
  readonly inside?: readonly string[];
}

/** The old sides of the packages of a command line. */
export interface OldSides {
  of(place: Place): OldSide;
  /** The packages that only the old side has; empty unless a directory was searched. */
  readonly gone: readonly string[];
}

/**
 * Pairs packages with those of `--against OLD` by their paths. If OLD contains no packages, each is compared with OLD itself. Paths
 * are relative to the root that was searched. Those of a list of directories are relative to the current directory or, if OLD has
 * none of these, to the nearest directory that contains all of them.
 *
 * @throws UsageError if OLD is one package.
 */
export function pairSides(against: string, { all }: Selection, root: string | undefined): OldSides {
  const old = new Set(statOf(against)?.isDirectory() === true ? findPackages(against) : []);
  if (old.size === 0) return { of: () => ({ old: against, isNew: false }), gone: [] };
  const parent = commonParent(all.map(({ directory }) => realPathOf(directory)));
  const belowParent = ({ directory }: Place) => slashes(relative(parent, realPathOf(directory)));
  const pathOf = root !== undefined || all.some(({ path }) => old.has(path)) ? ({ path }: Place) => path : belowParent;
  const now = new Set(all.map(pathOf));
  if (old.has(".") && !now.has("."))
    throw new UsageError(
      `--against ${quote(against)} is one package; name a directory with the same packages, or show one package`,
    );
  return {
    of: (place) => {
      const path = pathOf(place);
      if (!old.has(path)) return { old: against, isNew: true };
      return { old: join(against, path), isNew: false, inside: insideOf(path, [...old]) };
    },
    gone: root === undefined ? [] : [...old].filter((path) => !now.has(path)).map((path) => join(against, path)),
  };
}

function commonParent(paths: readonly string[]): string {
  const [first = "/", ...others] = paths.map(dirname);
  return others.reduce((parent, path) => {
    let at = parent;
    while (path !== at && !path.startsWith(at === "/" ? "/" : `${at}${sep}`)) at = dirname(at);
    return at;
  }, first);
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}
