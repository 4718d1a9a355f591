import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { bun, here } from "../../../tools/bun.mjs";
import { run as ccf } from "../../helpers/ccf.ts";
import { listOf, newPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { containerEnvironment, containerTools } from "../../helpers/containers.ts";
import { builtExecutable } from "../../helpers/executable.ts";
import { describeWith } from "../../helpers/need.ts";
import { type RunOptions, run } from "../../helpers/programs.ts";
import { keptTemporary, readTree, temporary } from "../../helpers/temporary.ts";

const tool = (name: string) => fileURLToPath(new URL(`../../../tools/${name}.mjs`, import.meta.url));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const built = keptTemporary();
const executable = builtExecutable();
const offline = builtExecutable("offline");

afterAll(built.remove);

/** On a machine without Node.js: nothing is in PATH. */
const start = (args: readonly string[], program = executable, options: RunOptions = {}) =>
  run(program, args, { ...options, env: { PATH: "", ...options.env } });

describe.each([
  ["the executable", executable],
  ["the executable for images of functions", offline],
])("%s", (_name, program) => {
  it("has the version, and comes with the licenses of the packages and of Bun", () => {
    expect(start(["--version"], program)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
    const licenses = join(dirname(program), "licenses");
    for (const name of ["cloud-credential-functions/LICENSE", "js-yaml/LICENSE", "bun/NOTICES.txt", "bun/README.md"])
      expect(existsSync(join(licenses, name)), name).toBe(true);
    expect(JSON.parse(readFileSync(join(licenses, "bun/libraries.json"), "utf8")).bun).toBe(bun.version);
  });

  it("renders what the program renders", () => {
    const [one, other] = [newPackage(sampleRequests), newPackage(sampleRequests)];
    succeed(ccf(["render", one]));
    succeed(start(["render", other], program));
    expect(readTree(other)).toEqual(readTree(one));
  });

  it("is a plugin of oc and kubectl, and a function, by the name that it is called by", () => {
    const directory = temporary();
    for (const name of ["oc-ccf", "generate-oidc-issuer"]) symlinkSync(program, join(directory, name));
    expect(start(["render", "--help"], join(directory, "oc-ccf")).stdout).toBe(ccf(["render", "--help"]).stdout);
    const list = listOf(newPackage(sampleRequests));
    const expected = ccf(["generate-oidc-issuer"], { input: list });
    expect(expected.status).toBe(0);
    expect(start([], join(directory, "generate-oidc-issuer"), { input: list })).toEqual(expected);
    const fromPath = run("sh", ["-c", "exec generate-oidc-issuer"], {
      input: list,
      env: { PATH: `${directory}:/usr/bin:/bin` },
    });
    expect(fromPath).toEqual(expected);
  });
});

describe("the executable", () => {
  it("has every command, with the client libraries of the clouds", () => {
    const { status, stdout, stderr } = start(["status", join(temporary(), "missing")]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*missing/);
    expect(readFileSync(executable).includes("ManagedIdentityCredential")).toBe(true);
  });

  describeWith(["strip"], "is not stripped", () => {
    // Without what "strip" removes, the file is Bun itself.
    it("because nothing of the program would be left", () => {
      const stripped = join(temporary(), "ccf");
      copyFileSync(executable, stripped);
      expect(run("strip", [stripped])).toMatchObject({ status: 0 });
      expect(start(["--version"], stripped).stdout).not.toBe(`${version}\n`);
      expect(start(["--version"]).stdout).toBe(`${version}\n`);
    });
  });

  it("is built twice to the same bytes", () => {
    execFileSync(process.execPath, [tool("standalone"), "--output", built.directory], { stdio: "ignore" });
    expect(readFileSync(join(built.directory, here, "ccf")).equals(readFileSync(executable))).toBe(true);
  }, 120_000);

  // ELF, 64 bits; the machine is at offset 18: 183 is AArch64, and 62 is x86-64 (System V ABI). Mach-O, 64 bits, for ARM64 (<mach/machine.h>).
  it.each([
    ["linux-arm64", "\x7fELF\x02", 18, 183],
    ["linux-x64-musl", "\x7fELF\x02", 18, 62],
    ["darwin-arm64", "\xcf\xfa\xed\xfe", 4, 12],
  ])(
    "is built for %s",
    (platform, magic, offset, machine) => {
      const args = [tool("standalone"), "--output", built.directory, "--platform", platform];
      execFileSync(process.execPath, args, { stdio: "ignore" });
      const bytes = readFileSync(join(built.directory, platform, "ccf"));
      expect(bytes.subarray(0, magic.length)).toEqual(Buffer.from(magic, "latin1"));
      expect(bytes.readUInt16LE(offset)).toBe(machine);
      expect(bytes.includes("generate-cloud-credentials")).toBe(true);
    },
    120_000,
  );

  it.each([
    [
      ["--platform", "linux-s390x"],
      'unknown platform "linux-s390x"; use one of linux-x64, linux-arm64, linux-x64-musl, darwin-arm64',
    ],
    [["--bun", "/missing/bun"], "/missing/bun does not exist"],
  ])("is not built with %j", (args, message) => {
    const { status, stdout, stderr } = run(process.execPath, [tool("standalone"), ...args]);
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

describe("the executable for images of functions", () => {
  it("contains no client library, and no code for registries", () => {
    const bytes = readFileSync(offline);
    for (const name of ["ManagedIdentityCredential", "GetCallerIdentity", "application/vnd.oci.image.index"]) {
      expect(readFileSync(executable).includes(name), name).toBe(true);
      expect(bytes.includes(name), name).toBe(false);
    }
  });

  it.each([
    [["apply"]],
    [["status"]],
    [["destroy"]],
    [["check-issuer", "--platform", "aws", "https://issuer.example.com"]],
    [["extract-release", "4.20.1", "--output-dir", "out"]],
    [["update-requests", "--release", "4.20.1"]],
  ])("says that it cannot use a network: %j", (args) => {
    const cwd = newPackage(sampleRequests);
    succeed(ccf(["render", cwd]));
    const before = readTree(cwd);
    const { status, stdout, stderr } = start(args, offline, { cwd });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: this executable is for the images of functions and cannot use a network; use the image "ccf", or the executable of the release\. \[usage\]\nRun "ccf [a-z-]+ --help"\.\n$/,
    );
    expect(readTree(cwd)).toEqual(before);
  });
});

describe("tools/licenses.mjs", () => {
  const licenses = (change: (directory: string) => void) => {
    const root = temporary();
    for (const name of ["src", "functions", "schemas", "node_modules", "package.json", "LICENSE"])
      symlinkSync(join(process.cwd(), name), join(root, name));
    for (const name of [
      "tools/licenses.mjs",
      "tools/bun.json",
      ...["libraries.json", "NOTICES.txt", "README.md"].map((file) => `licenses/bun/${file}`),
    ]) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      copyFileSync(name, join(root, name));
    }
    change(root);
    return run(process.execPath, [join(root, "tools/licenses.mjs"), join(root, "out")]);
  };

  it("fails if a library of Bun has no license", () => {
    const { status, stderr } = licenses((root) => {
      const notices = join(root, "licenses/bun/NOTICES.txt");
      writeFileSync(notices, readFileSync(notices, "utf8").replace(/^tinycc\n/gm, ""));
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("has no license of tinycc") });
  });

  it("fails if Bun has another version", () => {
    const { status, stderr } = licenses((root) => {
      const list = join(root, "licenses/bun/libraries.json");
      writeFileSync(list, readFileSync(list, "utf8").replace(/"bun": "[^"]+"/, '"bun": "1.0.0"'));
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("licenses/bun is of Bun 1.0.0") });
  });
});
