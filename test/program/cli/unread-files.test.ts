import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { request } from "../../helpers/cluster.ts";
import { newPackage } from "../../helpers/cluster-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

/** Replaces a file or a directory by a link to it. */
function link(directory: string, path: string): void {
  const elsewhere = join(temporary(), "elsewhere");
  renameSync(join(directory, path), elsewhere);
  symlinkSync(elsewhere, join(directory, path));
}

const requestFile = "credentials-requests/20-ingress.yaml";

/** The error about a link, which is the whole answer. */
function expectRefused(args: readonly string[], path: string, options = {}): void {
  const { status, stdout, stderr } = run(args, options);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    new RegExp(`^error: ${path}: .* is skipped: it is a symbolic link .*\\[file-skipped\\]$`, "m"),
  );
  expect(stderr).not.toContain("contains none");
}

describe("a file that was not read is not a file that is not there:", () => {
  it.each([requestFile, "credentials-requests"])("ccf set, with a link %s", (path) => {
    const directory = newPackage();
    link(directory, path);
    const before = readTree(directory);
    const { status, stderr } = run(["set", "spec.platform.aws.tags.team=platform", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: credentials-requests.* symbolic link .*\[file-skipped\]$/m);
    expect(readTree(directory)).toEqual(before);
  });

  it("ccf argo-cd-generate, whose ClusterIdentity may be in the file", () => {
    const directory = newPackage();
    renameSync(join(directory, "cluster-identity.yaml"), join(directory, "identity.yaml"));
    link(directory, "identity.yaml");
    const parameters = JSON.stringify([{ name: "cluster", string: "demo" }]);
    expectRefused(["argo-cd-generate"], "identity.yaml", {
      cwd: directory,
      env: { ARGOCD_APP_PARAMETERS: parameters },
    });
  });

  it("ccf role-spec, of requests in place of which links are", () => {
    const spec = { cloudTokenPath: "/var/run/secrets/openshift/serviceaccount/token" };
    const variable = (name: string) => ({ "credentials.openshift.io/role-arns-vars": `${name.toUpperCase()}_ROLEARN` });
    const directory = temporary();
    for (const name of ["one", "two"])
      writeTree(directory, {
        [`credentials-requests/${name}.yaml`]: JSON.stringify(request(name, { spec, annotations: variable(name) })),
      });
    expect(run(["role-spec", directory])).toMatchObject({ status: 0, stderr: "" });
    link(directory, "credentials-requests/two.yaml");
    expectRefused(["role-spec", directory], "credentials-requests/two.yaml");
    renameSync(join(directory, "credentials-requests"), join(directory, "mine"));
    const elsewhere = run(["role-spec", directory]);
    expect(elsewhere.status).toBe(0);
    expect(elsewhere.stderr).toMatch(/^warning: mine\/two\.yaml: .* is skipped: it is a symbolic link/m);
  });

  it("ccf diff, of a feature gate in place of which a link is", () => {
    const directory = temporary();
    const gate = { apiVersion: "config.openshift.io/v1", kind: "FeatureGate", metadata: { name: "cluster" } };
    writeTree(directory, { "a.yaml": JSON.stringify(gate), "b.yaml": JSON.stringify(gate) });
    link(directory, "b.yaml");
    const requests = join(newPackage(), "credentials-requests");
    expectRefused(["diff", requests, requests, "--feature-gate-manifests", directory], "b\\.yaml");
  });
});
