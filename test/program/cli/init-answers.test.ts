import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askMissing, givenAnswers } from "../../../src/cli/init/init-answers.ts";
import { NoAnswer, openPrompt } from "../../../src/cli/terminal/prompt.ts";
import { ccf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { sample } from "../../helpers/sample.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const key = `${sample}/serviceaccount-signer.public`;
const requests = `${sample}/credentials-requests`;

/** What is asked and said, and what comes of it, where a person types these lines and then ends the input. */
async function typed(lines: readonly string[], flags: Readonly<Record<string, string>> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  const prompt = openPrompt(input, output);
  const directory = join(temporary(), "demo");
  const answers = await askMissing(prompt, directory, givenAnswers(flags).given).catch((error: unknown) => error);
  prompt.close();
  return { answers, said: String(output.read() ?? "") };
}

const complete = {
  platform: "aws",
  name: "demo",
  "account-id": "123456789012",
  region: "us-east-2",
  "public-key-file": key,
  "credentials-requests": requests,
};

describe("what ccf init asks", () => {
  it("is checked when it is given, and asked again; what was answered stays", async () => {
    const other = temporary();
    writeFileSync(join(other, "key"), "text\n");
    mkdirSync(join(other, "empty"));
    const wrong = [
      "gcp",
      "aws",
      "Bad Name",
      "a".repeat(60),
      "demo",
      "aws",
      '"123456789012"',
      "123456789012",
      "prod_one!",
      "us-east-2",
    ];
    writeTree(join(other, "zero"), { "a.yaml": "", "b.yaml": "" });
    writeTree(join(other, "secrets"), { "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n" });
    const directories = ["empty", "zero", "secrets"].map((name) => join(other, name));
    const files = [join(other, "nowhere"), join(other, "key"), key, ...directories, requests];
    const { answers, said } = await typed([...wrong, ...files]);
    expect(answers).toEqual(complete);
    const errors = said.match(/error: .*$/gm);
    expect(errors).toEqual([
      expect.stringContaining('"gcp"; this version knows "aws"'),
      expect.stringContaining('"metadata.name" is "Bad Name", and must be a DNS label'),
      expect.stringContaining("[bucket-name-invalid]"),
      expect.stringContaining('"spec.platform.aws.accountID" is "aws", and must be 12 digits. ['),
      expect.stringMatching(/and must be 12 digits\. \[/),
      expect.stringContaining('"spec.platform.aws.region" is "prod_one!", and must be an AWS region'),
      expect.stringContaining("cannot be read (ENOENT)"),
      expect.stringContaining("--public-key-file"),
      expect.stringContaining("holds no YAML file"),
      expect.stringContaining('"a.yaml" is empty, "b.yaml" is empty'),
      expect.stringContaining("holds no CredentialsRequest."),
    ]);
  });

  it("has a default where taking it would do", async () => {
    const rest = ["123456789012", "us-east-2", key, requests];
    expect((await typed(["", "", ...rest])).answers).toEqual(complete);
  });

  it("is not what a flag says; a flag that cannot be is said before anything is asked", async () => {
    const { "account-id": _asked, ...flags } = complete;
    expect((await typed(["123456789012"], flags)).answers).toEqual(complete);
    const { answers, said } = await typed(["123456789012"], { ...flags, region: "prod_one!" });
    expect(answers).toBeInstanceOf(Error);
    expect(said).toBe("");
  });

  it("is nothing where the input ends", async () => {
    const { answers } = await typed(["aws", "demo"]);
    expect(answers).toBeInstanceOf(NoAnswer);
    expect(answers).toMatchObject({ interrupted: false });
  });
});

// A terminal of its own, on which keys are typed when the question is there.
const terminal = `
import os, pty, select, sys
keys = [bytes([int(one)]) for one in sys.argv[1].split(",")]
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
said = b""
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
    while keys and b"]: " in said:
        said = said.replace(b"]: ", b"]:", 1)
        os.write(fd, keys.pop(0))
_, status = os.waitpid(pid, 0)
sys.stdout.write(said.decode())
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

describeWith(["python3"], "on a terminal", () => {
  it.each([
    ["Ctrl-C", "3", 130, "Interrupted. Nothing was written."],
    ["Ctrl-D", "4", 1, "\u001b[31merror:\u001b[0m the input ended before the last answer. Nothing was written."],
  ])("%s ends ccf init, and nothing is written", (_key, code, status, message) => {
    const root = temporary();
    const done = run("python3", ["-c", terminal, code, process.execPath, ccf, "init", "demo"], { cwd: root });
    expect(done.stdout).toContain(message);
    expect(done.status).toBe(status);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each([
    [{}, "\u001b[31merror:\u001b[0m unknown command"],
    [{ NO_COLOR: "" }, "\u001b[31merror:\u001b[0m unknown command"],
    [{ NO_COLOR: "1" }, "error: unknown command"],
    [{ TERM: "dumb" }, "error: unknown command"],
  ])("with the environment %j an error begins with %j", (env, begin) => {
    const done = run("python3", ["-c", terminal, "4", process.execPath, ccf, "\u001b[31mx"], { env });
    expect(done.stdout).toBe(`${begin} "\\u001b[31mx".\r\nRun "ccf --help".\r\n`);
  });
});
