import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inspectors } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { readJson } from "../../core/read-json.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import type { RoleDefinition, RoleDefinitions } from "../../permissions/role-definitions.ts";
import { readText } from "../files/read-bytes.ts";
import { statOf } from "../files/stat-of.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/**
 * Reads the definitions of roles in the JSON files of a directory: for each role the output of the cloud's own command.
 *
 * @throws UsageError if it is not a directory, or contains no JSON file.
 * @throws FindingsError if one of them cannot be used: without it, a role would be compared by another definition.
 */
export function readRoleDefinitions(directory: string): RoleDefinitions {
  const name = `--role-definitions ${quote(directory)}`;
  if (statOf(directory)?.isDirectory() !== true) throw new UsageError(`${name} is not a directory`);
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .sort(compareText);
  if (files.length === 0) throw new UsageError(`${name} contains no JSON file; ${cure}`);
  const definitions = new Map<string, RoleDefinition>();
  const wrong: Finding[] = [];
  for (const path of files.map((file) => join(directory, file))) {
    const role = readDefinition(path);
    const other = typeof role === "string" ? undefined : definitions.get(role.name)?.file;
    if (typeof role === "string") wrong.push(invalid(path, role, cure));
    else if (other !== undefined)
      wrong.push(
        invalid(path, `defines ${quote(role.name)}, and so does ${quoteWhole(other)}`, "remove one of the two"),
      );
    else definitions.set(role.name, { permissions: role.permissions, file: path });
  }
  if (wrong.length > 0) throw new FindingsError(wrong);
  return definitions;
}

function readDefinition(path: string): { readonly name: string; readonly permissions: readonly string[] } | string {
  if (statOf(path)?.isFile() !== true) return "is not a file";
  const reading = readJson(readText(path) ?? "");
  if ("problem" in reading) return reading.problem;
  const answers = tables.map((roles) => roles.read(reading.value));
  return answers.find((answer) => typeof answer !== "string") ?? (answers[0] as string);
}

const tables = inspectors.flatMap(({ roles }) => roles ?? []);
const cure = `save the output of "${tables.map(({ command }) => command).join('" or "')}" there`;

function invalid(path: string, problem: string, cure: string): Finding {
  return finding("error", "role-definition-invalid", `${quoteWhole(path)} ${problem}; ${cure}.`);
}
