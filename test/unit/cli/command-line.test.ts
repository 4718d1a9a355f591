import { describe, expect, it } from "vitest";
import { parse } from "../../../src/cli/command-line.ts";
import { define } from "../../../src/cli/definition.ts";
import { UsageError } from "../../../src/cli/terminal/errors.ts";
import { answerOf } from "../../helpers/in-process.ts";

const definition = define({
  name: "test",
  summary: "",
  description: "",
  arguments: [
    { name: "ONE", text: "" },
    { name: "OTHER", text: "", optional: true, choices: ["a", "b"] },
  ],
  flags: {
    switch: { text: "", short: "s" },
    "no-installer": { text: "" },
    "some-text": { text: "", value: "TEXT", short: "t" },
    form: { text: "", value: "FORM", short: "f", choices: ["text", "json"], fallback: "text" },
    each: { text: "", value: "ONE", many: true },
    list: { text: "", value: "LIST", many: true, choices: ["x", "y"] },
  },
  examples: [],
});

const nothing = {
  switch: false,
  "no-installer": false,
  "some-text": undefined,
  form: "text",
  each: [],
  list: [],
};

describe("a command line", () => {
  it.each<[string[], object, (string | undefined)[]]>([
    [["p"], {}, ["p", undefined]],
    [["p", "b"], {}, ["p", "b"]],
    [["-s", "p", "--no-installer"], { switch: true, "no-installer": true }, ["p", undefined]],
    [["-st", "x", "p"], { switch: true, "some-text": "x" }, ["p", undefined]],
    [["-fjson", "p"], { form: "json" }, ["p", undefined]],
    [["p", "--form=json", "-f", "text"], { form: "text" }, ["p", undefined]],
    [["p", "--some-text="], { "some-text": "" }, ["p", undefined]],
    [["p", "--some-text", "-"], { "some-text": "-" }, ["p", undefined]],
    [["p", "--some-text=--switch"], { "some-text": "--switch" }, ["p", undefined]],
    [["--", "--switch"], {}, ["--switch", undefined]],
    [["p", "--each", "a,b", "--each=c"], { each: ["a,b", "c"] }, ["p", undefined]],
    [["p", "--list", "x, y", "--list", "x"], { list: ["x", "y", "x"] }, ["p", undefined]],
  ])("%j is parsed", (args, flags, values) => {
    expect(parse(definition, args)).toEqual({ flags: { ...nothing, ...flags }, args: values });
  });

  it.each<[string[], string]>([
    [[], 'missing required argument "ONE"'],
    [["a", "b", "c"], "too many arguments: expected 2 arguments but got 3"],
    [["p", "c"], 'OTHER must be "a" or "b", not "c" (did you mean "a"?)'],
    [["p", "--swich"], 'unknown option "--swich" (did you mean "--switch"?)'],
    [["p", "--some"], 'unknown option "--some" (did you mean "--some-text"?)'],
    [["p", "--nothing-of-it=secret"], 'unknown option "--nothing-of-it"'],
    [["p", "-x"], 'unknown option "-x"'],
    [["p", "-sx"], 'unknown option "-x"'],
    [["p", "--switch=x"], "--switch does not accept a value"],
    [["p", "--some-text"], "--some-text requires a value: TEXT"],
    [["p", "-t"], "-t requires a value: TEXT"],
    [["p", "-st"], 'option "-t, --some-text <TEXT>" argument missing'],
    [
      ["p", "-t", "--switch"],
      '-t requires a value, but "--switch" looks like an option; if it is the value, write --some-text=TEXT',
    ],
    [["p", "--form", "jso"], '--form must be "text" or "json", not "jso" (did you mean "json"?)'],
    [["p", "--list", "x,z"], '--list must be "x" or "y", not "z" (did you mean "x"?)'],
    [["p", "--form=toString"], '--form must be "text" or "json", not "toString"'],
    [["p", "--\u001b[31m\n'x'"], "unknown option \"--\\u001b[31m\\u000a'x'\""],
    [["p", "--form=-----BEGIN PRIVATE KEY-----"], '--form must be "text" or "json", not (a value that is not shown)'],
    [["p", "-----BEGIN PRIVATE KEY-----"], "unknown option (a value that is not shown)"],
  ])("%j is refused", (args, message) => {
    expect(() => parse(definition, args)).toThrow(new UsageError(message));
  });

  it.each([
    ["render", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"],
    ["render", "--allow", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"],
    ["explain", "--eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"],
  ])("with a token is refused without repeating the token: %s", async (...args) => {
    const { status, stdout, stderr } = await answerOf([...args, "-o", "json"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: never pass a token as an argument, .* \[usage\]\nRun "ccf [a-z]+ --help"\.\n$/);
    expect(JSON.parse(stdout).error.code).toBe("usage");
    expect(stdout + stderr).not.toContain("eyJ");
  });

  it.each([
    [["rendr", "--help"], 'error: unknown command "rendr" (did you mean "render"?). [usage]\nRun "ccf --help".\n'],
    [["help", "exprot"], 'error: unknown command "exprot" (did you mean "export"?). [usage]\nRun "ccf --help".\n'],
    [
      ["generate-oidc-isuer"],
      'error: unknown command "generate-oidc-isuer" (did you mean "generate-oidc-issuer"?). [usage]\nRun "ccf --help".\n',
    ],
    [["--bogus"], 'error: unknown option "--bogus"; name a command first. [usage]\nRun "ccf --help".\n'],
    [
      ["generate-oidc-issuer", "x"],
      'error: generate-oidc-issuer accepts no arguments; it reads a ResourceList from standard input. [usage]\nRun "ccf generate-oidc-issuer --help".\n',
    ],
  ])("%j names the relevant help", async (args, stderr) => {
    expect(await answerOf(args)).toEqual({ status: 1, stdout: "", stderr });
  });
});
