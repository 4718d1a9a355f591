import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { ccf, run as runCcf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { bareClone, npmEnvironment } from "../../helpers/repository.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";
import { textOf } from "../../helpers/workflow.ts";

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly pass_filenames: boolean;
  readonly files: string;
}

const [hook, ...others] = load(textOf(".pre-commit-hooks.yaml")) as Hook[];
if (hook === undefined) throw new Error("there is no hook");

describe("the hook ccf-render-check", () => {
  it("is the only one, and is given no file names", () => {
    expect(others).toEqual([]);
    expect(hook).toMatchObject({ id: "ccf-render-check", language: "node", pass_filenames: false });
  });

  it("looks at what a package is rendered of, and at nothing else", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    expect(runCcf(["render", directory]).status).toBe(0);
    const files = new RegExp(hook.files);
    const paths = Object.keys(readTree(directory)).filter((path) => path !== ".gitattributes");
    expect(paths.length).toBeGreaterThan(10);
    for (const path of [...paths, ...paths.map((path) => `clusters/demo/${path}`), "a.yml", "a.json"]) {
      expect(path).toMatch(files);
    }
    for (const path of ["README.md", "main.ts", "a.yaml.txt", "ayaml", "NotAKptfile", ".gitattributes"]) {
      expect(path).not.toMatch(files);
    }
  });

  // pre-commit puts an entry's arguments behind the hook's, and runs this in the repository's root.
  const commit = (root: string, args: readonly string[]) => {
    const [program = "", ...given] = hook.entry.split(" ");
    const PATH = pathWith({ ccf: `exec '${process.execPath}' '${ccf}' "$@"` });
    return run("env", [program, ...given, ...args], { cwd: root, env: { PATH } });
  };

  it.each([
    ["that its argument names", "clusters/demo", ["clusters/demo"]],
    ["in the repository's root", ".", []],
  ])("lets a package pass that is up to date, and no other: %s", (_where, location, args) => {
    const root = join(temporary(), "repository");
    const directory = join(root, location);
    initSample(directory);
    expect(runCcf(["render", directory]).status).toBe(0);
    const upToDate = commit(root, args);
    expect({ status: upToDate.status, stdout: upToDate.stdout }).toEqual({
      status: 0,
      stdout: "Up to date: no file changes.\n",
    });
    const secret = join(directory, "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml");
    writeFileSync(secret, readFileSync(secret, "utf8").replace("role_arn", "role"));
    const before = readTree(root);
    const { status, stdout } = commit(root, args);
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: `changed  manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml\nNot up to date: 1 file would change. Run: ccf render${args.length === 0 ? "" : ` ${args.join(" ")}`}\n`,
    });
    expect(readTree(root)).toEqual(before);
  });

  // The real one: it clones the repository, makes a Node environment, builds and installs what package.json names there.
  describeWith(["pre-commit", "git", "npm"], "run by pre-commit", () => {
    // In production npm installs nothing that the build needs.
    it("builds and installs what it needs, in production, too", () => {
      const directory = temporary();
      const { bare, commit: revision } = bareClone(directory);
      const root = join(directory, "mine");
      const place = "clusters/demo";
      initSample(join(root, place));
      expect(runCcf(["render", join(root, place)]).status).toBe(0);
      const config = { repos: [{ repo: bare, rev: revision, hooks: [{ id: hook.id, args: [place] }] }] };
      writeFileSync(join(root, ".pre-commit-config.yaml"), JSON.stringify(config));
      const home = {
        HOME: directory,
        PRE_COMMIT_HOME: join(directory, "cache"),
        npm_config_cache: npmCache(),
        NODE_ENV: "production",
      };
      const inRepository = (program: string, args: readonly string[]) =>
        run(program, args, { cwd: root, env: { ...npmEnvironment(), ...home } });
      for (const args of [
        ["init", "--quiet"],
        ["add", "--all"],
      ])
        expect(inRepository("git", args)).toMatchObject({ status: 0 });
      const hookRun = () => inRepository("pre-commit", ["run", "--all-files", "--color=never", "--verbose"]);
      const upToDate = hookRun();
      expect(upToDate.stdout).toContain("Up to date: no file changes.");
      expect(upToDate.status).toBe(0);
      const secret = join(root, place, "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml");
      writeFileSync(secret, readFileSync(secret, "utf8").replace("role_arn", "role"));
      const drifted = hookRun();
      expect(drifted.stdout).toContain("Not up to date: 1 file would change. Run: ccf render clusters/demo");
      expect(drifted.status).toBe(1);
    }, 900_000);
  });

  it("fails where there is no package", () => {
    expect(commit(temporary(), ["clusters/demo"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"clusters/demo" is not a directory'),
    });
  });
});

/** Where npm keeps what it fetched: pre-commit is given a home of its own, and need not fetch it again. */
function npmCache(): string {
  return run("npm", ["config", "get", "cache"], { cwd: ".", env: npmEnvironment() }).stdout.trim();
}
