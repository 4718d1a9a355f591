import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../helpers/ccf.ts";
import { type Run, run as runProgram } from "../helpers/programs.ts";
import { initFlags } from "../helpers/sample.ts";
import { keptTemporary, readTree } from "../helpers/temporary.ts";

/*
 * The scripts on a real account: a package with a prefix of its own is applied, looked at, changed by hand, mended and
 * destroyed. The sample's private key was thrown away, so no token for the roles that it creates can exist.
 */

const prefix = `ccf-live-${randomBytes(4).toString("hex")}`;
const region = process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"] ?? "us-east-2";
const role = `${prefix}-openshift-ingress-operator-cloud-credentials`;
const { directory, remove } = keptTemporary();
let applied = false;

function aws(...args: readonly string[]): Run {
  return runProgram("aws", [...args, "--region", region, "--output", "json"], { env: process.env });
}

/** Runs one of the exported scripts with the environment that this process has: profile, keys, endpoint. */
function script(name: string, ...flags: readonly string[]): Run {
  const ran = runProgram(join(directory, "out", "aws", name), flags, { env: process.env });
  console.log(`$ ${name} ${flags.join(" ")}\n${ran.stdout}${ran.stderr}`);
  return ran;
}

beforeAll(() => {
  if (process.env["CCF_LIVE_AWS"] !== "1") {
    throw new Error("This changes a real account. Set CCF_LIVE_AWS=1, and credentials of an account for such tests.");
  }
  const { status, stdout, stderr } = aws("sts", "get-caller-identity");
  if (status !== 0) throw new Error(`no credentials: ${stderr}`);
  const account: string = JSON.parse(stdout).Account;
  const pkg = join(directory, "live");
  const steps = [
    ["init", pkg, ...initFlags({ name: prefix, "account-id": account, region })],
    ["render", pkg],
    ["export", pkg, "--output-dir", join(directory, "out")],
  ];
  for (const step of steps) {
    const made = run(step);
    if (made.status !== 0) throw new Error(`ccf ${step.join(" ")}\n${made.stderr}`);
  }
});

afterAll(() => {
  const left = applied && script("destroy.sh", "--yes").status !== 0;
  if (left) console.error(`Something of ${prefix} may be left; destroy it with ${directory}/out/aws/destroy.sh`);
  else remove();
  rmSync(join(directory, "live"), { recursive: true, force: true });
});

describe(`a package on a real account, ${prefix}`, () => {
  it("is missing at first", () => {
    const { status, stdout } = script("apply.sh", "--dry-run");
    expect(status).toBe(2);
    expect(stdout).not.toMatch(/^(?:refused|in sync)/m);
  });

  it("is applied, and then in sync", () => {
    applied = true;
    expect(script("apply.sh").status).toBe(0);
    expect(script("status.sh").status).toBe(0);
  });

  it("needs no second run", () => {
    const { status, stdout } = script("apply.sh");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^No changes: /m);
  });

  it("publishes its documents to everyone, byte by byte, and nothing else", async () => {
    const issuer = readTree(join(directory, "out", "aws", "issuer"));
    const url: string = JSON.parse(issuer["openid-configuration"] ?? "{}").issuer;
    for (const [path, text] of [
      [".well-known/openid-configuration", issuer["openid-configuration"]],
      ["keys.json", issuer["keys.json"]],
    ]) {
      const answer = await fetch(`${url}/${path}`);
      expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text });
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    expect((await fetch(`${url}/`)).status).toBe(403);
  });

  it("shows what was changed by hand, and mends it", () => {
    const policy = { Version: "2012-10-17", Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] };
    const named = ["--role-name", role, "--policy-document", JSON.stringify(policy), "--policy-name"];
    for (const name of [role, "by-hand"]) expect(aws("iam", "put-role-policy", ...named, name).status).toBe(0);
    const { status, stdout } = script("status.sh");
    expect(status).toBe(2);
    expect(stdout).toContain(`role ${role}: permissions`);
    expect(stdout).toContain(`role ${role}: inline policy by-hand`);
    expect(script("apply.sh").status).toBe(0);
    expect(script("status.sh").status).toBe(0);
  });

  it("is destroyed, and nothing is left", () => {
    expect(script("destroy.sh", "--yes").status).toBe(0);
    expect(script("destroy.sh", "--dry-run")).toMatchObject({ status: 0 });
    applied = false;
  });
});
