import { jsonFile } from "../../../core/json.ts";
import { awsScripts } from "../../../generated/aws-scripts.ts";

/**
 * The files that an export contains in addition to those of the bundles, by path: the input that changes a role, computed
 * from the input that creates it, and the scripts, which are the same for every cluster.
 *
 * @param files the files of the bundles, by path.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const derived = new Map<string, string>();
  for (const [path, text] of files) {
    const directory = /^(aws\/roles\/[^/]+)\/create-role\.json$/.exec(path)?.[1];
    if (directory === undefined) continue;
    // The file name and the fields follow the IAM API, as in the input that creates the role.
    const { RoleName, Description, MaxSessionDuration } = JSON.parse(text) as CreateRole;
    derived.set(`${directory}/update-role.json`, jsonFile({ RoleName, Description, MaxSessionDuration }));
  }
  // No script can run without the facts about the cluster.
  const scripts = files.has("aws/cluster.json") ? Object.entries(awsScripts) : [];
  for (const [name, text] of scripts) derived.set(`aws/${name}`, text);
  return derived;
}

type CreateRole = Readonly<Record<"RoleName" | "Description", string>> & { readonly MaxSessionDuration: number };
