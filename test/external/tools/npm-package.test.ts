import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { bareClone, copyRepository, npmEnvironment } from "../../helpers/repository.ts";
import { initSample } from "../../helpers/sample.ts";
import { keptTemporary, readTree, temporary } from "../../helpers/temporary.ts";

// All files of the npm package, but the parts of the program, whose names contain hashes. Files that ccf does not need at run time
// stay in the repository.
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "dist/ccf",
  "docs/reference/findings.md",
  "docs/reference/validation-rules.md",
  "package.json",
  ...readdirSync("schemas").map((name) => `schemas/${name}`),
];
/** Of some packages that the program contains; the client libraries of the clouds depend on many more. */
const licenses = ["@azure-identity", "@noble-hashes", "commander", "js-yaml"].map(
  (name) => `dist/licenses/${name}/LICENSE`,
);

/** The files below a directory, sorted, without the parts of the program and licenses: these must exist. */
function filesIn(directory: string): string[] {
  const all = Object.keys(readTree(directory)).sort();
  const isPart = (path: string) =>
    /^dist\/(?:parts\/[\w-]+\.mjs|licenses\/[@\w.-]+\/(?:LICEN[CS]E|README)[\w.-]*)$/i.test(path);
  expect(all).toEqual(expect.arrayContaining(["dist/parts/main.mjs", ...licenses]));
  return all.filter((path) => !isPart(path));
}

const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];

describeWith(["git", "npm"], "the npm package", () => {
  // Packing starts a build, and other tests run the build of this repository. So pack a copy.
  const { directory: made, remove } = keptTemporary();
  const repository = join(made, "repository");
  const name = `cloud-credential-functions-${version}.tgz`;
  const packed = join(made, name);
  afterAll(remove);

  beforeAll(() => {
    copyRepository(repository);
    const { status, stdout, stderr } = npm(["pack", "--pack-destination", made], repository);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    // pre-commit uses the whole output as the file name.
    expect(stdout).toBe(`${name}\n`);
  });

  it("contains exactly the files that it needs", () => {
    const directory = temporary();
    expect(run("tar", ["-xzf", packed, "-C", directory], { cwd: directory }).status).toBe(0);
    expect(filesIn(join(directory, "package"))).toEqual(files);
  });

  it("does not need another package", () => {
    const directory = temporary();
    const { status, stdout } = npm(["install", "--global", "--prefix", directory, "--offline", ...quiet, packed], made);
    expect({ status, stdout: stdout.trim() }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^added 1 package in/),
    });
    expect(filesIn(join(directory, "lib/node_modules/cloud-credential-functions"))).toEqual(files);
    expect(readdirSync(join(directory, "bin"))).toEqual(["ccf"]);
    expect(run(join(directory, "bin/ccf"), ["--version"], { cwd: directory }).stdout).toBe(`${version}\n`);
  });

  it.each([
    ["by the program's name", ["--package", `file:${packed}`, "ccf"]],
    ["by the name of the package", [`file:${packed}`]],
  ])("runs with npx in an empty directory, %s", (_way, how) => {
    const directory = temporary();
    const empty = join(directory, "empty");
    mkdirSync(empty);
    // npx caches what it installed, by name. An empty cache forces it to install the package.
    const cache = join(directory, "cache");
    const npx = (args: readonly string[]) => {
      const given = ["--offline", "--yes", ...how, ...args];
      const { status, stdout } = run("npx", given, {
        cwd: empty,
        env: { ...npmEnvironment(), npm_config_cache: cache },
      });
      return { status, stdout };
    };
    expect(npx(["--version"])).toEqual({ status: 0, stdout: `${version}\n` });
    expect(readdirSync(empty)).toEqual([]);
    initSample(join(empty, "demo"));
    expect(npx(["render", "demo"])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\n9 files written\. A second run changes nothing\.\n$/),
    });
  });

  // Only these tests show that the build needs nothing else. npm 10, which comes with Node.js 20 and 22, installs packages from
  // Git differently from newer versions, and does not install the packages of the build with some flags.
  describe("is made from a clone", () => {
    let bare = "";
    beforeAll(() => {
      ({ bare } = bareClone(made));
    });

    const install = ([program = "", ...first]: readonly string[], args: readonly string[], env = {}) => {
      const at = ["install", "--allow-git=all", ...quiet, ...args, `git+file://${bare}`];
      const { status, stderr } = run(program, [...first, ...at], { cwd: made, env: { ...npmEnvironment(), ...env } });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    };
    const expectInstalled = (modules: string, ccf: string) => {
      expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["cloud-credential-functions"]);
      const installed = join(modules, "cloud-credential-functions");
      // Without the workaround in tools/prepare.mjs, npm 10 leaves a link to a deleted clone.
      expect(lstatSync(installed).isDirectory()).toBe(true);
      expect(filesIn(installed)).toEqual(files);
      expect(run(ccf, ["--version"], { cwd: made }).stdout).toBe(`${version}\n`);
    };

    it("as npm does for a dependency", () => {
      const directory = temporary();
      install(["npm"], ["--prefix", directory]);
      expectInstalled(join(directory, "node_modules"), join(directory, "node_modules/.bin/ccf"));
    }, 900_000);

    it("with --global in production by npm 10", () => {
      const directory = temporary();
      install(olderNpm(), ["--global", "--prefix", directory, "--omit=dev"], { NODE_ENV: "production" });
      expectInstalled(join(directory, "lib/node_modules"), join(directory, "bin/ccf"));
    }, 900_000);
  });
});

/** The npm version that comes with Node.js 20 and 22, as one file with all its packages. It is cached for the next run. */
const olderNpmVersion = "10.9.4";
const olderNpmDigest = "OnUG836FwboQIbqtefDNlyR0gTHzIfwRfE3DuiNewBvnMnWEpB0VEXwBlFVgqpNzIgYo/MHh3d2Hel/pszapAA==";

function olderNpm(): string[] {
  const kept = resolve("node_modules/.cache/npm-10");
  const file = join(kept, `npm-${olderNpmVersion}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(kept, { recursive: true });
    const done = npm(["pack", "--silent", "--prefer-offline", `npm@${olderNpmVersion}`], kept);
    if (done.status !== 0) throw new Error(done.stderr);
  }
  expect(createHash("sha512").update(readFileSync(file)).digest("base64")).toBe(olderNpmDigest);
  const directory = temporary();
  expect(run("tar", ["-xzf", file, "-C", directory]).status).toBe(0);
  return [process.execPath, join(directory, "package/bin/npm-cli.js")];
}

function npm(args: readonly string[], cwd: string): ReturnType<typeof run> {
  return run("npm", args, { cwd, env: npmEnvironment() });
}
