import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { listOf, newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { containerEnvironment, containerTools, imageOf, imageTargets } from "../../helpers/containers.ts";
import { describeWith } from "../../helpers/need.ts";
import { packageWithOperator } from "../../helpers/operator-package.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const generators = ["generate-oidc-issuer", "generate-cloud-credentials", "configure-operators"] as const;
const functions = imageTargets.filter((target) => target !== "ccf" && target !== "argocd-plugin");
/**
 * The flags that kpt starts a container with (its documentation of the container runtime), and stricter ones: what runs with
 * these also runs as kpt starts it.
 */
const asKpt = ["--network", "none", "--user", "nobody", "--security-opt", "no-new-privileges"];
const strict = [...asKpt, "--read-only", "--cap-drop", "all"];

/*
 * A container takes seconds where each is a copy of its image. So a test starts one only for what no process shows: that an
 * image starts, as whom, and what it finds in its file system. What a function answers is the subject of test/program.
 */

describeWith(containerTools, "the images", () => {
  let env: NodeJS.ProcessEnv = {};
  beforeAll(() => {
    env = containerEnvironment();
  }, 600_000);

  const podman = (...args: string[]) => runProgram("podman", args, { env });
  const inspect = (target: string) => JSON.parse(podman("image", "inspect", imageOf(target)).stdout)[0];

  it("share all layers except the plugin's file", () => {
    const [first, ...others] = functions.map((target) => inspect(target).RootFS.Layers);
    for (const layers of others) expect(layers.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(inspect("argocd-plugin").RootFS.Layers).toEqual(expect.arrayContaining(first.slice(0, -1)));
    expect(inspect("ccf").RootFS.Layers).toEqual(expect.arrayContaining(first.slice(0, -1)));
  });

  it("run as the user nobody, by number, and have labels that describe them", () => {
    for (const target of ["ccf", ...functions]) {
      const { Config } = inspect(target);
      expect(Config.User).toBe("65534:65534");
      expect(Config.Labels).toMatchObject({
        "org.opencontainers.image.title": "cloud-credential-functions",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": JSON.parse(readFileSync("package.json", "utf8")).version,
        "org.opencontainers.image.revision": expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(Config.Entrypoint).toEqual(["/opt/ccf/ccf", ...(target === "ccf" ? [] : [target])]);
    }
    expect(inspect("argocd-plugin").Config.User).toBe("999:999");
  });

  it("contain the runtime, the program and licenses only: no shell, no npm; and find the code cache of their Node", () => {
    const look = `const walk = (at) => require("node:fs").readdirSync(at, { withFileTypes: true }).flatMap((one) => {
      const path = at === "/" ? at + one.name : at + "/" + one.name;
      return ["/proc", "/sys", "/dev", "/run"].includes(path) ? [] : one.isDirectory() ? walk(path) : [path];
    });
    console.log(walk("/").join("\\n") + "\\n---");
    const vm = require("node:vm"); const { Script } = vm;
    vm.Script = function (text, options) {
      const script = new Script(text, options);
      console.log(script.cachedDataRejected);
      return script;
    };
    process.argv[1] = "/opt/ccf/ccf"; process.argv[2] = "--version";
    require("/opt/ccf/ccf");`;
    const { stdout } = podman("run", "--rm", "--entrypoint", "node", imageOf("ccf"), "-e", look);
    const [listed = "", loaded = ""] = stdout.split("---\n");
    const files = listed.trim().split("\n").sort();
    const ours = files.filter(
      (path) =>
        !/^\/(?:lib(?:64|32)?|usr\/lib\w*)\/|^\/opt\/ccf\/parts\/[\w-]+\.js(?:\.v[\d.]+-\w+-\w+-\d+\.cache)?$/.test(
          path,
        ) && !/^\/licenses\/[@\w.-]+\/(?:LICEN[CS]E|README)[\w.-]*$/i.test(path),
    );
    const licensed = ["@azure-identity", "@noble-hashes", "cloud-credential-functions", "commander", "js-yaml"];
    expect(files).toEqual(expect.arrayContaining(licensed.map((name) => `/licenses/${name}/LICENSE`)));
    expect(files.filter((path) => /\/function\.js.*\.cache$/.test(path))).toHaveLength(1);
    expect(ours).toEqual([
      "/etc/group",
      "/etc/hostname",
      "/etc/hosts",
      "/etc/mtab",
      "/etc/passwd",
      "/etc/resolv.conf",
      "/opt/ccf/ccf",
      "/usr/local/bin/node",
    ]);
    expect(files.filter((path) => /\/(?:sh|bash|dash|busybox|npm)$/.test(path))).toEqual([]);
    expect(loaded).toMatch(/^(?:false\n)+\d/);
  });

  it("contain the client libraries of clouds only where a command can use them", () => {
    const look = `const { readdirSync, readFileSync } = require("node:fs");
    const parts = "/opt/ccf/parts/";
    console.log(readdirSync(parts).filter((name) => readFileSync(parts + name, "utf8").includes("ManagedIdentityCredential")).length);`;
    const clients = (target: string) =>
      podman("run", "--rm", "--entrypoint", "node", imageOf(target), "-e", look).stdout;
    expect(clients("ccf")).toBe("1\n");
    expect(clients("generate-cloud-credentials")).toBe("0\n");
  });

  describe("with nothing that they could write to, nor network,", () => {
    const start = (target: string, input: string) =>
      runProgram("podman", ["run", "--rm", "-i", ...strict, imageOf(target)], { env, input });

    it.each(functions)("%s gives what the program gives", (target) => {
      const list = listOf(packageWithOperator());
      const expected = run([target], { input: list });
      expect(expected.status).toBe(0);
      if (generators.some((generator) => generator === target))
        expect(expected.stdout).toContain("fn.cloudcredential.dev/generated-by");
      expect(start(target, list)).toEqual(expected);
    });

    it("an input that is not a list fails and prints no list", () => {
      const done = start("ccf", "{");
      expect(done).toEqual(run([], { input: "{" }));
      expect(done).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("[not-a-resource-list]") });
    });
  });

  describeWith(["kpt"], "kpt", () => {
    it("fn doc shows the help of a function", () => {
      const [target = ""] = functions;
      const { status, stdout } = runProgram("kpt", ["fn", "doc", "--image", imageOf(target)], { env });
      expect(status).toBe(0);
      expect(stdout).toMatch(new RegExp(`${target}: [a-z]+ `));
      expect(stdout).toContain("kpt fn eval DIR --exec");
    });

    it("fn eval runs the default image, which runs every function", () => {
      const directory = newPackage();
      const expected = join(temporary(), "package");
      cpSync(directory, expected, { recursive: true });
      expect(run(["render", expected]).status).toBe(0);
      const args = ["fn", "eval", ".", "--image", imageOf("ccf"), "--fn-config", "cluster-identity.yaml"];
      const { status, stderr } = runProgram("kpt", args, { env, cwd: directory });
      expect(status, stderr).toBe(0);
      expect(readTree(directory)).toEqual(readTree(expected));
    });
  });

  it("the sidecar of Argo CD has the plugin's configuration, and prints what ccf render --stdout prints", () => {
    // As the plugin's server does: in the application's directory, with parameters in the environment and only /tmp writable.
    const directory = readable(renderedPackage());
    const environment = {
      ARGOCD_APP_NAME: "demo",
      ARGOCD_APP_PARAMETERS: JSON.stringify([{ name: "cluster", string: "demo" }]),
    };
    const variables = Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const flags = ["--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", ...variables];
    const place = ["--volume", `${directory}:/app:ro`, "--workdir", "/app", "--entrypoint", "node"];
    const server = `const configuration = "/home/argocd/cmp-server/config/plugin.yaml";
      process.stderr.write(process.getuid() + "\\n" + require("node:fs").readFileSync(configuration, "utf8"));
      process.exitCode = require("node:child_process").spawnSync("ccf", ["argo-cd-generate"], { stdio: "inherit" }).status;`;
    const expected = run(["render", "--stdout", directory]);
    expect(expected).toMatchObject({ status: 0, stdout: expect.stringContaining("kind: Secret") });
    expect(runProgram("podman", ["run", ...flags, ...place, imageOf("argocd-plugin"), "-e", server], { env })).toEqual({
      ...expected,
      stderr: `999\n${readFileSync("integrations/argo-cd/plugin.yaml", "utf8")}${expected.stderr}`,
    });
    expect(inspect("argocd-plugin").Config.Entrypoint).toEqual(["/var/run/argocd/argocd-cmp-server"]);
  });
});

// Other users may read this directory, as they may read a checkout in a shared volume.
function readable(directory: string): string {
  spawnSync("chmod", ["-R", "a+rX", directory, join(directory, "..")]);
  return directory;
}
