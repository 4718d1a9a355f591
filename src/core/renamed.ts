import { type Finding, finding } from "./finding.ts";
import type { Resource } from "./resource.ts";
import { quote } from "./text.ts";

/**
 * The finding that a package was rendered while its ClusterIdentity had another name. The functions do not know where
 * the package is, nor what else its pipeline runs: their command works in its directory, whatever that is.
 *
 * @param config the ClusterIdentity as it is now, where it is known
 */
export function identityRenamed(before: string, name: string, config: Resource | undefined): Finding {
  const command = `"ccf render --only-ours --rename-from ${safeWord(before)}" in the package's directory`;
  const message = `the package holds objects that were made for the ClusterIdentity ${quote(before)}, not ${quote(name)}; if it was renamed, run ${command}.`;
  return finding("error", "identity-renamed", message, config === undefined ? {} : { resource: config });
}

/**
 * Puts the command for a package that is known into the finding that it was renamed; any other finding stays.
 *
 * @param command gives the command line, of the former name
 */
export function withRenameCommand(finding: Finding, command: (before: string) => string): Finding {
  if (finding.code !== "identity-renamed") return finding;
  const said = /"ccf render --only-ours --rename-from (\S+)" in the package's directory/;
  return { ...finding, message: finding.message.replace(said, (_said, before: string) => `"${command(before)}"`) };
}

// A command line in a message is copied into a shell.
function safeWord(text: string): string {
  return /^[a-z0-9.-]+$/.test(text) ? text : "OLD";
}
