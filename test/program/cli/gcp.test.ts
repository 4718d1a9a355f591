import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { gcpIdentity, gcpPackageOf, gcpRequest, renderedGcpPackage } from "../../helpers/gcp-requests.ts";
import { expectFits } from "../../helpers/schema.ts";
import { resultFile } from "../../helpers/status-result.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const one = gcpRequest("one", {
  provider: { permissions: ["compute.disks.list", "compute.disks.get"] },
  spec: { serviceAccountNames: ["controller", "node"] },
});
const subject = (name: string) => `system:serviceaccount:ns-one:${name}`;
const unbounded =
  'warning: gcp/cluster.yaml: "gcp/cluster.yaml" contains admin-role.json, the custom role for the administrator who applies the export. An administrator with this role can grant every role in the project, and can therefore do anything in it. Grant the role only while you apply an export. [admin-role-unbounded]\n';

const exported = (pkg: string, out: string, ...more: string[]) => run(["export", pkg, "--output-dir", out, ...more]);

/** A rendered package, and the email address of its service account. */
function rendered(): { directory: string; email: string } {
  const directory = renderedGcpPackage([one]);
  const account = readFileSync(join(directory, "gcp/identities/ns-one-credentials.yaml"), "utf8");
  const email = /demo-ns-one-[a-z2-7]{7}@demo-project\.iam\.gserviceaccount\.com/.exec(account)?.[0] ?? "";
  return { directory, email };
}

describe("ccf explain on GCP", () => {
  it("says of each service account who can use it, and what it may do", () => {
    const { directory, email } = rendered();
    const out = join(temporary(), "out");
    expect(exported(directory, out).status).toBe(0);
    const { status, stdout, stderr } = run(["explain", directory]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(`ns-one/credentials
  Service account: ${email}
  Who:             ns-one/controller, ns-one/node
                   with tokens of https://storage.googleapis.com/demo-oidc for the audience openshift
  Allows:          dns role: roles/dns.admin
                   on demo-project
                   compute permissions: compute.disks.get, compute.disks.list
                   on demo-project
  Escalation:      none known
  Reach:           beyond the cluster with roles/dns.admin: its roles apply to the whole project "demo-project"
`);
    expect(run(["explain", out]).stdout).toBe(stdout);
  });

  it("as a page", () => {
    const { directory, email } = rendered();
    const { stdout } = run(["explain", directory, "-o", "markdown"]);
    expect(stdout).toContain(`## \`ns-one/credentials\`\n\n- Service account: \`${email}\`\n\n### Who can use it\n`);
    expect(stdout).toContain(
      `| Allow | \`${subject("node")}\` | \`https://storage.googleapis.com/demo-oidc\` | \`openshift\` |  |\n`,
    );
    expect(stdout).toContain("| Allow | `roles/dns.admin` | `demo-project` |  |\n");
    expect(stdout).toContain("| Allow | `compute.disks.get`<br>`compute.disks.list` | `demo-project` |  |\n");
  });

  it("as JSON that fits its schema", () => {
    const { directory, email } = rendered();
    const { status, stdout } = run(["explain", directory, "-o", "json"]);
    expect(status).toBe(0);
    expectFits("explain", stdout);
    const trust = (name: string) => ({
      effect: "Allow",
      subjects: [subject(name)],
      conditions: [],
      issuer: "https://storage.googleapis.com/demo-oidc",
      audiences: ["openshift"],
    });
    const may = (service: string, ...names: string[]) => ({
      effect: "Allow",
      actions: [{ service, names }],
      resources: ["demo-project"],
      conditions: [],
    });
    expect(JSON.parse(stdout).identities).toEqual([
      {
        secret: "ns-one/credentials",
        kind: "service account",
        id: email,
        permissionsBoundary: null,
        maxSessionDuration: null,
        trusts: [trust("controller"), trust("node")],
        permissions: [may("role", "roles/dns.admin"), may("permission", "compute.disks.get", "compute.disks.list")],
        managedPolicies: [],
        reach: {
          answer: "changes",
          changes: ["roles/dns.admin"],
          reads: ["compute.disks.get", "compute.disks.list"],
          undecided: [],
          why: 'its roles apply to the whole project "demo-project"',
        },
        escalation: { ways: [], unknown: [] },
      },
    ]);
  });
});

describe("ccf export on GCP", () => {
  it("writes the files of the bundles, and warns that the administrator's role is unbounded", () => {
    const out = join(temporary(), "out");
    const { status, stderr } = exported(renderedGcpPackage([one]), out);
    expect({ status, stderr }).toEqual({ status: 0, stderr: unbounded });
    const paths = Object.keys(readTree(out));
    for (const path of [
      ...["SHA256SUMS", "gcp/cluster.json", "gcp/admin-role.json"],
      ...["pool.json", "provider.json", "keys.json"].map((name) => `gcp/issuer/${name}`),
      ...["bindings.json", "identity.json", "role.json", "service-account.json"].map(
        (name) => `gcp/identities/ns-one-credentials/${name}`,
      ),
      ...["manifests/ns-one-credentials-credentials.yaml", "manifests/cluster-authentication-02-config.yaml"],
    ])
      expect(paths).toContain(path);
    expect(paths.filter((path) => path.startsWith("aws/") || path.endsWith(".sh"))).toEqual([]);
  });

  it("writes the requests of a first creation, to read", () => {
    const out = join(temporary(), "out");
    expect(exported(renderedGcpPackage([one]), out).status).toBe(0);
    const text = readTree(out)["gcp/commands.txt"] ?? "";
    expect(text).toMatch(
      /^# What "ccf apply" creates in the project demo-project, as requests of Google's APIs, to read\.\n/,
    );
    const lines = text.split("\n").filter((line) => !line.startsWith("#") && line !== "");
    expect(lines[0]).toBe(
      'POST https://iam.googleapis.com/v1/projects/123456789012/locations/global/workloadIdentityPools?workloadIdentityPoolId=demo {"description":"Owned by: demo","disabled":false,"displayName":"demo"}',
    );
    expect(lines.filter((line) => !/^(POST|PUT|PATCH) https:/.test(line))).toEqual([]);
    expect(lines).toHaveLength(8);
  });

  it("refuses to replace the export of another project, and names it", () => {
    const out = join(temporary(), "out");
    expect(exported(renderedGcpPackage([one]), out).status).toBe(0);
    const other = renderedGcpPackage([one], gcpIdentity({ gcp: { projectID: "example.com:other-project" } }));
    const refused = exported(other, out);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toBe(
      `${unbounded}error: gcp/cluster.json: "gcp/cluster.json" shows that this export is for "demo-project/demo/us" (project, resource prefix and region), but the package is for "example.com:other-project/demo/us"; name another directory, or set --replace demo-project/demo/us to overwrite it. [export-of-another-cluster]\n`,
    );
    expect(exported(other, out, "--replace", "demo-project/demo/us").status).toBe(0);
  });

  it("refuses an export whose owner is unknown", () => {
    const out = join(temporary(), "out");
    const directory = renderedGcpPackage([one]);
    expect(exported(directory, out).status).toBe(0);
    rmSync(join(out, "gcp/cluster.json"));
    const other = renderedGcpPackage([one], gcpIdentity({ gcp: { projectID: "other-project" } }));
    expect(exported(other, out).stderr).toContain(
      '"gcp/cluster.json" is missing, so the cluster of this export is unknown; name another directory, or set --replace unknown',
    );
  });

  it("refuses a package without the bundle of the cluster", () => {
    const directory = gcpPackageOf([one]);
    const mutators = [{ exec: "ccf generate-cloud-credentials", configPath: "cluster-identity.yaml" }];
    writeFileSync(
      join(directory, "Kptfile"),
      dump({ apiVersion: "kpt.dev/v1", kind: "Kptfile", metadata: { name: "demo" }, pipeline: { mutators } }),
    );
    expect(run(["render", directory]).status).toBe(0);
    const { status, stderr } = exported(directory, join(temporary(), "out"));
    expect(status).toBe(1);
    expect(stderr).toContain("it tells which project and which resources belong to the cluster.");
    expect(stderr).toContain("[cluster-bundle-missing]");
  });

  it("refuses files that look like a part of the export", () => {
    const out = join(temporary(), "out");
    const directory = renderedGcpPackage([one]);
    expect(exported(directory, out).status).toBe(0);
    writeFileSync(join(out, "gcp/identities/ns-one-credentials/more.json"), "{}");
    expect(exported(directory, out).stderr).toContain(
      'error: gcp/identities/ns-one-credentials/more.json: "gcp/identities/ns-one-credentials/more.json" is not part of this export, but looks like a part of it; move it away. [export-unlisted-input]\n',
    );
  });
});

describe("ccf upgradeable-to on GCP", () => {
  it("writes the annotation if the cloud was in sync, and refuses what service accounts lack", () => {
    const directory = renderedGcpPackage([one]);
    const status = resultFile(directory);
    const more = join(temporary(), "requests");
    const wanted = gcpRequest("one", { provider: { permissions: ["compute.disks.delete"] } });
    writeFileSync(more, [wanted, gcpRequest("two")].map((each) => dump(each)).join("---\n"));
    const lacking = run(["upgradeable-to", "4.20", directory, "--status", status, "--credentials-requests", more]);
    expect(lacking).toMatchObject({ status: 2, stdout: "" });
    const cure =
      '"ccf diff" shows the difference. Bring the requests into the package with "ccf update-requests", then render, export and apply it. [permissions-missing]';
    expect(lacking.stderr).toContain(
      `error: ns-one/credentials asks for more than its service account has in the requests for 4.20; ${cure}\n`,
    );
    expect(lacking.stderr).toContain(
      `error: ns-two/credentials has no service account in the requests for 4.20; ${cure}\n`,
    );
    const done = run(["upgradeable-to", "4.20", directory, "--status", status]);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(directory, "manifests/cluster-cloudcredential.yaml"), "utf8")).toContain(
      'cloudcredential.openshift.io/upgradeable-to: "4.20"',
    );
  });

  it("refuses the status of an earlier state", () => {
    const directory = renderedGcpPackage([one]);
    const status = resultFile(directory);
    writeFileSync(join(directory, "credentials-requests/more.yaml"), dump(gcpRequest("two")));
    expect(run(["render", directory]).status).toBe(0);
    const { status: code, stderr } = run(["upgradeable-to", "4.20", directory, "--status", status]);
    expect(code).toBe(2);
    expect(stderr).toContain("[status-of-another-package]");
  });
});
