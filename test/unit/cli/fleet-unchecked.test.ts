import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPackages } from "../../../src/cli/fleet/find-packages.ts";
import { type FleetFlags, onePackage } from "../../../src/cli/fleet/flags.ts";
import { selectPackages } from "../../../src/cli/fleet/select-packages.ts";
import { uncheckedPaths } from "../../../src/cli/fleet/touched.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const identity = "apiVersion: fn.cloudcredential.dev/v1alpha1\nkind: ClusterIdentity\nmetadata: {name: a}\n";
const kptfile =
  "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline: {mutators: [{exec: ccf generate-oidc-issuer}]}\n";
const manifest =
  "apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {fn.cloudcredential.dev/generated-by: x/y}}\n";
const request = "apiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\nmetadata: {name: a}\n";

/** A repository with the packages `clusters/a` and `clusters/b`. */
function repository(): string {
  const root = realpathSync(temporary());
  for (const name of ["a", "b"])
    writeTree(root, {
      [`clusters/${name}/Kptfile`]: kptfile,
      [`clusters/${name}/cluster-identity.yaml`]: identity,
      [`clusters/${name}/manifests/x-credentials.yaml`]: manifest,
    });
  return root;
}

/** What is unchecked below `clusters`, as "code path". */
function unchecked(root: string, ...touched: readonly string[]): string[] {
  const top = join(root, "clusters");
  const packages = new Set(findPackages(top).map((path) => join(top, path)));
  const found = uncheckedPaths(
    top,
    touched.map((path) => join(root, path)),
    packages,
  );
  return found.map(({ code, file, severity }) => {
    expect(severity).toBe(code === "generated-orphan" ? "error" : "warning");
    return `${code} ${(file?.path ?? "").replace(/^.*?(?=clusters)/, "")}`;
  });
}

describe("a touched path in no package", () => {
  it("does not matter if it never was in a package", () => {
    const root = repository();
    writeTree(root, {
      "clusters/README.md": "",
      "clusters/.gitattributes": "",
      "clusters/.krmignore": "install-config.yaml\n",
      "clusters/docs/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n",
      "clusters/releases/4.21/aws/10.yaml": request,
      "clusters/broken.yaml": "a: [\n",
    });
    symlinkSync("README.md", join(root, "clusters/link"));
    symlinkSync("a", join(root, "clusters/current"));
    const names = ["README.md", ".gitattributes", ".krmignore", "docs/Kptfile", "releases/4.21/aws/10.yaml"];
    const more = ["broken.yaml", "link", "current", "gone.md", "releases/4.20/aws/10.yaml", "a/Kptfile", "a/gone.yaml"];
    expect(unchecked(root, ...[...names, ...more].map((name) => `clusters/${name}`))).toEqual([]);
    expect(unchecked(root, "other/Kptfile", "clusters", "cluster-identity.yaml", ".krmignore")).toEqual([]);
  });

  it("names a package that is gone, once", () => {
    const root = repository();
    rmSync(join(root, "clusters/b"), { recursive: true });
    const all = ["Kptfile", "cluster-identity.yaml", "manifests/x-credentials.yaml", "credentials-requests/10.yaml"];
    expect(unchecked(root, ...all.map((name) => `clusters/b/${name}`))).toEqual(["package-removed clusters/b"]);
    for (const name of all.slice(0, 3))
      expect(unchecked(root, `clusters/b/${name}`)).toEqual(["package-removed clusters/b"]);
  });

  it("names a package that a link replaced", () => {
    const root = repository();
    renameSync(join(root, "clusters/b"), join(root, "elsewhere"));
    symlinkSync("../elsewhere", join(root, "clusters/b"));
    expect(unchecked(root, "clusters/b", "clusters/b/Kptfile")).toEqual([
      "touched-unchecked clusters/b",
      "package-removed clusters/b",
    ]);
    rmSync(join(root, "elsewhere"), { recursive: true });
    expect(unchecked(root, "clusters/b")).toEqual(["touched-unchecked clusters/b"]);
    symlinkSync("../x", join(root, "clusters/x.yaml"));
    expect(unchecked(root, "clusters/x.yaml")).toEqual(["touched-unchecked clusters/x.yaml"]);
  });

  it("names what .krmignore hides", () => {
    const root = repository();
    writeTree(root, { "clusters/.krmignore": "b\n*.yml\n", "clusters/e/x.yml": identity, "clusters/r.yml": request });
    expect(unchecked(root, "clusters/.krmignore")).toEqual([
      "touched-unchecked clusters/b",
      "touched-unchecked clusters/e",
    ]);
    // Also a request, a file of another kind, and a path that is gone or is a link.
    writeTree(root, { "clusters/b/credentials-requests/10.yaml": request, "clusters/b/README.md": "" });
    symlinkSync("README.md", join(root, "clusters/b/link"));
    const names = ["Kptfile", "cluster-identity.yaml", "manifests/x-credentials.yaml", "credentials-requests/10.yaml"];
    for (const name of [...names, "README.md", "link", "gone.yaml", "manifests/gone.yaml"])
      expect(unchecked(root, `clusters/b/${name}`), name).toEqual(["touched-unchecked clusters/b"]);
    rmSync(join(root, "clusters/b/Kptfile"));
    expect(unchecked(root, ...[...names, "README.md"].map((name) => `clusters/b/${name}`))).toEqual([
      "touched-unchecked clusters/b",
    ]);
    expect(unchecked(root, "clusters/e/x.yml")).toEqual(["touched-unchecked clusters/e"]);
    expect(unchecked(root, "clusters/r.yml", "clusters/README.md", "clusters/a/x.yaml")).toEqual([]);
  });

  it("names what was generated for a package that is gone", () => {
    const root = repository();
    writeTree(root, { "clusters/b/inner/Kptfile": kptfile, "clusters/b/inner/cluster-identity.yaml": identity });
    rmSync(join(root, "clusters/b/Kptfile"));
    rmSync(join(root, "clusters/b/cluster-identity.yaml"));
    const gone = ["clusters/b/Kptfile", "clusters/b/cluster-identity.yaml"];
    expect(unchecked(root, ...gone)).toEqual(["generated-orphan clusters/b"]);
    writeTree(root, { "clusters/.krmignore": "manifests\n" });
    expect(unchecked(root, ...gone)).toEqual(["generated-orphan clusters/b"]);
    rmSync(join(root, "clusters/b/manifests"), { recursive: true });
    expect(unchecked(root, ...gone)).toEqual(["package-removed clusters/b"]);
  });

  it("names what cannot be read, without a wait", () => {
    const root = repository();
    mkdirSync(join(root, "clusters/d"));
    for (const name of ["d/x.yaml", "d/Kptfile"]) execFileSync("mkfifo", [join(root, "clusters", name)]);
    writeTree(root, { "clusters/.krmignore": "d\n" });
    const names = ["d/Kptfile", "d/x.yaml"];
    expect(unchecked(root, ...names.map((name) => `clusters/${name}`))).toEqual(["touched-unchecked clusters/d"]);
  });
});

describe("a selection of all packages", () => {
  const skipped = (root: string, flags: Partial<FleetFlags> = {}) =>
    selectPackages([], { ...onePackage, recursive: join(root, "clusters"), ...flags }).uncheckedFindings.map(
      ({ code, severity, file }) => `${severity} ${code} ${(file?.path ?? "").replace(/^.*?(?=clusters)/, "")}`,
    );

  it("names each package that .krmignore hides, and each link that may lead to one", () => {
    const root = repository();
    expect(skipped(root)).toEqual([]);
    writeTree(root, {
      "clusters/.krmignore": "b\n*.yml\n",
      "clusters/e/x.yml": identity,
      "clusters/r.yml": request,
      "clusters/README.md": "",
      "clusters/a/credentials-requests/10.yaml": request,
      "elsewhere/cluster-identity.yaml": identity,
      touched: "clusters/README.md\n",
    });
    symlinkSync("../elsewhere", join(root, "clusters/c"));
    symlinkSync("nothing", join(root, "clusters/gone"));
    for (const [target, name] of [
      ["README.md", "link"],
      ["a", "current"],
      ["10.yaml", "a/credentials-requests/20.yaml"],
    ] as const)
      symlinkSync(target, join(root, "clusters", name));
    const all = ["b", "c", "e", "gone"].map((name) => `warning package-skipped clusters/${name}`);
    expect(skipped(root)).toEqual(all);
    // Each is in exactly one part.
    const parts = ["1/3", "2/3", "3/3"].map((shard) => skipped(root, { shard }));
    expect(parts.flat().sort()).toEqual(all);
    expect(skipped(root, { touched: join(root, "touched") })).toEqual([]);
  });

  it("names what a touched path named already only once, if a shared path is touched", () => {
    const root = repository();
    writeTree(root, { "clusters/.krmignore": "a\n", touched: `${root}/clusters/.krmignore\n${root}/shared\n` });
    const flags = { touched: join(root, "touched"), shared: [join(root, "shared")] };
    expect(skipped(root, flags)).toEqual(["warning touched-unchecked clusters/a"]);
    writeTree(root, { touched: `${root}/shared\n` });
    expect(skipped(root, flags)).toEqual(["warning package-skipped clusters/a"]);
  });
});
