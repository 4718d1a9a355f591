import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Run, run } from "../../helpers/ccf.ts";
import { awsOf, configure, packageWithBoundary, succeed } from "../../helpers/cluster-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const ingress = "aws/roles/openshift-ingress-operator-cloud-credentials";

const exported = (directory: string, out: string, ...flags: string[]): Run =>
  run(["export", directory, "--verbose", "--output-dir", out, ...flags]);

/** A rendered package, and a changed copy that was rendered too. */
function two(change: (spec: Record<string, unknown>) => void): { one: string; other: string; out: string } {
  const text = packageWithBoundary();
  const other = join(temporary(), "other");
  cpSync(text, other, { recursive: true });
  // The objects rendered for the first cluster would remain next to those for the second.
  for (const made of ["aws", "manifests"]) rmSync(join(other, made), { recursive: true });
  configure(other, change);
  succeed(run(["render", other]));
  return { one: text, other, out: join(temporary(), "out") };
}

const otherPrefix = (spec: Record<string, unknown>) => {
  spec["resourcePrefix"] = "prod";
};
const otherAccount = (spec: Record<string, unknown>) => {
  awsOf(spec)["accountID"] = "210987654321";
  awsOf(spec)["roles"] = { permissionsBoundaryARN: "arn:aws:iam::210987654321:policy/boundary" };
};

const otherRegion = (spec: Record<string, unknown>) => {
  awsOf(spec)["region"] = "eu-west-1";
};

/** Expects that an export is refused with one error and changes nothing. */
function expectRefused(directory: string, out: string, flags: readonly string[], message: string): void {
  const before = readTree(out);
  for (const more of [[], ["--check"]]) {
    const { status, stdout, stderr } = exported(directory, out, ...flags, ...more);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.match(/^error: .*$/gm)).toEqual([expect.stringContaining(message)]);
  }
  expect(readTree(out)).toEqual(before);
}

describe("ccf export over another cluster's export", () => {
  it.each([
    ["resource prefix", otherPrefix, "123456789012/prod/us-east-2"],
    ["account", otherAccount, "210987654321/demo/us-east-2"],
    ["region", otherRegion, "123456789012/demo/eu-west-1"],
  ])("is refused where the %s is another one, until --replace names what goes", (_, change, name) => {
    const { one, other, out } = two(change);
    succeed(exported(one, out));
    const refusal = `this export is for "123456789012/demo/us-east-2" (account, resource prefix and region), but the package is for ${JSON.stringify(name)}; name another directory, or set --replace 123456789012/demo/us-east-2 to overwrite it. [export-of-another-cluster]`;
    expectRefused(other, out, [], refusal);
    expectRefused(other, out, ["--replace", name], refusal);
    expectRefused(other, out, ["--replace", "demo"], refusal);
    expectRefused(other, out, ["--replace", "123456789012/demo"], refusal);
    expect(exported(other, out, "--replace", "123456789012/demo/us-east-2", "--check")).toMatchObject({
      status: 2,
      stdout: expect.stringContaining(
        `Run: ccf export ${other} --output-dir ${out} --replace 123456789012/demo/us-east-2\n`,
      ),
    });
    succeed(exported(other, out, "--replace", "123456789012/demo/us-east-2"));
    const fresh = join(temporary(), "fresh");
    succeed(exported(other, fresh));
    expect(readTree(out)).toEqual(readTree(fresh));
    // Run again: the flag has no further effect.
    expect(exported(other, out, "--replace", "123456789012/demo/us-east-2")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Up to date: no file changes.\n"),
    });
    expectRefused(one, out, [], `this export is for ${JSON.stringify(name)}`);
  });

  it("is allowed if the same cluster has a new issuer", () => {
    const { one, other, out } = two((spec) => {
      awsOf(spec)["issuerHosting"] = { type: "External" };
      spec["issuer"] = { ...(spec["issuer"] as object), url: "https://oidc.example.com/demo" };
    });
    succeed(exported(one, out));
    expect(exported(other, out)).toMatchObject({ status: 0, stderr: "" });
  });

  it("is refused if the owner is unknown, and allowed if cluster.json is this package's", () => {
    const { one, other, out } = two(otherPrefix);
    succeed(exported(one, out));
    rmSync(join(out, "aws/cluster.json"));
    expectRefused(
      other,
      out,
      [],
      '"aws/cluster.json" is missing, so the cluster of this export is unknown; name another directory, or set --replace unknown to overwrite it. [export-of-another-cluster]',
    );
    succeed(exported(one, out));
    rmSync(join(out, "aws/cluster.json"));
    succeed(exported(other, out, "--replace", "unknown"));
    expect(JSON.parse(readFileSync(join(out, "aws/cluster.json"), "utf8"))).toMatchObject({ resourcePrefix: "prod" });
  });

  it.each<[string, string, (out: string) => void]>([
    [
      "is not in the list",
      "is not in SHA256SUMS",
      (out) => {
        const list = readFileSync(join(out, "SHA256SUMS"), "utf8");
        const without = list.replace(/^.*aws\/cluster\.json\n/m, "");
        expect(without).not.toBe(list);
        writeFileSync(join(out, "SHA256SUMS"), without);
      },
    ],
    ["was edited", "was changed after the export", (out) => writeFileSync(join(out, "aws/cluster.json"), "{}\n")],
    [
      "is a link",
      "is not a regular file",
      (out) => {
        rmSync(join(out, "aws/cluster.json"));
        symlinkSync("commands.txt", join(out, "aws/cluster.json"));
      },
    ],
  ])("reports the problem with cluster.json if it %s", (_, message, change) => {
    const { one, other, out } = two(otherPrefix);
    succeed(exported(one, out));
    change(out);
    expectRefused(
      other,
      out,
      [],
      `"aws/cluster.json" ${message}, so the cluster of this export is unknown; name another`,
    );
  });

  it("replaces an export of which only the list remains", () => {
    const { one, other, out } = two(otherPrefix);
    succeed(exported(one, out));
    for (const directory of ["aws", "manifests"]) rmSync(join(out, directory), { recursive: true });
    expect(exported(other, out)).toMatchObject({ status: 0, stderr: "" });
  });

  it("is refused before other problems, such as an edited file, are reported", () => {
    const { one, other, out } = two(otherPrefix);
    succeed(exported(one, out));
    writeFileSync(join(out, ingress, "trust-policy.json"), "{}\n");
    expectRefused(other, out, [], "[export-of-another-cluster]");
  });
});

describe("a file in an export's directory that is not part of the export", () => {
  it("is an error if it looks like a part of the export: a role, a policy, an input file", () => {
    const out = join(temporary(), "out");
    const directory = packageWithBoundary();
    succeed(exported(directory, out));
    const list = readFileSync(join(out, "SHA256SUMS"), "utf8");
    const refused = (message: string) => {
      expectRefused(directory, out, [], message);
      rmSync(out, { recursive: true });
      succeed(exported(directory, out));
    };
    writeTree(out, { "aws/roles/stray/create-role.json": "{}\n" });
    refused(
      '"aws/roles/stray/" is not part of this export, but looks like a part of it; move it away. [export-unlisted-input]',
    );
    mkdirSync(join(out, "aws/roles/empty"));
    refused('"aws/roles/empty/" is not part of this export');
    symlinkSync(join(out, ingress), join(out, "aws/roles/linked"));
    refused('"aws/roles/linked" is not part of this export');
    writeTree(out, { [`${ingress}/attach-role-policy-admin.json`]: "{}\n" });
    refused(`error: ${ingress}/attach-role-policy-admin.json: "`);
    writeTree(out, { "aws/issuer/create-distribution-with-tags.json": "{}\n" });
    refused('"aws/issuer/create-distribution-with-tags.json" is not part of this export');
    // The list of the export was deleted, and the package has since lost a role.
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    succeed(run(["render", "--allow", "removal:openshift-ingress-operator/cloud-credentials", directory]));
    for (const path of ["SHA256SUMS", "aws/commands.txt"]) rmSync(join(out, path));
    expectRefused(directory, out, [], `"${ingress}/" is not part of this export`);
    // If it is in the list, it belongs to the export and is removed.
    writeFileSync(join(out, "SHA256SUMS"), list);
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(out, ingress))).toBe(false);
  });

  it("is an error if it keeps the directory of a removed role", () => {
    const out = join(temporary(), "out");
    const directory = packageWithBoundary();
    succeed(exported(directory, out));
    writeTree(out, { [`${ingress}/notes.txt`]: "mine\n" });
    expect(exported(directory, out).status).toBe(0);
    rmSync(join(directory, "credentials-requests/20-ingress.yaml"));
    succeed(run(["render", "--allow", "removal:openshift-ingress-operator/cloud-credentials", directory]));
    expectRefused(directory, out, [], `"${ingress}/notes.txt" is not part of this export`);
    rmSync(join(out, ingress, "notes.txt"));
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: "" });
  });

  it("is an error behind a symbolic link instead of the roles directory, if the package has no roles", () => {
    const directory = packageWithBoundary();
    const out = join(temporary(), "out");
    const elsewhere = temporary();
    writeTree(elsewhere, { "stray/create-role.json": "{}\n" });
    mkdirSync(join(out, "aws"), { recursive: true });
    symlinkSync(elsewhere, join(out, "aws/roles"));
    const { status, stderr } = exported(directory, out);
    expect({ status, said: stderr.includes("[path-taken]") }).toEqual({ status: 1, said: true });
  });

  it("is named in a warning if a user could mistake it for part of the export", () => {
    const out = join(temporary(), "out");
    const directory = packageWithBoundary();
    writeTree(out, {
      "manifests/mine.yaml": "mine\n",
      "operators/old-credentials.yaml": "old\n",
      "aws/notes.txt": "notes\n",
      "install-config.yaml": "mine\n",
      "auth/kubeconfig": "mine\n",
      ".git/HEAD": "mine\n",
    });
    const warning =
      'warning: The directory contains files that are not part of this export: "aws/notes.txt", "manifests/mine.yaml", "operators/old-credentials.yaml", "auth/", "install-config.yaml". They were not changed. A tool that applies the whole directory would apply them too; move away what does not belong there. [export-unlisted-files]\n';
    expect(exported(directory, out, "--check")).toMatchObject({ status: 2, stderr: warning });
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: warning });
    expect(exported(directory, out)).toMatchObject({ status: 0, stderr: warning });
    expect(readTree(out)).toMatchObject({ "manifests/mine.yaml": "mine\n", "operators/old-credentials.yaml": "old\n" });
  });

  it("is a note outside the export's directories, which names at most eight", () => {
    const out = join(temporary(), "out");
    const directory = packageWithBoundary();
    writeTree(out, Object.fromEntries([..."0123456789"].map((text) => [`file-${text}`, ""])));
    expect(exported(directory, out)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /^info: The directory contains files .*: "file-0", .*"file-7", and 2 more\. .* \[export-unlisted-files\]\n$/,
      ),
    });
  });
});

describe("objects that are not exported", () => {
  it("are reported: CloudCredential is for the running cluster, not for the installer", () => {
    const directory = packageWithBoundary();
    const object = (kind: string, name: string) =>
      `apiVersion: operator.openshift.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;
    writeTree(directory, {
      "manifests/cluster-cloudcredential.yaml": object("CloudCredential", "cluster"),
      "local.yaml": `${object("ConfigMap", "local")}  annotations:\n    config.kubernetes.io/local-config: "true"\n`,
    });
    const out = join(temporary(), "out");
    expect(exported(directory, out)).toMatchObject({
      status: 0,
      stderr:
        'info: Not exported: CloudCredential "cluster" ("manifests/cluster-cloudcredential.yaml"). An export contains only generated objects and the Namespaces of their Secrets, because the installer also uses it. Apply these objects to the running cluster yourself, for example with "oc apply -f FILE". [not-exported]\n',
    });
    expect(existsSync(join(out, "manifests/cluster-cloudcredential.yaml"))).toBe(false);
    writeTree(directory, Object.fromEntries([..."0123456789"].map((text) => [`z${text}.yaml`, object("Other", text)])));
    expect(exported(directory, out).stderr).toContain('Other "6" ("z6.yaml"), and 3 more. An export');
  });
});
