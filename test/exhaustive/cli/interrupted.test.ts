import { spawn } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commandLine, type Run, run } from "../../helpers/ccf.ts";
import { countChanges, runWithFault } from "../../helpers/fault.ts";
import { initFlags } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));

it("ccf init, killed at any moment, leaves no directory, or a whole package", () => {
  const init = (directory: string) => ["init", directory, ...initFlags()];
  const whole = join(temporary(), "demo");
  const calls = countChanges(init(whole));
  let made = 0;
  for (let at = 1; at <= calls; at++) {
    const directory = join(temporary(), "demo");
    expect(runWithFault("kill", at, init(directory)).signal, `call ${at}`).toBe("SIGKILL");
    if (existsSync(directory)) made += 1;
    else expect(run(init(directory)), `call ${at}`).toMatchObject({ status: 0 });
    expect(readTree(directory), `call ${at}`).toEqual(readTree(whole));
  }
  expect([made > 0, made < calls]).toEqual([true, true]);
  expect(statSync(whole).mode & 0o777).toBe(0o777 & ~process.umask());
});

const signal = "SIGTERM";

it(`${signal} ends a run after a package, and another run finishes`, async () => {
  const root = temporary();
  const count = 60;
  const names = Array.from({ length: count }, (_, at) => `c${String(at).padStart(2, "0")}`);
  // Each in a project of its own, with an issuer of its own.
  const done = names.map((name) => {
    const tree = Object.entries(readTree(join(packages, "gcp-pool")));
    const own = (text: string) =>
      text
        .replace("projectID: demo-project\n", `$&      bucket: demo-${name}\n`)
        .replaceAll("gcp-pool-oidc", `demo-${name}`)
        .replaceAll("demo-project", `demo-${name}`);
    return Object.fromEntries(tree.map(([path, text]) => [path, own(text)]));
  });
  for (const [at, name] of names.entries()) {
    writeTree(join(root, name), done[at] ?? {});
    rmSync(join(root, name, "manifests"), { recursive: true });
  }
  const old = names.map((name) => readTree(join(root, name)));
  const { status, stdout, stderr } = await interrupted(["render", "--recursive", root], () =>
    existsSync(join(root, "c00", "manifests")),
  );
  const [, told] = /^error: stopped after (\d+) of 60 packages; each is complete\. /m.exec(stderr) ?? [];
  expect({ status, told }).toEqual({ status: 128 + 15, told: expect.any(String) });
  const trees = names.map((name) => readTree(join(root, name)));
  const finished = Number(told);
  expect(finished).toBeGreaterThan(0);
  expect(finished).toBeLessThan(count);
  expect(trees).toEqual(names.map((_, at) => (at < finished ? done : old)[at]));
  expect(stdout).toContain(`60 packages: ${finished} written\n`);
  expect(run(["render", "--recursive", root]).stdout).toContain(
    `60 packages: ${finished} up to date, ${count - finished} written\n`,
  );
  expect(names.map((name) => readTree(join(root, name)))).toEqual(done);
}, 60_000);

/** Runs ccf, and sends the signal when it has begun. */
function interrupted(args: readonly string[], hasBegun: () => boolean): Promise<Run> {
  const child = spawn(...commandLine(...args), { env: { PATH: process.env["PATH"] } });
  const waiting = setInterval(() => {
    if (!hasBegun()) return;
    clearInterval(waiting);
    child.kill(signal);
  }, 2);
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (data) => (stderr += data));
  child.stdout.on("data", (data) => (stdout += data));
  return new Promise((resolve) =>
    child.on("close", (status) => {
      clearInterval(waiting);
      resolve({ status, stdout, stderr });
    }),
  );
}
