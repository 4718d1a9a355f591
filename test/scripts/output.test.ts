import { rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { awks } from "../helpers/awk.ts";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { account, copied, exported, inFront, Operator, roles, said } from "../helpers/exported-package.ts";
import { describeWith } from "../helpers/need.ts";
import { pathWith } from "../helpers/programs.ts";
import { drifted } from "./drift.ts";

let aws: StubAws;
let operator: Operator;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  operator = new Operator(aws, exported());
  aws.reset();
  expect(operator.apply()).toMatchObject({ status: 0 });
  applied = aws.state();
});
afterAll(() => aws?.stop());

interface Step {
  readonly action: string;
  readonly text: string;
  readonly cloud?: readonly string[];
  readonly package?: readonly string[];
}

const words: Record<string, string> = {
  create: "would create",
  change: "would change",
  remove: "would remove",
  none: "in sync",
};

describe("-o json", () => {
  it("of status.sh reports that everything is in sync", () => {
    aws.reset(applied);
    for (const flags of [
      ["-o", "json"],
      ["--output", "json"],
    ]) {
      const { status, stdout, stderr } = operator.status(...flags);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(JSON.parse(stdout)).toEqual({
        account,
        status: "in sync",
        changes: 0,
        refused: 0,
        steps: said(operator.status())
          .lines.slice(0, -1)
          .map((line) => ({ action: "none", text: line.slice(14) })),
      });
    }
    expect(operator.status("-o", "text").stdout).toBe(operator.status().stdout);
  });

  it("of apply.sh --dry-run matches its text output", () => {
    for (const state of [{}, applied, drifted(applied)]) {
      aws.reset(state);
      const plain = said(operator.apply("--dry-run"));
      const { status, stdout, stderr } = operator.apply("--dry-run", "-o", "json");
      expect({ status, stderr }).toEqual({ status: plain.status, stderr: "" });
      const { steps, ...rest } = JSON.parse(stdout);
      const lines = steps.flatMap(({ action, text, cloud = [], package: own = [] }: Step) => [
        `${(words[action] ?? "?").padEnd(13)} ${text}`,
        ...cloud.map((line) => `              cloud    ${line}`),
        ...own.map((line) => `              package  ${line}`),
      ]);
      expect(lines).toEqual(plain.lines.slice(0, -1));
      expect(rest).toEqual({
        account,
        status: status === 0 ? "in sync" : "differs",
        changes: Number(/^(\d*)/.exec(plain.lines.at(-1) ?? "")?.[1]),
        refused: 0,
      });
    }
  });

  it("reports what is refused", () => {
    const state = structuredClone(applied);
    Object.assign(state.roles[roles[0]] ?? {}, { tags: [{ Key: 'a "b" \\', Value: "\u001b[2J" }] });
    aws.reset(state);
    const done = operator.apply("--dry-run", "-o", "json");
    expect(done).toMatchObject({ status: 1, stderr: "" });
    expect(JSON.parse(done.stdout)).toMatchObject({ status: "refused", changes: 0, refused: 1 });
    expect(JSON.parse(done.stdout).steps).toContainEqual({
      action: "refuse",
      text: expect.stringContaining(`role ${roles[0]}: it already exists`),
    });
    const status = operator.status("-o", "json");
    expect(status).toMatchObject({ status: 2 });
    expect(JSON.parse(status.stdout)).toMatchObject({ status: "differs", refused: 1 });
  });

  const failed = ({ status, stdout, stderr }: ReturnType<Operator["status"]>) => {
    expect(status).toBe(1);
    const answer = JSON.parse(stdout);
    expect(answer.status).toBe("failed");
    expect(stderr.replaceAll("\n", " ")).toContain(`error: ${answer.error}`.trimEnd());
    return answer;
  };

  it.each<[string, string[], string]>([
    ["status.sh", ["--no-such", "-o", "json"], 'unknown option "--no-such"; see status.sh --help'],
    ["status.sh", ["-o", "json", "--result"], "--result requires a value; see status.sh --help"],
    ["apply.sh", ["-o", "json"], "-o json requires --dry-run"],
    [
      "apply.sh",
      ["--dry-run", "-o", "json", "--adopt", "x"],
      "--adopt x: the package has no role, bucket or provider with that name",
    ],
    ["apply.sh", ["-o", "json", "-o"], '-o must be "text" or "json"'],
  ])("reports wrong flags in JSON, too: %s %j", (script, flags, error) => {
    aws.reset(applied);
    expect(failed(operator.run(script, flags)).error).toBe(error);
  });

  it("does not apply to --help", () => {
    const { status, stdout } = operator.status("-o", "json", "--help");
    expect({ status, first: stdout.split("\n")[0] }).toEqual({
      status: 0,
      first: "Report where the cloud differs from the files next to this script, with the AWS CLI. It only reads.",
    });
    expect(stdout).not.toContain('"status"');
  });

  it("is JSON for every error", () => {
    aws.reset({ account: "999999999999" });
    expect(failed(operator.status("-o", "json")).error).toContain("the credentials are for the account 999999999999");
    aws.reset(applied);
    operator.status();
    const { length } = aws.calls();
    for (let call = 1; call <= length; call++) {
      aws.reset(applied);
      aws.failAt(call, "unavailable");
      const answer = failed(operator.status("-o", "json"));
      expect(answer.error).toMatch(/^aws \w+ [\w-]+: An error occurred \(\w+\)/);
      expect(answer.account).toBe(account);
    }
    aws.reset(applied);
    const half = inFront(aws, `case "$*" in *get-bucket-policy*) echo '{"Policy": ' ;; *) exec "$stub" "$@" ;; esac`);
    expect(failed(new Operator(aws, operator.out, half).status("-o", "json")).error).toContain(
      "cannot read a response of AWS",
    );
    const copy = copied(operator.out);
    rmSync(join(copy, "aws/cluster.json"));
    expect(failed(new Operator(aws, copy).status("-o", "json")).steps).toEqual([]);
    expect(
      failed(aws.run(join(operator.out, "aws/status.sh"), ["-o", "json"], { env: { TMPDIR: "/nowhere" } })).steps,
    ).toEqual([]);
  });
});

describe.each(awks)("-o json with %s", (awk, tool) => {
  describeWith([tool], "is the same", () => {
    it("for manual changes", () => {
      aws.reset(drifted(applied));
      const expected = operator.status("-o", "json");
      const [first] = pathWith({ awk: `exec ${awk} "$@"` }).split(delimiter);
      const PATH = `${first}${delimiter}${aws.environment["PATH"]}`;
      expect(new Operator(aws, operator.out, { PATH }).status("-o", "json")).toEqual(expected);
    });
  });
});
