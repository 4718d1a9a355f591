import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moments } from "../../helpers/effort.ts";
import {
  copiedFrom,
  createIn,
  createWith,
  git,
  modeOf,
  privateName,
  progress,
  publicName,
  stage,
  storedKeyOf,
  tlsName,
} from "../../helpers/key-pair.ts";
import { describeWith } from "../../helpers/need.ts";
import { keptTemporary, readTree, temporary } from "../../helpers/temporary.ts";

const { directory: kept, remove } = keptTemporary();
const made = join(kept, "keys");
const copied = () => copiedFrom(made);
const storedKey = (directory: string) => storedKeyOf(made, directory);
beforeAll(() => {
  createIn(made);
});
afterAll(remove);

describe("ccf create-key-pair survives", () => {
  const fault = resolve("test/helpers/fault.cjs");

  let count = 0;
  beforeAll(() => {
    const root = join(kept, "count");
    mkdirSync(root);
    const counted = createWith([storedKey(root), fault], join(root, "counted"), { FAULT: "count", FAULT_AT: "0" });
    expect(counted.status).toBe(0);
    count = Number(/calls: (\d+)/.exec(counted.stderr)?.[1]);
  });

  /** Runs the command after a fault. Only a run that makes a key needs a process, for the stored key. */
  function createNext(stored: string, directory: string): { status: number | string | null; stderr: string } {
    return existsSync(join(directory, privateName)) ? createIn(directory) : createWith([stored], directory);
  }

  /**
   * Every file is complete or missing, and no file exists without the private key, from which the others are derived.
   */
  function expectWhole(directory: string): void {
    const wanted: Record<string, string> = copied();
    const files = existsSync(directory) ? readTree(directory) : {};
    for (const [path, text] of Object.entries(files)) {
      if (!path.startsWith(`${stage}/`)) expect(text, path).toBe(wanted[path]);
      if (text.includes("PRIVATE KEY")) expect(modeOf(join(directory, path)), path).toBe("600");
    }
    if (publicName in files || tlsName in files) expect(files).toHaveProperty([privateName]);
  }

  it("being killed at any moment: the next run finishes", () => {
    const root = temporary();
    const stored = storedKey(root);
    expect(count).toBeGreaterThan(20);
    let interrupted = 0;
    const tried = moments(count, { most: 20, few: 5 });
    for (const at of tried) {
      const directory = join(root, String(at));
      expect(createWith([stored, fault], directory, { FAULT: "kill", FAULT_AT: String(at) }).signal).toBe("SIGKILL");
      expectWhole(directory);
      const left = existsSync(join(directory, stage));
      if (left) interrupted += 1;
      const next = createNext(stored, directory);
      expect(next.status, `call ${at}`).toBe(0);
      expect(next.stderr.replace(progress, "")).toBe(
        left
          ? "warning: An earlier run was interrupted; each file that it created is complete. This run creates the others. [key-pair-interrupted]\n"
          : "",
      );
      expect(readTree(directory), `call ${at}`).toEqual(copied());
    }
    expect(interrupted).toBeGreaterThanOrEqual(tried.length / 2);
  }, 300_000);

  it.each(["ENOSPC", "EIO"])(
    "%s at any call: a message, no stack trace, and the next run finishes",
    (code) => {
      const root = temporary();
      const stored = storedKey(root);
      for (const at of moments(count, { most: 10, few: 3 })) {
        const directory = join(root, String(at));
        const { status, stderr } = createWith([stored, fault], directory, { FAULT: code, FAULT_AT: String(at) });
        expect(status, `call ${at}`).toBe(1);
        expect(stderr).toContain(`error: ${code}: made by a test`);
        expect(stderr).not.toMatch(/^\s+at /m);
        expectWhole(directory);
        expect(createNext(stored, directory).status).toBe(0);
        expect(readTree(directory), `call ${at}`).toEqual(copied());
      }
    },
    300_000,
  );

  describeWith(["git"], "in a Git work tree", () => {
    it("being killed at any moment: Git ignores what remains", () => {
      const root = temporary();
      const stored = storedKey(root);
      const repository = join(root, "repository");
      mkdirSync(repository);
      git(repository, "init", "--quiet");
      writeFileSync(join(repository, ".gitignore"), `${privateName}\nbound-service-account-signing-key.key\n`);
      let keysLeft = 0;
      const tried = moments(count, { most: 10, few: 5 });
      for (const at of tried) {
        const directory = join(repository, String(at));
        createWith([stored, fault], directory, { FAULT: "kill", FAULT_AT: String(at) });
        const left = existsSync(directory) ? Object.entries(readTree(directory)) : [];
        if (left.some(([path, text]) => path.startsWith(stage) && text.includes("PRIVATE KEY"))) keysLeft += 1;
        git(repository, "add", "--all");
        for (const path of git(repository, "ls-files", "--cached")
          .split("\n")
          .filter((text) => text !== "")) {
          expect(readFileSync(join(repository, path), "utf8"), path).not.toContain("PRIVATE KEY");
        }
      }
      expect(keysLeft).toBeGreaterThan(tried.length / 8);
    }, 300_000);
  });
});
