import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adminPolicyFindings, planExport } from "../../../src/cli/export/export-plan.ts";
import { recordText, thisProcess } from "../../../src/cli/files/stage.ts";
import { writeFiles } from "../../../src/cli/files/write-files.ts";
import {
  bothLists,
  type ExportedFile,
  exportFiles,
  isExportPath,
  readList,
  writeList,
} from "../../../src/cli/package/export-files.ts";
import type { Run } from "../../helpers/ccf.ts";
import { commandLine, run } from "../../helpers/ccf.ts";
import {
  awsOf,
  bundledFiles,
  configure,
  generatedFiles,
  packageWithBoundary,
  roleBundles,
} from "../../helpers/cluster-package.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const authentication = "manifests/cluster-authentication-02-config.yaml";
const baseNames = [
  "openshift-cluster-csi-drivers-ebs-cloud-credentials",
  "openshift-image-registry-installer-cloud-credentials",
  "openshift-ingress-operator-cloud-credentials",
];
const ingress = "openshift-ingress-operator-cloud-credentials";
const trust = `aws/roles/${ingress}/trust-policy.json`;

/** Exports a package; `out` need not exist. */
function exported(directory: string, out: string, ...flags: string[]): Run {
  return run(["export", directory, "--verbose", "--output-dir", out, ...flags]);
}

/** A rendered package and its export. */
function sampleExport(): { directory: string; out: string } {
  const directory = packageWithBoundary();
  const out = join(temporary(), "out");
  expect(exported(directory, out)).toMatchObject({ status: 0, stderr: "" });
  return { directory, out };
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Everything below a directory: files with mode and content, symbolic links with their targets, directories. */
function everything(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    paths.map((path) => {
      const stat = lstatSync(join(directory, path));
      if (stat.isSymbolicLink()) return [path, `link to ${readlinkSync(join(directory, path))}`];
      if (stat.isDirectory()) return [path, "directory"];
      return [path, `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(directory, path), "utf8")}`];
    }),
  );
}

/** Expects that an export fails with one error and changes nothing. */
function expectRefused(directory: string, out: string, code: string, message: string): void {
  const before = everything(out);
  for (const flags of [[], ["--check"]]) {
    const { status, stdout, stderr } = exported(directory, out, ...flags);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.match(/^error: .*$/gm)).toEqual([expect.stringMatching(new RegExp(` \\[${code}\\]$`))]);
  }
  expect(everything(out)).toEqual(before);
}

describe("ccf export", () => {
  it("writes the files of the bundle ConfigMaps, the manifests, and the list of both", () => {
    const { directory, out } = sampleExport();
    const files = readTree(out);
    const role = ["create-role", "identity", "permissions-policy", "put-role-policy", "trust-policy"];
    const updates = ["update-role"];
    expect(Object.keys(files)).toEqual([
      "SHA256SUMS",
      "aws/admin-policy.json",
      "aws/cluster.json",
      "aws/commands.txt",
      "aws/issuer/bucket-policy.json",
      "aws/issuer/create-bucket.json",
      "aws/issuer/create-open-id-connect-provider.json",
      "aws/issuer/keys.json",
      "aws/issuer/openid-configuration",
      "aws/issuer/put-bucket-policy.json",
      "aws/issuer/put-bucket-tagging.json",
      "aws/issuer/put-object-keys.json",
      "aws/issuer/put-object-openid-configuration.json",
      "aws/issuer/put-public-access-block.json",
      ...baseNames.flatMap((baseName) => [...role, ...updates].map((name) => `aws/roles/${baseName}/${name}.json`)),
      authentication,
      ...baseNames.map((baseName) => `manifests/${baseName}-credentials.yaml`),
    ]);
    expect(JSON.parse(files["aws/issuer/openid-configuration"] ?? "")).toMatchObject({
      issuer: "https://demo-oidc.s3.us-east-2.amazonaws.com",
    });
    expect(JSON.parse(files[`aws/roles/${ingress}/create-role.json`] ?? "")).toMatchObject({
      RoleName: `demo-${ingress}`,
    });
    for (const [path, text] of Object.entries(generatedFiles(directory))) {
      if (path.startsWith("manifests/")) expect(files[path], path).toBe(text);
    }
    for (const [path, text] of Object.entries(roleBundles(directory))) {
      for (const [name, content] of Object.entries(bundledFiles(text))) {
        expect(files[path.replace(".yaml", `/${name}`)], path).toBe(content);
      }
    }
  });

  it("creates the bucket with its tags in one request", () => {
    const { out } = sampleExport();
    const files = readTree(out);
    const { CreateBucketConfiguration } = JSON.parse(files["aws/issuer/create-bucket.json"] ?? "");
    const { TagSet } = JSON.parse(files["aws/issuer/put-bucket-tagging.json"] ?? "").Tagging;
    expect(TagSet).toContainEqual({ Key: "openshift.io/cloud-credential-operator/demo", Value: "owned" });
    const configuration = JSON.stringify({ ...CreateBucketConfiguration, Tags: TagSet });
    expect(files["aws/commands.txt"]?.split("\n")).toContain(
      `aws s3api create-bucket --cli-input-json file://aws/issuer/create-bucket.json --create-bucket-configuration '${configuration}' && aws s3api put-public-access-block --cli-input-json file://aws/issuer/put-public-access-block.json`,
    );
  });

  it.each(["payments", "openshift-logging"])(
    "omits a Secret in %s, which nothing creates, or exports the namespace of the package with it",
    (namespace) => {
      const directory = packageWithBoundary();
      const out = join(temporary(), "out");
      writeTree(directory, {
        "credentials-requests/app.yaml": `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: app
  namespace: openshift-cloud-credential-operator
  annotations: {fn.cloudcredential.dev/subscription: none}
spec:
  secretRef: {namespace: ${namespace}, name: aws}
  serviceAccountNames: [app]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {effect: Allow, action: ["s3:GetObject"], resource: "*"}
`,
      });
      expect(run(["render", "--quiet", directory]).status).toBe(0);
      const secret = `manifests/${namespace}-aws-credentials.yaml`;
      const { status, stdout, stderr } = exported(directory, out);
      expect(status).toBe(0);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe(
        `In operators/, because nothing creates the namespace of a Secret: "${namespace}/aws".`,
      );
      expect(stderr).toContain(
        `warning: ${secret}: Secret ${namespace}/aws: is exported to "operators/${namespace}-aws-credentials.yaml", not to "manifests/": nothing in the export creates the namespace "${namespace}", and the installer would wait for it. To install both, add the Namespace to the package. Otherwise, create the namespace in the running cluster, and then apply the file. [export-namespace-missing]`,
      );
      expect(Object.keys(readTree(out))).toContain(`aws/roles/${namespace}-aws/trust-policy.json`);
      expect(Object.keys(readTree(out))).not.toContain(secret);
      expect(Object.keys(readTree(out))).toContain(`operators/${namespace}-aws-credentials.yaml`);

      const text = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${namespace} # ours\n`;
      writeTree(directory, { "app/namespace.yaml": text });
      const both = exported(directory, out);
      expect(both).toMatchObject({ status: 0, stderr: "" });
      expect(both.stdout).not.toContain("In operators/");
      const files = readTree(out);
      expect(Object.keys(files)).toContain(secret);
      expect(files[`manifests/${namespace}-namespace.yaml`]).toBe(`---\n${text}`);
    },
  );

  it("derives the input that updates a role from the input that creates it", () => {
    const { out } = sampleExport();
    const at = `aws/roles/${ingress}`;
    const files = readTree(out);
    const create = JSON.parse(files[`${at}/create-role.json`] ?? "");
    const { RoleName, Description, MaxSessionDuration } = create;
    const asFile = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
    expect(files[`${at}/update-role.json`]).toBe(asFile({ RoleName, Description, MaxSessionDuration }));
  });

  it("refuses roles without the cluster's facts, and names the function that generates them", () => {
    const directory = packageWithBoundary();
    edit(join(directory, "Kptfile"), "  - exec: ccf generate-oidc-issuer\n    configPath: cluster-identity.yaml\n", "");
    for (const path of ["aws/cluster.yaml", "aws/issuer.yaml", "manifests/cluster-authentication-02-config.yaml"])
      rmSync(join(directory, path));
    expect(run(["render", directory, "--check"])).toMatchObject({ status: 0 });
    expectRefused(
      directory,
      join(temporary(), "out"),
      "cluster-bundle-missing",
      'error: aws/cluster.yaml: "aws/cluster.yaml" is missing; it tells which account and which resources belong to the cluster. Add "generate-oidc-issuer", which generates it, to the pipeline of the Kptfile. Then render and export again. [cluster-bundle-missing]\n',
    );
    // Commands that ask no cloud still read the roles.
    expect(run(["explain", directory])).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining(
        "arn:aws:iam::123456789012:role/demo-openshift-ingress-operator-cloud-credentials",
      ),
    });
  });

  it("prints what it wrote, and writes nothing the second time", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "some/where");
    const first = exported(directory, out);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(/^added {4}SHA256SUMS\n/);
    expect(first.stdout).toContain("\nadded    aws/issuer/ (10 files)\n");
    const count = Object.keys(readTree(out)).length;
    expect(first.stdout).toContain(`\n${count} files written. A second run changes nothing.\n`);
    const before = everything(out);
    const times = () =>
      readdirSync(out, { recursive: true, encoding: "utf8" }).map((path) => statSync(join(out, path)).mtimeMs);
    const written = times();
    expect(exported(directory, out)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Up to date: no file changes.\n"),
    });
    expect({ files: everything(out), times: times() }).toEqual({ files: before, times: written });
  });

  it("writes the same bytes and permissions with any umask", () => {
    const { directory, out } = sampleExport();
    const other = join(temporary(), "out");
    const script = `umask 077 && exec "$0" "$@"`;
    const args = ["-c", script, ...commandLine("export", directory, "--output-dir", other).flat()];
    expect(runProgram("sh", args).status).toBe(0);
    expect(everything(other)).toEqual(everything(out));
    expect(statSync(join(other, trust)).mode & 0o777).toBe(0o644);
  });

  it("exports the current directory by default", () => {
    const { directory, out } = sampleExport();
    expect(run(["export", "--output-dir", out], { cwd: directory })).toMatchObject({ status: 0, stderr: "" });
  });

  it("removes files that the package no longer contains, and empty directories", () => {
    const { directory, out } = sampleExport();
    writeTree(out, { "aws/roles/notes.txt": "mine\n", "aws/.creating-x": "a script's\n" });
    for (const name of ["10-registry.yaml", "20-ingress.yaml", "30-storage.yaml", "40-preview.yaml"]) {
      rmSync(join(directory, "credentials-requests", name), { force: true });
    }
    expect(run(["render", "--allow", "removal", directory]).status).toBe(0);
    const { status, stdout } = exported(directory, out);
    expect(status).toBe(0);
    expect(stdout).toContain(`removed  aws/roles/${ingress}/ (6 files)\n`);
    const files = everything(out);
    const roles = Object.keys(files).filter((path) => path.startsWith("aws/roles/"));
    expect(roles.filter((path) => path.includes(ingress))).toEqual([]);
    expect(files).toMatchObject({ "aws/roles/notes.txt": "644 mine\n", "aws/.creating-x": "644 a script's\n" });
    expect(Object.keys(files).filter((path) => path.startsWith("aws/roles/"))).toEqual(["aws/roles/notes.txt"]);
    expect(files["SHA256SUMS"]).not.toContain("ingress");
  });

  it("restores deleted files and permissions", () => {
    const { directory, out } = sampleExport();
    const before = everything(out);
    rmSync(join(out, "manifests"), { recursive: true });
    chmodSync(join(out, trust), 0o600);
    const { status, stdout } = exported(directory, out);
    expect(status).toBe(0);
    expect(stdout).toContain(`changed  ${trust}\n`);
    expect(everything(out)).toEqual(before);
  });

  it("adopts files that already have the right content, and keeps all others", () => {
    const { directory, out } = sampleExport();
    rmSync(join(out, "SHA256SUMS"));
    writeTree(out, { "install-config.yaml": "mine\n", "manifests/mine.yaml": "mine\n" });
    const { status, stdout } = exported(directory, out);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^added {4}SHA256SUMS\n1 file written\./);
    expect(readTree(out)).toMatchObject({ "install-config.yaml": "mine\n", "manifests/mine.yaml": "mine\n" });
    expect(readFileSync(join(out, "SHA256SUMS"), "utf8")).not.toContain("mine");
  });

  it("--check writes nothing, and exits with 2 until the directory is up to date", () => {
    const { directory, out } = sampleExport();
    expect(exported(directory, out, "--check")).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    rmSync(join(out, trust));
    const before = everything(out);
    expect(exported(directory, out, "--check")).toMatchObject({
      status: 2,
      stdout: `added    ${trust}\nNot up to date: 1 file would change. Run: ccf export ${directory} --output-dir ${out}\n`,
    });
    expect(everything(out)).toEqual(before);
    const nowhere = join(temporary(), "out");
    expect(exported(directory, nowhere, "--check").status).toBe(2);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("reports as JSON with -o json", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "out");
    const first = exported(directory, out, "-o", "json");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({ changed: [], removed: [], findings: [] });
    expect(report.added).toEqual(Object.keys(readTree(out)));
    edit(join(directory, "aws/issuer.yaml"), "s3:GetObject", "s3:*");
    const refused = exported(directory, out, "-o", "json");
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      added: [],
      changed: [],
      removed: [],
      findings: [{ severity: "error", tags: { code: "package-not-rendered" } }],
    });
  });

  it("quotes directories for a shell", () => {
    const root = temporary();
    renameSync(packageWithBoundary(), join(root, "it's"));
    const { stdout } = run(["export", "--check", "--only-ours", "it's", "--output-dir", "a b"], { cwd: root });
    expect(stdout).toContain(`Run: ccf export --only-ours 'it'\\''s' --output-dir 'a b'\n`);
  });

  it("writes into a directory named by a symbolic link", () => {
    const { directory, out } = sampleExport();
    const root = temporary();
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "link"));
    expect(exported(directory, join(root, "link")).status).toBe(0);
    expect(everything(join(root, "real"))).toEqual(everything(out));
  });
});

describe("the Authentication in an export", () => {
  const issuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";
  const text = `# ours\r\napiVersion: config.openshift.io/v1\r\nkind: Authentication # kept\r\nmetadata: {name: cluster}\r\nspec:\r\n    mode: 0644\r\n    serviceAccountIssuer: '${issuer}'\r\n`;

  it("is where the installer reads it, with every byte of its file", () => {
    const directory = packageWithBoundary();
    rmSync(join(directory, authentication));
    writeTree(directory, { "day2/auth.yaml": text });
    const out = join(temporary(), "out");
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: "" });
    expect(readTree(out)[authentication]).toBe(text);
    expect(Object.keys(readTree(out)).filter((path) => path.includes("auth"))).toEqual([authentication]);
  });

  it("is there alone if its file contains other objects", () => {
    const directory = packageWithBoundary();
    rmSync(join(directory, authentication));
    const alone = text.replaceAll("\r", "").replace("# ours\n", "");
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n";
    writeTree(directory, {
      "day2.yaml": `${other}---\n${alone}---\n${other.replace("other", "third")}`,
    });
    const out = join(temporary(), "out");
    expect(exported(directory, out)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^info: Not exported: ConfigMap "other" .* \[not-exported\]\n$/),
    });
    expect(readTree(out)[authentication]).toBe(`---\n${alone}`);
  });

  it("is not exported before a render has set its issuer", () => {
    const directory = packageWithBoundary();
    rmSync(join(directory, authentication));
    writeTree(directory, { "day2/auth.yaml": text.replace(issuer, "https://other.example.com") });
    const out = join(temporary(), "out");
    const { status, stderr } = exported(directory, out);
    expect(status).toBe(1);
    expect(stderr).toContain('"day2/auth.yaml" differs. Run');
    expect(existsSync(out)).toBe(false);
  });
});

describe("ccf export refuses", () => {
  it("a package that was never rendered", () => {
    const directory = packageWithBoundary();
    rmSync(join(directory, "aws"), { recursive: true });
    rmSync(join(directory, "manifests"), { recursive: true });
    expectRefused(directory, join(temporary(), "out"), "package-not-rendered", '"aws/issuer.yaml" is missing');
  });

  it("a package whose configuration changed after the last render", () => {
    const { directory, out } = sampleExport();
    configure(directory, (spec) => {
      awsOf(spec)["roles"] = { maxSessionDuration: 7200 };
    });
    const message = `"aws/roles/${baseNames[0]}.yaml" differs`;
    expectRefused(directory, out, "package-not-rendered", message);
    expect(exported(directory, out).stderr).toContain(`Run "ccf render ${directory}", review the changes, and export`);
  });

  it("every generated file that was edited by hand", () => {
    const { directory, out } = sampleExport();
    const paths = Object.keys(generatedFiles(directory));
    expect(paths.length).toBeGreaterThan(7);
    for (const path of paths) {
      const file = join(directory, path);
      const before = readFileSync(file, "utf8");
      appendFileSync(file, "# harmless, as it looks\n");
      const { status, stderr } = exported(directory, out);
      expect({ status, named: stderr.includes(`exported: "${path}" differs. Run`) }, path).toEqual({
        status: 1,
        named: true,
      });
      expect(stderr).toContain("[package-not-rendered]");
      writeFileSync(file, before);
    }
    expect(exported(directory, out, "--check").status).toBe(0);
  });

  it("a bundle ConfigMap with a changed file, and does not change the export", () => {
    const { directory, out } = sampleExport();
    edit(join(directory, "aws/issuer.yaml"), "s3:GetObject", "s3:*");
    expectRefused(directory, out, "package-not-rendered", '"aws/issuer.yaml" differs. Run');
  });

  it("the generated files of a removed request", () => {
    const { directory, out } = sampleExport();
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    expectRefused(
      directory,
      out,
      "identities-lost",
      `run "ccf render --allow removal:openshift-ingress-operator/cloud-credentials ${directory}"`,
    );
  });

  it("many files, and names eight of them", () => {
    const { directory, out } = sampleExport();
    for (const path of Object.keys(generatedFiles(directory))) rmSync(join(directory, path));
    configure(directory, (spec) => {
      spec["release"] = { featureSet: "TechPreviewNoUpgrade" };
    });
    const { stderr } = exported(directory, out);
    expect(stderr.match(/ is missing/g)).toHaveLength(8);
    expect(stderr).toMatch(/, and \d+ files more\. Run "ccf render /);
  });

  it("a package that a render would refuse, with the same findings", () => {
    const { directory, out } = sampleExport();
    appendFileSync(join(directory, "Kptfile"), "  - exec: other\n");
    const refused = exported(directory, out);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("[kptfile-other-functions]");
    expect(exported(directory, out, "--only-ours").status).toBe(0);
  });

  it("to export bundle ConfigMaps that were not generated", () => {
    const { directory, out } = sampleExport();
    const data = "data:\n  cluster.json: x\n";
    const local = `config.kubernetes.io/local-config: "true"`;
    writeTree(directory, {
      "aws/extra.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n  annotations:\n    ${local}\n${data}`,
      "aws/other.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n  annotations:\n    ${local}\n    fn.cloudcredential.dev/generated-by: generate-oidc-issuer/demo\n${data}`,
    });
    const before = everything(out);
    expectRefused(directory, out, "generated-orphan", "error: aws/other.yaml: ");
    rmSync(join(directory, "aws/other.yaml"));
    expect(exported(directory, out).status).toBe(0);
    expect(everything(out)).toEqual(before);
  });

  it("a file of the export that a user changed", () => {
    const { directory, out } = sampleExport();
    edit(join(out, trust), "sts:AssumeRoleWithWebIdentity", "sts:*");
    const message = "was changed after the export and is not overwritten. Make the change in the package";
    expectRefused(directory, out, "export-file-edited", message);
    rmSync(join(out, trust));
    expect(exported(directory, out).status).toBe(0);
  });

  it("to remove a file of the export that a user changed", () => {
    const { directory, out } = sampleExport();
    appendFileSync(join(out, trust), "\n");
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    run(["render", "--allow", "removal:openshift-ingress-operator/cloud-credentials", directory]);
    expectRefused(directory, out, "export-file-edited", `${trust}: "`);
  });

  it("an existing file that no export wrote", () => {
    const directory = packageWithBoundary();
    const out = temporary();
    writeTree(out, { "aws/issuer/keys.json": "{}\n" });
    expectRefused(
      directory,
      out,
      "path-taken",
      '"aws/issuer/keys.json" is needed, but something that no export wrote already exists there',
    );
    const { out: other } = sampleExport();
    writeFileSync(
      join(other, "SHA256SUMS"),
      readFileSync(join(other, "SHA256SUMS"), "utf8").replace(/^.*keys\.json\n/m, ""),
    );
    writeTree(other, { "aws/issuer/keys.json": "{}\n" });
    expectRefused(directory, other, "path-taken", '"aws/issuer/keys.json" is needed');
  });

  it("a directory instead of a file", () => {
    const { directory, out } = sampleExport();
    rmSync(join(out, trust));
    mkdirSync(join(out, trust));
    expectRefused(directory, out, "export-file-edited", trust);
  });

  it.each([
    ["the list of something else", `${"0".repeat(64)}  openshift-install.tar.gz\n`],
    ["a path that leads out", `${"0".repeat(64)}  aws/../../escaped\n`],
    ["an absolute path", `${"0".repeat(64)}  /etc/passwd\n`],
    ["a line that was cut", "0123"],
    ["Windows line ends", `${"0".repeat(64)}  aws/issuer/keys.json\r\n`],
  ])("a list that is %s", (_, text) => {
    const directory = packageWithBoundary();
    const out = temporary();
    writeTree(out, { SHA256SUMS: text });
    expectRefused(directory, out, "export-list-invalid", '"SHA256SUMS" is not the list of an export; move it away');
  });

  it("symbolic links in the export", () => {
    const { directory, out } = sampleExport();
    const root = temporary();
    writeTree(root, { list: readFileSync(join(out, "SHA256SUMS"), "utf8"), "keys.json": "theirs\n" });
    renameSync(join(out, "aws"), join(root, "aws"));
    symlinkSync(join(root, "aws"), join(out, "aws"));
    const outside = everything(root);
    const { status, stderr } = exported(directory, out);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'requires the directory "aws", but that is a file or a symbolic link; move it away. [path-taken]',
    );
    rmSync(join(out, "aws"));
    expect(exported(directory, out).status).toBe(0);
    rmSync(join(out, trust));
    symlinkSync(join(root, "keys.json"), join(out, trust));
    expectRefused(directory, out, "export-file-edited", trust);
    rmSync(join(out, trust));
    rmSync(join(out, "SHA256SUMS"));
    symlinkSync(join(root, "list"), join(out, "SHA256SUMS"));
    expectRefused(directory, out, "export-list-invalid", "SHA256SUMS");
    expect(everything(root)).toEqual(outside);
  });

  it("to remove through a symbolic link, files or empty directories", () => {
    const { directory, out } = sampleExport();
    const root = temporary();
    renameSync(join(out, "aws/roles"), join(root, "roles"));
    symlinkSync(join(root, "roles"), join(out, "aws/roles"));
    for (const request of readdirSync(join(directory, "credentials-requests"))) {
      rmSync(join(directory, "credentials-requests", request));
    }
    expect(run(["render", "--allow", "removal", directory]).status).toBe(0);
    rmSync(join(root, "roles", baseNames[0] ?? ""), { recursive: true });
    mkdirSync(join(root, "roles", baseNames[0] ?? ""));
    const outside = everything(root);
    // What reads the directory would follow it.
    expectRefused(directory, out, "export-unlisted-input", '"aws/roles" is not part of this export');
    rmSync(join(out, "aws/roles"));
    mkdirSync(join(out, "aws/roles"));
    symlinkSync(join(root, "roles"), join(out, "operators"));
    writeFileSync(join(out, "SHA256SUMS"), `${"0".repeat(64)}  operators/${baseNames[1]}/x.yaml\n`, { flag: "a" });
    expect(exported(directory, out).status).toBe(0);
    expect(everything(root)).toEqual(outside);
    expect(existsSync(join(out, "manifests", `${ingress}-credentials.yaml`))).toBe(false);
  });

  it("a directory inside or around the package", () => {
    const directory = packageWithBoundary();
    const link = join(temporary(), "link");
    symlinkSync(directory, link);
    const before = everything(directory);
    for (const out of [
      directory,
      join(directory, "out"),
      join(directory, "a/b"),
      join(directory, ".."),
      "/",
      link,
      join(link, "out"),
    ]) {
      const { status, stdout, stderr } = exported(directory, out);
      expect({ status, stdout }, out).toEqual({ status: 1, stdout: "" });
      expect(stderr, out).toContain("must not be inside the package or contain it");
    }
    expect(everything(directory)).toEqual(before);
    expect(exported(directory, `${directory}-out`).status).toBe(0);
    expect(exported(directory, join(directory, "..out")).status).toBe(1);
  });

  it("to write while another run is writing, here or in the package", () => {
    const { directory, out } = sampleExport();
    writeTree(out, { ".ccf-export/process": recordText(thisProcess()) });
    const before = everything(out);
    const here = exported(directory, out);
    expect(here.status).toBe(1);
    expect(here.stderr).toContain(
      'another "ccf export" is writing to this directory. Wait until it ends, and run the same command again. If no such process is running, remove the directory .ccf-export',
    );
    expect(everything(out)).toEqual(before);
    rmSync(join(out, ".ccf-export"), { recursive: true });
    writeTree(directory, { ".ccf-render/process": recordText(thisProcess()) });
    const there = exported(directory, out);
    expect(there.status).toBe(1);
    expect(there.stderr).toContain("another ccf command is writing to this directory");
  });

  it.each([
    [["export"], "--output-dir is required"],
    [["export", "a", "b"], "--output-dir is required"],
    [["export", "--output-dir", "c", "-o", "xml"], '--output must be "text" or "json", not "xml"'],
    [["export", "/nowhere", "--output-dir", "c"], '"/nowhere" is not a directory'],
  ])("%j", (args, message) => {
    const { status, stdout, stderr } = run(args, { cwd: temporary() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });

  it("a file as the output directory", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "file");
    writeFileSync(out, "");
    const { status, stderr } = exported(directory, out);
    expect({ status, told: stderr.includes("is not a directory") }).toEqual({ status: 1, told: true });
  });
});

describe("the files of an export", () => {
  const bundle = (path: string, data: Record<string, string>) => ({
    path,
    text: "",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "bundle" }, data },
  });
  const filesOf = (path: string, data: Record<string, string>) =>
    exportFiles({ generated: [bundle(path, data)], kept: [] }).map((file) => file.path);

  it("are in a directory for each bundle ConfigMap, with the commands next to them", () => {
    expect(filesOf("aws/roles/a.b-c.yaml", { "x.json": "{}" })).toEqual(["aws/roles/a.b-c/x.json"]);
    expect(filesOf("aws/cluster.yaml", { "cluster.json": "{}" })).toEqual(
      expect.arrayContaining(["aws/cluster.json", "aws/commands.txt"]),
    );
  });

  it.each(["..", ".", "", "a/b", "../x", ".hidden", "-rf", "a b", "a\nb", "a\\b", "$(id)"])(
    "have names that are file names alone: not %j",
    (key) => {
      expect(() => filesOf("aws/issuer.yaml", { [key]: "" })).toThrow("contains a key that is not a file name");
      expect(isExportPath(`aws/${key}`)).toBe(key === "a/b");
    },
  );

  it("are below aws/ and manifests/", () => {
    expect(isExportPath("aws/issuer/keys.json")).toBe(true);
    for (const path of ["aws", "aws/", "SHA256SUMS", "other/x", "/aws/x", "aws//x"])
      expect(isExportPath(path), path).toBe(false);
    const elsewhere = [{ path: "other/x.yaml", text: "", object: { kind: "Secret" } }];
    expect(() => exportFiles({ generated: elsewhere, kept: [] })).toThrow(
      "an export must not contain the file other/x.yaml",
    );
  });

  it("are not executable, also if they were, and after a change", () => {
    const out = temporary();
    const file = (text: string): ExportedFile => ({ path: "aws/commands.txt", text });
    for (const text of ["echo 1\n", "echo 2\n"]) {
      const plan = planExport(out, [file(text)]);
      expect(plan.findings).toEqual([]);
      writeFiles({ directory: out, command: "export" }, plan.steps);
      expect(everything(out)).toMatchObject({ "aws/commands.txt": `644 ${text}` });
    }
    expect(planExport(out, [file("echo 2\n")]).changes).toEqual([]);
    chmodSync(join(out, "aws/commands.txt"), 0o755);
    expect(planExport(out, [file("echo 2\n")]).changes).toMatchObject([{ path: "aws/commands.txt", mode: 0o644 }]);
  });

  it("are listed, sorted, each with its digest, or with two digests during a replacement", () => {
    const a = "a".repeat(64);
    const b = "b".repeat(64);
    const one = new Map([["aws/x", [b]]]);
    const two = new Map([
      ["aws/y", [a]],
      ["aws/x", [a]],
    ]);
    const text = `${a}  aws/x\n${b}  aws/x\n${a}  aws/y\n`;
    expect(writeList(bothLists(one, two))).toBe(text);
    expect(writeList(readList(text) ?? new Map())).toBe(text);
  });
});

describe("the administrator's policy", () => {
  const findings = (...sids: string[]) =>
    adminPolicyFindings([
      {
        path: "aws/admin-policy.json",
        text: JSON.stringify({ Version: "2012-10-17", Statement: sids.map((Sid) => ({ Sid, Effect: "Allow" })) }),
      },
    ]);

  it("causes a warning without a permissions boundary", () => {
    expect(findings("Bucket", "RolesWithoutBoundary")).toEqual([
      {
        severity: "warning",
        code: "admin-policy-unbounded",
        message: expect.stringContaining(
          'An administrator with this policy can create roles and policies, and can therefore do anything in the account. To limit it, set "spec.platform.aws.roles.permissionsBoundaryARN".',
        ),
        field: "spec.platform.aws.roles.permissionsBoundaryARN",
        file: { path: "aws/cluster.yaml", index: 0 },
      },
    ]);
  });

  it("causes no warning with a boundary, or if the package has no such policy", () => {
    expect(findings("Bucket", "Roles")).toEqual([]);
    expect(adminPolicyFindings([])).toEqual([]);
  });
});
