import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { containerTools, readOnlyEnvironment } from "../../helpers/containers.ts";
import { environmentWithCcf } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const root = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));

/** `.expected/config.yaml` of a package, in the form of kpt's own test runner. */
interface Expected {
  readonly testType: "render" | "eval";
  readonly exitCode: number;
  /** With `eval`: the function, and the file of its configuration. */
  readonly image?: string;
  readonly fnConfig?: string;
}

/** How the functions of a package run. */
interface Form {
  readonly name: string;
  readonly tools: readonly string[];
  readonly environment: () => NodeJS.ProcessEnv;
  readonly isExec: boolean;
  readonly packages: readonly string[];
}

const packages = readdirSync(root);

const forms: readonly Form[] = [
  { name: "exec", tools: ["kpt", "git"], environment: environmentWithCcf, isExec: true, packages },
  // What runs with a read-only root also runs without. Each container takes seconds, so one package of each cloud is enough
  // to prove that the images are what a Kptfile asks for.
  {
    name: "container with a read-only root",
    tools: ["kpt", "git", ...containerTools],
    environment: readOnlyEnvironment,
    isExec: false,
    packages: ["aws-validated", "azure-blob-government", "gcp-bucket-universe"],
  },
];

for (const { name: form, tools, environment, isExec, packages } of forms) {
  describeWith(tools, `packages, ${form}`, () => {
    describe.each(packages)("%s", (name) => {
      const expected = load(readFileSync(join(root, name, ".expected/config.yaml"), "utf8")) as Expected;

      it("makes and prints the expected changes", () => {
        const directory = copyOf(name, isExec);
        const { status, stderr, results } = run(directory, expected, isExec, environment());
        expect({ status, stderr: status === expected.exitCode ? "" : stderr }).toEqual({
          status: expected.exitCode,
          stderr: "",
        });
        expectText(join(root, name, ".expected/diff.patch"), git(directory, "diff", "--cached"));
        expectText(join(root, name, ".expected/results.yaml"), results, trimmed);
      }, 300_000);
    });
  });
}

describeWith(["kpt", "git"], "packages, rendered from nothing,", () => {
  it.each(packages.filter((name) => !name.startsWith("eval-")))("%s is what is committed", (name) => {
    const directory = copyOf(name, true);
    const files = Object.entries(readTree(directory));
    const generated = files.filter(([, text]) => text.includes("fn.cloudcredential.dev/generated-by: "));
    expect(generated.length).toBeGreaterThan(5);
    for (const [path] of generated) rmSync(join(directory, path));
    const { status, stderr } = run(directory, { testType: "render", exitCode: 0 }, true, environmentWithCcf());
    expect(status, stderr).toBe(0);
    expect(git(directory, "diff", "--cached")).toBe("");
  });
});

describeWith(["kpt", "git"], "this repository, which is a package itself,", () => {
  it("is unchanged by kpt fn render, with every package in it", () => {
    const directory = temporary();
    const files = git(process.cwd(), "ls-files", "--cached", "--others", "--exclude-standard").trim().split("\n");
    for (const file of files.filter((path) => existsSync(path))) cpSync(file, join(directory, file));
    for (const kptfile of files.filter((path) => basename(path) === "Kptfile")) startPrograms(join(directory, kptfile));
    git(directory, "init", "-q");
    git(directory, "add", "-A");
    git(directory, "commit", "-q", "-m", "before");
    const { status, stderr } = spawnSync("kpt", ["fn", "render", "--allow-exec"], {
      cwd: directory,
      env: environmentWithCcf(),
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/executed 15 function\(s\) in 9 package\(s\)/);
    expect(git(directory, "status", "--porcelain")).toBe("");
  }, 600_000);
});

function copyOf(name: string, isExec: boolean): string {
  const directory = join(temporary(), name);
  cpSync(join(root, name), directory, { recursive: true, filter: (path) => !path.endsWith(".expected") });
  if (isExec) startPrograms(join(directory, "Kptfile"));
  git(directory, "init", "-q");
  git(directory, "add", "-A");
  git(directory, "commit", "-q", "-m", "before");
  return directory;
}

/** Makes a pipeline start programs instead of images. */
function startPrograms(kptfile: string): void {
  writeFileSync(kptfile, readFileSync(kptfile, "utf8").replace(/image: \S+\/([a-z-]+):\S+/g, "exec: ccf $1"));
}

function run(
  directory: string,
  { testType, image = "", fnConfig = "" }: Expected,
  isExec: boolean,
  env: NodeJS.ProcessEnv,
): { status: number | null; stderr: string; results: string } {
  const places = temporary();
  const what = isExec ? ["--exec", `ccf ${nameOf(image)}`] : ["--image", image];
  const args =
    testType === "eval"
      ? ["fn", "eval", ...what, "--fn-config", fnConfig, "--results-dir", places]
      : ["fn", "render", ...(isExec ? ["--allow-exec"] : []), "--results-dir", places];
  const { status, stderr } = spawnSync("kpt", args, { cwd: directory, env, encoding: "utf8" });
  git(directory, "add", "-A");
  const file = join(places, "results.yaml");
  const results = existsSync(file) ? readFileSync(file, "utf8") : "";
  const named = "image: ghcr.io/cloud-credential-functions/$1:v0.1.0";
  return {
    status,
    stderr,
    results: results.replace(/\bexec: ccf (\S+)/g, named),
  };
}

function nameOf(image: string): string {
  return /([a-z-]+):[^/]*$/.exec(image)?.[1] ?? "";
}

function expectText(file: string, text: string, read: (text: string) => unknown = String): void {
  if (process.env["UPDATE_GOLDEN"] === "1" && text !== "") writeFileSync(file, text);
  expect(read(text)).toEqual(read(existsSync(file) ? readFileSync(file, "utf8") : ""));
}

// kpt keeps the last line break of standard error for programs, but not for containers.
function trimmed(text: string): unknown {
  return JSON.parse(JSON.stringify(load(text)), (key, value) => (key === "stderr" ? String(value).trim() : value));
}

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false"];
  const { status, stdout, stderr } = spawnSync("git", [...who, ...args], { cwd, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stdout;
}
