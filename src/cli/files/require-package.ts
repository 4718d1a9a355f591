import { join } from "node:path";
import { finding } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/find.ts";
import { FindingsError } from "../terminal/errors.ts";
import type { Package } from "./package-files.ts";

/** More commands than these help nobody in one message. */
const maxCommands = 20;

/**
 * Stops where a directory is not a package: it has neither a Kptfile nor a ClusterIdentity.
 *
 * @param command gives the command line that does the same for a package below it
 * @throws FindingsError `not-a-package`
 */
export function requirePackage(pkg: Package, command: (directory: string) => string): void {
  const { directory, files } = pkg;
  if (files.some(({ path, items }) => path === "Kptfile" || items.some(isClusterIdentity))) return;
  const below = packagesBelow(pkg, command);
  const cure = below ?? 'Name the directory of a package; "ccf init" makes one';
  const message = `${quote(directory)} is not a package: it has neither a Kptfile nor a ClusterIdentity. ${cure}.`;
  throw new FindingsError([finding("error", "not-a-package", message)]);
}

function packagesBelow(
  { directory, subpackages }: Package,
  command: (directory: string) => string,
): string | undefined {
  if (subpackages.length === 0) return undefined;
  const commands = subpackages.slice(0, maxCommands).map((path) => `"${command(join(directory, path))}"`);
  const more = subpackages.length > maxCommands ? `, and so on for ${subpackages.length - maxCommands} more` : "";
  return subpackages.length === 1
    ? `There is a package in it: run ${commands[0]}`
    : `There are ${subpackages.length} packages in it: run ${commands.join(", ")}${more}`;
}
