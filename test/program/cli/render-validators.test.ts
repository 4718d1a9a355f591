import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { readTree } from "../../helpers/temporary.ts";
import { edit, secret, validated, withKey } from "../../helpers/validator-pipeline.ts";

describe("a validator in the pipeline of ccf render", () => {
  it("sees the package after the mutators", () => {
    const directory = validated(renderedPackage());
    const rendered = readTree(directory);
    edit(join(directory, secret), "role_arn = arn:", "role_arn = another:");
    expect(run(["validate", directory])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("[secret-edited]"),
    });
    const { status, stderr } = run(["render", directory]);
    expect({ status, stderr: stderr.includes("secret-edited") }).toEqual({ status: 0, stderr: false });
    expect(readTree(directory)).toEqual(rendered);
  });

  it("sees only the output of earlier functions if it is a mutator", () => {
    const directory = validated(renderedPackage(), "first");
    edit(join(directory, secret), "role_arn = arn:", "role_arn = another:");
    const before = readTree(directory);
    expect(run(["render", directory])).toMatchObject({ status: 1, stderr: expect.stringContaining("[secret-edited]") });
    expect(readTree(directory)).toEqual(before);
  });

  it("sees what the mutators add, and not what they remove", () => {
    const directory = validated(newPackage());
    const { status, stdout } = run(["render", directory, "-o", "json"]);
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({
      status: 0,
      functions: [
        "generate-oidc-issuer",
        "generate-cloud-credentials",
        "generate-workload-identities",
        "validate-credentials",
      ],
    });
    // If the removal is allowed, the Secret of a removed request is removed too, edited or not.
    edit(join(directory, secret), "role_arn = arn:", "role_arn = another:");
    edit(join(directory, "credentials-requests/20-ingress.yaml"), "kind: AWSProviderSpec", "kind: AzureProviderSpec");
    expect(run(["render", "--allow", "removal:openshift-ingress-operator/cloud-credentials", directory]).status).toBe(
      0,
    );
    expect(Object.keys(readTree(directory))).not.toContain(secret);
  });

  it.each([["render"], ["render", "--check"], ["render", "--stdout"], ["export", "--output-dir", "out"]])(
    "that finds an error stops ccf %s, and nothing is written",
    (...args) => {
      const directory = withKey(validated(renderedPackage()));
      const before = readTree(directory);
      const [command = "", ...flags] = args;
      const { status, stdout, stderr } = run([command, directory, ...flags], { cwd: join(directory, "..") });
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^error: backup\.yaml: Secret openshift-adp\/backup: .*\[long-lived-key\]$/m);
      expect(readTree(directory)).toEqual(before);
    },
  );

  it("does not run if a mutator failed", () => {
    const directory = withKey(validated(newPackage()));
    edit(join(directory, "cluster-identity.yaml"), '"123456789012"', '"1"');
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/\[config-invalid-field\]/);
    expect(stderr).not.toContain("[long-lived-key]");
  });
});
