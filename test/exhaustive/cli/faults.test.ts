import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ProcessRecord, recordText, thisProcess } from "../../../src/cli/files/stage.ts";
import { ccf, copyProgram, run } from "../../helpers/ccf.ts";
import { moments } from "../../helpers/effort.ts";
import { runWithFault } from "../../helpers/fault.ts";
import { initSample } from "../../helpers/sample.ts";
import { keptTemporary, readTree, temporary, writeTree } from "../../helpers/temporary.ts";

function renderWith(fault: string, at: number, directory: string) {
  return runWithFault(fault, at, ["render", directory]);
}

interface Change {
  readonly before: string;
  readonly after: Record<string, string>;
  readonly old: Record<string, string>;
  readonly calls: number;
}

const { directory: root, remove } = keptTemporary();
afterAll(remove);

let change: Change | undefined;

/** A package in which a render adds, changes and removes files. Tests copy it, and do not change it. */
function changing(): Change {
  change ??= makeChange();
  return change;
}

function makeChange(): Change {
  const before = join(root, "before");
  initSample(before);
  run(["render", before]);
  const config = join(before, "cluster-identity.yaml");
  const allow = "openshift-image-registry/installer-cloud-credentials";
  const annotated = `  annotations:\n    fn.cloudcredential.dev/allow: removal:${allow}\n`;
  writeFileSync(config, tagged(readFileSync(config, "utf8")).replace("  annotations:\n", annotated));
  cpSync(join(before, "credentials-requests/10-registry.yaml"), join(before, "credentials-requests/50-new.yaml"));
  writeFileSync(
    join(before, "credentials-requests/10-registry.yaml"),
    readFileSync(join(before, "credentials-requests/10-registry.yaml"), "utf8").replace(
      "name: installer-cloud-credentials",
      "name: other-credentials",
    ),
  );
  writeFileSync(
    join(before, "credentials-requests/50-new.yaml"),
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n",
  );
  const done = join(root, "done");
  cpSync(before, done, { recursive: true });
  const counted = renderWith("count", 0, done);
  expect(counted.status).toBe(0);
  expect(counted.stdout).toMatch(/added[\s\S]*changed[\s\S]*removed/);
  return {
    before,
    after: readTree(done),
    old: readTree(before),
    calls: Number(/calls: (\d+)/.exec(counted.stderr)?.[1]),
  };
}

/** Each file of the package has either its old or its new content. */
function expectWhole(directory: string, old: Record<string, string>, after: Record<string, string>): void {
  const now = readTree(directory);
  for (const path of new Set([...Object.keys(old), ...Object.keys(after), ...Object.keys(now)])) {
    if (path.startsWith(".ccf-render/")) continue;
    expect([old[path], after[path]], path).toContain(now[path]);
  }
}

function writeRecord(stage: string, change: Partial<ProcessRecord>): void {
  writeFileSync(join(stage, "process"), recordText({ ...thisProcess(), ...change }));
}

/** A configuration with an additional tag, which changes everything that is generated for AWS. */
function tagged(config: string): string {
  return config.replace("region: us-east-2", "region: us-east-2\n      tags: {team: platform}");
}

describe("ccf render survives", () => {
  // The first digits of its process ID may be the ID of another process, for example of process 1.
  it.each(["1", String(process.pid), "", "0\n", "x\n", "1\n1\n"])(
    "being killed before %j, its number, was written whole",
    (number) => {
      const directory = join(temporary(), "demo");
      initSample(directory);
      writeTree(directory, { ".ccf-render/process": number });
      const { status, stderr } = run(["render", directory]);
      expect({ status, told: stderr.includes("[render-interrupted]") }).toEqual({ status: 0, told: true });
      expect(existsSync(join(directory, ".ccf-render"))).toBe(false);
    },
  );

  it.each<[string, (stage: string) => void]>([
    ["a number that is another process's now", (stage) => writeRecord(stage, { started: thisProcess().started + 1 })],
    ["another machine's process", (stage) => writeRecord(stage, { machine: "other" })],
    ["a link that has no end", (stage) => symlinkSync("/dev/zero", join(stage, "process"))],
    ["a directory", (stage) => mkdirSync(join(stage, "process"))],
    ["a text that has no end", (stage) => writeFileSync(join(stage, "process"), "1".repeat(100_000))],
  ])("%s, committed where an interrupted run leaves its own", (_what, put) => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const stage = join(directory, ".ccf-render");
    mkdirSync(stage);
    put(stage);
    const { status, stderr } = run(["render", directory]);
    expect({ status, told: stderr.includes("[render-interrupted]") }).toEqual({ status: 0, told: true });
    expect(existsSync(stage)).toBe(false);
  });

  it("being killed at any moment: every file has either its old or its new content, and the next run finishes", () => {
    const { before, after, old, calls } = changing();
    expect(calls).toBeGreaterThan(20);
    let interrupted = 0;
    const tried = moments(calls, { most: 20 });
    for (const [index, at] of tried.entries()) {
      const directory = join(temporary(), "demo");
      cpSync(before, directory, { recursive: true });
      expect(renderWith("kill", at, directory).signal).toBe("SIGKILL");
      expectWhole(directory, old, after);
      if (existsSync(join(directory, ".ccf-render"))) {
        interrupted += 1;
        if (index % 9 === 2) {
          const found = readTree(directory);
          const check = run(["render", "--check", directory]);
          expect(check.status, `call ${at}`).toBe(2);
          expect(check.stderr).toContain(
            `warning: An earlier run was interrupted; each file has either its old or its new content. Run "ccf render ${directory}" to finish it. [render-interrupted]`,
          );
          expect(readTree(directory)).toEqual(found);
        }
        const next = run(["render", directory]);
        expect(next.stderr).toContain("[render-interrupted]");
        expect(next.status).toBe(0);
      }
      expect(run(["render", directory]).status).toBe(0);
      expect(readTree(directory), `call ${at}`).toEqual(after);
    }
    expect(interrupted).toBeGreaterThanOrEqual(tried.length / 2);
  }, 300_000);

  it.each(["ENOSPC", "EIO", "EACCES"])(
    "%s at any call: a message, no stack trace, and the next run ends the same",
    (code) => {
      const { before, after, old, calls } = changing();
      for (const at of moments(calls, { most: 8, few: 3 })) {
        const directory = join(temporary(), "demo");
        cpSync(before, directory, { recursive: true });
        const { status, stderr } = renderWith(code, at, directory);
        expect(status, `call ${at}`).toBe(1);
        expect(stderr).toContain(`error: ${code}: made by a test`);
        expect(stderr).not.toMatch(/^\s+at /m);
        expectWhole(directory, old, after);
        expect(run(["render", directory]).status).toBe(0);
        expect(readTree(directory), `call ${at}`).toEqual(after);
      }
    },
    300_000,
  );

  it("a file that a user creates after an interrupted run, and keeps it", () => {
    const { before, calls } = changing();
    const files = [
      "aws/roles/openshift-image-registry-other-credentials.yaml",
      "manifests/openshift-image-registry-other-credentials-credentials.yaml",
    ];
    let seen = false;
    for (let at = calls; at > 0 && !seen; at--) {
      const directory = join(temporary(), "demo");
      cpSync(before, directory, { recursive: true });
      renderWith("kill", at, directory);
      const missing = files.find((path) => !existsSync(join(directory, path)));
      if (missing === undefined) continue;
      seen = true;
      writeTree(directory, { [missing]: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: user\n" });
      const next = run(["render", directory]);
      expect(next.status).toBe(1);
      expect(next.stderr).toContain("[path-taken]");
      expect(readFileSync(join(directory, missing), "utf8")).toContain("user");
    }
    expect(seen).toBe(true);
  });
});

describe("ccf render refuses to write", () => {
  it("files without write permission, before it writes anything", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    mkdirSync(join(directory, "manifests"));
    chmodSync(join(directory, "manifests"), 0o555);
    const before = readTree(directory);
    const options = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    if (process.getuid?.() === 0) {
      chmodSync(join(directory, ".."), 0o755);
      for (const path of [directory, ...["", "manifests", "credentials-requests"].map((text) => join(directory, text))])
        chownSync(path, 65534, 65534);
    }
    const copy = copyProgram(join(directory, ".."));
    const { status, stderr } = spawnSync(process.execPath, [copy, "render", directory], {
      ...options,
      encoding: "utf8",
    });
    expect(stderr).toContain('"manifests" is not writable');
    expect(stderr).toContain("[file-not-writable]");
    expect(status).toBe(1);
    expect(readTree(directory)).toEqual(before);
    chmodSync(join(directory, "manifests"), 0o755);
  });

  it("while another run is writing", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, { ".ccf-render/process": recordText(thisProcess()) });
    const before = readTree(directory);
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      "another ccf command is writing to this directory. Wait until it ends, and run the same command again. If no such process is running, remove the directory .ccf-render",
    );
    expect(readTree(directory)).toEqual(before);
  });

  it("a file that a user put into the stage of an interrupted run", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const after = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    const entries = [".git/hooks/pre-commit", "../escaped", "notes.yaml"].map((path) => ({ path, staged: "0", after }));
    writeTree(directory, { ".ccf-render/journal.json": JSON.stringify(entries), ".ccf-render/0": "foo" });
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(0);
    expect(stderr).toContain(
      "An earlier run was interrupted; each file has either its old or its new content. This run finishes it. [render-interrupted]",
    );
    for (const path of [".git", "../escaped", "notes.yaml", ".ccf-render"])
      expect(existsSync(join(directory, path)), path).toBe(false);
  });

  it("through a symbolic link instead of the stage", () => {
    const root = temporary();
    const directory = join(root, "demo");
    initSample(directory);
    writeTree(root, { "outside/0": "theirs" });
    symlinkSync(join(root, "outside"), join(directory, ".ccf-render"));
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain("error: .ccf-render is not a directory; remove it.");
    expect(readTree(join(root, "outside"))).toEqual({ "0": "theirs" });
  });

  it("a file that changes while it runs", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    run(["render", directory]);
    const config = join(directory, "cluster-identity.yaml");
    writeFileSync(config, tagged(readFileSync(config, "utf8")));
    const issuer = join(directory, "aws/issuer.yaml");
    // The file changes after the last file has been read.
    const meddle = join(directory, "../meddle.cjs");
    writeFileSync(
      meddle,
      `const fs = require("node:fs"); const { openSync, closeSync, appendFileSync } = fs; const open = new Map(); let seen = 0;
       fs.openSync = (path, ...rest) => { const file = openSync(path, ...rest); open.set(file, path); return file; };
       fs.closeSync = (file) => { closeSync(file);
         if (open.get(file) === ${JSON.stringify(issuer)} && seen++ === 1) appendFileSync(open.get(file), "# by a user\\n"); };`,
    );
    const before = readTree(directory);
    const { status, stderr } = spawnSync(process.execPath, ["-r", meddle, ccf, "render", directory], {
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain('"aws/issuer.yaml" was changed by another program during the run; render again.');
    expect(stderr).toContain("[file-changed]");
    expect(readTree(directory)).toEqual({
      ...before,
      "aws/issuer.yaml": `${before["aws/issuer.yaml"]}# by a user\n`,
    });
  });
});
