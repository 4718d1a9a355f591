import { join } from "node:path";
import { finding } from "../../core/finding.ts";
import { generatedBy } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { FindingsError } from "../terminal/errors.ts";
import { fileFinding, type Package, packageNames } from "./package-files.ts";

/** A longer list of commands would not help the user. */
const maxCommands = 20;
/** The most excluded paths that a message names. */
const maxNames = 5;

/**
 * Requires that a directory is a package: it contains a Kptfile or a ClusterIdentity.
 *
 * @param command returns the command line that does the same for a package below the directory
 * @param all the command line that does the same for all packages below the directory, if the command can
 * @throws FindingsError `not-a-package`, even if .krmignore excludes both, or `generated-orphan` if it contains what was generated for one
 */
export function requirePackage(pkg: Package, command: (directory: string) => string, all?: string): void {
  const { directory, files } = pkg;
  if (isPackage(pkg)) return;
  refuseExcluded(pkg);
  const generated = files.find(({ items }) => items.some(({ annotations }) => annotations.has(generatedBy)));
  if (generated !== undefined) {
    const message = `contains a generated object, but ${quote(directory)} is not a package: it contains neither a Kptfile nor a ClusterIdentity. Restore the Kptfile and the ClusterIdentity of the package, or delete what was generated.`;
    throw new FindingsError([fileFinding("error", "generated-orphan", generated.path, message)]);
  }
  const below = packagesBelow(pkg, command, all);
  const cure = below ?? 'Name the directory of a package, or create a package with "ccf init"';
  const message = `${quote(directory)} is not a package: it contains neither a Kptfile nor a ClusterIdentity. ${cure}.`;
  throw new FindingsError([finding("error", "not-a-package", message)]);
}

function isPackage({ files }: Package): boolean {
  return files.some(({ path, items }) => path === "Kptfile" || items.some(isClusterIdentity));
}

/**
 * Requires that .krmignore does not exclude what makes a directory a package. Otherwise, a package would look like an empty
 * directory.
 *
 * @throws FindingsError `not-a-package`
 */
export function refuseExcluded(pkg: Package): void {
  const { directory, subpackages, ignored = [] } = pkg;
  if (isPackage(pkg)) return;
  const own = ignored.filter((path) => packageNames.has(path));
  // A ClusterIdentity may be in any file. In a directory of packages, the patterns are about other files.
  const excluded = own.length > 0 || subpackages.length > 0 ? own : ignored;
  if (excluded.length === 0) return;
  const names = listed(excluded.map(quote), maxNames);
  const message = `${quote(directory)} contains no Kptfile and no ClusterIdentity that a command reads: its .krmignore excludes ${names}. Remove the pattern that excludes them from .krmignore.`;
  throw new FindingsError([finding("error", "not-a-package", message)]);
}

function packagesBelow(
  { directory, subpackages }: Package,
  command: (directory: string) => string,
  all: string | undefined,
): string | undefined {
  if (subpackages.length === 0) return undefined;
  if (subpackages.length > 1 && all !== undefined) return `It contains ${subpackages.length} packages: run "${all}"`;
  const commands = subpackages.slice(0, maxCommands).map((path) => `"${command(join(directory, path))}"`);
  const more = subpackages.length > maxCommands ? `, and the same for ${subpackages.length - maxCommands} more` : "";
  return subpackages.length === 1
    ? `It contains a package: run ${commands[0]}`
    : `It contains ${subpackages.length} packages: run ${commands.join(", ")}${more}`;
}
