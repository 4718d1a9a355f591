import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { layoutOf } from "../../helpers/release-image/file.ts";
import { imageOf, layer, manifests, releaseFiles } from "../../helpers/release-image/image.ts";
import { sample } from "../../helpers/sample.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const readme = readFileSync("README.md", "utf8");
const scripts = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** The text of a code block, by what is before it. */
function block(before: string): string {
  const [, rest = ""] = readme.split(`${before}\n`);
  return /```\w*\n([\s\S]*?)```/.exec(rest)?.[1] ?? "";
}

/** The commands of a block, each as a list of its words. */
function commandsOf(text: string): string[][] {
  const lines = text.replaceAll("\\\n", "").split("\n");
  return lines.flatMap((line) => (line === "" ? [] : [line.replace(/ #.*/, "").trim().split(/ +/)]));
}

/** The files of a tree that is drawn with indentation; directories end in a slash. */
function filesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const name = line.replace(/ +#.*/, "").trim();
    if (name === "") return [];
    const depth = line.search(/\S/) / 2;
    above.splice(depth, above.length, name);
    return name.endsWith("/") ? [] : [above.join("")];
  });
}

/** The image of a release with the requests of the sample, as an OCI layout in a directory. */
async function sampleRelease(): Promise<string> {
  const from = `${sample}/credentials-requests`;
  const requests = readdirSync(from).map((name) => [name, readFileSync(join(from, name), "utf8")] as const);
  const gates = {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: {},
    status: { featureGates: [{ version: "", enabled: [{ name: "On" }], disabled: [{ name: "Off" }] }] },
  };
  const about = ["release-metadata", "image-references"].map((name) => [name, releaseFiles[name] ?? ""] as const);
  const files = Object.fromEntries([...about, ...requests, ["gates.yaml", JSON.stringify(gates)] as const]);
  const directory = temporary();
  for (const { name, content = "", type } of layoutOf([{ image: imageOf([await layer(manifests(files))]) }])) {
    const path = join(directory, name);
    mkdirSync(type === "directory" ? path : dirname(path), { recursive: true });
    if (type !== "directory") writeFileSync(path, content);
  }
  return directory;
}

describe("README.md", () => {
  it("shows commands that run, and what they write", async () => {
    const root = join(temporary(), "repository");
    mkdirSync(root);
    const release = await sampleRelease();
    const commands = commandsOf(block("## Use it"));
    const names = commands.map(([program, name]) => (program === "ccf" ? name : program));
    expect(names).toEqual(["extract-release", "create-key-pair", "cp", "init", "render", "validate", "explain"]);
    for (const [program, ...args] of commands) {
      if (program === "cp") cpSync(join(root, args[0] ?? ""), join(root, args[1] ?? "", basename(args[0] ?? "")));
      if (program !== "ccf") continue;
      // No test reaches quay.io: the image is in a file.
      const isRelease = args[0] === "extract-release";
      if (isRelease) args.splice(1, 1, "--from-file", release, "--insecure-skip-verify", "--quiet");
      const { status, stderr } = run(args[0] === "explain" ? args.slice(0, 4) : args, { cwd: root });
      expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
    }
    const files = readTree(root);
    const written = Object.keys(files).filter((path) => path.startsWith("clusters/demo/"));
    expect(filesOf(block("<!-- tree of: clusters/demo -->")).sort()).toEqual(written.sort());
    const { stdout } = run(["explain", "clusters/demo", "-o", "svg"], { cwd: root });
    expect(readFileSync("docs/pictures/identities.svg", "utf8")).toBe(stdout);
    const path = "clusters/demo/manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";
    expect(block(`<!-- file: ${path} -->`)).toBe(files[path]);
  });

  it("has at most 120 lines", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });

  it("says what state the project is in, before anything to run", () => {
    const status = readme.indexOf("## Status");
    expect(status).toBeGreaterThan(0);
    expect(status).toBeLessThan(readme.indexOf("```"));
    const section = readme.slice(status, readme.indexOf("## ", status + 1)).replace(/\s+/g, " ");
    for (const fact of [
      "It has not been released yet",
      "**AWS**, **GCP**, and **Azure**",
      "No run on a real cloud has been recorded yet",
    ]) {
      expect(section).toContain(fact);
    }
  });

  it("begins with the commands for a clone", () => {
    const commands = block("## Try it")
      .split("\n")
      .map((line) => line.replace(/ +#.*/, ""));
    expect(commands.slice(0, 2)).toEqual(["npm start", "npm test"]);
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
  });
});

describe("npm start", () => {
  it("creates and prints a package", () => {
    const directory = join(temporary(), "demo");
    const { status, stdout } = spawnSync(process.execPath, ["tools/demo.mjs", directory], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(stdout).toContain("9 files written. A second run changes nothing.");
    expect(stdout).toContain(
      "role_arn = arn:aws:iam::123456789012:role/demo-openshift-ingress-operator-cloud-credentials",
    );
  });
});
