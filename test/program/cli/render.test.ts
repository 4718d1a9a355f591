import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { ccf, run } from "../../helpers/ccf.ts";
import { configure, listOf, newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { pathWith, run as runProgram } from "../../helpers/programs.ts";
import { gcpFlags, initFlags, initSample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const authentication = "manifests/cluster-authentication-02-config.yaml";
const role = "aws/roles/openshift-ingress-operator-cloud-credentials.yaml";
const ingressSecret = "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";

function rendered(): string {
  const directory = join(temporary(), "demo");
  initSample(directory);
  expect(run(["render", "--verbose", directory]).status).toBe(0);
  return directory;
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

describe("ccf render", () => {
  it("writes the generated files, and nothing the second time", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const made = readTree(directory);
    const first = run(["render", "--verbose", directory]);
    expect(first.status).toBe(0);
    expect(first.stdout).toContain(`added    ${ingressSecret}\n`);
    expect(first.stdout).toMatch(/9 files written\. A second run changes nothing\.\n$/);
    // The note itself is printed.
    expect(first.stdout).not.toContain("excluded from this cluster");
    expect(first.stderr).toContain("[skipped-feature-set]");
    expect(first.stderr).toContain("[signing-key]");
    const after = readTree(directory);
    expect(after).toMatchObject(made);
    const second = run(["render", "--verbose", directory]);
    expect(second).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    expect(readTree(directory)).toEqual(after);
  });

  it("counts the excluded requests that no printed note names, each once", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeFileSync(
      join(directory, "Kptfile"),
      "  - exec: ccf configure-operators\n    configPath: cluster-identity.yaml\n",
      { flag: "a" },
    );
    configure(directory, (spec) => (spec["release"] = { capabilities: ["CloudCredential"] }));
    const { status, stdout } = run(["render", directory]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /\n3 requests are excluded from this cluster: --verbose says which, and why\.\n\d+ files written/,
    );
    expect(run(["render", directory]).stdout).toBe("Up to date: no file changes.\n");
  });

  it("renders the current directory by default", () => {
    const directory = rendered();
    expect(run(["render"], { cwd: directory })).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
  });

  it.each([
    ["with space", "'with space'"],
    ["-x", "./-x"],
    ["it's $(id)", "'it'\\''s $(id)'"],
    ["größe", "'größe'"],
    ["it's\u202e\\", "$'it\\'s\\342\\200\\256\\\\'"],
  ])("names the directory %j as a word that a shell takes", (name, word) => {
    const root = temporary();
    initSample(join(root, name));
    const { stdout } = run(["render", "--verbose", "--check", "--", name], { cwd: root });
    expect(stdout).toContain(`Run: ccf render ${word}\n`);
  });

  it("--check writes nothing, and exits with 2 until the package is up to date", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const before = readTree(directory);
    const check = run(["render", "--verbose", "--check", directory]);
    expect(check.status).toBe(2);
    expect(check.stdout).toContain(`Not up to date: 9 files would change. Run: ccf render ${directory}\n`);
    expect(run(["render", "--verbose", "--check"], { cwd: directory }).stdout).toContain(
      "would change. Run: ccf render\n",
    );
    expect(readTree(directory)).toEqual(before);
    run(["render", "--verbose", directory]);
    expect(run(["render", "--verbose", "--check", directory]).status).toBe(0);
    edit(join(directory, ingressSecret), "123456789012", "999999999999");
    expect(run(["render", "--verbose", "--check", directory])).toMatchObject({
      status: 2,
      stdout: `changed  ${ingressSecret}\nNot up to date: 1 file would change. Run: ccf render ${directory}\n`,
    });
  });

  it("removes nothing until the printed command allows it, then that alone, and reports it", () => {
    const directory = rendered();
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    const before = readTree(directory);
    const command = `ccf render --allow removal:openshift-ingress-operator/cloud-credentials ${directory}`;
    for (const flags of [[], ["--check"]]) {
      const refused = run(["render", "--verbose", ...flags, directory]);
      expect(refused).toMatchObject({ status: 1, stdout: "" });
      expect(refused.stderr).toContain(
        `"openshift-ingress-operator/cloud-credentials" (component "openshift-ingress-operator/ingress-operator", role "demo-openshift-ingress-operator-cloud-credentials", Secret).`,
      );
      expect(refused.stderr).toContain(`If this is intended, run "${command}", or set the annotation`);
      expect(readTree(directory)).toEqual(before);
    }
    const { status, stdout, stderr } = run(command.split(" ").slice(1));
    expect(status).toBe(0);
    expect(stderr).toContain("This run allows it by name. [identities-lost]");
    expect(stdout).toBe(
      `removed  aws/roles/openshift-ingress-operator-cloud-credentials.yaml\nremoved  ${ingressSecret}\n1 request is excluded from this cluster: --verbose says which, and why.\n2 files written. A second run changes nothing.\n`,
    );
    const files = Object.keys(readTree(directory));
    expect(files.filter((path) => path.includes("ingress"))).toEqual([]);
    expect(files).toContain(authentication);
  });

  it("reports as JSON with -o json", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const { status, stdout } = run(["render", "--verbose", "--check", "-o", "json", directory]);
    expect(status).toBe(2);
    const report = JSON.parse(stdout);
    expect(report.functions).toEqual([
      "generate-oidc-issuer",
      "generate-cloud-credentials",
      "generate-workload-identities",
    ]);
    expect(report.added).toHaveLength(9);
    expect([report.changed, report.removed]).toEqual([[], []]);
    expect(report.findings.map((finding: { tags: { code: string } }) => finding.tags.code)).toEqual([
      "signing-key",
      "skipped-feature-set",
      "skipped-other-cloud",
    ]);
  });

  it("--stdout prints the manifests for the cluster and writes nothing", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, {
      "extra.yaml": "# mine\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\ndata: {mode: 0644}\n",
      "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n",
    });
    const before = readTree(directory);
    const { status, stdout } = run(["render", "--verbose", "--stdout", directory]);
    expect(status).toBe(0);
    expect(readTree(directory)).toEqual(before);
    const objects = loadAll(stdout) as { kind: string; metadata: { name: string } }[];
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      "ConfigMap/mine",
      "Authentication/cluster",
      "Secret/ebs-cloud-credentials",
      "Secret/installer-cloud-credentials",
      "Secret/cloud-credentials",
    ]);
    expect(stdout).toContain("data: {mode: 0644}\n");
  });

  it("--stdout fails instead of printing an empty output", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    rmSync(join(directory, "credentials-requests"), { recursive: true });
    edit(join(directory, "Kptfile"), "  - exec: ccf generate-oidc-issuer\n    configPath: cluster-identity.yaml\n", "");
    const { status, stdout, stderr } = run(["render", "--verbose", "--stdout", directory]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .* \[no-requests\]$/m);
    const allowed = run(["render", "--verbose", "--stdout", "--allow", "removal", directory]);
    expect(allowed).toMatchObject({ status: 1, stdout: "" });
    expect(allowed.stderr).toContain("the package contains no manifests for a cluster");
  });

  it("changes one field of an existing Authentication, and keeps every other byte", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const text =
      "# ours\r\napiVersion: config.openshift.io/v1\r\nkind: Authentication # kept\r\nmetadata:\r\n    name: cluster\r\nspec:\r\n    type:   IntegratedOAuth\r\n    serviceAccountIssuer: 'https://old.example.com' # moves\r\n    mode: 0644\r\n";
    writeTree(directory, { "day2/auth.yaml": text });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(0);
    expect(stderr).toContain(
      'named the issuer "https://old.example.com", which is replaced by "https://demo-oidc.s3.us-east-2.amazonaws.com"',
    );
    expect(stderr).toContain("[issuer-replaced]");
    expect(stderr).toContain("[authentication-misplaced]");
    const files = readTree(directory);
    expect(files["day2/auth.yaml"]).toBe(
      text.replace("https://old.example.com", "https://demo-oidc.s3.us-east-2.amazonaws.com"),
    );
    expect(files[authentication]).toBeUndefined();
  });

  it("writes nothing if a function fails", () => {
    const directory = rendered();
    edit(join(directory, "cluster-identity.yaml"), "region: us-east-2", "region: eu-west-1\n      tags: {Name: x}");
    const before = readTree(directory);
    const { status, stdout, stderr } = run(["render", "--verbose", directory]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("[tag-invalid]");
    expect(readTree(directory)).toEqual(before);
  });

  it("refuses a release without an included request, and removes nothing", () => {
    const directory = renderedPackage();
    const before = readTree(directory);
    configure(directory, (spec) => {
      spec["release"] = { profile: "self-managed-high-availabilty" };
    });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      '"spec.release.profile" excludes requests that have rendered identities and Secrets, which would be removed: "openshift-cluster-csi-drivers/ebs-cloud-credentials" (component "openshift-cluster-csi-drivers/block-storage-controller", "openshift-cluster-csi-drivers/block-storage-operator", role "demo-openshift-cluster-csi-drivers-ebs-cloud-credentials", Secret), because it is not for the cluster profile self-managed-high-availabilty; ',
    );
    expect({ ...readTree(directory), "cluster-identity.yaml": "" }).toEqual({ ...before, "cluster-identity.yaml": "" });
  });

  describe("whose requests were lost", () => {
    const requests = "credentials-requests";
    const emptied = (directory: string) => {
      for (const name of readdirSync(join(directory, requests))) writeFileSync(join(directory, requests, name), "");
    };
    it.each<[string, (directory: string) => void, string[]]>([
      ["its directory is empty", (directory) => rmSync(join(directory, requests), { recursive: true }), []],
      [
        "its files are empty",
        emptied,
        [
          '"credentials-requests/20-ingress.yaml" (empty)',
          "contains no objects; restore its content, or delete the file. [file-empty]",
        ],
      ],
      [
        "its files are another cloud's",
        (directory) => {
          for (const name of readdirSync(join(directory, requests))) {
            const path = join(directory, requests, name);
            writeFileSync(path, readFileSync(path, "utf8").replaceAll("AWSProviderSpec", "GCPProviderSpec"));
          }
        },
        ["because only requests for another cloud name their Secrets: "],
      ],
    ])("is not emptied where %s, until that is allowed", (_, lose, said) => {
      const directory = renderedPackage();
      lose(directory);
      const before = readTree(directory);
      for (const flags of [[], ["--check"], ["--stdout"], ["-o", "json"]]) {
        const { status, stdout, stderr } = run(["render", "--verbose", ...flags, directory]);
        expect(status).toBe(1);
        if (flags.includes("json")) expect(JSON.parse(stdout)).toMatchObject({ added: [], removed: [] });
        else expect(stdout).toBe("");
        expect(stderr).toContain(
          "error: cluster-identity.yaml: ClusterIdentity demo: 3 of 3 rendered identities would be removed",
        );
        for (const text of said) expect(stderr).toContain(text);
      }
      const argo = run(["argo-cd-generate"], { cwd: directory });
      expect(argo).toMatchObject({ status: 1, stdout: "" });
      expect(argo.stderr).toContain("[identities-lost]");
      expect(readTree(directory)).toEqual(before);
      const { status, stderr } = run(["render", "--verbose", "--allow", "removal", directory]);
      expect(status).toBe(0);
      expect(stderr).toMatch(/^warning: .* This run allows it \("removal"\)\. \[identities-lost\]$/m);
      expect(Object.keys(readTree(directory)).filter((path) => path.startsWith("aws/roles/"))).toEqual([]);
    });

    it("lists the choices of --allow", () => {
      expect(run(["render", "--verbose", "--allow", "removal,replace"])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(
          '--allow must be "removal", "replace-issuer", "replace-key" or "removal:<namespace>/<secret>", not "replace" (did you mean "replace-issuer"?)',
        ),
      });
    });

    it("does not lose a role to a pipeline without configure-operators", () => {
      const directory = renderedPackage(undefined, (spec) => {
        spec["operators"] = { emitSecrets: false };
      });
      const annotation = "    fn.cloudcredential.dev/subscription: sample\n";
      edit(
        join(directory, "credentials-requests/20-ingress.yaml"),
        "  annotations:\n",
        `  annotations:\n${annotation}`,
      );
      const before = readTree(directory);
      const { status, stderr } = run(["render", "--verbose", directory]);
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^error: The package contains a request of an OLM operator, .* \[operators-not-configured\]$/m,
      );
      expect(readTree(directory)).toEqual(before);
    });
  });

  describe("after a rename of the ClusterIdentity", () => {
    const printed = /run "(ccf render [^"]+)"/;

    it.each([
      ["clusters/demo", []],
      ["it's", ["--only-ours"]],
      [".", []],
    ])("in %j with %j takes one attempt, with the command that is printed", (name, flags) => {
      const root = temporary();
      const directory = join(root, name);
      initSample(directory);
      expect(run(["render", "--verbose", directory]).status).toBe(0);
      const before = readTree(directory);
      edit(join(directory, "cluster-identity.yaml"), "name: demo", "name: renamed");
      const edited = readTree(directory);
      const refused = run(["render", "--verbose", ...flags, name], { cwd: root });
      expect(refused.status).toBe(1);
      const errors = refused.stderr.split("\n").filter((line) => line.startsWith("error: "));
      expect(errors).toEqual([
        expect.stringContaining(
          'objects that were generated for the ClusterIdentity "demo", not "renamed". If it was renamed',
        ),
      ]);
      expect(errors[0]).toContain("[identity-renamed]");
      expect(readTree(directory)).toEqual(edited);
      const command = printed.exec(refused.stderr)?.[1] ?? "";
      for (const flag of flags) expect(command).toContain(flag);
      const PATH = pathWith({ ccf: `exec '${process.execPath}' '${ccf}' "$@"` });
      const checked = runProgram("sh", ["-c", `${command} --check`], { cwd: root, env: { PATH } });
      expect(checked.status).toBe(2);
      expect(checked.stdout).toContain(`Run: ${command}\n`);
      const done = runProgram("sh", ["-c", `${command} --verbose`], { cwd: root, env: { PATH } });
      expect(done.status).toBe(0);
      expect(done.stderr).toContain(
        '"spec.resourcePrefix" is now "demo", so that existing cloud resources keep their names',
      );
      const after = readTree(directory);
      const texts = Object.values(after);
      expect(texts.filter((text) => /generated-by: .*\/demo$/m.test(text))).toEqual([]);
      expect(after["aws/cluster.yaml"]).toContain("generated-by: generate-oidc-issuer/renamed\n");
      expect(after["Kptfile"]).toBe(before["Kptfile"]?.replace("name: demo", "name: renamed"));
      expect(after["cluster-identity.yaml"]).toBe(`${edited["cluster-identity.yaml"]}  resourcePrefix: demo\n`);
      expect(run(["render", "--verbose", "--check", directory])).toMatchObject({
        status: 0,
        stdout: "Up to date: no file changes.\n",
      });
      expect(run(["render", "--verbose", "--rename-from", "demo", directory]).stdout).toBe(
        "Up to date: no file changes.\n",
      );
    });

    it("keeps an explicit prefix, and a Kptfile with another name", () => {
      const directory = rendered();
      edit(join(directory, "cluster-identity.yaml"), "spec:\n", "spec:\n  resourcePrefix: demo\n");
      edit(join(directory, "Kptfile"), "name: demo", "name: mine");
      expect(run(["render", "--verbose", directory]).status).toBe(0);
      edit(join(directory, "cluster-identity.yaml"), "name: demo", "name: renamed");
      const before = readTree(directory);
      const refused = run(["render", "--verbose", directory]);
      expect(refused.stderr.match(/^error: .*/gm)).toEqual([expect.stringContaining("[identity-renamed]")]);
      const done = run(["render", "--verbose", "--rename-from", "demo", directory]);
      expect(done.status).toBe(0);
      expect(done.stderr).not.toContain("[prefix-preserved]");
      const after = readTree(directory);
      for (const path of ["Kptfile", "cluster-identity.yaml"]) expect(after[path]).toBe(before[path]);
    });

    it("changes nothing if there is an error", () => {
      const directory = rendered();
      edit(join(directory, "cluster-identity.yaml"), "name: demo", "name: renamed");
      edit(join(directory, "cluster-identity.yaml"), '"123456789012"', '"1234"');
      const before = readTree(directory);
      expect(run(["render", "--verbose", "--rename-from", "demo", directory])).toMatchObject({ status: 1, stdout: "" });
      expect(readTree(directory)).toEqual(before);
    });

    // kpt knows the directory, but its functions do not.
    it("is reported by a function, with the command for the package's directory", () => {
      const directory = rendered();
      edit(join(directory, "cluster-identity.yaml"), "name: demo", "name: renamed");
      const list = listOf(directory);
      for (const fn of ["generate-oidc-issuer", "generate-cloud-credentials"]) {
        const { status, stderr } = run([fn], { input: list });
        expect(status).toBe(1);
        expect(stderr).toContain(
          'run "ccf render --only-ours --rename-from demo" in the package\'s directory. If the package is a copy',
        );
        expect(stderr.match(/^error: /gm)).toHaveLength(1);
      }
      const [, ...args] = ["ccf", "render", "--only-ours", "--rename-from", "demo"];
      expect(run(args, { cwd: directory }).status).toBe(0);
      expect(run(["render", "--verbose", "--check", directory]).status).toBe(0);
    });

    it("is reported by other commands, with the directory", () => {
      const directory = rendered();
      edit(join(directory, "cluster-identity.yaml"), "name: demo", "name: renamed");
      const { status, stderr } = run(["export", directory, "--output-dir", join(temporary(), "out")]);
      expect(status).toBe(1);
      expect(stderr).toContain(`run "ccf render --rename-from demo ${directory}". If the package is a copy`);
    });
  });

  it("names the previous name in the command that allows a removal after a rename", () => {
    const directory = rendered();
    const config = join(directory, "cluster-identity.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("name: demo", "name: new"));
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    const refused = run(["render", "--verbose", "--rename-from", "demo", directory]);
    expect(refused.status).toBe(1);
    const [, command = ""] = /If this is intended, run "ccf ([^"]+)"/.exec(refused.stderr) ?? [];
    expect(command).toBe(
      `render --rename-from demo --allow removal:openshift-ingress-operator/cloud-credentials ${directory}`,
    );
    expect(run(command.split(" ")).status).toBe(0);
    expect(Object.keys(readTree(directory))).not.toContain(ingressSecret);
    expect(run(["render", "--verbose", directory])).toMatchObject({
      status: 0,
      stdout: "Up to date: no file changes.\n",
    });
  });

  it("prints the command that writes the changes of a check, with the same flags", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const { stdout } = run(["render", "--verbose", "--check", "--only-ours", directory]);
    expect(stdout).toContain(`Run: ccf render --only-ours ${directory}\n`);
    const allowing = run(["render", "--verbose", "--check", "--allow", "replace-key,removal", directory]);
    expect(allowing.stdout).toContain(`Run: ccf render --allow removal,replace-key ${directory}\n`);
  });

  it("removes one document from a file and keeps the others", () => {
    const directory = rendered();
    const role = join(directory, "aws/roles/openshift-ingress-operator-cloud-credentials.yaml");
    const mine = "# mine\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n";
    writeFileSync(role, `${readFileSync(role, "utf8")}---\n${mine}`);
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    expect(
      run(["render", "--verbose", "--allow", "removal:openshift-ingress-operator/cloud-credentials", directory]).status,
    ).toBe(0);
    expect(readFileSync(role, "utf8")).toBe(`---\n${mine}`);
  });
});

const stale = (name: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  annotations:\n    fn.cloudcredential.dev/generated-by: generate-cloud-credentials/demo\n`;
const theirs = "apiVersion: v1\nkind: ConfigMap # theirs\nmetadata:\n  name: theirs\n";

describe("ccf render removes its own documents from a foreign file", () => {
  it.each<[string, string, string]>([
    ["behind a line of dots", `${theirs}...\n${stale("a")}`, `${theirs}...\n`],
    ["before a line of dots", `${stale("a")}...\n${theirs}`, theirs],
    ["at carriage returns", `${theirs}---\n${stale("a")}`.replaceAll("\n", "\r"), theirs.replaceAll("\n", "\r")],
    [
      "first, at carriage returns",
      `${stale("a")}---\n${theirs}`.replaceAll("\n", "\r"),
      `---\r${theirs.replaceAll("\n", "\r")}`,
    ],
    ["with its directive", `%YAML 1.2\n---\n${stale("a")}---\n${theirs}`, `---\n${theirs}`],
    [
      "but not others' directives",
      `${stale("a")}...\n%TAG !e! tag:yaml.org,2002:\n---\n${theirs}data: {a: !e!str 1}\n`,
      `%TAG !e! tag:yaml.org,2002:\n---\n${theirs}data: {a: !e!str 1}\n`,
    ],
    ["on both sides", `${stale("a")}---\n${theirs}# theirs too\n---\n${stale("b")}`, `---\n${theirs}# theirs too\n`],
  ])("%s", (_what, text, left) => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    const path = "manifests/mixed-credentials.yaml";
    writeTree(directory, { [path]: text });
    const { status, stderr } = run(["render", "--verbose", "--allow", "removal", directory]);
    expect(status).toBe(0);
    expect(stderr).toContain("is no longer needed and was removed. [object-removed]");
    const after = readTree(directory);
    expect(after[path]).toBe(left);
    const second = run(["render", "--verbose", directory]);
    expect(second).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    expect(second.stderr).not.toContain("[object-removed]");
    expect(readTree(directory)).toEqual(after);
  });

  it("but not beside what cannot be read, because tools apply the file", () => {
    const directory = newPackage();
    writeTree(directory, { "manifests/mixed-credentials.yaml": `a: [\n]\n---\n${stale("a")}---\n${theirs}` });
    const before = readTree(directory);
    const { status, stderr } = run(["render", "--allow", "removal", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /"manifests\/mixed-credentials\.yaml" contains a document that .*line 2.*\[file-unreadable\]$/m,
    );
    expect(readTree(directory)).toEqual(before);
  });

  it("and does not overwrite a file with something that is not an object", () => {
    const directory = rendered();
    const path = join(directory, ingressSecret);
    writeFileSync(path, `${readFileSync(path, "utf8")}---\n# theirs\nnotes: 1\n`);
    const before = readTree(directory);
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `The file "${ingressSecret}" is needed for a generated object, but it contains something that is not a Kubernetes object; move that to another file. [path-taken]`,
    );
    expect(readTree(directory)).toEqual(before);
  });

  it("and prints foreign objects with their comments, and with tags that need no directive", () => {
    const directory = rendered();
    writeTree(directory, {
      "x.yaml": `%TAG !e! tag:yaml.org,2002:\n---\n# theirs\n${theirs}data: {a: !e!str 12}\n...\n# too\n${theirs}`,
    });
    const { status, stdout } = run(["render", "--verbose", "--stdout", directory]);
    expect(status).toBe(0);
    expect(stdout.slice(stdout.indexOf("---\n# theirs"))).toBe(
      `---\n# theirs\n${theirs}data: {a: !<tag:yaml.org,2002:str> 12}\n---\n# too\n${theirs}`,
    );
    expect(loadAll(stdout).at(-2)).toMatchObject({ data: { a: "12" } });
  });
});

describe("ccf render refuses", () => {
  it.each([
    [
      "functions of other projects",
      "  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.1\n",
      '"ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.1"',
    ],
    ["programs of others", '  - exec: "ccf generate-oidc-issuer; rm -rf /"\n', '"ccf generate-oidc-issuer; rm -rf /"'],
  ])("%s, unless --only-ours skips them", (_, entry, name) => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeFileSync(join(directory, "Kptfile"), readFileSync(join(directory, "Kptfile"), "utf8") + entry);
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain(`functions of other projects: ${name}`);
    expect(stderr).toContain("[kptfile-other-functions]");
    expect(run(["render", "--verbose", "--only-ours", directory]).status).toBe(0);
  });

  it("packages inside the package, unless --only-ours skips them", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    initSample(join(directory, "sub"), { name: "sub" });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain('The package contains other packages: "sub"');
    const before = readTree(join(directory, "sub"));
    expect(run(["render", "--verbose", "--only-ours", directory]).status).toBe(0);
    expect(readTree(join(directory, "sub"))).toEqual(before);
  });

  it.each([
    ["configPath: cluster-identity.yaml", "configPath: missing.yaml", "no such file contains an object"],
    ["configPath: cluster-identity.yaml", "selectors: [{kind: Secret}]", 'has "selectors"'],
    [
      "ccf generate-oidc-issuer\n    configPath: cluster-identity.yaml\n  - exec: ccf generate-cloud-credentials\n    configPath: cluster-identity.yaml",
      "",
      "Kptfile",
    ],
  ])("a Kptfile with %j as %j", (from, to, message) => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    edit(join(directory, "Kptfile"), from, to);
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it("a Kptfile without functions of this project", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, { Kptfile: "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: demo\n" });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain("contains none of this project's functions");
    expect(stderr).toContain("[kptfile-invalid]");
  });

  it("a file that is not YAML, and names it with the line", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, { "broken.yaml": "kind: CredentialsRequest\nc: [\n" });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: broken\.yaml: "broken\.yaml" is not YAML: .*line \d.*\[file-unreadable\]\n$/);
    writeTree(directory, { ".krmignore": "broken.yaml\n" });
    expect(run(["render", "--verbose", directory]).status).toBe(0);
  });

  it("to print a package with an unreadable file that it would otherwise skip", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, { "theirs.yaml": "apiVersion: v1\nkind: Service\nmetadata: {\n  name: theirs\n}\n" });
    const printed = run(["render", "--verbose", "--stdout", directory]);
    expect({ status: printed.status, stdout: printed.stdout }).toEqual({ status: 1, stdout: "" });
    expect(printed.stderr).toMatch(/^error: theirs\.yaml: "theirs\.yaml" is not YAML: .*\[file-skipped\]$/m);
    const written = run(["render", "--verbose", directory]);
    expect(written.status).toBe(0);
    expect(written.stderr).toMatch(
      /^warning: theirs\.yaml: .* It is skipped, because it contains nothing that a function reads\. .* \[file-skipped\]$/m,
    );
    expect(readTree(directory)["theirs.yaml"]).toContain("metadata: {\n");
  });

  it("to follow symbolic links, reading or writing", () => {
    const root = temporary();
    const directory = join(root, "demo");
    initSample(directory);
    writeTree(root, { "outside/secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: outside}\n" });
    symlinkSync(join(root, "outside/secret.yaml"), join(directory, "link.yaml"));
    symlinkSync(join(root, "outside"), join(directory, "manifests"));
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain('"link.yaml" is skipped: it is a symbolic link or not a regular file');
    expect(stderr).toMatch(
      /^error: manifests: "manifests" is skipped: it is a symbolic link to a directory.*\[file-skipped\]$/m,
    );
    expect(Object.keys(readTree(join(root, "outside")))).toEqual(["secret.yaml"]);
    expect(run(["render", "--verbose", "--stdout", directory]).stdout).not.toContain("outside");
  });

  it.each([
    ["before the first render", false],
    ["of a rendered package", true],
  ])("to read no requests because a link is in place of their directory, %s", (_name, isRendered) => {
    const root = temporary();
    const directory = join(root, "demo");
    initSample(directory);
    if (isRendered) expect(run(["render", "--verbose", directory]).status).toBe(0);
    renameSync(join(directory, "credentials-requests"), join(root, "release"));
    const before = readTree(directory);
    for (const target of ["../release", "../gone"]) {
      symlinkSync(target, join(directory, "credentials-requests"));
      for (const flags of [[], ["--check"], ["--allow", "removal"], ["--stdout"]]) {
        const { status, stderr } = run(["render", "--verbose", ...flags, directory]);
        expect(status).toBe(1);
        expect(stderr).toMatch(
          /^error: credentials-requests: "credentials-requests" is .*a symbolic link to .*[Pp]ut .* into the package\. \[file-skipped\]$/m,
        );
      }
      rmSync(join(directory, "credentials-requests"));
      expect(readTree(directory)).toEqual(before);
    }
  });

  it.each([
    ["a function is not in the pipeline", "Kptfile", "generate-oidc-issuer", "[generated-orphan]"],
    ["its annotation names another package", role, "generate-cloud-credentials/demo", "[identity-renamed]"],
    ["it was moved", role, undefined, "[name-taken]"],
    ["a copy is elsewhere", role, "", "[generated-orphan]"],
    [".krmignore excludes it", ".krmignore", role, "[generated-hidden]"],
    [".krmignore excludes its directory", ".krmignore", "aws", "[generated-hidden]"],
    [".krmignore excludes the Kptfile", ".krmignore", "Kptfile", "[generated-hidden]"],
    ["a link is in its place", role, "link", "[file-skipped]"],
    ["a link is in place of its directory", "aws/roles", "link", "[file-skipped]"],
    ["a link is in place of the Kptfile", "Kptfile", "link", "[file-unreadable]"],
    ["a link is in place of the ClusterIdentity", "cluster-identity.yaml", "link", "[file-unreadable]"],
  ])("to skip a generated object: %s", (_name, path, how, code) => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    expect(run(["render", "--verbose", directory]).status).toBe(0);
    const file = join(directory, path);
    if (how === "link") {
      renameSync(file, join(directory, "../moved"));
      symlinkSync(`${"../".repeat(path.split("/").length)}moved`, file);
    } else if (path === ".krmignore") writeTree(directory, { [path]: `${how}\n` });
    else if (how === undefined) renameSync(file, join(directory, "moved.yaml"));
    else if (how === "")
      writeTree(directory, { "copy.yaml": readFileSync(file, "utf8").replace("name: ", "name: x-") });
    else if (path === "Kptfile")
      edit(file, "  - exec: ccf generate-oidc-issuer\n    configPath: cluster-identity.yaml\n", "");
    else edit(file, how, `${how}-x`);
    const before = readTree(directory);
    for (const mode of [[], ["--check"], ["--check", "--allow", "removal"]]) {
      const { status, stderr } = run(["render", "--verbose", ...mode, directory]);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(code) });
    }
    expect(readTree(directory)).toEqual(before);
  });

  it.each([
    ["the directory below lost its Kptfile and ClusterIdentity", "sub/", initFlags({ name: "other" })],
    ["and is for another cloud", "sub/", gcpFlags({ name: "other" })],
    ["the objects are for another cloud", "", gcpFlags({ name: "other" })],
  ])("to adopt objects of another cluster: %s", (_name, into, flags) => {
    const root = temporary();
    const [directory, other] = [join(root, "demo"), join(root, "other")];
    initSample(directory);
    expect(run(["init", other, ...flags]).status).toBe(0);
    expect(run(["render", "--verbose", other]).status).toBe(0);
    if (into !== "") expect(run(["render", "--verbose", directory]).status).toBe(0);
    const generated = Object.entries(readTree(other)).filter(([, text]) => text.includes("generated-by: "));
    writeTree(directory, Object.fromEntries(generated.map(([path, text]) => [`${into}${path}`, text])));
    const before = readTree(directory);
    // No command that only leads back here.
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    const errors = stderr.split("\n").filter((line) => line.startsWith("error: "));
    for (const error of errors)
      expect(error).toMatch(
        /: was generated for the ClusterIdentity "other", but is in the package of "demo"\. If its directory is the package of another cluster, restore the Kptfile and the ClusterIdentity of that package\. Otherwise, delete the files that have the annotation "fn\.cloudcredential\.dev\/generated-by" with the name "other"\. \[identity-misplaced\]$/,
      );
    expect(errors.length).toBeGreaterThan(0);
    expect(readTree(directory)).toEqual(before);
    // What the message says, literally.
    for (const [path] of generated) rmSync(join(directory, into, path));
    expect(run(["render", "--verbose", directory]).status).toBe(0);
    expect(run(["render", "--verbose", "--check", directory]).status).toBe(0);
  });

  it("to skip many generated objects, with one line for each function or directory", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    expect(run(["render", "--verbose", directory]).status).toBe(0);
    const errors = () => {
      const { status, stderr } = run(["render", "--verbose", "--check", directory]);
      expect(status).toBe(1);
      return stderr.split("\n").filter((line) => line.startsWith("error: "));
    };
    writeTree(directory, { ".krmignore": "aws\n" });
    const [hidden = "", ...moreHidden] = errors();
    expect(moreHidden).toEqual([]);
    expect(hidden).toMatch(
      /^error: aws\/.*: "aws\/.*" and \d+ more files \("aws\/.*", .* and \d+ more\) contain generated objects, but \.krmignore excludes them.*\[generated-hidden\]$/,
    );
    rmSync(join(directory, "aws"), { recursive: true });
    const [wanted = "", ...moreWanted] = errors();
    expect(moreWanted).toEqual([]);
    expect(wanted).toMatch(
      / and \d+ more files \(.* would be generated, but .*; remove them from \.krmignore\. \[generated-hidden\]$/,
    );
    rmSync(join(directory, ".krmignore"));
    expect(run(["render", "--verbose", directory]).status).toBe(0);
    edit(
      join(directory, "Kptfile"),
      "  - exec: ccf generate-cloud-credentials\n    configPath: cluster-identity.yaml\n",
      "",
    );
    const orphans = errors();
    expect(orphans).toHaveLength(1);
    expect(orphans[0]).toMatch(
      / and \d+ more objects \(.* and \d+ more\) are annotated as generated by "generate-cloud-credentials\/demo", but no function of the pipeline owns them.*\[generated-orphan\]$/,
    );
  });

  it("to read files that differ only in case, or to write one beside the other", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    writeTree(directory, { "a.yaml": "a: 1\n", "A.yaml": "a: 1\n" });
    expect(run(["render", "--verbose", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: a\.yaml: "a\.yaml" and "A\.yaml" differ only in upper .*\[path-case\]$/m),
    });
    rmSync(join(directory, "a.yaml"));
    rmSync(join(directory, "A.yaml"));
    writeTree(directory, { "Manifests/README.md": "" });
    const before = readTree(directory);
    expect(run(["render", "--verbose", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: .*"Manifests".*\[path-case\]$/m),
    });
    expect(readTree(directory)).toEqual(before);
  });

  it("to wait for a pipe", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    execFileSync("mkfifo", [join(directory, "x.yaml"), join(directory, "credentials-requests/y.yaml")]);
    expect(run(["render", "--verbose", directory]).stderr).toMatch(
      /^warning: x\.yaml: .*not a regular file.*\[file-skipped\]$/m,
    );
    rmSync(join(directory, "Kptfile"));
    execFileSync("mkfifo", [join(directory, "Kptfile")]);
    expect(run(["render", "--verbose", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[file-unreadable]"),
    });
  });

  it("to overwrite a file that .krmignore excludes", () => {
    const directory = join(temporary(), "demo");
    initSample(directory);
    mkdirSync(join(directory, "aws"));
    writeTree(directory, { ".krmignore": "aws/issuer.yaml\n", "aws/issuer.yaml": "mine\n" });
    const { status, stderr } = run(["render", "--verbose", directory]);
    expect(status).toBe(1);
    expect(stderr).toContain('"aws/issuer.yaml" would be generated, but .krmignore excludes it');
    expect(stderr).toContain("[generated-hidden]");
    expect(readFileSync(join(directory, "aws/issuer.yaml"), "utf8")).toBe("mine\n");
  });

  it.each([
    [["render", "/nowhere"], '"/nowhere" is not a directory'],
    [["argo-cd-generate", "a"], "too many arguments: expected 0 arguments but got 1"],
    [["render", "-o", "xml"], '--output must be "text" or "json", not "xml"'],
    [["render", "--stdout", "--check"], "--stdout prints manifests"],
    [["render", "--bogus"], 'unknown option "--bogus"'],
    [["rendr"], 'unknown command "rendr" (did you mean "render"?)'],
    [["init"], 'missing required argument "DIR"'],
    [["generate-oidc-issuer", "x"], "generate-oidc-issuer accepts no arguments"],
  ])("%j", (args, message) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });
});
