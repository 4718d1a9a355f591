import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPackages } from "../../../src/cli/fleet/find-packages.ts";
import { readPackage } from "../../../src/cli/package/package-files.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const identity = "apiVersion: fn.cloudcredential.dev/v1alpha1\nkind: ClusterIdentity\nmetadata: {name: a}\n";
const image = "ghcr.io/cloud-credential-functions/generate-oidc-issuer:v0.1.0";

/** A Kptfile with this pipeline, as a flow sequence. */
function kptfile(mutators: string): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline: {mutators: [${mutators}]}\n`;
}

const ours = kptfile(`{image: "${image}", configPath: cluster-identity.yaml}`);
const foreign = kptfile('{image: "example.com/set-labels:v1", configPath: cluster-identity.yaml}');

function found(files: Readonly<Record<string, string>>): string[] {
  const root = temporary();
  writeTree(root, files);
  return findPackages(root);
}

/** The ID of a user that owns no file. */
const unprivileged = 65534;

describe("a package", () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["has a Kptfile with a function of this project", { "a/Kptfile": ours, "b/c/Kptfile": ours }, ["a", "b/c"]],
    ["is the root itself", { Kptfile: ours, "cluster-identity.yaml": identity }, ["."]],
    ["is not a Kptfile with functions of others", { "a/Kptfile": foreign, "a/x.yaml": "a: 1\n" }, []],
    ["is not a Kptfile without a pipeline", { "a/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\n" }, []],
    ["has cluster-identity.yaml", { "a/cluster-identity.yaml": identity }, ["a"]],
    ["has cluster-identity.yaml, whatever is in it", { "a/cluster-identity.yaml": ": [" }, ["a"]],
    ["has a ClusterIdentity in another file", { "a/other.yml": `a: 1\n---\n${identity}`, "b/x.yaml": "a: 1\n" }, ["a"]],
    ["is not a text about a ClusterIdentity", { "a/x.yaml": "text: ClusterIdentity\n", "b/x.txt": identity }, []],
    ["has a broken file that may contain a ClusterIdentity", { "a/x.yaml": `${identity}x: [\n` }, ["a"]],
    ["has a broken Kptfile", { "a/Kptfile": "a: [\n" }, ["a"]],
    ["has a Kptfile with a document that cannot be read", { "a/Kptfile": "a: 1\na: 2\n---\n[\n" }, ["a"]],
    ["is found below a foreign package", { "a/Kptfile": foreign, "a/b/Kptfile": ours }, ["a/b"]],
    ["may be inside another one", { "a/Kptfile": ours, "a/b/cluster-identity.yaml": identity }, ["a", "a/b"]],
    [
      "is not the directory of the ClusterIdentity that a Kptfile above names",
      {
        "a/Kptfile": kptfile(`{image: "${image}", configPath: b/cluster-identity.yaml}`),
        "a/b/cluster-identity.yaml": identity,
      },
      ["a"],
    ],
    ["contains other files with a ClusterIdentity", { "a/Kptfile": ours, "a/config/x.yaml": identity }, ["a"]],
  ])("%s", (_name, files, expected) => {
    expect(found(files)).toEqual(expected);
  });

  it("is sorted by its path, in the order of code units", () => {
    const names = ["b", "B", "a-b", "a/c", "a", "ä", "a10", "a9"];
    expect(found(Object.fromEntries(names.map((name) => [`${name}/Kptfile`, ours])))).toEqual([...names].sort());
  });
});

describe("the search", () => {
  it("does not look into .git and what commands stage", () => {
    expect(found({ ".git/a/Kptfile": ours, ".ccf-render/a/Kptfile": ours, ".github/a/Kptfile": ours })).toEqual([
      ".github/a",
    ]);
  });

  it("does not follow links to directories, and ends with a cycle", () => {
    const [root, other] = [temporary(), temporary()];
    writeTree(root, { "a/Kptfile": ours });
    writeTree(other, { Kptfile: ours });
    symlinkSync(other, join(root, "outside"));
    symlinkSync(root, join(root, "a/cycle"));
    expect(findPackages(root)).toEqual(["a"]);
  });

  it("does not read a ClusterIdentity through a link", () => {
    const [root, other] = [temporary(), temporary()];
    writeTree(other, { "x.yaml": identity });
    mkdirSync(join(root, "a"));
    symlinkSync(join(other, "x.yaml"), join(root, "a/x.yaml"));
    symlinkSync("nowhere", join(root, "a/y.yaml"));
    expect(findPackages(root)).toEqual([]);
  });

  it("applies .krmignore below its directory, with paths relative to it", () => {
    const tree = Object.fromEntries(["a", "b", "deep/a", "deep/b", "deep/c"].map((name) => [`${name}/Kptfile`, ours]));
    expect(found({ ...tree, ".krmignore": "/a\n" })).toEqual(["b", "deep/a", "deep/b", "deep/c"]);
    expect(found({ ...tree, ".krmignore": "a/\n" })).toEqual(["b", "deep/b", "deep/c"]);
    expect(found({ ...tree, ".krmignore": "deep\n", "deep/.krmignore": "!a\n" })).toEqual(["a", "b"]);
    expect(found({ ...tree, ".krmignore": "deep/*\n!deep/b\n" })).toEqual(["a", "b", "deep/b"]);
    expect(found({ ...tree, ".krmignore": "A\nDEEP\n" })).toHaveLength(5);
  });

  it("ignores a .krmignore where kpt does", () => {
    const tree = { "a/Kptfile": ours, "deep/b/Kptfile": ours, "deep/c/Kptfile": ours };
    // In a directory without a Kptfile, and for files of a directory with its own Kptfile.
    expect(found({ ...tree, "deep/.krmignore": "/b\n" })).toEqual(["a", "deep/b", "deep/c"]);
    expect(found({ ...tree, ".krmignore": "Kptfile\ndeep/c/Kptfile\n" })).toEqual(["a", "deep/b", "deep/c"]);
  });

  it("finds a package that its own .krmignore hides", () => {
    const files = { "a/Kptfile": foreign, "a/cluster-identity.yaml": identity, "a/.krmignore": "*\n" };
    expect(found(files)).toEqual(["a"]);
    expect(found({ "a/Kptfile": ours, "a/.krmignore": "*\n" })).toEqual(["a"]);
    expect(found({ Kptfile: ours, ".krmignore": "*\n" })).toEqual(["."]);
  });

  it.each([
    ["is a link", "file-unreadable", (path: string) => symlinkSync("nowhere", path)],
    ["is a pipe", "file-unreadable", (path: string) => execFileSync("mkfifo", [path])],
    [
      "has too many bytes",
      "krmignore-too-large",
      (path: string) => writeFileSync(path, "a/very/long/pattern\n".repeat(5000)),
    ],
    ["has too many patterns", "krmignore-too-large", (path: string) => writeFileSync(path, "a\n".repeat(1001))],
    [
      "has a pattern with too many wildcards",
      "krmignore-too-large",
      (path: string) => writeFileSync(path, "b/*a*a*a*a*b\n"),
    ],
  ])("counts a directory whose .krmignore %s, and ignores nothing there", (_name, code, write) => {
    const root = temporary();
    writeTree(root, { "a/Kptfile": foreign, "a/b/Kptfile": ours });
    write(join(root, "a/.krmignore"));
    expect(findPackages(root)).toEqual(["a", "a/b"]);
    expect(() => readPackage(join(root, "a"))).toThrow(
      expect.objectContaining({ findings: [expect.objectContaining({ code })] }),
    );
  });

  it("counts the directory of a directory or YAML file whose name is not UTF-8", () => {
    const root = temporary();
    writeTree(root, { "a/b/Kptfile": ours, "a/x.txt": "", "c/x.txt": "", "d/x.txt": "", "e/.krmignore": "" });
    const raw = (name: string) => Buffer.concat([Buffer.from(join(root, name)), Buffer.from([0xff])]);
    mkdirSync(raw("a/b"));
    mkdirSync(raw("a/x\ufffd"));
    writeFileSync(Buffer.concat([raw("c/x"), Buffer.from(".yaml")]), identity);
    writeFileSync(Buffer.concat([raw("d/x"), Buffer.from(".png")]), "");
    expect(findPackages(root)).toEqual(["a", "a/b", "c"]);
    writeTree(root, { ".krmignore": "/a/b?\n/a/x*\n/c/x*\n" });
    expect(() => readPackage(join(root, "c"))).toThrow(
      expect.objectContaining({ findings: [expect.objectContaining({ code: "name-not-utf8" })] }),
    );
  });

  it.each(["Kptfile", "cluster-identity.yaml", "x.yaml"])("counts a pipe with the name %s, without a wait", (name) => {
    const root = temporary();
    mkdirSync(join(root, "a"));
    execFileSync("mkfifo", [join(root, "a", name)]);
    expect(findPackages(root)).toEqual(["a"]);
  });

  it("finds what remains of a package", () => {
    const bundle = (more: string) =>
      `kind: ConfigMap\nmetadata: {name: a, annotations: {fn.cloudcredential.dev/generated-by: x/y${more}}}\n`;
    expect(found({ "a/x.yaml": identity.replace("ClusterIdentity", "ClusterIdentty") })).toEqual(["a"]);
    expect(found({ "a/x.yaml": identity.replace("ClusterIdentity", '"Cluster\\x49dentity"') })).toEqual(["a"]);
    expect(found({ "a/aws/x.yaml": bundle(', config.kubernetes.io/local-config: "true"') })).toEqual(["a/aws"]);
    // At any path, also if it is for the cluster and not local.
    expect(found({ "a/x.yaml": bundle(""), "zz/openshift-ingress-operator.yml": bundle("") })).toEqual(["a", "zz"]);
    // Inside a package, the package reports it, unless it does not read the directory.
    expect(found({ "a/Kptfile": ours, "a/b/x.yaml": bundle("") })).toEqual(["a"]);
    expect(found({ "a/Kptfile": ours, "a/b/Kptfile": foreign, "a/b/c/x.yaml": bundle("") })).toEqual(["a", "a/b/c"]);
  });

  it("counts what it cannot read as a package", () => {
    const root = temporary();
    chmodSync(root, 0o755);
    writeTree(root, { "a/Kptfile": foreign, "b/x.yaml": "a: 1\n", "c/Kptfile": ours });
    chmodSync(join(root, "a/Kptfile"), 0);
    chmodSync(join(root, "b"), 0);
    // Root may read everything.
    const isRoot = process.getuid?.() === 0;
    try {
      if (isRoot) process.seteuid?.(unprivileged);
      expect(findPackages(root)).toEqual(["a", "b", "c"]);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, "b"), 0o700);
    }
  });

  it("counts a Kptfile that cannot be read as one of a package", () => {
    const root = temporary();
    mkdirSync(join(root, "a"));
    symlinkSync("nowhere", join(root, "a/Kptfile"));
    expect(findPackages(root)).toEqual(["a"]);
  });

  it("requires a directory", () => {
    expect(() => findPackages(join(temporary(), "nowhere"))).toThrow(/is not a directory: it does not exist/);
  });
});
