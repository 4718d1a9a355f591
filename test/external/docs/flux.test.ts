import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { beforeEach, describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import { ccf, run as runCcf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { follow } from "../../helpers/page.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { initSample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { runStep, step, textOf, workflow } from "../../helpers/workflow.ts";

const render = workflow("integrations/flux/render.yaml");
const source = load(textOf("integrations/flux/oci-repository.yaml")) as {
  metadata: { name: string; namespace: string };
  spec: { url: string; ref: { tag: string } };
};
interface Kustomization {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly sourceRef: { readonly kind: string; readonly name: string };
    readonly path: string;
    readonly patches: unknown[];
  };
}
const applied = load(textOf("integrations/flux/artifact-kustomization.yaml")) as Kustomization;
const [gitRepository, plain] = loadAll(textOf("integrations/flux/plain.yaml")) as [
  { kind: string; metadata: Kustomization["metadata"]; spec: object },
  Kustomization,
];

describeWith(["git"], "docs/integrations/flux.md", () => {
  it("is true", async () => {
    const who = { NAME: "author", EMAIL: "author@example.com" };
    const environment = Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]);
    const directory = await follow("integrations/flux.md", {
      ...Object.fromEntries(environment),
      GIT_CONFIG_NOSYSTEM: "1",
    });
    const committed = run("git", ["status", "--porcelain"], { cwd: join(directory, "fleet") }).stdout;
    expect(committed).toBe("");
  });
});

describe("render.yaml", () => {
  let fleet = "";
  let runner = "";
  let PATH = "";
  beforeEach(() => {
    fleet = temporary();
    runner = temporary();
    PATH = pathWith({ ccf: `exec '${process.execPath}' '${ccf}' "$@"` });
    for (const name of ["demo", "other"]) {
      const directory = join(fleet, "clusters", name);
      initSample(directory, { name });
      expect(runCcf(["render", directory]).status).toBe(0);
    }
  });
  const edit = (path: string, from: string, to: string) => {
    const file = join(fleet, path);
    const text = readFileSync(file, "utf8");
    expect(text).toContain(from);
    writeFileSync(file, text.replaceAll(from, to));
  };
  const environment = (more: NodeJS.ProcessEnv = {}) => ({
    PATH,
    RUNNER_TEMP: runner,
    GITHUB_OUTPUT: join(runner, "output"),
    GITHUB_STEP_SUMMARY: join(runner, "summary"),
    GITHUB_REPOSITORY: "Example/Fleet",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_RUN_ID: "42",
    ...more,
  });
  const act = (name: string, more: NodeJS.ProcessEnv = {}) =>
    runStep(step(render, name).run, fleet, environment({ ...step(render, name).env, ...more }));

  it("installs this version of ccf", () => {
    expect(textOf("integrations/flux/render.yaml")).toContain(`\n  CCF_VERSION: ${version}\n`);
  });

  describeWith(["jq"], "checks what is committed", () => {
    const check = () => {
      const { status, stderr } = act("Check every cluster");
      const files = readTree(runner);
      return { status, stderr, report: files["report.md"], summary: files["summary"], output: files["output"] };
    };
    const head = "<!-- ccf render -->\n**Rendered cloud credentials**\n\n";

    it("and succeeds if it is rendered", () => {
      const { status, report, summary, output } = check();
      expect(status).toBe(0);
      expect(report).toBe(`${head}    clusters/demo: up to date\n    clusters/other: up to date\n`);
      expect(summary).toBe(report);
      expect(output).toBe(`report=${runner}/report.md\n`);
    });

    it("and fails, with the files and the command, if it is not up to date", () => {
      rmSync(join(fleet, "clusters/demo/aws/issuer.yaml"));
      rmSync(join(fleet, "clusters/demo/credentials-requests/20-ingress.yaml"));
      edit(
        "clusters/demo/cluster-identity.yaml",
        "  annotations:\n",
        "  annotations:\n    fn.cloudcredential.dev/allow: removal:openshift-ingress-operator/cloud-credentials\n",
      );
      edit(
        "clusters/demo/cluster-identity.yaml",
        "region: us-east-2",
        "region: us-east-2\n      tags: {team: platform}",
      );
      const { status, report } = check();
      expect(status).toBe(1);
      expect(report).toContain("    clusters/demo: not up to date; run: ccf render clusters/demo\n");
      expect(report).toContain("\n      added    aws/issuer.yaml\n");
      expect(report).toContain("\n      changed  aws/cluster.yaml\n");
      expect(report).toMatch(
        /\n {6}warning: cluster-identity\.yaml: .*"openshift-ingress-operator\/cloud-credentials".* \[identities-lost\]\n/,
      );
      expect(report).toContain("    clusters/other: up to date\n");
      expect(report).not.toContain("info: ");
    });

    it("and fails, with the errors, if it cannot be rendered", () => {
      edit("clusters/other/cluster-identity.yaml", '"123456789012"', '"12345"');
      const { status, report, stderr } = check();
      expect(status).toBe(1);
      const message =
        '"spec.platform.aws.accountID" is "12345", but must be 12 digits in quotes. [config-invalid-field]';
      expect(report).toBe(
        `${head}    clusters/demo: up to date\n    clusters/other: cannot be rendered\n      error: cluster-identity.yaml: ${message}\n`,
      );
      expect(stderr).toContain(message);
    });

    it("and fails, with the error, if there is no list of findings", () => {
      writeTree(fleet, { "clusters/other/cluster-identity.yaml": "kind: ClusterIdentity\nspec: {\n" });
      const { status, report } = check();
      expect(status).toBe(1);
      expect(report).toMatch(/\n {4}clusters\/other: cannot be rendered\n {6}error: .*\[file-unreadable\]\n/);
    });

    it("at any depth, and fails without a package", () => {
      renameSync(join(fleet, "clusters"), join(fleet, "prod"));
      mkdirSync(join(fleet, "clusters"));
      renameSync(join(fleet, "prod"), join(fleet, "clusters/prod"));
      const { status: ofAll, report } = check();
      expect([ofAll, report]).toEqual([
        0,
        `${head}    clusters/prod/demo: up to date\n    clusters/prod/other: up to date\n`,
      ]);
      rmSync(join(fleet, "clusters"), { recursive: true });
      const { status, stdout } = act("Check every cluster");
      expect({ status, stdout }).toEqual({
        status: 1,
        stdout: "No package below clusters/ was found. If an error is printed above, correct that first.\n",
      });
    });

    it("and shows text of the pull request without reading it as markup", () => {
      const name = "x @everyone `$(touch made)`";
      cpSync(join(fleet, "clusters/demo"), join(fleet, "clusters", name), { recursive: true });
      writeTree(fleet, { [`clusters/${name}/a\r@b\n@c.yaml`]: "{" });
      edit(`clusters/${name}/cluster-identity.yaml`, "region: us-east-2", "region: us-west-2");
      const { status, report = "", stderr } = check();
      expect(status).toBe(1);
      const lines = report.slice(head.length).split(/\r\n|\r|\n/);
      expect(lines.pop()).toBe("");
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines) expect(line).toMatch(/^ {4}/);
      expect(stderr + report).toContain("everyone");
      expect(readTree(fleet)["made"]).toBeUndefined();
    });

    it("and renders no directory whose name contains a line break", () => {
      cpSync(join(fleet, "clusters/demo"), join(fleet, "clusters/demo\n"), { recursive: true });
      expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining("[package-path]") });
      // Without its last character, it would be the name of another cluster.
      expect(act("Render every cluster").status).not.toBe(0);
    });
  });

  describeWith(["jq"], "comments on the pull request", () => {
    // Answers as the API does: gh applies --jq to the answer.
    const gh = `
printf '%s\\n' "$*" >> "$RUNNER_TEMP/calls"
while [ $# -gt 0 ]; do
  case "$1" in
    --jq) jq -r "$2" "$RUNNER_TEMP/comments.json" ;;
    --input) cp "$2" "$RUNNER_TEMP/sent.json" ;;
  esac
  shift
done`;
    const say = (comments: readonly unknown[], report = "<!-- ccf render -->\nwhat was found\n") => {
      writeTree(runner, { "comments.json": JSON.stringify(comments), "report.md": report });
      const path = pathWith({ gh });
      const { status, stderr } = act("Comment on the pull request", {
        PATH: path,
        PULL_REQUEST: "17",
        REPORT: join(runner, "report.md"),
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const files = readTree(runner);
      return { call: files["calls"]?.trim().split("\n").at(-1), sent: JSON.parse(files["sent.json"] ?? "") };
    };
    const comment = (id: number, login: string, body: string) => ({ id, user: { login }, body });

    it("in a new comment, if none of its own exists", () => {
      const others = [
        comment(1, "author", "<!-- ccf render -->\nnot ours"),
        comment(2, "github-actions[bot]", "another check\n<!-- ccf render -->"),
      ];
      const { call, sent } = say(others);
      expect(call).toMatch(/^api --silent --method POST repos\/Example\/Fleet\/issues\/17\/comments --input /);
      expect(sent).toEqual({ body: "<!-- ccf render -->\nwhat was found\n" });
    });

    it("in its earlier comment", () => {
      const { call, sent } = say([
        comment(1, "author", "a comment"),
        comment(2, "github-actions[bot]", "<!-- ccf render -->\nwhat was found before\n"),
        comment(3, "github-actions[bot]", "<!-- ccf render -->\nanother\n"),
      ]);
      expect(call).toMatch(/^api --silent --method PATCH repos\/Example\/Fleet\/issues\/comments\/2 --input /);
      expect(sent).toEqual({ body: "<!-- ccf render -->\nwhat was found\n" });
    });

    it("in no more than a comment can hold", () => {
      const { body } = say([], "ü".repeat(70_000)).sent;
      expect(body.length).toBeLessThan(65_536);
      const end = "[The run](https://github.com/Example/Fleet/actions/runs/42) has the rest.\n";
      expect(body.slice(60_000)).toBe(`\n\nThe report was cut here. ${end}`);
      expect(say([], "ü".repeat(59_000)).sent.body).not.toContain("cut here");
    });
  });

  describe("pushes what is rendered", () => {
    const flux = 'printf "%s\\n" "$*" >> "$RUNNER_TEMP/pushed"';
    const git = '[ "$*" = "rev-parse HEAD" ] && echo 0123456789012345678901234567890123456789';

    it("as it is on the tip of main, also if an old run is repeated", () => {
      const checkout = render.jobs["push"]?.steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
      expect(checkout?.with).toMatchObject({ ref: "main" });
    });

    it("one artifact for each cluster, where its OCIRepository looks for it", () => {
      expect(act("Render every cluster").status).toBe(0);
      const { status } = act("Push every cluster", { PATH: pathWith({ flux, git }) });
      expect(status).toBe(0);
      const files = readTree(runner);
      const calls = ["demo", "other"].map(
        (name) =>
          `push artifact oci://ghcr.io/example/fleet/${name}:main --path ${runner}/manifests/${name}/ --source https://github.com/Example/Fleet --revision main@sha1:0123456789012345678901234567890123456789 --reproducible\n`,
      );
      expect(files["pushed"]).toBe(calls.join(""));
      expect(calls[0]).toContain(` ${source.spec.url}:${source.spec.ref.tag} `);
      expect(files["manifests/demo/manifests.yaml"]).toBe(
        runCcf(["render", "--stdout", join(fleet, "clusters/demo")]).stdout,
      );
      expect(files["manifests/demo/manifests.yaml"]).toContain("kind: Secret");
    });

    it("at any depth, under the path of the package", () => {
      mkdirSync(join(fleet, "clusters/prod"));
      renameSync(join(fleet, "clusters/demo"), join(fleet, "clusters/prod/demo"));
      expect(act("Render every cluster").status).toBe(0);
      const flux = 'printf "%s\\n" "$3" >> "$RUNNER_TEMP/pushed"';
      expect(act("Push every cluster", { PATH: pathWith({ flux, git: "echo 0" }) }).status).toBe(0);
      expect(readTree(runner)["pushed"]).toBe(
        "oci://ghcr.io/example/fleet/other:main\noci://ghcr.io/example/fleet/prod/demo:main\n",
      );
    });

    it("and nothing if a cluster cannot be rendered", () => {
      edit("clusters/other/cluster-identity.yaml", '"123456789012"', '"12345"');
      const { status, stderr } = act("Render every cluster");
      expect(status).toBe(1);
      expect(stderr).toContain("[config-invalid-field]");
      const names = render.jobs["push"]?.steps.map(({ name }) => name) ?? [];
      expect(names.indexOf("Push every cluster")).toBeGreaterThan(names.indexOf("Render every cluster"));
    });

    it("with the version of flux that it names only", () => {
      const PATH = pathWith({ curl: 'while [ "$1" != --output ]; do shift; done; echo another > "$2"' });
      const env = { PATH, FLUX_VERSION: "2.7.5", FLUX_SHA256: "0".repeat(64), GITHUB_PATH: join(runner, "path") };
      const { status, stdout } = act("Install flux", env);
      expect({ status, stdout }).toEqual({ status: 1, stdout: `${runner}/flux.tar.gz: FAILED\n` });
      expect(readTree(runner)["path"]).toBeUndefined();
    });
  });
});

describeWith(["kubectl"], "what Flux applies", () => {
  const written = {
    "auth.yaml": "apiVersion: config.openshift.io/v1\nkind: Authentication\nmetadata: {name: cluster}\n",
    "cco.yaml": "apiVersion: operator.openshift.io/v1\nkind: CloudCredential\nmetadata: {name: cluster}\n",
  };
  const into = (directory: string) =>
    Object.fromEntries(Object.entries(written).map(([name, text]) => [`${directory}/${name}`, text]));

  /** Builds a directory as Flux does, with the patches of a Kustomization, and looks at what must never be deleted. */
  function build(directory: string, resources: readonly string[], { spec }: Kustomization): void {
    writeTree(directory, { "kustomization.yaml": JSON.stringify({ resources, patches: spec.patches }) });
    const { status, stdout, stderr } = run("kubectl", ["kustomize", directory]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const objects = loadAll(stdout) as { kind: string; spec?: object; metadata: { annotations?: object } }[];
    const kinds = ["Authentication", "CloudCredential", "Secret", "Secret", "Secret"];
    expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds);
    const mark = { "kustomize.toolkit.fluxcd.io/prune": "disabled" };
    for (const { kind, spec, metadata } of objects) {
      if (kind === "Authentication") {
        expect(metadata.annotations).toMatchObject(mark);
        expect(spec).toHaveProperty("serviceAccountIssuer");
      } else if (kind === "CloudCredential") expect(metadata.annotations).toMatchObject(mark);
      else expect(metadata.annotations).not.toHaveProperty(Object.keys(mark));
    }
  }

  it("comes from the artifact, and Flux never deletes the Authentication and the CloudCredential", () => {
    expect(applied.spec).toMatchObject({
      sourceRef: { kind: "OCIRepository", name: source.metadata.name },
      path: "./",
      prune: true,
      deletionPolicy: "Orphan",
      wait: true,
      force: false,
    });
    expect(applied.metadata.namespace).toBe(source.metadata.namespace);
    const directory = temporary();
    initSample(join(directory, "demo"));
    writeTree(directory, into("demo"));
    const { stdout } = runCcf(["render", "--stdout", "demo"], { cwd: directory });
    writeTree(directory, { "artifact/manifests.yaml": stdout });
    build(join(directory, "artifact"), ["manifests.yaml"], applied);
  });

  it("comes from the committed manifests of one cluster, in the same way", () => {
    expect(gitRepository).toMatchObject({
      kind: "GitRepository",
      metadata: { namespace: plain.metadata.namespace },
      spec: { ref: { branch: "main" } },
    });
    const sourceRef = { kind: "GitRepository", name: gitRepository.metadata.name };
    const path = "./clusters/demo/manifests";
    expect(plain).toEqual({ ...applied, spec: { ...applied.spec, sourceRef, path } });
    const root = temporary();
    initSample(join(root, "clusters/demo"));
    writeTree(root, { [`${path}/cco.yaml`]: written["cco.yaml"] });
    expect(runCcf(["render", join(root, "clusters/demo")]).status).toBe(0);
    // Flux applies every file of a directory without a kustomization.yaml.
    const files = Object.keys(readTree(join(root, path)));
    expect(files.filter((name) => !name.endsWith(".yaml"))).toEqual([]);
    build(join(root, path), files, plain);
  });
});
