import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DescribedRole } from "../../clouds/inspector.ts";
import { inspectors, roleDefinitionsOf } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { readJson } from "../../core/json.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import type { RoleDefinition, RoleDefinitions } from "../../permissions/terms.ts";
import { statOf } from "../files/paths.ts";
import { readText } from "../files/read-bytes.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";

/** The definitions that a comparison uses: those in the directory of `--role-definitions`, if given, and those of the program. */
export function definitionsIn(directory: string | undefined): ReturnType<typeof roleDefinitionsOf> {
  return roleDefinitionsOf(directory === undefined ? undefined : readRoleDefinitions(directory));
}

/**
 * Reads the definitions of roles in the JSON files of a directory, by the title of their cloud: for each role the output of the
 * cloud's own command.
 *
 * @throws UsageError if it is not a directory, or contains no JSON file.
 * @throws FindingsError if one of them cannot be used: without it, a role would be compared by another definition.
 */
function readRoleDefinitions(directory: string): ReadonlyMap<string, RoleDefinitions> {
  const name = `--role-definitions ${quote(directory)}`;
  if (statOf(directory)?.isDirectory() !== true) throw new UsageError(`${name} is not a directory`);
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .sort(compareText);
  if (files.length === 0) throw new UsageError(`${name} contains no JSON file; ${cure}`);
  const definitions = new Map<string, Map<string, RoleDefinition>>();
  const findings: Finding[] = [];
  for (const path of files.map((file) => join(directory, file))) {
    const found = readDefinition(path);
    if (typeof found === "string") {
      findings.push(invalid(path, found, cure));
      continue;
    }
    const { title, names, ...role } = found;
    const ofCloud = definitions.get(title) ?? new Map<string, RoleDefinition>();
    definitions.set(title, ofCloud);
    const name = names.find((one) => ofCloud.has(one));
    const other = name === undefined ? undefined : ofCloud.get(name)?.file;
    if (name !== undefined && other !== undefined)
      findings.push(invalid(path, `defines ${quote(name)}, and so does ${quoteWhole(other)}`, "remove one of the two"));
    else for (const one of names) ofCloud.set(one, { ...role, file: path });
  }
  if (findings.length > 0) throw new FindingsError(findings);
  return definitions;
}

function readDefinition(path: string): (DescribedRole & { readonly title: string }) | string {
  if (statOf(path)?.isFile() !== true) return "is not a file";
  const reading = readJson(readText(path) ?? "");
  if ("problem" in reading) return reading.problem;
  for (const { title, roles } of tables) {
    const answer = roles.read(reading.value);
    if (answer !== undefined) return typeof answer === "string" ? answer : { title, ...answer };
  }
  return "is not the definition of a role";
}

const tables = inspectors.flatMap(({ title, features: { roles } }) => (roles === undefined ? [] : [{ title, roles }]));
const cure = `save the output of "${tables.map(({ roles }) => roles.command).join('" or "')}" there`;

function invalid(path: string, problem: string, cure: string): Finding {
  return finding("error", "role-definition-invalid", `${quoteWhole(path)} ${problem}; ${cure}.`);
}
