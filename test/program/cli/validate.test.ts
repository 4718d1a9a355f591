import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import {
  configure,
  type Fields,
  generatedFiles,
  newPackage,
  renderedPackage,
  sampleRequests,
} from "../../helpers/cluster-package.ts";
import { gcpFlags } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const secretPath = "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";
const nothingWrong = { status: 0, stderr: "no policy\n", stdout: "0 errors, 0 warnings, 0 accepted.\n" };

function edit(directory: string, path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(directory, path), "utf8");
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  writeFileSync(join(directory, path), edited);
}

/** The items of a ResourceList, each as a file. */
function itemsOf(list: string): string[] {
  return (load(list) as { items: unknown[] }).items.map((item) => JSON.stringify(item));
}

/** A package with a request that may pass any role. */
function withWarning(): string {
  const directory = newPackage();
  edit(directory, "credentials-requests/10-registry.yaml", "action: [", 'action: ["iam:PassRole", ');
  return directory;
}

const warning =
  'warning: credentials-requests/10-registry.yaml: CredentialsRequest openshift-cloud-credential-operator/sample-image-registry: can pass any role that matches "*" to a service (iam:PassRole); name the roles. [pass-role-any]\n';

describe("ccf validate", () => {
  it("finds nothing wrong with a package, rendered or not, and changes nothing", () => {
    for (const directory of [newPackage(), renderedPackage()]) {
      const before = readTree(directory);
      expect(run(["validate", directory])).toEqual(nothingWrong);
      expect(run(["validate", "--strict"], { cwd: directory })).toEqual(nothingWrong);
      expect(readTree(directory)).toEqual(before);
    }
  });

  it("checks requests that have no ClusterIdentity", () => {
    expect(run(["validate", sampleRequests])).toEqual(nothingWrong);
    const directory = temporary();
    cpSync(sampleRequests, directory, { recursive: true });
    edit(directory, "10-registry.yaml", /serviceAccountNames:[\s\S]*?\n(?= *\w+:)/, 'serviceAccountNames: [""]\n');
    const { status, stdout, stderr } = run(["validate", directory]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "1 error, 0 warnings, 0 accepted.\n" });
    expect(stderr).toMatch(/^error: 10-registry.yaml: .*\[no-service-account\]\nno policy\n$/);
  });

  it("exits 2 for an error, and says what to do", () => {
    const directory = renderedPackage();
    edit(directory, secretPath, "web_identity_token_file = /var", "web_identity_token_file = /tmp");
    expect(run(["validate", directory])).toEqual({
      status: 2,
      stdout: "1 error, 0 warnings, 0 accepted.\n",
      stderr: `error: ${secretPath}: Secret openshift-ingress-operator/cloud-credentials: names another "web_identity_token_file": its component's token is "/var/run/secrets/openshift/serviceaccount/token"; render again. [secret-edited]\nno policy\n`,
    });
  });

  it("exits 0 for a warning, and 2 with --strict", () => {
    const directory = withWarning();
    const said = { stdout: "0 errors, 1 warning, 0 accepted.\n", stderr: `${warning}no policy\n` };
    expect(run(["validate", directory])).toEqual({ status: 0, ...said });
    expect(run(["validate", directory, "--strict"])).toEqual({ status: 2, ...said });
  });

  it("prints what the generators refuse and warn of", () => {
    const directory = renderedPackage();
    edit(directory, "cluster-identity.yaml", "us-east-2", "us-east-9");
    const { status, stderr } = run(["validate", directory]);
    expect(status).toBe(2);
    for (const code of ["region-unlisted", "issuer-changed", "issuer-replaced", "role-edited"])
      expect(stderr).toContain(`[${code}]`);
    expect(stderr).not.toMatch(/^info:/m);
  });

  it("prints the command that allows the removal of what no request needs, with the cloud's word for it", () => {
    const directory = join(temporary(), "demo");
    expect(run(["init", directory, ...gcpFlags()]).status).toBe(0);
    expect(run(["render", directory]).status).toBe(0);
    rmSync(join(directory, "credentials-requests/30-storage.yaml"));
    const { status, stderr } = run(["validate", directory]);
    expect(status).toBe(2);
    const key = "openshift-cluster-csi-drivers/disk-cloud-credentials";
    const command = `ccf render --allow removal:${key} ${directory}`;
    expect(stderr).toContain(
      `: no request needs this Secret and its service account: no CredentialsRequest for GCP in the package names the Secret. Restore the request. If this is intended, run "${command}", or set the annotation "fn.cloudcredential.dev/allow: removal:${key}" on the ClusterIdentity. [rendered-not-requested]\n`,
    );
    expect(run(command.split(" ").slice(1)).status).toBe(0);
    expect(run(["validate", directory]).stderr).not.toContain("rendered-not-requested");
  });

  it("prints one object with -o json", () => {
    const { status, stdout, stderr } = run(["validate", withWarning(), "-o", "json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: warning });
    expect(JSON.parse(stdout)).toMatchObject({
      errors: 0,
      warnings: 1,
      accepted: 0,
      findings: [
        {
          severity: "warning",
          file: { path: "credentials-requests/10-registry.yaml", index: 0 },
          tags: { code: "pass-role-any" },
        },
      ],
    });
  });

  it("takes the configuration that the pipeline names", () => {
    const directory = newPackage();
    const other = readFileSync(join(directory, "cluster-identity.yaml"), "utf8").replace(
      '"123456789012"',
      '"210987654321"',
    );
    writeFileSync(join(directory, "other.yaml"), other);
    expect(run(["validate", directory])).toEqual(nothingWrong);
    writeFileSync(join(directory, ".krmignore"), "Kptfile\n");
    expect(run(["validate", directory])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("[config-ambiguous]"),
    });
  });

  it("takes a directory with an operator's ClusterServiceVersion and requests, or with the former alone", () => {
    const list = readFileSync("testdata/validate-credentials/operators/input.yaml", "utf8");
    const [csv = "", request = ""] = itemsOf(list);
    const directory = temporary();
    writeFileSync(join(directory, "csv.yaml"), csv);
    expect(run(["validate", directory])).toEqual({
      status: 0,
      stderr: `warning: csv.yaml: ClusterServiceVersion harbour-system/harbour.v2.1.0: "metadata.annotations.features.operators.openshift.io/token-auth-aws" is "true", but no CredentialsRequest for AWS (AWSProviderSpec) is shipped with it; add one, or write "false". [operator-token-auth-unshipped]\nno policy\n`,
      stdout: "0 errors, 1 warning, 0 accepted.\n",
    });
    expect(run(["validate", directory, "--strict"]).status).toBe(2);
    writeFileSync(join(directory, "request.yaml"), request);
    expect(run(["validate", directory, "--strict"])).toMatchObject({
      status: 0,
      stdout: "0 errors, 0 warnings, 1 accepted.\n",
    });
  });

  it.each<[string, readonly string[], string]>([
    ["a root without packages", ["--recursive", "."], '--recursive "." contains no packages'],
    ["another form of output", ["-o", "xml"], '--output must be "text", "json" or "sarif", not "xml"'],
    ["a directory that is not there", ["nowhere"], '"nowhere" is not a directory'],
    ["a directory with nothing in it", ["."], '"." contains nothing to validate'],
    ["an unknown flag", ["--lax"], 'unknown option "--lax"'],
  ])("exits 1 for %s", (_name, args, message) => {
    const { status, stdout, stderr } = run(["validate", ...args], { cwd: temporary() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });

  it("exits 1 where an object has no clear value, whatever else it found", () => {
    const directory = newPackage();
    writeFileSync(
      join(directory, "secret.yaml"),
      "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: YQ==, a: Yg==}\n",
    );
    const { status, stderr } = run(["validate", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: secret\.yaml: Secret a: cannot be read: .*\[yaml-value\]$/m);
  });
});

describe("ccf validate --install-config", () => {
  const validated = (text: string) => {
    const directory = newPackage();
    writeFileSync(join(directory, "install-config.yaml"), text);
    return run(["validate", ".", "--install-config", "install-config.yaml"], { cwd: directory });
  };

  it("finds nothing wrong with manual mode", () => {
    expect(validated("apiVersion: v1\nmetadata: {name: demo}\ncredentialsMode: Manual\n")).toEqual(nothingWrong);
  });

  it.each([
    ["Mint", "credentialsMode: Mint\n", '"credentialsMode" is "Mint", but must be "Manual".'],
    ["no mode", "", '"credentialsMode" is not set, but must be "Manual".'],
  ])("refuses %s", (_name, line, message) => {
    expect(validated(`apiVersion: v1\nmetadata: {name: demo}\n${line}`)).toEqual({
      status: 2,
      stdout: "1 error, 0 warnings, 0 accepted.\n",
      stderr: `error: install-config.yaml: InstallConfig demo: ${message} [install-config-mode]\nno policy\n`,
    });
  });

  it.each([
    ["a list", "- a\n", "must contain one mapping"],
    ["two documents", "a: 1\n---\na: 2\n", "must contain one mapping"],
    ["no YAML", "a: [\n", "is not YAML"],
    ["nothing", "", "must contain one mapping"],
  ])("exits 1 for %s", (_name, text, message) => {
    expect(validated(text)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
  });

  it("needs no package beside it", () => {
    const directory = temporary();
    writeFileSync(join(directory, "install-config.yaml"), "credentialsMode: Manual\n");
    expect(run(["validate", ".", "--install-config", "install-config.yaml"], { cwd: directory }).status).toBe(0);
  });
});

describe("ccf validate --live", () => {
  /** What `oc get -o yaml` prints of a cluster to which a package was applied. */
  function dumpOf(directory: string, change: (items: Fields[]) => void = () => undefined): string {
    const manifests = Object.entries(generatedFiles(directory)).filter(([path]) => path.startsWith("manifests/"));
    const items = manifests.map(([, text], index) => live(load(text) as Fields, index));
    change(items);
    return JSON.stringify({ apiVersion: "v1", kind: "List", items });
  }

  function live(object: Fields, index: number): Fields {
    const { stringData, ...rest } = object;
    const uid = `00000000-0000-4000-8000-00000000000${index}`;
    const data = Object.entries((stringData ?? {}) as Record<string, string>).map(([key, text]) => [
      key,
      Buffer.from(text).toString("base64"),
    ]);
    const metadata = { ...(object["metadata"] as Fields), uid };
    return { ...rest, metadata, ...(stringData === undefined ? {} : { data: Object.fromEntries(data) }) };
  }

  const secretOf = (items: Fields[]): Fields =>
    items.find(({ metadata }) => (metadata as Fields)["namespace"] === "openshift-ingress-operator") as Fields;

  it("finds nothing wrong with a cluster to which the package was applied", () => {
    const directory = renderedPackage();
    expect(run(["validate", directory, "--live", "-"], { input: dumpOf(directory) })).toEqual(nothingWrong);
    const stream = (JSON.parse(dumpOf(directory)).items as Fields[])
      .map((item) => JSON.stringify(item))
      .join("\n---\n");
    writeFileSync(join(directory, "..", "dump.yaml"), stream);
    expect(run(["validate", directory, "--live", join(directory, "..", "dump.yaml")])).toEqual(nothingWrong);
  });

  it("says what differs by its name, and never shows what it is", () => {
    const directory = renderedPackage();
    const key = "must-never-be-shown";
    const input = dumpOf(directory, (items) => {
      secretOf(items)["data"] = { aws_secret_access_key: Buffer.from(key).toString("base64") };
    });
    const { status, stdout, stderr } = run(["validate", directory, "--live", "-", "-o", "json"], { input });
    expect(status).toBe(2);
    expect(stderr).toBe(
      `error: ${secretPath}: Secret openshift-ingress-operator/cloud-credentials: differs from the one in the cluster in "aws_secret_access_key", "role_arn", "sts_regional_endpoints", "web_identity_token_file"; \`oc apply\` of the rendered Secret does not remove "aws_secret_access_key", so use \`oc replace\`. [live-secret-differs]\n`,
    );
    for (const shown of [key, Buffer.from(key).toString("base64")]) expect(stdout + stderr).not.toContain(shown);
  });

  it("says which Secret is missing where its namespace is in the dump, and nothing of other namespaces", () => {
    const directory = renderedPackage();
    const without = (items: Fields[]) => items.splice(items.indexOf(secretOf(items)), 1);
    const silent = run(["validate", directory, "--live", "-"], { input: dumpOf(directory, without) });
    expect(silent).toEqual(nothingWrong);
    const input = dumpOf(directory, (items) => {
      without(items);
      items.push({ apiVersion: "v1", kind: "Namespace", metadata: { name: "openshift-ingress-operator", uid: "1" } });
    });
    expect(run(["validate", directory, "--live", "-"], { input })).toMatchObject({
      status: 2,
      stderr: `error: ${secretPath}: Secret openshift-ingress-operator/cloud-credentials: is not in the cluster, although its namespace "openshift-ingress-operator" is; apply the rendered Secret. [live-secret-missing]\nno policy\n`,
    });
  });

  it.each([
    ["nothing", "", "contains no objects"],
    ["an empty list", "kind: List\nitems: []\n", "contains no objects"],
    ["no YAML", "a: [", "is not YAML"],
    ["no text", "\xff\xfe", "is not UTF-8"],
  ])("exits 1 for %s", (_name, text, message) => {
    const { status, stdout, stderr } = run(["validate", newPackage(), "--live", "-"], {
      input: Buffer.from(text, "latin1"),
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("does not take a dump in the package for the package's own objects", () => {
    const directory = renderedPackage();
    const items = JSON.parse(dumpOf(directory)).items as Fields[];
    const auth = items.find(({ kind }) => kind === "Authentication") as Fields;
    writeTree(directory, {
      "live/authentication.yaml": JSON.stringify({ ...auth, spec: { serviceAccountIssuer: "" } }),
    });
    expect(run(["validate", directory])).toMatchObject({ status: 2, stderr: expect.stringContaining("[live-issuer]") });
    appendFileSync(join(directory, ".krmignore"), "live/\n");
    expect(run(["validate", directory])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("[object-hidden]"),
    });
    renameSync(join(directory, "live"), join(temporary(), "live"));
    expect(run(["validate", directory])).toEqual(nothingWrong);
  });
});

describe("ccf validate --time", () => {
  const accept = (until: string): Fields => ({
    rule: "pass-role-any",
    object: "openshift-image-registry/installer-cloud-credentials",
    reason: "the account has a boundary",
    until,
  });
  const accepting = (until: string): string => {
    const directory = withWarning();
    configure(directory, (spec) => {
      spec["accept"] = [accept(until)];
    });
    return directory;
  };

  it("decides which acceptances of the ClusterIdentity have expired; the default is now", () => {
    const directory = accepting("2030-06-30");
    const counts = { status: 0, stdout: "0 errors, 0 warnings, 1 accepted.\n" };
    expect(run(["validate", directory, "--strict", "--time", "2030-06-30T23:59:59Z"])).toMatchObject(counts);
    expect(run(["validate", directory, "--strict", "--time", "2030-07-01T00:00:00Z"])).toMatchObject({
      status: 2,
      stdout: "0 errors, 1 warning, 0 accepted.\n",
      stderr: expect.stringContaining('Its acceptance in "spec.accept[0]" expired on 2030-06-30. [pass-role-any]'),
    });
    expect(run(["validate", accepting("2020-01-01"), "--strict"]).status).toBe(2);
    expect(run(["validate", accepting("9999-12-31"), "--strict"])).toMatchObject(counts);
  });

  it("takes a date without quotes, as YAML 1.2 and Kubernetes read it", () => {
    const directory = accepting("2030-06-30");
    const path = "cluster-identity.yaml";
    edit(directory, path, /until: .*/, "until: 2030-06-30");
    expect(run(["validate", directory, "--strict", "--time", "0"]).status).toBe(0);
  });

  it("must be a time", () => {
    const { status, stderr } = run(["validate", newPackage(), "--time", "later"]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      '--time must be a time such as "2026-01-31T12:00:00Z" or seconds since the epoch, not "later"',
    );
  });
});
