import { azureScripts } from "../../../generated/azure-scripts.ts";

/**
 * The files that an export contains in addition to those of the bundles, by path: the scripts, which are the same for every
 * cluster.
 *
 * @param files the files of the bundles, by path.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  // No script can run without the facts about the cluster.
  const scripts = files.has("azure/cluster.json") ? Object.entries(azureScripts) : [];
  return new Map(scripts.map(([name, text]) => [`azure/${name}`, text]));
}
