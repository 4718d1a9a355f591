import { type Finding, finding } from "./finding.ts";
import { generatedBy, type Resource } from "./resource.ts";
import { quote } from "./text.ts";

/**
 * The finding that a package was rendered while its ClusterIdentity had another name: it was renamed, or the package is a
 * copy. The functions know neither the location of the package nor its other functions, so the suggested command is one that works
 * in the package's directory.
 *
 * @param config the ClusterIdentity with its present name, if known
 */
export function identityRenamed(before: string, name: string, config: Resource | undefined): Finding {
  const command = `"ccf render --only-ours --rename-from ${safeWord(before)}" in the package's directory`;
  const message = `the package contains objects that were generated for the ClusterIdentity ${quote(before)}, not ${quote(name)}. If it was renamed, run ${command}. If the package is a copy for another cluster, set a new "metadata.name", "spec.resourcePrefix" and "spec.issuer.signingKeys" in its ClusterIdentity, and delete its files with the annotation "${generatedBy}" and, if there is one, the file that "ccf set-identities" wrote.`;
  return finding("error", "identity-renamed", message, config === undefined ? {} : { resource: config });
}

/**
 * The finding that a package contains an object of another cluster, for which a rename is not the cure: it is in a directory
 * below whose own Kptfile and ClusterIdentity are gone, or it was left behind.
 *
 * @param item the object.
 */
export function identityMisplaced(before: string, name: string, item: Resource): Finding {
  const message = `was generated for the ClusterIdentity ${quote(before)}, but is in the package of ${quote(name)}. If its directory is the package of another cluster, restore the Kptfile and the ClusterIdentity of that package. Otherwise, delete the files that have the annotation "${generatedBy}" with the name ${quote(before)}.`;
  return finding("error", "identity-misplaced", message, { resource: item });
}

/**
 * Replaces the suggested command of a rename finding with one for a known package. Other findings are returned
 * unchanged.
 *
 * @param command returns the command line for a previous name
 */
export function withRenameCommand(finding: Finding, command: (before: string) => string): Finding {
  if (finding.code !== "identity-renamed") return finding;
  const said = /"ccf render --only-ours --rename-from (\S+)" in the package's directory/;
  return { ...finding, message: finding.message.replace(said, (_said, before: string) => `"${command(before)}"`) };
}

// Users copy command lines from messages into a shell.
function safeWord(text: string): string {
  return /^[a-z0-9.-]+$/.test(text) ? text : "OLD";
}
