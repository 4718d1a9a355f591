import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf } from "../../helpers/in-process.ts";
import { initFlags, sample } from "../../helpers/sample.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

const { directory: root, remove } = keptTemporary();
const pkg = join(root, "pkg");
const out = join(root, "out");
const silent = { status: 0, stdout: "", stderr: "" };
afterAll(remove);

describe("--quiet", () => {
  it("omits notes about what was done", async () => {
    expect(await answerOf(["init", "--quiet", pkg, ...initFlags()])).toEqual(silent);
    expect(await answerOf(["render", "-q", pkg])).toEqual(silent);
    const exported = await answerOf(["export", "-q", pkg, "--output-dir", out]);
    expect(exported).toMatchObject({ status: 0, stdout: "", stderr: expect.stringMatching(/^warning: .*\n$/) });
    expect(await answerOf(["create-key-pair", "-q", "--no-installer", "--output-dir", join(root, "keys")])).toEqual(
      silent,
    );
    expect(await answerOf(["validate", "-q", pkg])).toMatchObject({ status: 0, stdout: "" });
  });

  describe("keeps", () => {
    beforeAll(async () => {
      expect(await answerOf(["render", "-q", pkg])).toEqual(silent);
    });

    it("requested output", async () => {
      for (const args of [
        ["render", "--check", pkg],
        ["render", "--stdout", pkg],
        ["export", "--check", pkg, "--output-dir", out],
        ["validate", pkg, "-o", "json"],
        ["diff", pkg, sample],
      ]) {
        const loud = await answerOf(args);
        const quiet = await answerOf([...args, "--quiet"]);
        const wrong = loud.stderr.split("\n").filter((line) => !line.startsWith("info:"));
        expect(quiet, args.join(" ")).toEqual({ ...loud, stderr: wrong.join("\n") });
        expect(quiet.stdout).not.toBe("");
      }
    });

    it("problems", async () => {
      const refused = await answerOf(["create-key-pair", "-q", "b"]);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("error: too many arguments") });
      expect(await answerOf(["render", "-q", join(root, "nowhere")])).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^error: /),
      });
    });
  });

  it("is the opposite of --verbose, without which no note with the severity info is printed", async () => {
    await answerOf(["render", "-q", pkg]);
    const notes = async (...args: string[]) =>
      (await answerOf(["render", pkg, ...args])).stderr.split("\n").filter((line) => line.startsWith("info:"));
    expect(await notes()).toEqual([]);
    expect(await notes("--verbose")).toContainEqual(expect.stringMatching(/publishes the key .* \[signing-key\]$/));
    expect(await notes("--verbose", "--quiet")).toEqual([]);
    const fleet = await answerOf(["render", "--recursive", pkg, "--verbose"]);
    expect(fleet.stderr).toMatch(/^info: .* \[signing-key\]$/m);
    expect((await answerOf(["render", "--recursive", pkg])).stderr).toBe("");
  });

  it("does not affect the next command", async () => {
    await answerOf(["render", "-q", pkg]);
    expect(await answerOf(["render", pkg])).toMatchObject({ stdout: "Up to date: no file changes.\n" });
  });
});
