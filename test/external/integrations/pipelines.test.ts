import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { ccf } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { textOf } from "../../helpers/workflow.ts";

const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));
const gitlab = load(textOf("integrations/gitlab/cloud-side.yml")) as Any;
const tekton = loadAll(textOf("integrations/tekton/cloud-side.yaml")) as Any[];

// Nothing reaches a cloud: apply notes its arguments.
const program = `case "$1" in
apply) printf '%s\\n' "$*" >> "$CALLS"; echo '{}'; exit "\${CCF_EXIT:-0}";;
*) exec '${process.execPath}' '${ccf}' "$@";;
esac`;

/** A directory with two packages of two clouds, in a subdirectory. */
function fleet(below = "clusters"): string {
  const root = temporary();
  for (const name of ["aws-s3-public", "azure-blob-government"])
    cpSync(join(packages, name), join(root, below, name), { recursive: true });
  return root;
}

function act(shell: string, script: string, cwd: string, env: NodeJS.ProcessEnv = {}) {
  const calls = join(temporary(), "calls");
  const args = shell === "bash" ? ["-eo", "pipefail", "-c", script] : ["-c", script];
  const done = run(shell, args, { cwd, env: { PATH: pathWith({ ccf: program }), CALLS: calls, ...env } });
  return { ...done, calls: readTree(join(calls, ".."))["calls"]?.trim().split("\n") ?? [] };
}

describe("the example for GitLab CI", () => {
  const { stages, workflow, variables, default: defaults, ...jobs } = gitlab;
  const keywords = new Set([
    ...["stage", "rules", "script", "artifacts", "allow_failure", "extends", "needs", "environment", "variables"],
    ...["id_tokens", "parallel", "interruptible", "resource_group"],
  ]);

  it("has jobs with a known stage, known keywords, and jobs that they need", () => {
    for (const [name, job] of Object.entries<Any>(jobs)) {
      expect(
        Object.keys(job).filter((key) => !keywords.has(key)),
        name,
      ).toEqual([]);
      for (const other of [...(job.needs ?? []), ...[job.extends ?? []].flat()]) expect(jobs).toHaveProperty([other]);
    }
    const real = Object.entries<Any>(jobs).filter(([name]) => !name.startsWith("."));
    for (const [name, { stage, script }] of real) {
      expect(stages, name).toContain(stage);
      expect(script.filter((line: unknown) => typeof line !== "string")).toEqual([]);
    }
    const rules = real.flatMap(([, job]) => job.rules ?? []);
    for (const rule of rules) expect(["always", "manual", undefined]).toContain(rule.when);
    for (const { if: condition } of workflow.rules) expect(condition).toMatch(/^\$CI_\w+ == \S+$/);
  });

  it("applies only on the default branch, when a person starts it, and with the plan", () => {
    expect(jobs.apply.rules).toEqual([{ if: "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH", when: "manual" }]);
    expect(jobs.apply.environment.name).toBe("cloud-write");
    expect(jobs.plan.environment.name).toBe("cloud-read");
  });

  it("installs this version from the file that the digest names", () => {
    expect(variables.CCF_VERSION).toBe(version);
    expect(defaults.before_script.join("\n")).toContain("sha256sum --check --strict");
  });

  it("has scripts that the shell can read", () => {
    for (const [name, job] of Object.entries<Any>(jobs))
      expect({ name, ...run("bash", ["-n"], { cwd: ".", input: (job.script ?? []).join("\n") }) }).toMatchObject({
        status: 0,
        stderr: "",
      });
  });

  describeWith(["git"], "finds, plans, and applies", () => {
    it("the packages of each cloud", () => {
      const root = fleet();
      const git = (...args: string[]) =>
        run("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
      git("init", "--quiet");
      git("add", "--all");
      git("commit", "--quiet", "--message", "all");
      expect(act("bash", jobs.check.script.join("\n"), root, { BEFORE: "0".repeat(40) }).status).toBe(0);
      const env = { PLATFORM: "aws", CCF_ID_TOKEN: "x", CCF_MEMBER_ROLE: "ccf-read" };
      const plan = act("bash", jobs.plan.script.join("\n"), root, { ...env, CCF_EXIT: "2" });
      expect(plan.status).toBe(0);
      const rest = "--selector platform=aws --assume-role ccf-read -- clusters/aws-s3-public";
      expect(plan.calls).toEqual([`apply --dry-run -o json ${rest}`, `apply --dry-run -o markdown ${rest}`]);
      const apply = act("bash", jobs.apply.script.join("\n"), root, env);
      expect(apply.calls).toEqual([`apply --yes --expect plan-aws.json ${rest}`]);
      expect(act("bash", jobs.plan.script.join("\n"), root, { ...env, CCF_EXIT: "1" }).status).toBe(1);
      const none = act("bash", jobs.apply.script.join("\n"), root, { ...env, PLATFORM: "gcp" });
      expect(none).toMatchObject({ status: 0, calls: [] });
    });
  });
});

describe("the example for GitLab CI, with hostile names", () => {
  const { check, plan, apply } = gitlab;

  it("refuses a package whose name contains a line break", () => {
    const root = fleet();
    cpSync(join(packages, "aws-s3-public"), join(root, "clusters/prod\n--prune"), { recursive: true });
    for (const args of [
      ["init", "--quiet"],
      ["add", "--all"],
    ])
      run("git", args, { cwd: root });
    const { status, stderr } = act("bash", check.script.join("\n"), root, { BEFORE: "0".repeat(40) });
    expect(status).toBe(1);
    expect(stderr).toContain("[package-path]");
    expect(readTree(root)["clusters.json"]).toBeUndefined();
  });

  it.each([
    ["plan", plan],
    ["apply", apply],
  ])("hands over each name as one argument, and none as an option: %s", (_, { script }) => {
    const names = ["clusters/prod\n--prune", "--prune", 'it\'s "$(id)" *'];
    const root = temporary();
    const lines = names.map((name) => JSON.stringify({ package: name, platform: "aws" }));
    writeTree(root, { "clusters.json": `${lines.join("\n")}\n` });
    const PATH = pathWith({ ccf: `printf '%s\\0' "$@" >> "$CALLS"; echo '{}'` });
    const { status, calls } = act("bash", script.join("\n"), root, { PATH, PLATFORM: "aws", CCF_ID_TOKEN: "x" });
    expect(status).toBe(0);
    const words = calls.join("\n").split("\0").slice(0, -1);
    expect(words.slice(words.lastIndexOf("--"))).toEqual(["--", ...names]);
    expect(words.slice(0, words.indexOf("--"))).not.toContain("--prune");
  });
});

describe("the example for Tekton", () => {
  const named = (kind: string, name: string) =>
    tekton.find((object) => object.kind === kind && object.metadata.name === name);
  const script = (task: string, step: string): string =>
    named("Task", task)
      .spec.steps.find(({ name }: Any) => name === step)
      .script.replace(/^#!.*\n/, "");

  it("consists of Tasks and a Pipeline that refer to each other, with their parameters and workspaces", () => {
    for (const { apiVersion } of tekton) expect(apiVersion).toBe("tekton.dev/v1");
    const pipeline = named("Pipeline", "ccf-cloud-side");
    const names = (list: Any[]) => list.map(({ name }) => name).sort();
    for (const task of pipeline.spec.tasks) {
      const { spec } = named("Task", task.taskRef.name);
      expect(names(task.params)).toEqual(names(spec.params));
      expect(names(task.workspaces)).toEqual(names(spec.workspaces));
      for (const { name, image, script: text } of spec.steps) {
        expect(name).toMatch(/^[a-z-]+$/);
        expect(image ?? spec.stepTemplate.image).toBe("$(params.image)");
        expect(text).toMatch(/^#!\/bin\/sh\nset -eu\n/);
        // Parameters reach a script by the environment only.
        expect(text).not.toContain("$(");
        expect(run("sh", ["-n"], { cwd: ".", input: text })).toMatchObject({ status: 0, stderr: "" });
      }
    }
    const started = tekton.find(({ kind }) => kind === "PipelineRun").spec;
    expect(names(started.params)).toEqual(names(pipeline.spec.params));
    expect(started.taskRunSpecs.map((one: Any) => one.pipelineTaskName)).toEqual(names(pipeline.spec.tasks).reverse());
  });

  it("reviews with the packages of its cloud, and applies exactly that plan", () => {
    const root = fleet("now/clusters");
    cpSync(join(root, "now"), join(root, "before"), { recursive: true });
    mkdirSync(join(root, "results"));
    const env = { PLATFORM: "azure", RESULT: join(root, "results/changes") };
    for (const step of ["find", "review"])
      expect(act("sh", script("ccf-review", step), root, env)).toMatchObject({ status: 0 });
    const { "review.md": review = "" } = readTree(root);
    expect(review).toContain("## Changes: none");
    expect(review).toContain("## New findings and acceptances");
    for (const [code, changes] of [
      ["0", "no"],
      ["2", "yes"],
    ] as const) {
      const plan = act("sh", script("ccf-review", "plan"), root, { ...env, CCF_EXIT: code });
      const rest = "--recursive now/clusters --selector platform=azure";
      expect(plan.calls).toEqual([`apply --dry-run -o json ${rest}`, `apply --dry-run -o markdown ${rest}`]);
      expect({ status: plan.status, changes: readTree(root)["results/changes"] }).toEqual({ status: 0, changes });
      expect(act("sh", script("ccf-apply", "apply"), root, env).calls).toEqual([
        `apply --yes --expect plan.json ${rest}`,
      ]);
    }
    expect(act("sh", script("ccf-review", "plan"), root, { ...env, CCF_EXIT: "1" }).status).toBe(1);
    writeTree(root, { "now/clusters/azure-blob-government/cluster-identity.yaml": "a: [\n" });
    expect(act("sh", script("ccf-review", "find"), root, env).status).not.toBe(0);
  });
});
