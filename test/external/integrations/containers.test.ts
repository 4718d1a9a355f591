import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { imageTargets } from "../../../tools/image-targets.mjs";
import { run } from "../../helpers/ccf.ts";
import { listOf, newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { containerEnvironment, containerTools, imageOf } from "../../helpers/containers.ts";
import { builtExecutable } from "../../helpers/executable.ts";
import { describeWith } from "../../helpers/need.ts";
import { packageWithOperator } from "../../helpers/operator-package.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const generators = [
  "generate-oidc-issuer",
  "generate-cloud-credentials",
  "configure-operators",
  "generate-workload-identities",
] as const;
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

  it("share all layers except the plugin's file; the one that can reach a cloud has a layer of its own", () => {
    const [first, ...others] = functions.map((target) => inspect(target).RootFS.Layers);
    for (const layers of others) expect(layers.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(inspect("argocd-plugin").RootFS.Layers).toEqual(expect.arrayContaining(first.slice(0, -1)));
    expect(inspect("ccf").RootFS.Layers.slice(0, 1)).toEqual(first.slice(0, 1));
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

  /** The files of an image, by path, in a directory. */
  const filesOf = (target: string) => {
    const directory = temporary();
    const container = podman("create", imageOf(target)).stdout.trim();
    const archive = join(directory, "image.tar");
    podman("export", "--output", archive, container);
    podman("rm", container);
    runProgram("tar", [
      "-xf",
      archive,
      "-C",
      directory,
      "--exclude=etc",
      "--exclude=dev",
      "--exclude=proc",
      "--exclude=sys",
    ]);
    const names = runProgram("tar", ["-tf", archive]).stdout.split("\n");
    return { directory, names: names.filter((name) => name !== "" && !name.endsWith("/")).sort() };
  };

  it.each([
    ["ccf", "whole"],
    ["generate-cloud-credentials", "offline"],
  ] as const)(
    "%s contains an executable, the libraries that it needs, and licenses: no shell, and no Node.js",
    (target, form) => {
      const { directory, names } = filesOf(target);
      const others = names.filter(
        (name) => !/^(?:lib(?:64|32)?|usr\/lib\w*|licenses|etc|dev|proc|sys|run)\//.test(name),
      );
      expect(others).toEqual(["opt/ccf/ccf"]);
      const licensed = ["@azure-identity", "@noble-hashes", "cloud-credential-functions", "commander", "js-yaml"];
      expect(names).toEqual(expect.arrayContaining(licensed.map((name) => `licenses/${name}/LICENSE`)));
      expect(names).toContain("licenses/bun/NOTICES.txt");
      const executable = readFileSync(join(directory, "opt/ccf/ccf"));
      expect(executable.equals(readFileSync(builtExecutable(form)))).toBe(true);
    },
  );

  it("have no value in the variables with which Bun would run other code", () => {
    for (const target of imageTargets)
      expect(inspect(target).Config.Env).toEqual(
        expect.arrayContaining(["BUN_OPTIONS=", "BUN_BE_BUN=", "BUN_INSPECT=", "BUN_INSPECT_PRELOAD="]),
      );
  });

  describe("with nothing that they could write to, nor network,", () => {
    const start = (target: string, input: string) =>
      runProgram("podman", ["run", "--rm", "-i", ...strict, imageOf(target)], { env, input });

    it.each(functions)("%s gives what the program gives", (target) => {
      const workloads = "testdata/generate-workload-identities/aws-deliveries/input.yaml";
      const isForWorkloads = target === "generate-workload-identities";
      const list = isForWorkloads ? readFileSync(workloads, "utf8") : listOf(packageWithOperator());
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
    const place = ["--volume", `${directory}:/app:ro`, "--workdir", "/app", "--entrypoint", "ccf"];
    const expected = run(["render", "--stdout", directory]);
    expect(expected).toMatchObject({ status: 0, stdout: expect.stringContaining("kind: Secret") });
    const args = ["run", ...flags, ...place, imageOf("argocd-plugin"), "argo-cd-generate"];
    expect(runProgram("podman", args, { env })).toEqual(expected);
    expect(inspect("argocd-plugin").Config.User).toBe("999:999");
    const plugin = join(filesOf("argocd-plugin").directory, "home/argocd/cmp-server/config/plugin.yaml");
    expect(readFileSync(plugin, "utf8")).toBe(readFileSync("integrations/argo-cd/plugin.yaml", "utf8"));
    expect(inspect("argocd-plugin").Config.Entrypoint).toEqual(["/var/run/argocd/argocd-cmp-server"]);
  });
});

// Other users may read this directory, as they may read a checkout in a shared volume.
function readable(directory: string): string {
  spawnSync("chmod", ["-R", "a+rX", directory, join(directory, "..")]);
  return directory;
}
