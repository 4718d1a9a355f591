import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { renderedAzurePackage } from "../../helpers/azure-package.ts";
import { type Run, run } from "../../helpers/ccf.ts";
import { configure, newPackage, packageWithBoundary, succeed } from "../../helpers/cluster-package.ts";
import { packageWithOperator } from "../../helpers/operator-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

/** A request that is not from a release. */
function requestText(namespace: string, name: string): string {
  return `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: ${name}
  namespace: openshift-cloud-credential-operator
  annotations:
    fn.cloudcredential.dev/subscription: none
spec:
  secretRef: {namespace: ${namespace}, name: aws}
  serviceAccountNames: [${name}]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {effect: Allow, action: ["s3:GetObject"], resource: "*"}
`;
}

const payments = requestText("payments", "payments");

const printed = (directory: string, ...flags: string[]): Run =>
  run(["export", directory, "--verbose", "--format", "manifests-configmap", ...flags]);

/** The manifests of a package's export, by file name. */
function exportedManifests(directory: string): Record<string, string> {
  const out = join(temporary(), "out");
  succeed(run(["export", "--quiet", directory, "--output-dir", out]));
  return readTree(join(out, "manifests"));
}

describe("ccf export --format manifests-configmap", () => {
  it("prints one ConfigMap with the files that an export writes to manifests/", () => {
    const directory = packageWithBoundary();
    const { status, stdout, stderr } = printed(directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const manifests = exportedManifests(directory);
    expect(Object.keys(manifests)).toHaveLength(4);
    expect(load(stdout)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "demo-manifests" },
      data: manifests,
    });
    expect(Object.keys((load(stdout) as { data: object }).data)).toEqual(Object.keys(manifests).sort());
    expect(stdout).toMatch(/^---\napiVersion: v1\n/);
  });

  it("prints the same bytes each time, and writes nothing", () => {
    const directory = packageWithBoundary();
    const before = readTree(directory);
    expect(printed(directory).stdout).toBe(printed(`${directory}/.`, "--quiet").stdout);
    expect(readTree(directory)).toEqual(before);
  });

  it("has the name and the namespace of the command line", () => {
    const directory = packageWithBoundary();
    const { stdout } = succeed(printed(directory, "--name", "c07.manifests", "--namespace", "c07"));
    expect((load(stdout) as { metadata: object }).metadata).toEqual({ name: "c07.manifests", namespace: "c07" });
  });

  it("keeps every byte of an Authentication that a user wrote", () => {
    const directory = packageWithBoundary();
    const own =
      "# Ours: \tö\napiVersion: config.openshift.io/v1\nkind: Authentication\nmetadata: {name: cluster}\nspec:\n  type: ''   \n  serviceAccountIssuer: https://demo-oidc.s3.us-east-2.amazonaws.com";
    writeTree(directory, { "manifests/cluster-authentication-02-config.yaml": own });
    const { data } = load(succeed(printed(directory)).stdout) as { data: Record<string, string> };
    expect(data["cluster-authentication-02-config.yaml"]).toBe(own);
  });

  it("does not contain a Secret whose namespace nothing creates", () => {
    const directory = packageWithBoundary();
    writeTree(directory, { "credentials-requests/payments.yaml": payments });
    succeed(run(["render", "--quiet", directory]));
    const { status, stdout, stderr } = printed(directory);
    expect(status).toBe(0);
    expect(stdout).not.toContain("payments");
    expect(stderr).toContain("[export-namespace-missing]");
    writeTree(directory, { "namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: payments}\n" });
    const { data } = load(succeed(printed(directory)).stdout) as { data: Record<string, string> };
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(["payments-aws-credentials.yaml", "payments-namespace.yaml"]),
    );
  });

  it("does not contain Secrets of OLM operators, and names other objects", () => {
    const withOperator = packageWithOperator();
    configure(withOperator, (spec) => {
      spec["operators"] = { emitSecrets: true };
    });
    succeed(run(["render", withOperator]));
    writeTree(withOperator, {
      "manifests/extra.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: shelf-system}\n",
    });
    const { status, stdout, stderr } = printed(withOperator);
    expect(status, stderr).toBe(0);
    expect(readdirSync(join(withOperator, "manifests")).some((name) => name.startsWith("shelf-system"))).toBe(true);
    expect(stdout).not.toContain("shelf-system");
    expect(stderr).toMatch(
      /^info: Not exported: .*Namespace "shelf-system" \("manifests\/extra.yaml"\).* \[not-exported\]$/m,
    );
  });

  it("refuses a package that is not rendered", () => {
    const directory = packageWithBoundary();
    const path = join(directory, "aws/issuer.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("s3:GetObject", "s3:*"));
    const { status, stdout, stderr } = printed(directory);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `error: The package differs from what its sources render, so nothing was printed: "aws/issuer.yaml" differs. Run "ccf render ${directory}", review the changes, and run the command again. [package-not-rendered]\n`,
    );
    const { stderr: unrendered } = printed(newPackage());
    expect(unrendered).toMatch(/\[package-not-rendered\]$/m);
  });

  it("refuses manifests that no ConfigMap can hold", () => {
    const directory = packageWithBoundary();
    const path = join(directory, "manifests/cluster-authentication-02-config.yaml");
    const edited = `${readFileSync(path, "utf8").replace("spec:", "spec:\n  type: None")}# ${"x".repeat(1 << 20)}\n`;
    writeFileSync(path, edited);
    const { status, stdout, stderr } = printed(directory);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: The manifests have 10\d{5} bytes, but a ConfigMap holds at most 1048576 \(1 MiB\)\. The largest is "cluster-authentication-02-config\.yaml" \(10\d{5} bytes\)\. .* \[manifests-too-large\]$/m,
    );
  });

  it("refuses a package for Azure without the client IDs: the installation would wait for the Secrets", () => {
    const { status, stdout, stderr } = printed(renderedAzurePackage());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.match(/^error: .*$/gm)).toHaveLength(1);
    expect(stderr).toMatch(/^error: .* has no client ID in the package yet, .* \[client-id-unknown\]$/m);
  });

  it("refuses a package without the issuer, and one without manifests", () => {
    const directory = newPackage();
    const kptfile = join(directory, "Kptfile");
    const text = readFileSync(kptfile, "utf8");
    const [issuer = "", credentials = ""] = text.match(/ {2}- exec: .*\n.*\n/g) ?? [];
    writeFileSync(kptfile, text.replace(issuer, ""));
    succeed(run(["render", directory]));
    const { status, stdout, stderr } = printed(directory);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*"aws\/cluster\.yaml" is missing; .* \[cluster-bundle-missing\]$/m);
    const validating = newPackage();
    const validator = credentials.replace("generate-cloud", "validate");
    const pipeline = text.replace(issuer, "").replace(credentials, validator).replace("mutators", "validators");
    writeFileSync(join(validating, "Kptfile"), pipeline);
    succeed(run(["render", validating]));
    const empty = printed(validating);
    expect(empty).toMatchObject({ status: 1, stdout: "" });
    expect(empty.stderr).toContain("error: the package contains no manifests for the installer; add ");
  });

  it("needs --name if the ClusterIdentities of the package have different names", () => {
    const directory = packageWithBoundary();
    const identity = readFileSync(join(directory, "cluster-identity.yaml"), "utf8");
    writeFileSync(join(directory, "other.yaml"), identity.replace("name: demo", "name: other"));
    const { status, stdout, stderr } = printed(directory);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("the package contains ClusterIdentities with different names; set --name");
    expect(succeed(printed(directory, "--name", "one")).stdout).toContain("\n  name: one\n");
  });

  it("refuses a directory that is not a package", () => {
    const { status, stdout, stderr } = printed(temporary());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("[not-a-package]");
  });

  it.each<[flags: string[], message: string]>([
    [["--output-dir", "out"], "do not combine it with --output-dir"],
    [["elsewhere"], "--format manifests-configmap is for one package; name only one directory"],
    [["--recursive", "."], "--format manifests-configmap is for one package; name only one directory"],
    [["--check"], "do not combine it with --check"],
    [["--replace", "x"], "do not combine it with --replace"],
    [["-o", "json"], "do not combine it with -o json"],
    [["--name", "Demo"], '--name must be the name of a ConfigMap: lowercase letters, digits, "-" and ".", not "Demo"'],
    [["--name", ""], "--name must be the name of a ConfigMap"],
    [["--name", "a".repeat(254)], "--name must be the name of a ConfigMap"],
    [["--name", "a..b"], "--name must be the name of a ConfigMap"],
    [["--namespace", "a.b"], "--namespace must be the name of a namespace"],
    [["--namespace", "a".repeat(64)], "--namespace must be the name of a namespace"],
  ])("refuses %j", (flags, message) => {
    const { status, stderr } = printed("nowhere", ...flags);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it.each(["--name", "--namespace"])("is required for %s", (flag) => {
    const { status, stderr } = run(["export", "nowhere", "--output-dir", "out", flag, "x"]);
    expect(status).toBe(1);
    expect(stderr).toContain("--name and --namespace require --format manifests-configmap");
  });
});
