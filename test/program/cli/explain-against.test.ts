import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { temporary } from "../../helpers/temporary.ts";

/** Two checkouts: `a` is on both sides, `b` only before, and `c` only now. */
function checkouts(): string {
  const root = temporary();
  const model = newPackage();
  for (const name of ["a", "b"]) {
    const directory = join(root, "old/clusters", name);
    cpSync(model, directory, { recursive: true });
    for (const file of ["cluster-identity.yaml", "Kptfile"]) {
      const path = join(directory, file);
      writeFileSync(path, readFileSync(path, "utf8").replace("name: demo", `name: ${name}`));
    }
  }
  expect(run(["render", "--recursive", "old", "-q"], { cwd: root }).status).toBe(0);
  cpSync(join(root, "old"), join(root, "now"), { recursive: true });
  cpSync(join(root, "old/clusters/b"), join(root, "now/clusters/c"), { recursive: true });
  rmSync(join(root, "now/clusters/b"), { recursive: true });
  return root;
}

const isNew = "The package is new: the other side does not have it, so each of its identities is new.";
const page = (cwd: string, ...args: readonly string[]) => run(["explain", ...args, "-o", "html"], { cwd });
const problems = (stderr: string) => stderr.replace(/^(?:warning|clusters|now).*\n/gm, "");

describe("ccf explain --against a checkout", () => {
  it("says which packages are new and which are gone", () => {
    const root = checkouts();
    const { status, stdout, stderr } = page(
      join(root, "now"),
      "--recursive",
      "clusters",
      "--against",
      "../old/clusters",
    );
    expect(status).toBe(0);
    expect(stderr).toContain("note: ../old/clusters/b is in the other side, and is gone here.\n");
    expect(stdout).toContain("Packages of the other side that are gone: ../old/clusters/b.");
    expect(stdout.split(isNew)).toHaveLength(2);
  });

  it.each([
    ["the same paths", "now", "../old", ["clusters/a", "clusters/c"]],
    ["paths below their parent", "now", "../old/clusters", ["clusters/a", "clusters/c"]],
    ["paths elsewhere", "old", "../old/clusters", ["../now/clusters/a", "../now/clusters/c"]],
  ])("pairs a list of directories by %s", (_, cwd, against, directories) => {
    const root = checkouts();
    const { status, stdout, stderr } = page(join(root, cwd), ...directories, "--against", against);
    expect({ status, problems: problems(stderr.replaceAll("../now", "now")) }).toEqual({
      status: 0,
      problems: "2 packages: 2 explained\n",
    });
    expect(stdout.split(isNew)).toHaveLength(2);
    expect(stdout).not.toContain("are gone");
  });

  it("refuses one package as the other side of several", () => {
    const root = checkouts();
    const { status, stdout, stderr } = page(root, "--recursive", "now/clusters", "--against", "old/clusters/a");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain('--against "old/clusters/a" is one package');
  });
});
