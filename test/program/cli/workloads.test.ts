import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { succeed } from "../../helpers/cluster-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";
import { type CloudName, cloudNames, workloadPackages } from "../../helpers/workload-package.ts";

let made: ReturnType<typeof workloadPackages>;
beforeAll(() => {
  made = workloadPackages();
});
afterAll(() => made.remove());

const packageOf = (cloud: CloudName) => made.packages[cloud];

/** A copy of a package in which files are others; undefined removes one. */
function changed(cloud: CloudName, files: Readonly<Record<string, ((text: string) => string) | undefined>>): string {
  const copy = join(temporary(), "package");
  cpSync(packageOf(cloud), copy, { recursive: true });
  for (const [path, change] of Object.entries(files)) {
    const file = join(copy, path);
    if (change === undefined) rmSync(file);
    else writeFileSync(file, change(readFileSync(file, "utf8")));
  }
  return copy;
}

const identityOf = (cloud: CloudName, name: string) =>
  `${cloud}/${cloud === "aws" ? "roles" : "identities"}/shop-${name}.yaml`;

describe.each(cloudNames)("a package on %s", (cloud) => {
  it("is a fixed point of the render", () => {
    const before = readTree(packageOf(cloud));
    expect(run(["render", "--check", packageOf(cloud)])).toMatchObject({ status: 0, stderr: "" });
    succeed(run(["render", packageOf(cloud)]));
    expect(readTree(packageOf(cloud))).toEqual(before);
  });
});

/** The codes of what `ccf validate` finds in files. */
function findingsIn(directory: string): Record<string, string[]> {
  const { stdout } = run(["validate", "-o", "json", directory]);
  const found: Record<string, string[]> = {};
  for (const { file, tags } of JSON.parse(stdout).findings as Any[]) {
    found[file?.path ?? ""] = [...(found[file?.path ?? ""] ?? []), tags.code];
  }
  return found;
}

describe("ccf validate", () => {
  it.each(cloudNames)("finds nothing wrong with workloads on %s", (cloud) => {
    const { "credentials-requests/one.yaml": _, ...found } = findingsIn(packageOf(cloud));
    // Nobody has told it what the role allows.
    const unjudged = Object.fromEntries(
      ["cart", "legacy", "queue"].map((name) => [identityOf("gcp", name), ["role-unjudged"]]),
    );
    expect(found).toEqual(cloud === "gcp" ? unjudged : {});
  });

  it.each(cloudNames)("reports what the render refuses on %s", (cloud) => {
    const outside = changed(cloud, { "cluster-identity.yaml": (text) => text.replace("- shop", "- other") });
    const codes = Object.values(findingsIn(outside)).flat();
    expect(codes.filter((code) => code === "workload-namespace")).toHaveLength(3);
  });

  it.each(cloudNames)("reports an edited identity of a workload on %s", (cloud) => {
    const path = identityOf(cloud, "cart");
    const edited = changed(cloud, {
      [path]: (text) => text.replaceAll("serviceaccount:shop:cart-jobs", "serviceaccount:shop:other"),
    });
    expect(findingsIn(edited)[path]).toContain("role-edited");
  });

  it.each(cloudNames)("reports what is left of a WorkloadIdentity that is gone on %s", (cloud) => {
    const without = changed(cloud, { "workloads/shop/legacy.yaml": undefined });
    expect(findingsIn(without)["manifests/shop-legacy-credentials.yaml"]).toEqual(["rendered-not-requested"]);
    const { stderr } = run(["validate", without]);
    expect(stderr).toContain("no WorkloadIdentity needs this Secret and its");
    expect(stderr).toContain("Restore the WorkloadIdentity.");
    const all = Object.fromEntries(
      ["cart", "legacy", "queue"].map((name) => [`workloads/shop/${name}.yaml`, undefined]),
    );
    expect(run(["validate", changed(cloud, all)]).stderr).toContain(
      "no WorkloadIdentity needs 1 rendered Secret and 3 ",
    );
  });

  it("judges the permissions of workloads", () => {
    const wide = (text: string) => text.replace("s3:GetObject", "iam:*").replace("arn:aws:s3:::shop/*", '"*"');
    const risky = changed("aws", {
      "cluster-identity.yaml": (text) => text.replace("- s3:*", "- '*'"),
      "workloads/shop/cart.yaml": wide,
    });
    succeed(run(["render", risky]));
    expect(findingsIn(risky)[identityOf("aws", "cart")]).toEqual(expect.arrayContaining(["iam-wildcard"]));
    const path = identityOf("aws", "cart");
    const open = changed("aws", {
      [path]: (text) => text.replaceAll("serviceaccount:shop:cart-jobs", "serviceaccount:shop:*"),
    });
    expect(findingsIn(open)[path]).toContain("trust-subject-wildcard");
  });

  it("knows the audience of the webhook on Azure, for workloads only", () => {
    const component = "azure/identities/ns-one-credentials.yaml";
    const other = (text: string) => text.replaceAll('"openshift"', '"api://AzureADTokenExchange"');
    expect(findingsIn(changed("azure", { [component]: other }))[component]).toContain("credential-without-subject");
    const path = identityOf("azure", "cart");
    const wrong = (text: string) => text.replaceAll("api://AzureADTokenExchange", "api://other");
    expect(findingsIn(changed("azure", { [path]: wrong }))[path]).toContain("credential-without-subject");
  });

  it("reports the client ID of a workload that is gone", () => {
    const without = changed("azure", { "workloads/shop/cart.yaml": undefined });
    expect(findingsIn(without)["azure-identities.yaml"]).toEqual(["client-id-unused"]);
  });
});
