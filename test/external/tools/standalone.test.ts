import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as ccf } from "../../helpers/ccf.ts";
import { listOf, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { containerEnvironment, containerTools } from "../../helpers/containers.ts";
import { describeWith } from "../../helpers/need.ts";
import { nodeOf } from "../../helpers/node-of.ts";
import { run } from "../../helpers/programs.ts";
import { keptTemporary, readTree, temporary } from "../../helpers/temporary.ts";

const tool = (name: string) => fileURLToPath(new URL(`../../../tools/${name}.mjs`, import.meta.url));
const node = nodeOf("24");
const here = `${process.platform}-${process.arch}`;
const version = `${JSON.parse(readFileSync("package.json", "utf8")).version}\n`;
const built = keptTemporary();
const executable = join(built.directory, here, "ccf");

afterAll(built.remove);

(node === undefined ? describe.skip : describe)("the standalone executable (needs node@24 from npm)", () => {
  beforeAll(() => {
    execFileSync(node ?? "", [tool("standalone"), "--output", built.directory], { stdio: "ignore" });
  }, 120_000);

  /** On a machine without Node.js: nothing is in PATH. */
  const start = (args: readonly string[], program = executable, input = "") =>
    run(program, args, { env: { PATH: "" }, input });

  it("has the version, and comes with licenses, that of Node.js among them", () => {
    expect(start(["--version"])).toEqual({ status: 0, stdout: version, stderr: "" });
    expect(existsSync(join(built.directory, here, "licenses/node"))).toBe(true);
  });

  it("renders what the program renders", () => {
    const [one, other] = [newPackage(sampleRequests), newPackage(sampleRequests)];
    succeed(ccf(["render", one]));
    succeed(start(["render", other]));
    expect(readTree(other)).toEqual(readTree(one));
  });

  it("has every part, the client libraries of the clouds among them", () => {
    const { status, stdout, stderr } = start(["status", join(temporary(), "missing")]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*missing/);
    expect(start(["status", "--help"]).stdout).toContain("Usage: ccf status");
  });

  it("is a plugin of oc and kubectl, and a function, by the name that it is called by", () => {
    const directory = temporary();
    for (const name of ["oc-ccf", "generate-oidc-issuer"]) symlinkSync(executable, join(directory, name));
    expect(start(["--version"], join(directory, "oc-ccf")).stdout).toBe(version);
    expect(start(["render", "--help"], join(directory, "oc-ccf")).stdout).toBe(ccf(["render", "--help"]).stdout);
    const list = listOf(newPackage(sampleRequests));
    const fromName = start([], join(directory, "generate-oidc-issuer"), list);
    expect(fromName).toEqual(ccf(["generate-oidc-issuer"], { input: list }));
    expect(fromName.status).toBe(0);
  });

  it("for another platform is a program of that platform", () => {
    const arm = here === "linux-arm64" ? "linux-x64" : "linux-arm64";
    const other = nodeOf(process.versions.node.startsWith("24.") ? process.versions.node : "24", arm);
    expect(other).toBeDefined();
    const args = [tool("standalone"), "--output", built.directory, "--platform", arm, "--node", other ?? ""];
    execFileSync(node ?? "", args, { stdio: "ignore" });
    const bytes = readFileSync(join(built.directory, arm, "ccf"));
    // ELF, 64 bits; the machine is at offset 18: 183 is AArch64, and 62 is x86-64 (System V ABI).
    expect(bytes.subarray(0, 5)).toEqual(Buffer.from("\x7fELF\x02", "latin1"));
    expect(bytes.readUInt16LE(18)).toBe(arm === "linux-arm64" ? 183 : 62);
    expect(bytes.includes("generate-cloud-credentials")).toBe(true);
  }, 120_000);

  it.each([
    [["--platform", "linux-s390x"], "there is no executable for linux-s390x"],
    [["--platform", "darwin-arm64"], "name the Node.js of darwin-arm64 with --node"],
    [["--node", "/missing/node"], "/missing/node does not exist"],
  ])("is not built with %j", (args, message) => {
    const { status, stdout, stderr } = run(node ?? "", [tool("standalone"), ...args]);
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: `error: ${message}\n` });
  });

  describeWith(containerTools, "in a container without Node.js", () => {
    it("renders the sample", () => {
      const env = containerEnvironment();
      const directory = newPackage(sampleRequests);
      copyFileSync(executable, join(directory, "ccf"));
      mkdirSync(join(directory, "out"));
      const flags = ["--rm", "--network", "none", "--volume", `${directory}:/package`, "--workdir", "/package"];
      const { status, stdout, stderr } = run(
        "podman",
        ["run", ...flags, "localhost/ccf-base/run", "/package/ccf", "render", "--stdout", "/package"],
        { env },
      );
      expect({ status, stderr }).toMatchObject({ status: 0 });
      expect(stdout).toContain("role_arn");
    }, 600_000);
  });
});

it("another version of Node.js does not build it", () => {
  const other = nodeOf("20") ?? process.execPath;
  const { status, stderr } = run(other, [tool("standalone")]);
  const is = run(other, ["--version"]).stdout.trim();
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `error: standalone executables are built with Node.js 24; this is ${is}\n`,
  });
});

it.each(["20", "26"])("the library that Node %s needs beside those of C and C++ is in the images", (line) => {
  const program = nodeOf(line);
  if (program === undefined) return;
  const directory = temporary();
  expect(run(program, [tool("libraries"), directory]).status).toBe(0);
  const needs = readFileSync(program).includes("libatomic.so.1");
  expect(existsSync(join(directory, "usr/lib/libatomic.so.1"))).toBe(needs);
  expect(needs).toBe(line === "26");
});
