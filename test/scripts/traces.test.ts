import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { oneRequest } from "../helpers/cluster-package.ts";
import { exports } from "../helpers/exported.ts";
import { describeWith } from "../helpers/need.ts";
import { pathWith, run } from "../helpers/programs.ts";
import { temporary } from "../helpers/temporary.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const fresh = exports(undefined, oneRequest);
const secrets = {
  AWS_ACCESS_KEY_ID: "canary-id",
  AWS_SECRET_ACCESS_KEY: "canary-secret",
  AWS_SESSION_TOKEN: "canary-token",
};

function script(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const work = env["TMPDIR"] ?? temporary();
  const directory = fresh();
  const done = aws.run("sh", [join(directory, name), ...args], {
    cwd: temporary(),
    env: { CCF_WAIT: "0", TMPDIR: work, ...secrets, ...env },
  });
  expect(done.stdout + done.stderr).not.toMatch(/canary/);
  return { ...done, left: existsSync(work) ? readdirSync(work) : [] };
}

describe("a script", () => {
  it("shows no credentials and leaves no file if it succeeds", () => {
    expect(script("apply.sh")).toMatchObject({ status: 0, left: [] });
    expect(script("status.sh")).toMatchObject({ status: 0, left: [] });
    expect(script("destroy.sh", ["--yes"])).toMatchObject({ status: 0, left: [] });
  });

  it.each([2, 3, 5, 9, 16])("shows no credentials and leaves no file if call %d fails", (call) => {
    aws.failAt(call, "refused");
    expect(script("apply.sh")).toMatchObject({ status: 1, left: [] });
  });

  it("exits with 1 if a response cannot be read", () => {
    expect(script("apply.sh").status).toBe(0);
    const applied = aws.state();
    for (const [name = "", ...args] of [["status.sh"], ["apply.sh"], ["destroy.sh", "--yes"]]) {
      for (const operation of [
        "get-caller-identity",
        "get-account-authorization-details",
        "list-roles",
        "get-bucket-tagging",
        "get-open-id-connect-provider",
      ]) {
        aws.reset(applied);
        const real = aws.environment["PATH"]?.split(":")[0];
        const PATH = pathWith({
          aws: `case "$*" in *${operation}*) echo '{"Tags": ['; exit 0 ;; esac\nexec ${real}/aws "$@"`,
        });
        const { status, stderr, left } = script(name, args, { PATH });
        const ended = stderr === "" ? 0 : 1;
        expect({ status, left }, `${name} ${operation} ${stderr}`).toEqual({ status: ended, left: [] });
        const always = ["get-account-authorization-details", "get-open-id-connect-provider"];
        if (always.includes(operation)) expect(status).toBe(1);
      }
    }
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("leaves no file after %s, and says by its exit code what it was", async (signal, code) => {
    const work = temporary();
    const PATH = pathWith({ aws: "sleep 1" });
    for (const shell of ["sh", "bash"]) {
      const child = spawn(shell, [join(fresh(), "status.sh")], {
        env: { PATH, TMPDIR: work },
        stdio: "ignore",
        detached: true,
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      for (let tries = 0; tries < 100 && readdirSync(work).length === 0; tries++) await wait(20);
      const [made = ""] = readdirSync(work);
      expect(statSync(join(work, made)).mode & 0o777).toBe(0o700);
      await wait(100);
      process.kill(-(child.pid ?? 0), signal);
      expect(await ended).toBe(code);
      expect(readdirSync(work)).toEqual([]);
    }
  });

  it.each([["dash"], ["bash", "--posix"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]])(
    "uses nothing that exists in place of its own directory: %s",
    (...shell) => {
      if (run("sh", ["-c", `command -v ${shell[0]}`]).status !== 0) return;
      const work = temporary();
      const elsewhere = temporary();
      // The name contains the process ID of the shell, so the process that becomes the shell creates it.
      const start = (plant: string) =>
        aws.run("sh", ["-c", `${plant}; shift; exec "$@"`, "sh", elsewhere, ...shell, join(fresh(), "status.sh")], {
          env: { TMPDIR: work },
        });
      const some = `cd "$TMPDIR"; mkdir ccf-$$ ccf-$$-1; ln -s "$1" ccf-$$-2; ln -s none ccf-$$-3; : >ccf-$$-4`;
      expect(start(some)).toMatchObject({ status: 2, stderr: "" });
      expect(readdirSync(elsewhere)).toEqual([]);
      const left = readdirSync(work).map((name) => name.replace(/^ccf-\d+/, "ccf"));
      expect(left).toEqual(["ccf", "ccf-1", "ccf-2", "ccf-3", "ccf-4"]);
      expect(readdirSync(work, { recursive: true })).toHaveLength(left.length);

      aws.forgetCalls();
      const all = 'cd "$TMPDIR"; n=0; while [ $n -lt 100 ]; do n=$((n + 1)); mkdir ccf-$$-$n; done';
      const { status, stdout, stderr } = start(all);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^error: \S+-1 to \S+-100 already exist; remove those that scripts have left$/m);
      expect(readdirSync(work)).toHaveLength(left.length + 100);
      expect(aws.calls()).toEqual([]);
    },
  );

  it("uses any writable directory for its files, and names one that it cannot use", () => {
    const home = temporary();
    for (const name of ["a b", "-x", "$(x)", "a\nb"]) {
      mkdirSync(join(home, name));
      expect(script("status.sh", [], { TMPDIR: join(home, name) })).toMatchObject({ status: 2, left: [] });
    }
    const relative = aws.run("sh", [join(fresh(), "apply.sh"), "--dry-run"], { cwd: home, env: { TMPDIR: "-x" } });
    expect(relative).toMatchObject({ status: 2, stderr: "" });
    expect(readdirSync(join(home, "-x"))).toEqual([]);
    const none = script("status.sh", [], { TMPDIR: join(home, "none") });
    expect(none).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("cannot use the directory") });
  });
});

describeWith(["script"], "colors", () => {
  const shown = (env: NodeJS.ProcessEnv) => {
    const command = `sh '${join(fresh(), "status.sh")}'`;
    return run("script", ["-q", "-e", "-c", command, "/dev/null"], { env: { ...aws.environment, ...env } });
  };

  it("are for terminals", () => {
    expect(shown({ TERM: "xterm" }).stdout).toContain("\u001b[33mmissing      \u001b[0m bucket demo-oidc");
    expect(script("status.sh", [], { TERM: "xterm" }).stdout).not.toContain("\u001b");
  });

  it.each([{ TERM: "xterm", NO_COLOR: "1" }, { TERM: "dumb" }, {}])("are not used with %j", (env) => {
    const { status, stdout } = shown(env);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^missing +bucket demo-oidc/);
    expect(stdout).not.toContain("\u001b");
  });
});
