import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { ccf, copyProgram, run } from "../../helpers/ccf.ts";
import { temporary } from "../../helpers/temporary.ts";

it("--version prints the version of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(run(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n` });
});

describe("which function runs", () => {
  const noList = {
    status: 1,
    stdout: "",
    stderr: "error: standard input is empty, but must be a ResourceList. [not-a-resource-list]\n",
  };

  it("the one in the first argument, or the one that the program is named after, or all", () => {
    const directory = temporary();
    for (const fn of functions) {
      expect(run([fn.name])).toMatchObject(noList);
      copyProgram(directory, fn.name);
      const called = spawnSync(process.execPath, [join(directory, fn.name)], { input: "", encoding: "utf8" });
      expect(called).toMatchObject(noList);
      const links = join(directory, "links");
      mkdirSync(links, { recursive: true });
      symlinkSync(ccf, join(links, fn.name));
      expect(spawnSync(process.execPath, [join(links, fn.name)], { input: "", encoding: "utf8" })).toMatchObject(
        noList,
      );
    }
    expect(run([])).toMatchObject(noList);
  });

  it("a program named after a function runs only that function", () => {
    const directory = temporary();
    copyProgram(directory, "generate-cloud-credentials");
    const input = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n";
    const both = run([], { input });
    const one = spawnSync(process.execPath, [join(directory, "generate-cloud-credentials")], {
      input,
      encoding: "utf8",
    });
    expect(both.stderr).toContain("[config-missing]");
    expect(one.stderr).toContain("[config-missing]");
    const help = spawnSync(process.execPath, [join(directory, "generate-cloud-credentials"), "--help"], {
      encoding: "utf8",
    });
    expect(help.stdout).toMatch(/^generate-cloud-credentials: /);
  });
});
