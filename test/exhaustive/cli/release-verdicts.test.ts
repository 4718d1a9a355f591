import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { azureRequest, renderedAzurePackage } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { gcpRequest, renderedGcpPackage } from "../../helpers/gcp-requests.ts";
import { lacksByAll } from "../../helpers/release-verdicts.ts";
import { temporary } from "../../helpers/temporary.ts";

function releaseOf(requests: readonly Any[]): string {
  const directory = temporary();
  requests.forEach((request, index) => {
    writeFileSync(join(directory, `${index}.yaml`), dump(request));
  });
  return directory;
}

const gcp = (roles: readonly string[], permissions: readonly string[] = []) =>
  gcpRequest("dns", { provider: { predefinedRoles: roles, permissions } });
const azure = (roles: readonly string[], permissions: readonly string[] = []) =>
  azureRequest("disk", { provider: { roleBindings: roles.map((role) => ({ role })), permissions } });

describe("a rendered cluster and a release, for every command", () => {
  it.each<[string, Any, Record<string, string>]>([
    ["names what a role includes", gcp([], ["dns.changes.create"]), {}],
    ["names more than a role includes", gcp([], ["dns.changes.create", "compute.disks.get"]), { "ns-dns": "more" }],
    ["names a role without a definition", gcp(["projects/p/roles/own"]), { "ns-dns": "undecided" }],
    ["has another Secret", gcpRequest("other"), { "ns-other": "new" }],
  ])("on GCP that %s", (_, request, lacks) => {
    const directory = renderedGcpPackage([gcp(["roles/dns.admin"])]);
    expect(lacksByAll(directory, releaseOf([request]))).toEqual(withSecrets(lacks));
  });

  it.each<[string, Any, Record<string, string>]>([
    ["names what a role includes", azure([], ["Microsoft.Compute/disks/*"]), {}],
    ["names what a role excepts", azure([], ["Microsoft.Authorization/locks/write"]), { "ns-disk": "more" }],
    ["names a role that includes less", azure(["Reader"]), {}],
  ])("on Azure that %s", (_, request, lacks) => {
    const directory = renderedAzurePackage([azure(["Contributor"])]);
    expect(lacksByAll(directory, releaseOf([request]))).toEqual(withSecrets(lacks));
  });

  it("have the definitions of roles from the same files", () => {
    const directory = renderedGcpPackage([gcp(["roles/dns.admin"])]);
    const definitions = temporary();
    const role = { name: "projects/p/roles/own", title: "Own", includedPermissions: ["dns.changes.create"] };
    writeFileSync(join(definitions, "own.json"), JSON.stringify(role));
    const flags = ["--role-definitions", definitions];
    expect(lacksByAll(directory, releaseOf([gcp([role.name])]), flags)).toEqual({});
  });

  it("say that an answer is undecided", () => {
    const directory = renderedGcpPackage([gcp(["roles/dns.admin"])]);
    const args = [directory, "--credentials-requests", releaseOf([gcp(["projects/p/roles/own"])])];
    expect(run(["report", "-o", "wide", ...args]).stdout).toContain("lacks ns-dns/credentials (undecided)");
    expect(run(["report", ...args]).stdout).toMatch(/1 cluster lacks \(.*\):\s+ns-dns\/credentials \(undecided\)/);
  });

  it("use definitions of roles only for a release", () => {
    const { status, stderr } = run(["report", temporary(), "--role-definitions", "x"]);
    expect(stderr).toContain("--role-definitions requires --credentials-requests; add it, or omit --role-definitions");
    expect(status).toBe(1);
  });
});

function withSecrets(lacks: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(lacks).map(([namespace, what]) => [`${namespace}/credentials`, what]));
}
