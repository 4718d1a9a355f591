import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { version } from "../../package.json";
import { describeWith } from "../helpers/need.ts";
import { run } from "../helpers/programs.ts";
import { initSample } from "../helpers/sample.ts";
import { keptTemporary, readTree, temporary } from "../helpers/temporary.ts";

// What somebody gets who installs the package, and nothing else: what is not needed to run ccf stays in the repository.
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "dist/ccf",
  "dist/licenses/@noble-hashes/LICENSE",
  "dist/licenses/ignore/LICENSE-MIT",
  "dist/licenses/jose/LICENSE.md",
  "dist/licenses/js-yaml/LICENSE",
  "docs/findings.md",
  "docs/validation-rules.md",
  "package.json",
  ...readdirSync("schemas").map((name) => `schemas/${name}`),
];
const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];

describeWith(["git", "npm"], "the npm package", () => {
  // Packing builds, and the build of this repository is what other tests run: it is done in a copy.
  const { directory: made, remove } = keptTemporary();
  const repository = join(made, "repository");
  const name = `cloud-credential-functions-${version}.tgz`;
  const packed = join(made, name);
  afterAll(remove);

  beforeAll(() => {
    const listed = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: "." });
    for (const path of listed.stdout.split("\0").filter((one) => one !== "" && one !== "node_modules")) {
      if (!existsSync(path)) continue;
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      cpSync(path, join(repository, path));
    }
    symlinkSync(resolve("node_modules"), join(repository, "node_modules"));
    const { status, stdout, stderr } = npm(["pack", "--pack-destination", made], repository);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    // pre-commit takes all of this for the name of the file.
    expect(stdout).toBe(`${name}\n`);
  });

  it("has the files that it needs, and no others", () => {
    const directory = temporary();
    expect(run("tar", ["-xzf", packed, "-C", directory], { cwd: directory }).status).toBe(0);
    expect(Object.keys(readTree(join(directory, "package"))).sort()).toEqual(files);
  });

  it("needs no other package", () => {
    const directory = temporary();
    const { status, stdout } = npm(["install", "--global", "--prefix", directory, "--offline", ...quiet, packed], made);
    expect({ status, stdout: stdout.trim() }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^added 1 package in/),
    });
    expect(Object.keys(readTree(join(directory, "lib/node_modules/cloud-credential-functions"))).sort()).toEqual(files);
    expect(readdirSync(join(directory, "bin"))).toEqual(["ccf"]);
    expect(run(join(directory, "bin/ccf"), ["--version"], { cwd: directory }).stdout).toBe(`${version}\n`);
  });

  it.each([
    ["by the program's name", ["--package", `../${name}`, "ccf"]],
    ["by the package's", [`../${name}`]],
  ])("runs with npx in an empty directory, %s", (_way, how) => {
    const directory = temporary();
    cpSync(packed, join(directory, name));
    const empty = join(directory, "empty");
    mkdirSync(empty);
    // npx keeps what it once installed, under the name that it was given: here it has seen nothing yet.
    const cache = join(directory, "cache");
    const npx = (args: readonly string[]) => {
      const given = ["--offline", "--yes", ...how, ...args];
      const { status, stdout } = run("npx", given, { cwd: empty, env: { ...environment(), npm_config_cache: cache } });
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

  // With everything that the build needs, which npm installs for it: no other test shows that this is all there is.
  it("is made from a clone, as npm does for a dependency", () => {
    writeFileSync(join(made, "exclude"), "node_modules\n");
    const git = (...args: string[]) => {
      const who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"];
      const { status, stderr } = run("git", [...who, ...args], { cwd: repository, env: { HOME: made } });
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
    };
    git("init", "--quiet", "--initial-branch", "main");
    git("-c", `core.excludesFile=${made}/exclude`, "add", "--all");
    git("commit", "--quiet", "--message", "everything");
    git("clone", "--quiet", "--bare", ".", join(made, "bare"));
    const directory = temporary();
    const { status, stderr } = npm(["install", "--allow-git=all", ...quiet, `git+file://${made}/bare`], directory);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    const installed = join(directory, "node_modules/cloud-credential-functions");
    expect(Object.keys(readTree(installed)).sort()).toEqual(files);
    const { stdout } = run(join(directory, "node_modules/.bin/ccf"), ["--version"], { cwd: directory });
    expect(stdout).toBe(`${version}\n`);
  }, 600_000);
});

function npm(args: readonly string[], cwd: string): ReturnType<typeof run> {
  return run("npm", args, { cwd, env: environment() });
}

/** What npm needs to find its registry, without what the npm that runs these tests says of this repository. */
function environment(): NodeJS.ProcessEnv {
  const ofThisRun = /^npm_(?:config_local_prefix|lifecycle|package)/;
  return Object.fromEntries(Object.entries(process.env).filter(([variable]) => !ofThisRun.test(variable)));
}
