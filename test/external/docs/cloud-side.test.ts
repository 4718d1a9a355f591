import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { ccf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { type Job, runStep, step, textOf, workflow } from "../../helpers/workflow.ts";

const path = "integrations/github/cloud-side.yaml";
const cloudSide = workflow(path);
const page = textOf("docs/integrations/cloud-side.md");

interface CloudSideJob extends Job {
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress"?: boolean };
}

function job(name: string): CloudSideJob {
  const found = cloudSide.jobs[name];
  if (found === undefined) throw new Error(`the workflow has no job "${name}"`);
  return found;
}

describe("cloud-side.yaml", () => {
  it("installs this version of ccf", () => {
    expect(textOf(path)).toContain(`\n  CCF_VERSION: ${version}\n`);
  });

  it("gives the write identities of all clouds to main only, in a protected environment", () => {
    const signedIn = Object.entries(cloudSide.jobs).flatMap(([name, { steps }]) =>
      steps
        .filter((each) => each.name?.startsWith("Sign in to "))
        .map((each) => [name, JSON.stringify(each.with).match(/vars\.CCF_\w+?_(READ|WRITE)_/)?.[1]]),
    );
    const ofAllClouds = (name: string, kind: string) => Array.from({ length: 3 }, () => [name, kind]);
    expect(signedIn).toEqual([
      ...ofAllClouds("preview", "READ"),
      ...ofAllClouds("apply", "WRITE"),
      ...ofAllClouds("status", "READ"),
    ]);
    const withToken = Object.entries(cloudSide.jobs).filter(([, { permissions }]) =>
      Object.keys(permissions as object).includes("id-token"),
    );
    expect(withToken.map(([name]) => name)).toEqual(["preview", "apply", "status"]);
    expect(job("apply").if).toContain("github.ref == 'refs/heads/main'");
    expect(cloudSide.on).toMatchObject({ push: { branches: ["main"] }, pull_request: { branches: ["main"] } });
    expect(Object.keys(cloudSide.jobs).filter((name) => job(name).environment !== undefined)).toEqual(["apply"]);
    expect(page).toContain(`repo:example/fleet:environment:${job("apply").environment}`);
  });

  it("gives a pull request from a fork no credentials and no comment", () => {
    const sameRepository = "github.event.pull_request.head.repo.full_name == github.repository";
    for (const name of ["preview", "comment"]) expect(job(name).if).toContain(sameRepository);
    expect(job("review").permissions).toEqual({ contents: "read" });
  });

  it("applies to one cloud at a time, and never cancels a run that has begun", () => {
    expect(job("apply").concurrency).toEqual({
      group: "cloud-side-apply-${{ matrix.platform }}",
      "cancel-in-progress": false,
    });
  });

  it("names in the page every variable that it needs", () => {
    const needed = new Set([...textOf(path).matchAll(/vars\.(\w+)/g)].map(([, name]) => name));
    for (const name of needed) expect(page).toContain(`\`${name}\``);
  });
});

describeWith(["git", "jq"], "cloud-side.yaml, run", () => {
  const packages = fileURLToPath(new URL("../../../testdata/packages", import.meta.url));
  let fleet = "";
  let runner = "";
  const git = (...args: readonly string[]) => {
    const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
    const { status, stdout, stderr } = run("git", [...identity, ...args], { cwd: fleet });
    expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout.trim();
  };
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "a change");
    return git("rev-parse", "HEAD");
  };

  beforeEach(() => {
    [fleet, runner] = [temporary(), temporary()];
    cpSync(join(packages, "aws-s3-public"), join(fleet, "clusters/one"), { recursive: true });
    cpSync(join(packages, "azure-blob-government"), join(fleet, "clusters/deep/two"), { recursive: true });
    writeTree(fleet, { ".github/workflows/cloud-side.yaml": "name: Cloud side\n" });
    git("init", "--quiet", "--initial-branch", "main");
    commit();
  });

  // Nothing reaches a cloud: apply and status note their arguments, and say what a test lets them say.
  const program = `case "$1" in
apply | status) printf '%s\\n' "$*" >> "$RUNNER_TEMP/calls"; echo "said $*"; exit "\${CCF_EXIT:-0}";;
*) exec '${process.execPath}' '${ccf}' "$@";;
esac`;
  // Answers as the API does: gh applies --jq to the answer.
  const gh = `
printf '%s\\n' "$*" >> "$RUNNER_TEMP/calls"
while [ $# -gt 0 ]; do
  case "$1" in
    --jq) jq -r "$2" "$RUNNER_TEMP/answer.json" ;;
    --input) cp "$2" "$RUNNER_TEMP/sent.json" ;;
  esac
  shift
done`;

  function act(name: string, more: NodeJS.ProcessEnv = {}, cwd = fleet): ReturnType<typeof runStep> {
    return runStep(step(cloudSide, name).run, cwd, {
      PATH: pathWith({ ccf: program, gh }),
      RUNNER_TEMP: runner,
      GITHUB_OUTPUT: join(runner, "output"),
      GITHUB_REPOSITORY: "example/fleet",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_RUN_ID: "42",
      GITHUB_SHA: "0123",
      PLATFORM: "aws",
      PACKAGES: '["clusters/one","clusters/with space"]',
      MEMBER_ROLE: "",
      ...more,
    });
  }
  const calls = () => (readTree(runner)["calls"] ?? "").trim().split("\n");

  describe("finds the clusters", () => {
    const find = (more: NodeJS.ProcessEnv) => {
      const { status, stderr } = act("Check and find the changed clusters", { BEFORE: "", SELECTOR: "", ...more });
      const [, clusters = "null"] = /^clusters=(.*)$/m.exec(readTree(runner)["output"] ?? "") ?? [];
      return { status, stderr, clusters: JSON.parse(clusters) };
    };
    const both = [
      { platform: "aws", packages: '["clusters/one"]' },
      { platform: "azure", packages: '["clusters/deep/two"]' },
    ];

    it("that a change touches, by their clouds, at any depth", () => {
      const before = git("rev-parse", "HEAD");
      writeTree(fleet, { "clusters/deep/two/notes.txt": "a note\n" });
      commit();
      expect(find({ BEFORE: before })).toMatchObject({ status: 0, clusters: both.slice(1) });
    });

    it("none, if a change touches none", () => {
      const before = git("rev-parse", "HEAD");
      writeTree(fleet, { "README.md": "text\n" });
      commit();
      expect(find({ BEFORE: before })).toMatchObject({ status: 0, clusters: [] });
    });

    it("all of them, without a commit to compare with, or if the workflow changes", () => {
      expect(find({})).toMatchObject({ status: 0, clusters: both });
      const before = git("rev-parse", "HEAD");
      writeTree(fleet, { ".github/workflows/cloud-side.yaml": "name: Another\n" });
      commit();
      expect(find({ BEFORE: before })).toMatchObject({ status: 0, clusters: both });
    });

    it("that a selector selects", () => {
      expect(find({ SELECTOR: "platform=azure" })).toMatchObject({ status: 0, clusters: both.slice(1) });
      expect(find({ SELECTOR: "wave=1" })).toMatchObject({ status: 1 });
    });

    it("and fails if the name of one contains a line break", () => {
      cpSync(join(packages, "aws-s3-public"), join(fleet, "clusters/prod\n--prune"), { recursive: true });
      commit();
      const { status, stderr, clusters } = find({});
      expect({ status, clusters }).toEqual({ status: 1, clusters: null });
      expect(stderr).toContain('"clusters/prod\\u000a--prune" contains the control character U+000A');
    });

    it("and fails if one is not rendered, or was removed", () => {
      const before = git("rev-parse", "HEAD");
      rmSync(join(fleet, "clusters/one/manifests"), { recursive: true });
      commit();
      expect(find({ BEFORE: before })).toMatchObject({ status: 2, clusters: null });
      git("rm", "-r", "--quiet", "clusters/one");
      commit();
      const removed = find({ BEFORE: before });
      expect(removed).toMatchObject({ status: 2, clusters: null });
      expect(removed.stderr).toContain("[package-removed]");
    });
  });

  describe("compares with the base branch", () => {
    const change = (path: string, from: RegExp, to: string) => {
      const file = join(fleet, path);
      const text = readFileSync(file, "utf8");
      expect(text).toMatch(from);
      writeFileSync(file, text.replace(from, to));
    };
    const compare = () => act("Compare with the base branch", { GITHUB_STEP_SUMMARY: join(runner, "summary") });

    it("what changes and what is found, by its policy, and leaves to a reviewer what that means", () => {
      writeTree(fleet, {
        "clusters/review-policy.yaml": `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ReviewPolicy
metadata: {name: company}
spec: {severities: {assume-role-any: error}}
`,
      });
      commit();
      change("clusters/one/credentials-requests/20-ingress.yaml", /( +- )"?route53:List/, "$1sts:AssumeRole\n$&");
      expect(run(process.execPath, [ccf, "render", "clusters/one"], { cwd: fleet }).status).toBe(0);
      rmSync(join(fleet, "clusters/review-policy.yaml"));
      commit();
      expect(compare()).toMatchObject({ status: 0, stderr: expect.not.stringContaining("error") });
      const { "report/1-changes.md": changes, "report/2-findings.md": findings, summary } = readTree(runner);
      expect(changes).toContain("+ sts:AssumeRole");
      expect(findings).toMatch(/^## New findings and acceptances\n\n {4}/);
      expect(findings).toContain("[assume-role-any]");
      expect(findings).toMatch(/^ {4}error: /m);
      expect(summary).toBe(`${changes}${findings}`);
    });

    it("and fails if they cannot be compared, with the package and the reason", () => {
      writeTree(fleet, { "clusters/one/cluster-identity.yaml": "a: [\n" });
      commit();
      expect(compare().status).toBe(1);
      const { "report/1-changes.md": changes } = readTree(runner);
      expect(changes).toMatch(/^## Changes: unknown\n/);
      expect(changes).toMatch(/- `one`: `cluster-identity\.yaml: .*`/);
    });

    it("for the check, says in the report why it failed", () => {
      writeTree(fleet, { "clusters/one/manifests/extra.yaml": "a: [\n" });
      commit();
      expect(act("Check and find the changed clusters", { BEFORE: "", SELECTOR: "" }).status).toBe(1);
      expect(readTree(runner)["report/0-check.md"]).toMatch(
        /^## The check failed\n\n( {4}.*\n)* {4}error: .*extra\.yaml/,
      );
    });
  });

  it("previews with the read role of each account, and keeps the plan and the report", () => {
    expect(act("Dry run", { MEMBER_ROLE: "ccf-read", CCF_EXIT: "2" }).status).toBe(0);
    const rest = "--selector platform=aws --assume-role ccf-read -- clusters/one clusters/with space";
    const made = [`apply --dry-run -o json ${rest}`, `apply --dry-run -o markdown ${rest}`];
    expect(calls()).toEqual(made);
    expect(readTree(runner)).toMatchObject({
      "plan/aws.json": `said ${made[0]}\n`,
      "report/3-aws.md": `said ${made[1]}\n`,
    });
  });

  it.each([["Dry run"], ["Apply"], ["Compare"]])(
    "hands over each name as one argument, and none as an option: %s",
    (name) => {
      const names = ["clusters/prod\n--prune", "--prune", 'it\'s "$(id)" *'];
      const PATH = pathWith({ ccf: `printf '%s\\0' "$@" >> "$RUNNER_TEMP/words"` });
      expect(act(name, { PATH, PACKAGES: JSON.stringify(names), GITHUB_EVENT_NAME: "workflow_dispatch" }).status).toBe(
        0,
      );
      const words = (readTree(runner)["words"] ?? "").split("\0").slice(0, -1);
      expect(words.slice(words.lastIndexOf("--"))).toEqual(["--", ...names]);
      expect(words.slice(0, words.indexOf("--"))).not.toContain("--prune");
      // A list that cannot be read is not an empty one.
      expect(act(name, { PATH, PACKAGES: "[", GITHUB_EVENT_NAME: "workflow_dispatch" }).status).not.toBe(0);
    },
  );

  it("removes only if the preview and the merge, or a person, say so", () => {
    const [preview, apply] = [job("preview"), job("apply")];
    expect(preview.env?.["PRUNE"]).toBe("${{ vars.CCF_PRUNE }}");
    expect(apply.env?.["PRUNE"]).toBe(
      "${{ github.event_name == 'workflow_dispatch' && inputs.prune || github.event_name == 'push' && vars.CCF_PRUNE }}",
    );
    for (const PRUNE of ["", "false"]) act("Dry run", { PRUNE, CCF_EXIT: "2" });
    expect(calls().filter((call) => call.includes("--prune"))).toEqual([]);
    expect(act("Apply", { GITHUB_EVENT_NAME: "workflow_dispatch", PRUNE: "true" }).status).toBe(0);
    expect(calls().at(-1)).toBe("apply --yes --selector platform=aws --prune -- clusters/one clusters/with space");
  });

  it("uses no role of AWS for another cloud, and fails if the dry run does", () => {
    expect(act("Dry run", { MEMBER_ROLE: "ccf-read", PLATFORM: "gcp", CCF_EXIT: "1" }).status).toBe(1);
    expect(calls()).toEqual(["apply --dry-run -o json --selector platform=gcp -- clusters/one clusters/with space"]);
    expect(readTree(runner)["report/3-gcp.md"]).toMatch(/^## The dry run failed: gcp\n/);
  });

  describe("applies", () => {
    it("only the plan of the pull request after a merge, and what a person selects by hand", () => {
      expect(act("Apply", { GITHUB_EVENT_NAME: "push", MEMBER_ROLE: "ccf-write" }).status).toBe(0);
      expect(act("Apply", { GITHUB_EVENT_NAME: "workflow_dispatch" }).status).toBe(0);
      expect(calls()).toEqual([
        `apply --yes --expect ${runner}/plan --selector platform=aws --assume-role ccf-write -- clusters/one clusters/with space`,
        "apply --yes --selector platform=aws -- clusters/one clusters/with space",
      ]);
      expect(act("Apply", { GITHUB_EVENT_NAME: "push", CCF_EXIT: "1" }).status).toBe(1);
    });

    it("nothing for a commit that no pull request has shown", () => {
      writeTree(runner, { "answer.json": "[]" });
      const { status, stdout } = act("Get the plan that was approved");
      expect({ status, stdout }).toMatchObject({
        status: 1,
        stdout: expect.stringContaining("no reviewer saw a plan"),
      });
    });
  });

  describe("comments on the pull request", () => {
    const mark = "<!-- ccf cloud side -->";
    const say = (results: string, answer: unknown, reports: Readonly<Record<string, string>>) => {
      const directory = temporary();
      writeTree(
        directory,
        Object.fromEntries(Object.entries(reports).map(([name, text]) => [`reports/${name}`, text])),
      );
      writeTree(runner, { "answer.json": JSON.stringify(answer) });
      const more = { GH_TOKEN: "x", PULL_REQUEST: "7", RESULTS: results };
      expect(act("Write the comment", more, directory).status).toBe(0);
      return { call: calls().at(-1), body: JSON.parse(readTree(runner)["sent.json"] ?? "{}").body as string };
    };
    const reports = { "3-aws.md": "### plan\n", "2-findings.md": "## Findings\n", "1-changes.md": "## Changes\n" };

    it("with the changes, the findings, and then the plans, in a new comment", () => {
      const { call, body } = say("success success success", [], reports);
      expect(call).toContain("--method POST repos/example/fleet/issues/7/comments");
      expect(body).toBe(`${mark}\n## Changes\n\n## Findings\n\n### plan\n\n`);
    });

    it("in its earlier comment, and says that something failed", () => {
      const earlier = [{ id: 5, user: { login: "github-actions[bot]" }, body: `${mark}\n` }];
      const { call, body } = say("success success failure", earlier, reports);
      expect(call).toContain("--method PATCH repos/example/fleet/issues/comments/5");
      expect(body).toContain(
        "**A check or a preview failed.** [The run](https://github.com/example/fleet/actions/runs/42)",
      );
    });

    it("in no more than a comment can hold", () => {
      const { body } = say("success success success", [], { "3-aws.md": "x".repeat(100_000) });
      expect(body.length).toBeLessThan(65_536);
      expect(body).toContain("The report was cut here.");
    });
  });

  describe("compares every night", () => {
    it.each([0, 1, 2])("and ends as ccf status does: %i", (code) => {
      expect(act("Compare", { CCF_EXIT: String(code) }).status).toBe(code);
      expect(readTree(runner)["report/aws.txt"]).toBe("said status -- clusters/one clusters/with space\n");
    });

    it.each([
      ["opens an issue", "failure", [], "POST repos/example/fleet/issues --input"],
      ["updates it", "failure", [5], "PATCH repos/example/fleet/issues/5 --input"],
      ["closes it", "success", [5], "PATCH repos/example/fleet/issues/5 -f state=closed"],
    ])("and %s", (_, result, open, call) => {
      const body = "<!-- ccf drift -->\n";
      writeTree(runner, {
        "answer.json": JSON.stringify(open.map((number) => ({ number, user: { login: "github-actions[bot]" }, body }))),
      });
      const directory = temporary();
      writeTree(directory, { "reports/aws.txt": "drift <b>\u001b[1m\n" });
      expect(act("Write the issue", { GH_TOKEN: "x", RESULT: result }, directory).status).toBe(0);
      expect(calls().at(-1)).toContain(call);
      const sent = readTree(runner)["sent.json"];
      if (sent !== undefined) expect(JSON.parse(sent).body).toContain("\n    aws\n      drift <b>?[1m\n");
    });
  });
});
