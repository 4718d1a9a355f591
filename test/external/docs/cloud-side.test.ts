import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { StubAws } from "../../helpers/aws-stub/index.ts";
import { ccf, run as runCcf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { follow } from "../../helpers/page.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { type Job, runStep, step, textOf, workflow } from "../../helpers/workflow.ts";
import { boundaryAlone } from "./accounts.ts";

const path = "integrations/github/cloud-side.yaml";
const cloudSide = workflow(path);
const page = textOf("docs/integrations/cloud-side.md");

interface CloudSideJob extends Job {
  readonly environment?: string;
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

  it("gives the write role to main only, in a protected environment", () => {
    const assumed = Object.entries(cloudSide.jobs).flatMap(([name, { steps }]) =>
      steps
        .filter(({ uses }) => uses?.startsWith("aws-actions/configure-aws-credentials@"))
        .map((each) => [name, /vars\.(\w+)/.exec(String(each.with?.["role-to-assume"]))?.[1]]),
    );
    expect(assumed).toEqual([
      ["preview", "CCF_READ_ROLE"],
      ["apply", "CCF_WRITE_ROLE"],
      ["status", "CCF_READ_ROLE"],
    ]);
    const withToken = Object.entries(cloudSide.jobs).filter(([, { permissions }]) =>
      Object.keys(permissions as object).includes("id-token"),
    );
    expect(withToken.map(([name]) => name)).toEqual(["preview", "apply", "status"]);
    expect(job("apply").if).toContain("(github.event_name == 'push' || github.event_name == 'workflow_dispatch')");
    expect(cloudSide.on).toMatchObject({ push: { branches: ["main"] }, pull_request: { branches: ["main"] } });
    expect(Object.keys(cloudSide.jobs).filter((name) => job(name).environment !== undefined)).toEqual(["apply"]);
    expect(job("apply").environment).toBe("cloud-write");
    expect(page).toContain(`repo:example/fleet:environment:${job("apply").environment}`);
  });

  it("gives a pull request from a fork no credentials and no comment", () => {
    const sameRepository = "github.event.pull_request.head.repo.full_name == github.repository";
    const [assume, dryRun] = ["Assume the read role", "Dry run"].map((name) =>
      job("preview").steps.find((each) => each.name === name),
    );
    for (const each of [assume, dryRun, job("comment")]) {
      expect((each as { if?: string }).if).toContain(sameRepository);
    }
    const report = step(cloudSide, "Report that AWS was not compared") as { if?: string };
    expect(report.if).toContain(sameRepository.replace("==", "!="));
  });

  it("applies one cluster at a time, and never cancels a run that has begun", () => {
    expect(job("apply").concurrency).toEqual({
      group: "cloud-side-apply-${{ matrix.cluster }}",
      "cancel-in-progress": false,
    });
    for (const name of ["preview", "apply", "status"]) expect(job(name).strategy).toMatchObject({ "fail-fast": false });
  });

  it("applies the tip of main", () => {
    const checkout = job("apply").steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toMatchObject({ ref: "main" });
    expect(step(cloudSide, "Show the commit that is applied").run).toBe("git rev-parse HEAD");
  });
});

describeWith(["git", "jq"], "cloud-side.yaml, run", () => {
  let aws: StubAws;
  beforeAll(async () => {
    aws = await StubAws.start();
  });
  afterAll(() => aws.stop());

  let fleet = "";
  let runner = "";
  beforeEach(() => {
    aws.reset(boundaryAlone());
    fleet = temporary();
    runner = temporary();
    for (const name of ["demo", "other"]) {
      const directory = join(fleet, "clusters", name);
      initSample(directory, { name });
      expect(runCcf(["render", directory]).status).toBe(0);
    }
  });

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
    const found = step(cloudSide, name);
    const programs = pathWith({ ccf: `exec '${process.execPath}' '${ccf}' "$@"`, gh }).split(delimiter)[0];
    return runStep(found.run, cwd, {
      ...aws.environment,
      PATH: `${programs}${delimiter}${aws.environment["PATH"]}`,
      CCF_WAIT: "0",
      RUNNER_TEMP: runner,
      GITHUB_OUTPUT: join(runner, "output"),
      GITHUB_STEP_SUMMARY: join(runner, "summary"),
      GITHUB_REPOSITORY: "example/fleet",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_RUN_ID: "42",
      CLUSTER: "demo",
      ...more,
    });
  }

  function edit(file: string, from: string, to: string): void {
    const text = readFileSync(join(fleet, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(fleet, file), text.replaceAll(from, to));
  }

  function addTag(): void {
    edit("clusters/demo/cluster-identity.yaml", "region: us-east-2", "region: us-east-2\n      tags: {team: platform}");
  }

  /** What a job that has assumed a role does with an export. */
  function exported(name: string): void {
    const { status, stdout } = act(name);
    expect({ status, stdout: status === 0 ? "" : stdout }).toEqual({ status: 0, stdout: "" });
  }

  const report = () => readTree(runner)["report/demo.txt"];
  const output = () => readTree(runner)["output"];

  describe("finds the clusters", () => {
    const git = (...args: string[]) => {
      const who = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
      const { status, stdout, stderr } = run("git", [...who, ...args], { cwd: fleet });
      expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
      return stdout.trim();
    };
    const commit = () => {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "a change");
      return git("rev-parse", "HEAD");
    };
    const find = (BEFORE: string, SELECTED = "") => {
      const { status, stdout } = act("Find clusters", { BEFORE, SELECTED });
      return { status, stdout, output: output() };
    };
    beforeEach(() => {
      git("init", "--quiet", "--initial-branch", "main");
      commit();
    });

    it("that a pull request changes", () => {
      addTag();
      commit();
      expect(find("HEAD^1").output).toBe('names=["demo"]\n');
    });

    it("that a push changes, which may be none", () => {
      const before = git("rev-parse", "HEAD");
      writeTree(fleet, { "README.md": "# Fleet\n" });
      commit();
      expect(find(before).output).toBe("names=[]\n");
    });

    it.each(["", "0".repeat(40)])("all of them, if there is nothing to compare with (%j)", (before) => {
      expect(find(before).output).toBe('names=["demo","other"]\n');
    });

    it("all of them, if the workflow is changed, with the version of ccf that it installs", () => {
      const before = git("rev-parse", "HEAD");
      writeTree(fleet, { ".github/workflows/cloud-side.yaml": textOf(path) });
      commit();
      expect(find(before).output).toBe('names=["demo","other"]\n');
    });

    it("that a user selects, changed or not", () => {
      expect(find("", "other").output).toBe('names=["other"]\n');
      rmSync(join(runner, "output"));
      for (const selected of ["oth", "no; touch made", "*"]) {
        const { status, stdout, output } = find("", selected);
        expect({ status, output }).toEqual({ status: 1, output: undefined });
        expect(stdout).toMatch(/^There is no directory clusters\/.+\.\n$/);
      }
      expect(readTree(fleet)["made"]).toBeUndefined();
    });

    it("and refuses two with the same account, partition and resource prefix", () => {
      const check = () => act("Check for duplicate clusters");
      expect(check()).toMatchObject({ status: 0, stdout: "" });
      cpSync(join(fleet, "clusters/demo"), join(fleet, "clusters/prod"), { recursive: true });
      expect(check()).toMatchObject({
        status: 1,
        stdout:
          "clusters/demo/aws/cluster.yaml and clusters/prod/aws/cluster.yaml have the same account, partition and resource prefix.\n",
      });
      edit("clusters/prod/cluster-identity.yaml", "123456789012", "210987654321");
      expect(runCcf(["render", "--allow", "removal", join(fleet, "clusters/prod")]).status).toBe(0);
      expect(check().status).toBe(0);
    });

    it("and refuses a pull request that removes one", () => {
      const check = () => act("Check for removed clusters");
      commit();
      expect(check()).toMatchObject({ status: 0, stdout: "" });
      rmSync(join(fleet, "clusters/other"), { recursive: true });
      commit();
      const { status, stdout } = check();
      expect(status).toBe(1);
      expect(stdout).toContain("This pull request removes clusters/other. First run destroy.sh of its export.\n");
      // The first cluster of a repository.
      git("rm", "-r", "--quiet", "clusters");
      commit();
      writeTree(fleet, { "clusters/new/file": "" });
      commit();
      expect(check()).toMatchObject({ status: 0, stdout: "" });
    });

    it("and refuses a name that could be more than a name", () => {
      writeTree(fleet, { "clusters/a $(touch made)/file": "" });
      commit();
      const { status, stdout, output: found } = find("");
      expect({ status, found }).toEqual({ status: 1, found: undefined });
      expect(stdout).toContain("use letters, digits, dots, hyphens and underscores only.");
      expect(readTree(fleet)["made"]).toBeUndefined();
    });
  });

  describe("previews a pull request", () => {
    it("with the changes that apply.sh would make, and makes none", () => {
      exported("Check and export");
      expect(output()).toBe("account=123456789012\npartition=aws\nregion=us-east-2\n");
      const before = aws.state();
      expect(act("Dry run").status).toBe(0);
      expect(report()).toMatch(/^would create {2}bucket demo-oidc$/m);
      expect(report()).toMatch(/^7 changes would be made\.$/m);
      expect(aws.state()).toEqual(before);
    });

    it("with no change", () => {
      exported("Check and export");
      expect(act("Apply").status).toBe(0);
      expect(act("Dry run").status).toBe(0);
      expect(report()).toMatch(/^No changes: /m);
    });

    it("and fails if the package is not rendered, before it asks AWS", () => {
      addTag();
      const { status } = act("Check and export");
      expect(status).toBe(2);
      expect(report()).toContain("changed  aws/cluster.yaml\n");
      expect(output()).toBeUndefined();
      expect(aws.calls()).toEqual([]);
    });

    it("and fails if the package cannot be rendered", () => {
      edit("clusters/demo/cluster-identity.yaml", '"123456789012"', '"12345"');
      expect(act("Check and export").status).toBe(1);
      expect(report()).toContain("[config-invalid-field]");
    });

    it("and fails if ccf validate finds an error, and shows its warnings", () => {
      const request = "clusters/demo/credentials-requests/10-registry.yaml";
      edit(request, '"s3:CreateBucket"', '"iam:PassRole", "s3:CreateBucket"');
      expect(runCcf(["render", join(fleet, "clusters/demo")]).status).toBe(0);
      exported("Check and export");
      expect(report()).toMatch(/^warning: .* \[pass-role-any\]$/m);
      edit(request, '"iam:PassRole"', '"iam:*"');
      expect(runCcf(["render", join(fleet, "clusters/demo")]).status).toBe(0);
      rmSync(join(runner, "report"), { recursive: true });
      rmSync(join(runner, "output"));
      expect(act("Check and export").status).toBe(2);
      expect(report()).toMatch(/^error: .*iam/m);
      expect(output()).toBeUndefined();
      expect(act("Export what is on main").status).toBe(2);
      expect(output()).toBeUndefined();
    });

    it("and says in the summary if it was not compared with AWS", () => {
      expect(act("Report that AWS was not compared").status).toBe(0);
      expect(readTree(runner)["summary"]).toBe("clusters/demo was checked, but not compared with AWS.\n");
    });

    it("and fails if the dry run does", () => {
      exported("Check and export");
      aws.change(anotherAccount);
      expect(act("Dry run").status).toBe(1);
      expect(report()).toMatch(/^error: .*210987654321/m);
    });

    it("with the permissions of the read role", () => {
      exported("Check and export");
      aws.policy(readPolicy(join(runner, "out/aws/admin-policy.json")));
      const dryRun = act("Dry run");
      expect(act("Apply").status).toBe(1);
      expect({ status: dryRun.status, denied: report()?.includes("AccessDenied") }).toEqual({
        status: 0,
        denied: false,
      });
      aws.policy(undefined);
      expect(act("Apply").status).toBe(0);
      aws.policy(readPolicy(join(runner, "out/aws/admin-policy.json")));
      expect(act("Compare with AWS").status).toBe(0);
      expect(act("Dry run").status).toBe(0);
    });
  });

  it.each([
    ["success", "success", 0],
    ["success", "skipped", 0],
    ["success", "failure", 1],
    ["success", "cancelled", 1],
    ["failure", "skipped", 1],
  ])("passes the required check after %s and %s with %i", (CLUSTERS, PREVIEW, status) => {
    expect(job("previewed").if).toContain("always()");
    expect(page).toContain(`\`${(job("previewed") as { name?: string }).name}\``);
    expect(act("Check the previews", { CLUSTERS, PREVIEW }).status).toBe(status);
  });

  describe("comments on the pull request", () => {
    const comment = (id: number, login: string, body: string) => ({ id, user: { login }, body });
    const say = (reports: Readonly<Record<string, string>>, comments: readonly unknown[], PREVIEW = "success") => {
      const cwd = temporary();
      writeTree(cwd, Object.fromEntries(Object.entries(reports).map(([name, text]) => [`reports/${name}.txt`, text])));
      writeTree(runner, { "answer.json": JSON.stringify(comments) });
      const { status, stderr } = act("Write the comment", { PULL_REQUEST: "17", PREVIEW }, cwd);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const files = readTree(runner);
      const sent = files["sent.json"];
      return {
        call: files["calls"]?.trim().split("\n").at(-1),
        body: sent === undefined ? undefined : (JSON.parse(sent) as { body: string }).body,
      };
    };
    const head = "<!-- ccf cloud side -->\n**What a merge changes in AWS**\n\n";

    it("in a new comment, if none of its own exists", () => {
      const { call, body } = say({ demo: "would create  bucket demo-oidc\n", other: "No change\n" }, [
        comment(1, "author", head),
        comment(2, "github-actions[bot]", `another check\n${head}`),
      ]);
      expect(call).toMatch(/^api --silent --method POST repos\/example\/fleet\/issues\/17\/comments --input /);
      const lines = [
        ["clusters/demo: would create  bucket demo-oidc", "clusters/other: No change"],
        ["clusters/demo", "  would create  bucket demo-oidc"],
        ["clusters/other", "  No change"],
      ];
      expect(body).toBe(head + lines.map((part) => part.map((line) => `    ${line}\n`).join("")).join("\n"));
    });

    it("in its earlier comment", () => {
      const { call } = say({ demo: "No change\n" }, [comment(2, "github-actions[bot]", `${head}before\n`)]);
      expect(call).toMatch(/^api --silent --method PATCH repos\/example\/fleet\/issues\/comments\/2 --input /);
    });

    it("in its earlier comment only, if no cluster is changed", () => {
      expect(say({}, [], "skipped").body).toBeUndefined();
      const { call, body } = say({}, [comment(2, "github-actions[bot]", `${head}before\n`)], "skipped");
      expect(call).toContain("--method PATCH");
      expect(body).toBe(`${head}This pull request changes no cluster.\n`);
    });

    it("and says that a preview failed", () => {
      expect(say({ demo: "checked\nerror: no\n" }, [], "failure").body).toBe(
        `${head}The preview of at least one cluster failed.\n\n    clusters/demo: error: no\n\n    clusters/demo\n      checked\n      error: no\n`,
      );
    });

    it("and shows text without reading it as markup", () => {
      const { body = "" } = say({ demo: "# @everyone\n\n\r```\n\u001b[31m<img>" }, []);
      for (const line of body.slice(head.length).trimEnd().split("\n")) expect(line).toMatch(/^(?: {4}|$)/);
      for (const character of ["\r", "\u001b"]) expect(body).not.toContain(character);
    });

    it("with one line for each cluster, also if its report has no end or no text", () => {
      const { body = "" } = say({ demo: "", other: "error: \u001b" }, [], "failure");
      expect(body).toContain("\n\n    clusters/demo: \n    clusters/other: error: ?\n\n");
    });

    it("in no more than a comment can hold", () => {
      const { body = "" } = say({ demo: `${"x".repeat(70_000)}\nNo change\n` }, []);
      expect(body.length).toBeLessThan(65_536);
      expect(body).toContain("\n    clusters/demo: No change\n");
      const end = "[The run](https://github.com/example/fleet/actions/runs/42) has the rest.\n";
      expect(body.slice(60_000)).toBe(`\n\nThe report was cut here. ${end}`);
    });
  });

  describe("applies what is merged", () => {
    it("and a second run changes nothing", () => {
      exported("Export what is on main");
      expect(output()).toBe("account=123456789012\npartition=aws\nregion=us-east-2\n");
      expect(act("Apply").stdout).toContain("7 changes made.");
      expect(Object.keys(aws.state().roles)).toHaveLength(3);
      expect(act("Apply").stdout).toContain("No changes: ");
    });

    it("and fails, without a call, if main is not rendered", () => {
      addTag();
      expect(act("Export what is on main").status).toBe(2);
      expect(output()).toBeUndefined();
      expect(aws.calls()).toEqual([]);
    });

    it("and fails if the script does", () => {
      exported("Export what is on main");
      aws.change(anotherAccount);
      const { status, stderr } = act("Apply");
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("210987654321") });
    });
  });

  describe("compares every night", () => {
    beforeEach(() => {
      exported("Export for the comparison");
      expect(act("Apply").status).toBe(0);
    });

    it("and is content if AWS is what Git says", () => {
      expect(act("Compare with AWS").status).toBe(0);
    });

    it("and fails if a role has drifted", () => {
      const role = "demo-openshift-ingress-operator-cloud-credentials";
      const key = "openshift.io/cloud-credential-operator/demo";
      expect(aws.run("aws", ["iam", "untag-role", "--role-name", role, "--tag-keys", key]).status).toBe(0);
      const before = aws.state();
      expect(act("Compare with AWS").status).toBe(2);
      expect(report()).toContain(`refused       role ${role}`);
      expect(aws.state()).toEqual(before);
    });

    it("and fails if it could not tell", () => {
      aws.change(anotherAccount);
      expect(act("Compare with AWS").status).toBe(1);
    });

    it("and fails if the package cannot be exported", () => {
      rmSync(join(runner, "report"), { recursive: true });
      addTag();
      expect(act("Export for the comparison").status).toBe(1);
      expect(report()).toContain("[package-not-rendered]");
    });
  });

  describe("keeps one issue", () => {
    const issue = (number: number, login: string, body: string | null) => ({ number, user: { login }, body });
    const say = (RESULT: string, issues: readonly unknown[], reports: Readonly<Record<string, string>> = {}) => {
      const cwd = temporary();
      writeTree(cwd, Object.fromEntries(Object.entries(reports).map(([name, text]) => [`reports/${name}.txt`, text])));
      writeTree(runner, { "answer.json": JSON.stringify(issues) });
      const { status, stderr } = act("Write the issue", { RESULT }, cwd);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const files = readTree(runner);
      const sent = files["sent.json"];
      return { calls: files["calls"]?.trim().split("\n").slice(2) ?? [], sent: sent && JSON.parse(sent) };
    };
    const mark = "<!-- ccf drift -->\n";

    it("which it opens", () => {
      const { calls, sent } = say("failure", [issue(3, "author", mark), issue(4, "github-actions[bot]", null)], {
        demo: "differs       role demo-x\n",
      });
      expect(calls).toEqual(["api --silent --method POST repos/example/fleet/issues --input issue.json"]);
      expect(sent.title).toBe("Cloud credentials: AWS has drifted from Git");
      expect(sent.body).toMatch(/^<!-- ccf drift -->\n/);
      expect(sent.body).toContain("(https://github.com/example/fleet/actions/runs/42)");
      expect(sent.body).toContain("\n\n    clusters/demo: differs       role demo-x\n");
      expect(sent.body).toContain("\n\n    clusters/demo\n      differs       role demo-x\n");
    });

    it("in no more than an issue can hold", () => {
      const { sent } = say("failure", [], { demo: `${"x".repeat(70_000)}\n2 differences.\n` });
      expect(sent.body.length).toBeLessThan(65_536);
      expect(sent.body).toContain("\n    clusters/demo: 2 differences.\n");
      expect(sent.body.slice(60_000)).toMatch(/^\n\nThe report was cut here\. \[The run\]/);
    });

    it("which it brings up to date", () => {
      const { calls } = say("failure", [issue(5, "github-actions[bot]", mark)]);
      expect(calls).toEqual(["api --silent --method PATCH repos/example/fleet/issues/5 --input issue.json"]);
    });

    it("which it closes when AWS is in sync again", () => {
      const { calls, sent } = say("success", [issue(5, "github-actions[bot]", mark)]);
      expect(calls).toEqual(["api --silent --method PATCH repos/example/fleet/issues/5 -f state=closed"]);
      expect(sent).toBeUndefined();
    });

    it("and opens none while AWS is in sync", () => {
      expect(say("success", []).calls).toEqual([]);
    });
  });

  it("docs/integrations/cloud-side.md is true", async () => {
    await follow("integrations/cloud-side.md", { ...aws.environment, CCF_WAIT: "0" });
    expect(aws.calls().filter(({ foreign }) => foreign)).toEqual([]);
  }, 600_000);
});

const anotherAccount = { account: "210987654321", caller: "arn:aws:iam::210987654321:user/author" };

/** The policy that the page makes for the read role from an administrator's policy. */
function readPolicy(adminPolicy: string): unknown {
  const [, filter = ""] = /jq '([^']+)' out\/aws\/admin-policy\.json/.exec(page) ?? [];
  const { status, stdout, stderr } = run("jq", [filter, adminPolicy]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}
