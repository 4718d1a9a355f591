import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { expect, it } from "vitest";
import { commands } from "../../../src/cli/commands.ts";
import { run } from "../../helpers/ccf.ts";
import { renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { temporary } from "../../helpers/temporary.ts";

const names = readdirSync("schemas").map((file) => file.replace(".schema.json", ""));

it("prints every schema of schemas/, and lists all", () => {
  const { status, stdout } = run(["schema"]);
  const listed = stdout.trimEnd().split("\n");
  expect([status, listed.map((line) => line.split(" ")[0])]).toEqual([0, expect.arrayContaining(names)]);
  expect(listed).toHaveLength(names.length);
  for (const name of names) {
    const printed = JSON.parse(run(["schema", name]).stdout);
    expect(printed).toEqual(JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")));
    new Ajv({ strict: false }).compile(printed);
  }
});

it("suggests the name of an unknown schema", () => {
  expect(run(["schema", "cluster-identiy"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('unknown schema "cluster-identiy" (did you mean "cluster-identity"?)'),
  });
});

/** The schemas of outputs that another test compares. */
const elsewhere: Readonly<Record<string, string>> = {
  "add-key": "set",
  apply: "plan",
  "check-issuer": "check-issuer",
  destroy: "plan",
  diff: "diff",
  explain: "explain",
  "extract-release": "extract-release",
  import: "import",
  "remove-key": "set",
  status: "plan",
  "upgradeable-to": "upgradeable-to",
  "verify-token": "verify-token",
};

/** Command lines in a directory with the packages a and b, and their outputs' schemas: the names of the commands. */
const here: readonly (readonly string[])[] = [
  ["create-key-pair", "--output-dir", "keys"],
  ["explain-finding", "pass-role-any"],
  ["export", "a", "--output-dir", "out"],
  ["export", "a", "b", "--output-dir", "all"],
  ["render", "a"],
  ["render", "--check", "a", "b"],
  ["report", "a", "b"],
  ["report", "a", "--who-may", "s3:CreateBucket"],
  ["report", "a", "--who-may", "s3:Nothing"],
  ["report", "a", "--reach"],
  ["set", "spec.platform.aws.tags.owner=me", "a"],
  ["set", "a", "b", "--unset", "spec.platform.aws.tags"],
  ["update-requests", "--from", sampleRequests, "a"],
  ["validate", "a"],
  ["validate", "a", "b"],
  ["validate", "a", "--against", "b"],
  ["validate", "a", "--accept-release", "reviewed", "--credentials-requests", sampleRequests],
];

it.each(here)("%s %s %s: the output follows the schema", (...args) => {
  const cwd = temporary();
  for (const name of ["a", "b"]) cpSync(renderedPackage(), join(cwd, name), { recursive: true });
  const { stdout, stderr } = run([...args, "-o", "json"], { cwd });
  const name = args.includes("--accept-release") ? "set" : (args[0] ?? "");
  const isWhole = stdout.startsWith("{\n");
  const outputs = isWhole ? [stdout] : stdout.trimEnd().split("\n");
  expect(outputs[0], stderr).toMatch(/^\{/);
  for (const output of outputs) {
    expect(JSON.parse(output).error).toBe(undefined);
    expectFits(name, output);
  }
});

it("every command with JSON output has a schema", () => {
  const withJson = commands.filter(({ flags }) => flags["output"]?.choices?.includes("json")).map(({ name }) => name);
  const compared = new Set(here.map(([name = ""]) => name));
  expect(withJson.filter((name) => !compared.has(name)).sort()).toEqual(Object.keys(elsewhere).sort());
  expect(names).toEqual(expect.arrayContaining([...compared, ...Object.values(elsewhere)]));
});
