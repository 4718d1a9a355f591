import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { copied, exported, Operator, roles } from "../helpers/exported-package.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
let out: string;
beforeAll(async () => {
  aws = await StubAws.start();
  out = exported();
  expect(new Operator(aws, out).apply()).toMatchObject({ status: 0 });
});
afterAll(() => aws?.stop());

/** The digest of an export, computed without the project's own code. */
function digest(directory: string): string {
  const lines = readFileSync(join(directory, "SHA256SUMS"), "utf8").match(/^\w+ {2}aws\/.*\n/gm) ?? [];
  return createHash("sha256").update(lines.join("")).digest("hex");
}

describe("status.sh --result", () => {
  it("records that the cloud is in sync, when, and with which package", () => {
    const file = join(temporary(), "status.json");
    const before = Math.floor(Date.now() / 1000) * 1000;
    expect(new Operator(aws, out).status("--result", file)).toMatchObject({ status: 0, stderr: "" });
    const { time, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    expect(rest).toEqual({ account: "123456789012", package: digest(out), status: "in sync" });
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  });

  it("overwrites an older result, and makes the same calls of AWS", () => {
    const file = join(temporary(), "status.json");
    const operator = new Operator(aws, out);
    const counted = (...flags: string[]) => {
      const { length } = aws.calls();
      expect(operator.status(...flags)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^In sync: /m) });
      const calls = aws.calls().slice(length);
      return calls.map(({ service, operation, changes }) => ({ service, operation, changes }));
    };
    expect(counted("--result", file)).toEqual(counted());
    writeFileSync(file, readFileSync(file, "utf8").replace(/"time": ".*"/, '"time": "2020-01-01T00:00:00Z"'));
    expect(counted("--result", file).length).toBeGreaterThan(5);
    expect(readFileSync(file, "utf8")).not.toContain("2020-01-01");
  });

  it("removes an older result if the cloud differs, or if its state is unknown", () => {
    const file = join(temporary(), "status.json");
    const operator = new Operator(aws, out);
    const state = aws.state();
    operator.status("--result", file);
    const result = readFileSync(file);
    const [role] = roles;
    aws.reset({ ...state, roles: { ...state.roles, [role]: { ...state.roles[role], description: "by hand" } } });
    expect(operator.status("--result", file)).toMatchObject({ status: 2 });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, result);
    aws.reset({ ...state, account: "999999999999" });
    expect(operator.status("--result", file)).toMatchObject({ status: 1 });
    expect(existsSync(file)).toBe(false);
    aws.reset(state);
  });

  it("removes only a result", () => {
    const directory = temporary();
    const operator = new Operator(aws, out);
    const refused = (file: string) => {
      expect(operator.status("--result", file)).toMatchObject({
        status: 1,
        stdout: "",
        stderr: `error: --result ${file}: the file exists and is not a result of status.sh; use another name\n`,
      });
    };
    const mine = join(directory, "mine.json");
    writeFileSync(mine, '{"status": "in sync"}\n');
    refused(mine);
    expect(readFileSync(mine, "utf8")).toBe('{"status": "in sync"}\n');
    refused(directory);
    const dangling = join(directory, "link");
    symlinkSync("nowhere", dangling);
    refused(dangling);
  });

  it.each<[string, (directory: string) => void, string]>([
    [
      "a file that was edited",
      (directory) =>
        appendFileSync(
          join(directory, "aws/roles/openshift-ingress-operator-cloud-credentials/trust-policy.json"),
          " ",
        ),
      "--result: aws/roles/openshift-ingress-operator-cloud-credentials/trust-policy.json has changed since the export; export the package again",
    ],
    [
      "a script that was edited",
      (directory) => appendFileSync(join(directory, "aws/lib-role.sh"), "# mine\n"),
      "--result: aws/lib-role.sh has changed since the export; export the package again",
    ],
    [
      "a role more",
      (directory) => {
        mkdirSync(join(directory, "aws/roles/more"));
        writeFileSync(join(directory, "aws/roles/more/create-role.json"), "{}\n");
      },
      "--result: the files next to status.sh are not the files of the export, for example roles/more/create-role.json; export the package again",
    ],
    [
      "a file less",
      (directory) => rmSync(join(directory, "aws/issuer/keys.json")),
      "--result: the files next to status.sh are not the files of the export, for example issuer/keys.json; export the package again",
    ],
    [
      "no list",
      (directory) => rmSync(join(directory, "SHA256SUMS")),
      "--result: SHA256SUMS is missing; export the package, and run status.sh in that export",
    ],
  ])("refuses an export with %s", (_, change, message) => {
    const copy = copied(out);
    change(copy);
    const file = join(temporary(), "status.json");
    expect(new Operator(aws, copy).status("--result", file)).toMatchObject({
      status: 1,
      stderr: `error: ${message}\n`,
    });
    expect(existsSync(file)).toBe(false);
  });

  it("reports a file that it cannot write", () => {
    const file = join(temporary(), "missing", "status.json");
    const { status, stdout, stderr } = new Operator(aws, out).status("--result", file);
    expect(status).toBe(1);
    expect(stdout).not.toContain("In sync");
    expect(stderr).toContain(`error: --result ${file}: cannot write the file\n`);
  });
});
