import { jsonFile } from "../../../core/json.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { awsScripts } from "../../../generated/aws-scripts.ts";

/**
 * The files that an export contains in addition to those of the bundles, by path: the inputs that change a role, computed
 * from the input that creates it, and the scripts, which are the same for every cluster.
 *
 * @param files the files of the bundles, by path.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const derived = new Map<string, string>();
  for (const [path, text] of files) {
    const directory = /^(aws\/roles\/[^/]+)\/create-role\.json$/.exec(path)?.[1];
    if (directory === undefined) continue;
    for (const [name, input] of Object.entries(changingInputs(JSON.parse(text) as CreateRole)))
      derived.set(`${directory}/${name}`, jsonFile(input));
  }
  // No script can run without the facts about the cluster.
  const scripts = files.has("aws/cluster.json") ? Object.entries(awsScripts) : [];
  for (const [name, text] of scripts) derived.set(`aws/${name}`, text);
  return derived;
}

type CreateRole = Readonly<Record<"RoleName" | "AssumeRolePolicyDocument" | "Description", string>> & {
  readonly MaxSessionDuration: number;
};

// File names and fields follow the IAM API, as in the input that creates the role.
function changingInputs(create: CreateRole): Record<string, ValueMap> {
  const { RoleName, AssumeRolePolicyDocument: PolicyDocument, Description, MaxSessionDuration } = create;
  return {
    "update-role.json": { RoleName, Description, MaxSessionDuration },
    "update-assume-role-policy.json": { RoleName, PolicyDocument },
  };
}
