import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readList } from "../../../src/cli/package/export-files.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { run } from "../../helpers/ccf.ts";
import { awsOf, configure, packageWithBoundary } from "../../helpers/cluster-package.ts";
import { moments } from "../../helpers/effort.ts";
import { countChanges, runWithFault } from "../../helpers/fault.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";

type Tree = Record<string, string>;

/** Two states of a package, and the export of the first state. */
interface Change {
  readonly first: string;
  readonly second: string;
  /** The directory with the export of the first state. */
  readonly before: string;
  readonly old: Tree;
  readonly after: Tree;
  /** The number of file system changes between the two exports. */
  readonly calls: number;
}

const { directory: root, remove } = keptTemporary();
afterAll(remove);

let change: Change | undefined;

/** A change to the package that makes an export add, change and remove files. Tests copy it, and do not change it. */
function changing(): Change {
  change ??= makeChange();
  return change;
}

function makeChange(): Change {
  const first = join(root, "first");
  cpSync(packageWithBoundary(), first, { recursive: true });
  const second = join(root, "second");
  cpSync(first, second, { recursive: true });
  configure(second, (spec) => {
    awsOf(spec)["roles"] = { ...(awsOf(spec)["roles"] as object), maxSessionDuration: 7200 };
  });
  rmSync(join(second, "credentials-requests/20-ingress.yaml"));
  const request = join(second, "credentials-requests/10-registry.yaml");
  const renamed = readFileSync(request, "utf8").replace("name: installer-cloud-credentials", "name: other-credentials");
  writeFileSync(request, renamed);
  expect(run(["render", "--allow", "removal", second]).status).toBe(0);
  const before = join(root, "before");
  expect(run(["export", first, "--output-dir", before]).status).toBe(0);
  writeTree(before, { "aws/.creating-bucket": "a script's\n" });
  const done = join(root, "done");
  cpSync(before, done, { recursive: true });
  const calls = countChanges(["export", second, "--output-dir", done]);
  return { first, second, before, old: readTree(before), after: readTree(done), calls };
}

/** Each file has either its old or its new content, and the list contains its digest. */
function expectWhole(out: string, old: Tree, after: Tree): void {
  const now = readTree(out);
  const list = readList(now["SHA256SUMS"] ?? "");
  for (const path of new Set([...Object.keys(old), ...Object.keys(after), ...Object.keys(now)])) {
    if (path === "SHA256SUMS" || path.startsWith(".ccf-export/")) continue;
    const text = now[path];
    expect([old[path], after[path]], path).toContain(text);
    if (text === undefined || path === "aws/.creating-bucket") continue;
    expect(list?.get(path), path).toContain(sha256(text).toString("hex"));
  }
}

describe("ccf export survives", () => {
  it("being killed at any moment: every file is old or new, and the next run finishes, whichever package it exports", () => {
    const { first, second, before, old, after, calls } = changing();
    expect(calls).toBeGreaterThan(50);
    let interrupted = 0;
    let between = 0;
    const tried = moments(calls, { most: 24 });
    for (const [index, at] of tried.entries()) {
      const out = join(temporary(), "out");
      cpSync(before, out, { recursive: true });
      expect(runWithFault("kill", at, ["export", second, "--output-dir", out]).signal).toBe("SIGKILL");
      expectWhole(out, old, after);
      const left = existsSync(join(out, ".ccf-export"));
      if (left) interrupted += 1;
      const now = readTree(out)["SHA256SUMS"];
      if (now !== old["SHA256SUMS"] && now !== after["SHA256SUMS"]) between += 1;
      const [next, expected] = index % 2 === 0 ? [second, after] : [first, old];
      const { status, stderr } = run(["export", next, "--output-dir", out]);
      expect({ status, told: stderr.includes("[export-interrupted]") }, `call ${at}: ${stderr}`).toEqual({
        status: 0,
        told: left,
      });
      expect(readTree(out), `call ${at}`).toEqual(expected);
    }
    expect(interrupted).toBeGreaterThanOrEqual(tried.length / 2);
    expect(between).toBeGreaterThan(tried.length / 4);
  }, 300_000);

  it("being killed while it writes for the first time", () => {
    const directory = packageWithBoundary();
    const done = join(temporary(), "out");
    const calls = countChanges(["export", directory, "--output-dir", done]);
    const after = readTree(done);
    for (const at of moments(calls, { most: 8, few: 2 })) {
      const out = join(temporary(), "out");
      expect(runWithFault("kill", at, ["export", directory, "--output-dir", out]).signal).toBe("SIGKILL");
      if (existsSync(out)) expectWhole(out, {}, after);
      expect(run(["export", directory, "--output-dir", out]).status, `call ${at}`).toBe(0);
      expect(readTree(out), `call ${at}`).toEqual(after);
    }
  }, 300_000);

  it.each(["ENOSPC", "EACCES"])(
    "%s at any call: a message, no stack trace, and the next run ends the same",
    (code) => {
      const { second, before, old, after, calls } = changing();
      for (const at of moments(calls, { most: 12, few: 3 })) {
        const out = join(temporary(), "out");
        cpSync(before, out, { recursive: true });
        const { status, stderr } = runWithFault(code, at, ["export", second, "--output-dir", out]);
        expect(status, `call ${at}`).toBe(1);
        expect(stderr).toContain(`error: ${code}: made by a test`);
        expect(stderr).not.toMatch(/^\s+at /m);
        expectWhole(out, old, after);
        expect(run(["export", second, "--output-dir", out]).status).toBe(0);
        expect(readTree(out), `call ${at}`).toEqual(after);
      }
    },
    300_000,
  );

  it("a file that a user changes after an interrupted run, and keeps the change", () => {
    const { second, before, calls } = changing();
    const out = join(temporary(), "out");
    cpSync(before, out, { recursive: true });
    runWithFault("kill", calls - 5, ["export", second, "--output-dir", out]);
    writeTree(out, { "aws/issuer/keys.json": "other\n" });
    const { status, stderr } = run(["export", second, "--output-dir", out]);
    expect(status).toBe(1);
    expect(stderr).toContain("[export-file-edited]");
    expect(readFileSync(join(out, "aws/issuer/keys.json"), "utf8")).toBe("other\n");
  });
});

describe("an export that was interrupted", () => {
  const told = "warning: An earlier run was interrupted; each file has either its old or its new content.";

  it("is not finished by --check, which exits with 2", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "out");
    expect(run(["export", directory, "--output-dir", out]).status).toBe(0);
    writeTree(out, { ".ccf-export/process": "x\n" });
    const check = run(["export", directory, "--output-dir", out, "--check"]);
    expect(check.status).toBe(2);
    expect(check.stderr).toBe(
      `${told} Run "ccf export ${directory} --output-dir ${out}" to finish it. [export-interrupted]\n`,
    );
    expect(existsSync(join(out, ".ccf-export/process"))).toBe(true);
    const next = run(["export", directory, "--output-dir", out]);
    expect(next).toMatchObject({ status: 0, stderr: `${told} This run finishes it. [export-interrupted]\n` });
    expect(existsSync(join(out, ".ccf-export"))).toBe(false);
  });
});
