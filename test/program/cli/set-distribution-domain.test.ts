import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { configure, newPackage } from "../../helpers/cluster-package.ts";
import { readTree } from "../../helpers/temporary.ts";

const domain = "d111111abcdef8.cloudfront.net";

function packageWith(issuerHosting: object | undefined): string {
  const directory = newPackage();
  configure(directory, (spec) => {
    const platform = spec["platform"] as { aws: Record<string, unknown> };
    if (issuerHosting !== undefined) platform.aws["issuerHosting"] = issuerHosting;
  });
  return directory;
}

describe("ccf set-distribution-domain", () => {
  it("writes one line, after which the issuer is known", () => {
    const directory = packageWith({ type: "S3CloudFront", bucket: "demo-private" });
    const path = join(directory, "cluster-identity.yaml");
    const before = `# kept\n${readFileSync(path, "utf8")}`;
    writeFileSync(path, before);
    expect(run(["render", directory]).stderr).toContain("[issuer-unknown]");
    const { status, stdout, stderr } = run(["set-distribution-domain", directory, domain]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      `cluster-identity.yaml: spec.platform.aws.issuerHosting.distributionDomain is ${domain}.\nNext: ccf render ${directory}\n`,
    );
    const after = readFileSync(path, "utf8");
    const added = after.split("\n").filter((line) => !before.split("\n").includes(line));
    expect(added.map((line) => line.trim())).toEqual([`distributionDomain: ${domain}`]);
    expect(after.split("\n")).toHaveLength(before.split("\n").length + 1);
    const rendered = run(["render", directory]);
    expect(rendered.status).toBe(0);
    expect(rendered.stderr).not.toContain("[issuer-unknown]");
    expect(readFileSync(join(directory, "manifests/cluster-authentication-02-config.yaml"), "utf8")).toContain(
      `serviceAccountIssuer: https://${domain}\n`,
    );
    const again = run(["set-distribution-domain", directory, domain]);
    expect(again.stdout).toContain(`is already ${domain}.`);
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  it("replaces an existing domain, and keeps its comment", () => {
    const directory = packageWith({ type: "S3CloudFront", distributionDomain: "d0.cloudfront.net" });
    const path = join(directory, "cluster-identity.yaml");
    const before = readFileSync(path, "utf8").replace("d0.cloudfront.net", "d0.cloudfront.net # AWS's");
    writeFileSync(path, before);
    expect(run(["set-distribution-domain", directory, domain]).status).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(before.replace("d0.cloudfront.net", domain));
  });

  it.each([
    [[], 'missing required argument "DIR"'],
    [["x"], 'missing required argument "DOMAIN"'],
    [["x", domain, "y"], "too many arguments: expected 2 arguments but got 3"],
    [["x", "oidc.example.com"], '"oidc.example.com" is not the domain of a distribution'],
    [["x", `${domain}; rm -rf /`], "is not the domain of a distribution"],
    [["x", domain, "--force"], 'unknown option "--force"'],
    [["/nonexistent", domain], '"/nonexistent" is not a directory'],
  ])("refuses %j", (args, message) => {
    const { status, stdout, stderr } = run(["set-distribution-domain", ...args]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([undefined, { type: "S3Public" }])("refuses the hosting %j, and changes nothing", (issuerHosting) => {
    const directory = packageWith(issuerHosting);
    const before = readTree(directory);
    const { status, stderr } = run(["set-distribution-domain", directory, domain]);
    expect(status).toBe(1);
    expect(stderr).toContain('does not have "issuerHosting" of the type "S3CloudFront"');
    expect(readTree(directory)).toEqual(before);
  });

  it("refuses a package with no ClusterIdentity or more than one", () => {
    const directory = packageWith({ type: "S3CloudFront" });
    const path = join(directory, "cluster-identity.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}---\n${text.replace("name: demo", "name: other")}`);
    expect(run(["set-distribution-domain", directory, domain]).stderr).toContain(
      "must contain exactly one ClusterIdentity, but contains 2",
    );
    writeFileSync(path, "");
    expect(run(["set-distribution-domain", directory, domain]).stderr).toContain(
      "must contain exactly one ClusterIdentity, but contains 0",
    );
  });
});
