import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { commandHelp, parse } from "../../../src/cli/command-line.ts";
import { commands } from "../../../src/cli/commands.ts";
import { answerOf } from "../../helpers/in-process.ts";

/** The command lines of a help's examples, each as its words. */
function commandLines(examples: readonly string[]): string[][] {
  const lines = examples.join("\n").replaceAll("\\\n", "").split("\n");
  return lines.flatMap((line) => {
    const words = line.replace(/ #.*| {2,}in .*/, "").split(/ (?=[|>&<] ?)|\|/)[0] ?? "";
    return words.startsWith("ccf ") ? [words.split(/ +/).slice(1)] : [];
  });
}

describe.each(commands)("the help of $name", (command) => {
  it("is printed in each way to ask for it", async () => {
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

  it("names all that the command takes", () => {
    const help = commandHelp(command);
    expect(help).toMatch(new RegExp(`^Usage: ccf ${command.name}\\b`));
    for (const { name } of command.arguments) expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const part of ["\nOptions:\n", "\nExamples:\n"]) expect(help).toContain(part);
    for (const line of help.split("\n\nExamples:")[0]?.split("\n") ?? [])
      expect(line.length, line).toBeLessThanOrEqual(120);
  });

  it.each(Object.entries(command.flags))("says all of --%s", (name, { short, value, choices = [], fallback }) => {
    const help = commandHelp(command);
    const option = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;
    expect(help).toContain(`\n  ${option} `);
    for (const choice of choices) expect(help).toContain(`"${choice}"`);
    if (fallback !== undefined) expect(help).toMatch(new RegExp(`default:\\s+"${fallback}"`));
  });

  it("has examples that the command takes", () => {
    const own = commandLines(command.examples).filter(([name]) => name === command.name);
    expect(own.length).toBeGreaterThan(0);
    for (const [, ...args] of own) expect(() => parse(command, args)).not.toThrow();
  });
});

it("is laid out as a table of options, wrapped", () => {
  const render = commands.find(({ name }) => name === "render");
  expect(render === undefined ? "" : commandHelp(render)).toMatchInlineSnapshot(`
    "Usage: ccf render [options] [DIR]

    Run the functions of a package's Kptfile that are this project's, and write the files that they
    make. The same files as "kpt fn render", without kpt; what was made by hand keeps every byte that no
    function has to change.

    Arguments:
      DIR                    the package; the current directory where it is left out

    Options:
      --check                write nothing; exit 2 when something would change
      --stdout               write nothing; print what goes to the cluster
      --only-ours            pass over functions of others and packages inside the package
      --rename-from <OLD>    take over what was made while the ClusterIdentity was named OLD: the
                             resource prefix stays, and the Kptfile gets the new name where it had OLD
      --allow <LIST>         take away what a running cluster may live on: rendered roles and Secrets,
                             its issuer, its key; separated by commas (choices: "removal",
                             "replace-issuer", "replace-key")
      -q, --quiet            print only what is wrong and what was asked for
      -o, --output <FORMAT>  form of the output (choices: "text", "json", default: "text")
      -h, --help             print this help

    Exit codes:
      0  done
      1  failed
      2  with --check: something would change

    Examples:
      ccf render clusters/demo
      ccf render --check clusters/demo
      ccf render --allow removal clusters/demo
      ccf render --stdout clusters/demo | kubectl diff -f -"
  `);
});

describe("the help of all", () => {
  it.each([[], ["--help"], ["-h"], ["help"], ["help", "--help"]])("is printed for %s", async (...args) => {
    const { status, stdout, stderr } = await answerOf(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const { name, summary } of [...commands, ...functions])
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "m"));
  });
});

it.each(functions)("the help of the function $name says how it is run", async ({ name, summary }) => {
  const { status, stdout } = await answerOf([name, "--help"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${name}: `));
  for (const part of [summary, `ccf ${name} < LIST`, `kpt fn eval DIR --exec "ccf ${name}"`])
    expect(stdout).toContain(part);
  expect((await answerOf(["help", name])).stdout).toBe(stdout);
});
