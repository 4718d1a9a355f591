import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { parse } from "../../../src/cli/command-line.ts";
import { commands } from "../../../src/cli/commands.ts";
import { commandHelp, exampleLines, flagTerm, topicHelp } from "../../../src/cli/help.ts";
import { topics } from "../../../src/cli/topics.ts";
import { answerOf } from "../../helpers/in-process.ts";

/** The command lines in the examples of a help text, each split into words. */
function commandLines(examples: readonly string[]): string[][] {
  const lines = examples.join("\n").replaceAll("\\\n", "").split("\n");
  return lines.flatMap((line) => {
    const words = line.replace(/ #.*| {2,}in .*/, "").split(/ (?=[|>&<] ?)|\|/)[0] ?? "";
    return words.startsWith("ccf ") ? [words.split(/ +/).slice(1)] : [];
  });
}

describe.each(commands)("the help of $name", (command) => {
  it("is printed for every way to request it", async () => {
    const { status, stdout, stderr } = await answerOf([command.name, "--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(commandHelp(command));
    for (const args of [
      [command.name, "-h"],
      ["help", command.name],
      [command.name, "-o", "json", "--bogus", "--help"],
    ])
      expect(await answerOf(args)).toEqual({ status, stdout, stderr });
  });

  it("lists the arguments and options of the command", () => {
    const help = commandHelp(command);
    expect(help).toMatch(new RegExp(`^Usage: ccf ${command.name}\\b`));
    for (const { name } of command.arguments) expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const part of ["\nOptions:\n", "\nExamples:\n"]) expect(help).toContain(part);
    const lines = help.split("\n");
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(75);
  });

  it.each(Object.entries(command.flags))("describes --%s completely, or names it and its topic", (long, flag) => {
    const help = commandHelp(command);
    const topic = topics.find(({ name }) => name === flag.topic);
    const text = (topic === undefined ? help : topicHelp(topic)).replace(/\s+/g, " ");
    expect(help.replace(/\s+/g, " ")).toContain(flagTerm(long, flag));
    if (topic !== undefined) expect(help).toContain(`${topic.title} (see "ccf help ${topic.name}"):`);
    for (const part of [flagTerm(long, flag), flag.text, ...(flag.choices ?? [])]) expect(text).toContain(part);
    if (flag.fallback !== undefined) expect(text).toContain(`default: ${flag.fallback})`);
  });

  it("has examples that the command accepts", () => {
    const own = commandLines(command.examples).filter(([name]) => name === command.name);
    expect(own.length).toBeGreaterThan(0);
    for (const [, ...args] of own) expect(() => parse(command, args)).not.toThrow();
  });
});

it("is formatted as a wrapped table of options", () => {
  const render = commands.find(({ name }) => name === "render");
  expect(render === undefined ? "" : commandHelp(render)).toMatchInlineSnapshot(`
    "Usage: ccf render [options] [DIR...]

    Run the functions of this project in a package's Kptfile, and write the files
    that they generate. The result is the same as that of "kpt fn render", but kpt
    is not needed. In files that you wrote, the command changes only what a function
    has to change.

    Arguments:
      DIR  the package directories (default: the current directory)

    Options:
      --check              write nothing; exit with 2 if a file would change
      --stdout             write nothing; print the manifests for the cluster
      --only-ours          skip third-party functions and nested packages
      --rename-from OLD    adopt the objects generated while the ClusterIdentity was
                           named OLD; keep the resource prefix, and replace the name
                           OLD in the Kptfile
      --allow LIST         allow the removal of what a running cluster may depend
                           on: with "removal:<namespace>/<secret>", one rendered
                           identity with its Secret; with "removal", anything
                           rendered; with "replace-issuer", its issuer; with
                           "replace-key", its key; separated by commas
      -q, --quiet          print only problems and requested output
      --verbose            also print notes, with the severity info
      -o, --output FORMAT  output format (one of text, json; default: text)
      -h, --help           print this help

    Several packages (see "ccf help packages"):
      --recursive ROOT, --touched FILE, --shared PATH, -l, --selector SELECTOR,
      --shard I/N

    With --check and --recursive:
      The exit code is 2 if a path of --touched below ROOT used to be in a package
      but no longer is: a removed Kptfile, ClusterIdentity or generated file, which
      --allow removal permits; any file of a package that .krmignore hides, or a
      link in its place; a .krmignore that hides a package.
      If generated files remain of a removed package, the exit code is 1, whatever
      is allowed.
      Without --touched, a package that .krmignore hides and a link that is not
      followed make the exit code 2, too.

    Exit codes:
      0  success
      1  failure
      2  with --check: a file would change, or a touched path or a package is
         unchecked

    Examples:
      ccf render clusters/demo
      ccf render --check clusters/demo
      ccf render --allow removal:openshift-ingress-operator/cloud-credentials \\
        clusters/demo
      ccf render --check --recursive clusters
      git diff --name-only --no-renames origin/main... \\
        | ccf render --check --recursive clusters --touched -
      ccf render --stdout clusters/demo | kubectl diff -f -"
  `);
});

it.each<[string, string]>([
  ["ccf render clusters/demo", "ccf render clusters/demo"],
  [
    "oc get secrets,namespaces --all-namespaces -o yaml | ccf validate clusters/demo --strict --live -",
    "oc get secrets,namespaces --all-namespaces -o yaml \\\n  | ccf validate clusters/demo --strict --live -",
  ],
  [
    "ccf set 'spec.platform.aws.tags.a=some text' spec.platform.aws.tags.b=1 --check --recursive clusters",
    "ccf set 'spec.platform.aws.tags.a=some text' spec.platform.aws.tags.b=1 \\\n  --check --recursive clusters",
  ],
])("the example %j continues on the next line only if it is long", (example, lines) => {
  expect(exampleLines(example)).toBe(lines);
});

describe.each(topics)("the topic $name", ({ name, title, summary }) => {
  it("is in the list, and explained", async () => {
    const { status, stdout, stderr } = await answerOf(["help", name]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^${title}\n\n`));
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect((await answerOf(["help"])).stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
    expect((await answerOf(["help", name.slice(1)])).stderr).toContain(`(did you mean "${name}"?)`);
  });
});

describe("the main help", () => {
  it.each([[], ["--help"], ["-h"], ["help"], ["help", "--help"]])("is printed for %s", async (...args) => {
    const { status, stdout, stderr } = await answerOf(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    for (const { name, summary } of [...commands, ...functions])
      expect(stdout.replace(/\s+/g, " ")).toContain(` ${name} ${summary} `);
  });
});

it.each(functions)("the help of the function $name shows how to run it", async ({ name, summary }) => {
  const { status, stdout } = await answerOf([name, "--help"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${name}: `));
  for (const part of [summary, `ccf ${name} < LIST`, `kpt fn eval DIR --exec "ccf ${name}"`])
    expect(stdout.replace(/\s+/g, " ")).toContain(part);
  expect((await answerOf(["help", name])).stdout).toBe(stdout);
});

describe("git diff --name-only", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  // Git names only the new path of a file that it takes for renamed.
  const hidesRenames = /git diff --name-only(?! --no-renames)/;

  it.each(commands)("has --no-renames in the help of $name", (command) => {
    expect(commandHelp(command).replace(/\s+/g, " ")).not.toMatch(hidesRenames);
  });

  it.each(["docs", "functions", "integrations", "src/cli"])("has --no-renames in %s", (name) => {
    const files = readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
      .map((path) => join(root, name, path))
      .filter((path) => /\.(?:md|ts|yaml)$/.test(path));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(readFileSync(file, "utf8").replace(/\s+/g, " ").match(hidesRenames)?.[0], file).toBeUndefined();
  });
});
