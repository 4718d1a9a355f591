import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { version } from "../../../package.json";
import { ccf, run as runCcf } from "../../helpers/ccf.ts";
import { newPackage, packageWithBoundary, succeed } from "../../helpers/cluster-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { runStep, step, textOf, workflow } from "../../helpers/workflow.ts";

type Fields = Record<string, unknown>;

describeWith(["kubectl"], "the ConfigMap for Hive", () => {
  it("is what kubectl makes from the manifests of an export", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "out");
    succeed(runCcf(["export", directory, "--output-dir", out]));
    const names = ["demo-manifests", "--namespace", "demo", `--from-file=${out}/manifests`];
    const made = run("kubectl", ["create", "configmap", ...names, "--dry-run=client", "-o", "yaml"]);
    expect(made.status, made.stderr).toBe(0);
    const { metadata, ...rest } = load(made.stdout) as Fields;
    const format = ["--format", "manifests-configmap", "--namespace", "demo"];
    const printed = load(succeed(runCcf(["export", directory, ...format])).stdout) as Fields;
    expect(printed).toEqual({ ...rest, metadata: { name: "demo-manifests", namespace: "demo" } });
    expect(metadata).toMatchObject({ name: "demo-manifests", namespace: "demo" });
  });
});

describe("docs/integrations/hive.md", () => {
  it("has a ClusterDeployment that names the ConfigMap, in its namespace", () => {
    const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(textOf("docs/integrations/hive.md")) ?? [];
    const { metadata, spec } = load(block) as { metadata: Fields; spec: { provisioning: Fields } };
    const format = ["--format", "manifests-configmap", "--namespace", String(metadata["namespace"])];
    const printed = load(succeed(runCcf(["export", packageWithBoundary(), ...format])).stdout) as { metadata: Fields };
    expect(printed.metadata).toEqual({ name: "demo-manifests", namespace: metadata["namespace"] });
    expect(spec.provisioning["manifestsConfigMapRef"]).toEqual({ name: "demo-manifests" });
    expect(textOf("docs/integrations/hive.md")).toContain("/tls/bound-service-account-signing-key.key\n");
  });
});

describe("integrations/kubernetes/check-job.yaml", () => {
  interface Container {
    readonly args: readonly string[];
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  }
  const path = "integrations/kubernetes/check-job.yaml";
  const job = load(textOf(path)) as {
    spec: { completions: number; parallelism: number; template: { spec: Record<string, Container[]> } };
  };
  const { initContainers: [clone] = [], containers: [check] = [] } = job.spec.template.spec;
  const environmentOf = (container: Container | undefined) =>
    Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []);
  /** Runs the script of a container, with another directory for its volume. */
  const runScript = (container: Container | undefined, work: string, env: NodeJS.ProcessEnv) => {
    const [shell = "", ...flags] = container?.command ?? [];
    const script = (container?.args[0] ?? "").replace(/\/workspace|\/tmp\b/g, work);
    return run(shell, [...flags, script], { cwd: work, env: { ...environmentOf(container), ...env } });
  };

  it("has as many pods as shards, and names this version", () => {
    const { completions, parallelism } = job.spec;
    expect({ completions, parallelism }).toEqual({ completions: 10, parallelism: 10 });
    expect(environmentOf(check)).toMatchObject({ SHARDS: String(completions), CCF_VERSION: version });
  });

  const name = `cloud-credential-functions-${version}.tgz`;
  const pod = (index: number, digest: string) => {
    const work = temporary();
    const program = '#!/bin/sh\npwd >&2\necho "$@"\nexit 2\n';
    writeTree(work, { "ccf/node_modules/.bin/ccf": program, "repository/clusters/demo/Kptfile": "" });
    run("chmod", ["+x", join(work, "ccf/node_modules/.bin/ccf")]);
    const npm = `echo "$@" >> '${work}/npm'; case "$1" in pack) echo packed > ${name};; esac`;
    const env = { PATH: pathWith({ npm }), JOB_COMPLETION_INDEX: String(index), CCF_SHA256: digest };
    const { status, stdout, stderr } = runScript(check, work, env);
    return { status, stdout, stderr, installed: readTree(work)["npm"], work };
  };

  it("gives each pod one shard, counted from 1, and its exit code to the Job", () => {
    const digest = createHash("sha256").update("packed\n").digest("hex");
    for (let index = 0; index < 10; index++) {
      const { work, ...ran } = pod(index, digest);
      expect(ran).toEqual({
        status: 2,
        stdout: `${name}: OK\nrender --check --recursive clusters --shard ${index + 1}/10\n`,
        stderr: `${work}/repository\n`,
        installed:
          `pack --silent cloud-credential-functions@${version}\n` +
          `install --prefix ${work}/ccf --silent --ignore-scripts ./${name}\n`,
      });
    }
  });

  it("installs nothing that has another digest", () => {
    const { status, stdout, installed } = pod(0, environmentOf(check)["CCF_SHA256"] ?? "");
    expect({ status, stdout }).toEqual({ status: 1, stdout: `${name}: FAILED\n` });
    expect(installed).toBe(`pack --silent cloud-credential-functions@${version}\n`);
  });

  describeWith(["git"], "takes the files", () => {
    it("of the commit that it names", () => {
      const [source, work] = [temporary(), temporary()];
      const git = (...args: string[]) =>
        run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: source });
      git("init", "--quiet");
      writeTree(source, { "clusters/demo/Kptfile": "old" });
      git("add", ".");
      git("commit", "--quiet", "--message", "old");
      const COMMIT = git("rev-parse", "HEAD").stdout.trim();
      writeTree(source, { "clusters/demo/Kptfile": "new" });
      git("commit", "--quiet", "--all", "--message", "new");
      const env = { PATH: process.env["PATH"], HOME: work, REPOSITORY: `file://${source}`, COMMIT };
      const { status, stderr } = runScript(clone, work, env);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(readFileSync(join(work, "repository/clusters/demo/Kptfile"), "utf8")).toBe("old");
    });
  });

  describeWith(["kubectl"], "is a Job", () => {
    it("of which kubectl knows every field", () => {
      // kubectl reads the file into its types, and prints what it read.
      const args = ["set", "image", "--local", "-f", path, "check=example", "-o", "json"];
      const { status, stdout, stderr } = run("kubectl", args);
      expect(status, stderr).toBe(0);
      const expected = load(textOf(path)) as { spec: { template: { spec: { containers: { image: string }[] } } } };
      for (const container of expected.spec.template.spec.containers) container.image = "example";
      expect(JSON.parse(stdout)).toMatchObject(expected);
    });
  });
});

describe("integrations/github/check-clusters.yaml", () => {
  const path = "integrations/github/check-clusters.yaml";
  const checks = workflow(path);
  const act = (name: string, env: NodeJS.ProcessEnv, programs: Record<string, string> = {}) => {
    const ccf = 'echo "$@"; case "$*" in *--touched*) cat;; esac';
    return runStep(step(checks, name).run, temporary(), { PATH: pathWith({ ccf, ...programs }), ...env });
  };

  it("installs this version of ccf", () => {
    expect(textOf(path)).toContain(`\n  CCF_VERSION: ${version}\n`);
  });

  it("names itself as what counts for all packages", () => {
    expect(textOf(path)).toContain("Copy this file to .github/workflows/check-clusters.yaml.");
    expect(step(checks, "Check the touched packages").run).toContain("--shared .github/workflows/check-clusters.yaml");
  });

  it("checks all shards", () => {
    const shards = checks.jobs["all"]?.strategy?.matrix["shard"] ?? [];
    expect(shards).toEqual([1, 2, 3, 4]);
    expect(step(checks, "Check one shard").env).toEqual({
      SHARD: "${{ matrix.shard }}",
      SHARDS: "${{ strategy.job-total }}",
    });
    const { status, stdout } = act("Check one shard", { SHARD: "3", SHARDS: "4" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "render --check --recursive clusters --shard 3/4\n" });
  });

  it("fails if git fails, which would look like an empty list", () => {
    const { status } = act("Check the touched packages", {}, { git: "exit 128" });
    expect(status).toBe(128);
  });

  describeWith(["git"], "checks the touched packages", () => {
    it("of the branch, and also the one that a file was moved from", () => {
      const repository = temporary();
      const git = (...args: string[]) => {
        const { status, stderr } = run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
          cwd: repository,
        });
        expect(status, stderr).toBe(0);
      };
      git("init", "--quiet", "--initial-branch", "main");
      writeTree(repository, { "clusters/a/moved.yaml": "the same in both places\n", "clusters/b/Kptfile": "b" });
      git("add", ".");
      git("commit", "--quiet", "--message", "one");
      git("checkout", "--quiet", "-b", "change");
      git("mv", "clusters/a/moved.yaml", "clusters/b/moved.yaml");
      git("commit", "--quiet", "--message", "two");
      git("update-ref", "refs/remotes/origin/main", "main");
      const PATH = pathWith({ ccf: "cat" });
      const { status, stdout } = runStep(step(checks, "Check the touched packages").run, repository, { PATH });
      expect({ status, stdout }).toEqual({ status: 0, stdout: "clusters/a/moved.yaml\nclusters/b/moved.yaml\n" });
    });
  });

  it("checks every package in exactly one shard, with the real ccf", () => {
    const root = temporary();
    for (const name of ["one", "two"]) {
      initSample(join(root, "clusters", name), { name });
      succeed(runCcf(["render", join(root, "clusters", name)]));
    }
    rmSync(join(root, "clusters/two/aws/issuer.yaml"));
    const PATH = pathWith({ ccf: `exec '${process.execPath}' '${ccf}' "$@"` });
    const one = (name: string, env: NodeJS.ProcessEnv) => runStep(step(checks, name).run, root, { PATH, ...env });
    const runs = ["1", "2", "3", "4"].map((SHARD) => one("Check one shard", { SHARD, SHARDS: "4" }));
    const printed = runs.map(({ stdout }) => stdout).join("");
    expect(printed.match(/\b1 up to date\b/gm)).toHaveLength(1);
    expect(printed.match(/^clusters\/two: 1 file would change/gm)).toHaveLength(1);
    expect(runs.map(({ status }) => status).sort()).toEqual([0, 0, 0, 2]);
  });

  it.each([
    ["success skipped", 0],
    ["skipped success", 0],
    ["failure skipped", 1],
    ["skipped cancelled", 1],
    ["skipped skipped", 1],
  ])("is %s: exit code %i", (RESULTS, status) => {
    expect(act("Check the jobs", { RESULTS }).status).toBe(status);
  });
});

describe("integrations/porch/function-configs.yaml", () => {
  const configs = loadAll(textOf("integrations/porch/function-configs.yaml")) as {
    metadata: Fields;
    spec: { image: string; prefixes: string[]; podExecutor: { tags: string[] } };
  }[];

  it("has what Porch requires for every function of this project", () => {
    expect(configs.map(({ spec }) => spec.image).sort()).toEqual(functions.map(({ name }) => name).sort());
    for (const config of configs) {
      // The fields of functionconfigs.config.porch.kpt.dev, of which one executor is required.
      expect(config).toEqual({
        apiVersion: "config.porch.kpt.dev/v1alpha1",
        kind: "FunctionConfig",
        metadata: { name: config.spec.image, namespace: "porch-fn-system" },
        spec: {
          image: config.spec.image,
          prefixes: ["ghcr.io/cloud-credential-functions"],
          podExecutor: { tags: [`v${version}`], timeToLive: "30m" },
        },
      });
    }
  });

  it("names the images of the Kptfile that ccf init --container writes", () => {
    const directory = newPackage();
    const kptfile = readTree(directory)["Kptfile"] ?? "";
    const inContainers = join(temporary(), "package");
    const from = ["--credentials-requests", join(directory, "credentials-requests")];
    const where = ["--account-id", "123456789012", "--region", "us-east-2", "--public-key-file"];
    const key = "testdata/sample-cluster/serviceaccount-signer.public";
    succeed(
      runCcf(["init", inContainers, "--platform", "aws", "--name", "demo", ...where, key, ...from, "--container"]),
    );
    const images = [...(readTree(inContainers)["Kptfile"] ?? "").matchAll(/image: (.*)\/(.*):(.*)/g)];
    expect(images).toHaveLength((kptfile.match(/exec:/g) ?? []).length);
    for (const [, prefix = "", image, tag = ""] of images) {
      const config = configs.find(({ spec }) => spec.image === image);
      expect(config?.spec).toMatchObject({ prefixes: [prefix], podExecutor: { tags: [tag] } });
    }
  });
});

describe("integrations/flux/hub-kustomization.yaml", () => {
  const path = "integrations/flux/hub-kustomization.yaml";
  it("is the Kustomization of plain.yaml, with the kubeconfig of its cluster", () => {
    const [, plain] = loadAll(textOf("integrations/flux/plain.yaml")) as [unknown, { spec: Fields }];
    const kubeConfig = { secretRef: { name: "demo-kubeconfig" } };
    expect(load(textOf(path))).toEqual({ ...plain, spec: { ...plain.spec, kubeConfig } });
  });

  it("becomes one Kustomization for each cluster, with the commands of the page", () => {
    const [, block = ""] = /## Flux[\s\S]*?```sh\n([\s\S]*?)```/.exec(textOf("docs/integrations/fleets.md")) ?? [];
    const root = temporary();
    const clusters = { "clusters/demo/Kptfile": "", "clusters/c07/Kptfile": "" };
    writeTree(root, { "flux/hub-kustomization.yaml": textOf(path), ...clusters });
    const { status, stderr } = runStep(block, join(root, "flux"), { PATH: process.env["PATH"] });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const {
      "demo-credentials.yaml": demo = "",
      "c07-credentials.yaml": other = "",
      ...more
    } = readTree(join(root, "flux"));
    expect(more).toEqual({});
    expect(demo).toBe(textOf(path));
    expect(load(other)).toMatchObject({
      metadata: { name: "c07-credentials" },
      spec: { path: "./clusters/c07/manifests", kubeConfig: { secretRef: { name: "c07-kubeconfig" } } },
    });
    expect(other).not.toContain("demo");
  });
});
