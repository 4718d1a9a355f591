import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { temporary } from "../../helpers/temporary.ts";

const ingress = "credentials-requests/20-ingress.yaml";

function edit(path: string, from: RegExp | string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
}

/** Two checkouts with the packages a, b, and c, which are the same on both sides. */
function checkouts(): string {
  const root = temporary();
  const model = newPackage();
  for (const name of ["a", "b", "c"]) {
    const directory = join(root, "old/clusters", name);
    cpSync(model, directory, { recursive: true });
    edit(join(directory, "cluster-identity.yaml"), "name: demo", `name: ${name}`);
    edit(join(directory, "Kptfile"), "name: demo", `name: ${name}`);
  }
  expect(run(["render", "--recursive", "old", "-q"], { cwd: root }).status).toBe(0);
  cpSync(join(root, "old"), join(root, "now"), { recursive: true });
  return root;
}

/** Lets the Ingress Operator assume roles in a package, and renders it. */
function broaden(root: string, name: string): void {
  const directory = join(root, "now/clusters", name);
  edit(join(directory, ingress), /( +- )route53:List/, "$1sts:AssumeRole\n$&");
  expect(run(["render", directory, "-q"]).status).toBe(0);
}

const diff = (root: string, ...args: readonly string[]) =>
  run(["diff", "old", "now", "--recursive", ...args], { cwd: root });
const jsonLines = (text: string) => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

describe("ccf diff --recursive", () => {
  it("says nothing but the verdict about equal checkouts, with exit code 0", () => {
    expect(diff(checkouts())).toEqual({
      status: 0,
      stdout: "No changes.\n3 packages: 3 unchanged\n",
      stderr: "",
    });
  });

  it("prints equal changes once, and names new and removed packages, with exit code 2", () => {
    const root = checkouts();
    broaden(root, "a");
    broaden(root, "c");
    cpSync(join(root, "old/clusters/b"), join(root, "now/clusters/d"), { recursive: true });
    rmSync(join(root, "now/clusters/b"), { recursive: true });
    const { status, stdout, stderr } = diff(root);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "2 clusters (clusters/a, clusters/c): openshift-ingress-operator/cloud-credentials + sts:AssumeRole",
      "new: clusters/d (3 identities)",
      "removed: clusters/b (3 identities)",
      "Verdict: broadened and narrowed.",
      "4 packages: 2 broadened, 1 new, 1 removed",
      "",
    ]);
    expect(diff(root, "-o", "markdown").stdout).toBe(`## Changes: broadened and narrowed

4 clusters: 2 changed, 1 new, 1 removed.

**New:** \`clusters/d\`

**Removed:** \`clusters/b\`

### 2 clusters

<details><summary>Which</summary>

\`clusters/a\`, \`clusters/c\`

</details>

\`\`\`diff
@@ openshift-ingress-operator/cloud-credentials @@
+ sts:AssumeRole
\`\`\`
`);
    const json = diff(root, "-o", "json");
    expect(json).toMatchObject({ status: 2, stderr: "4 packages: 2 broadened, 1 new, 1 removed\n" });
    expect(
      jsonLines(json.stdout).map((one) => [one.package, one.identity, one.platform, one.change, one.verdict]),
    ).toEqual([
      ["clusters/a", "a", "aws", "changed", "broadened"],
      ["clusters/b", "b", "aws", "removed", "narrowed"],
      ["clusters/c", "c", "aws", "changed", "broadened"],
      ["clusters/d", "b", "aws", "new", "broadened"],
    ]);
  });

  it("exits with 0 if permissions are only taken away", () => {
    const root = checkouts();
    edit(join(root, "now/clusters/a", ingress), / +- route53:List.*\n/, "");
    expect(run(["render", join(root, "now/clusters/a"), "-q"]).status).toBe(0);
    const { status, stdout } = diff(root);
    expect(status).toBe(0);
    expect(stdout).toContain("3 packages: 2 unchanged, 1 narrowed\n");
  });

  it("compares a package as it is that was not rendered, and says so", () => {
    const root = checkouts();
    broaden(root, "a");
    edit(join(root, "now/clusters/c", ingress), /( +- )route53:List/, "$1sts:AssumeRole\n$&");
    const { status, stdout, stderr } = diff(root, "-o", "markdown");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^clusters\/c:\nerror: The package differs from what its sources render, .*now\/clusters\/c/,
    );
    expect(stdout).toContain("**Not what a render makes of its sources, and compared as it is:** `clusters/c`\n");
    expect(stdout).toContain("### `clusters/a`\n");
  });

  it("fails for a package that cannot be compared, with the reason, and the verdict is unknown", () => {
    const root = checkouts();
    writeFileSync(join(root, "now/clusters/c/manifests/extra.yaml"), "a: [\n");
    const { status, stdout, stderr } = diff(root, "-o", "markdown");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^clusters\/c:\nerror: manifests\/extra\.yaml/);
    expect(stdout).toMatch(/^## Changes: unknown\n/);
    expect(stdout).toMatch(
      /\*\*Not compared, because of an error:\*\*\n\n- `clusters\/c`: `manifests\/extra\.yaml: .*\[file-unreadable\]`\n/,
    );
    expect(diff(root).stdout).toContain("not compared: clusters/c\nVerdict: unknown.\n");
  });

  it("does not take a package that is hidden for one that is gone", () => {
    const root = checkouts();
    writeFileSync(join(root, "now/.krmignore"), "clusters/b\n");
    const { status, stderr } = diff(root);
    expect(status).toBe(1);
    expect(stderr).toContain('clusters/b:\nerror: "now/clusters/b" is a package, but .krmignore hides it');
  });

  it("requires packages, and no description of one cluster", () => {
    const root = checkouts();
    const empty = temporary();
    expect(run(["diff", empty, empty, "--recursive"]).stderr).toContain("contain no packages");
    const { stdout } = run(["diff", empty, "now", "--recursive"], { cwd: root });
    expect(stdout).toContain("3 packages: 3 new\n");
    expect(diff(root, "--feature-set", "Default").stderr).toContain("--feature-set has no effect with --recursive");
  });
});
