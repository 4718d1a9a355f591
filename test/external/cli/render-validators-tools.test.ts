import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { newPackage, renderedPackage } from "../../helpers/cluster-package.ts";
import { environmentWithCcf, kptRender } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";
import { edit, secret, validated, withKey } from "../../helpers/validator-pipeline.ts";

describeWith(["kpt"], "a validator in kpt's pipeline and in that of ccf render", () => {
  it.each<[string, (directory: string) => void, number]>([
    ["a package that is not rendered", () => undefined, 0],
    ["a Secret that was edited", (directory) => edit(join(directory, secret), "role_arn = arn:", "role_arn = x:"), 0],
    ["an access key", withKey, 1],
    [
      "an access key, and a Secret that was edited",
      (directory) => {
        withKey(directory);
        edit(join(directory, secret), "role_arn = arn:", "role_arn = x:");
      },
      1,
    ],
  ])("make the same files and exit alike with %s", (name, change, status) => {
    const directory = validated(name.includes("not rendered") ? newPackage() : renderedPackage());
    change(directory);
    const other = join(temporary(), "package");
    cpSync(directory, other, { recursive: true });
    const ours = run(["render", directory]);
    const kpts = kptRender(other);
    expect({ ours: ours.status, kpts: kpts.status }, ours.stderr + kpts.stderr).toEqual({ ours: status, kpts: status });
    const bare = (files: Record<string, string>) => ({ ...files, "backup.yaml": "", Kptfile: "" });
    expect(bare(readTree(directory))).toEqual(bare(readTree(other)));
    if (status === 0) return;
    for (const said of [ours.stderr, kpts.stderr]) expect(said).toContain("long-lived AWS access key");
    for (const said of [ours.stderr, kpts.stderr]) expect(said).not.toContain("secret-edited");
  });
});

describeWith(["kustomize"], "validate-credentials in kustomize", () => {
  /** A kustomization that runs the function, with the ClusterIdentity as its configuration, and nothing else. */
  function build(directory: string): { status: number | null; stdout: string; stderr: string } {
    const identity = readFileSync(join(directory, "cluster-identity.yaml"), "utf8");
    const annotation = `config.kubernetes.io/function: "exec: {path: ./validate-credentials}"`;
    writeFileSync(
      join(directory, "validate.yaml"),
      identity.replace("  annotations:\n", `  annotations:\n    ${annotation}\n`),
    );
    writeFileSync(join(directory, "validate-credentials"), "#!/bin/sh\nexec ccf validate-credentials\n", {
      mode: 0o755,
    });
    const resources = ["credentials-requests/10-registry.yaml", "backup.yaml"].filter(
      (path) => path in readTree(directory),
    );
    const kustomization = { kind: "Kustomization", resources, transformers: ["validate.yaml"] };
    writeFileSync(join(directory, "kustomization.yaml"), JSON.stringify(kustomization));
    return spawnSync("kustomize", ["build", "--enable-alpha-plugins", "--enable-exec", "."], {
      cwd: directory,
      env: environmentWithCcf(),
      encoding: "utf8",
    });
  }

  it("passes resources on, as a transformer", () => {
    const { status, stdout, stderr } = build(newPackage());
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("name: sample-image-registry");
  });

  it("stops the build, as a transformer", () => {
    const { status, stdout, stderr } = build(withKey(newPackage()));
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("[long-lived-key]");
  });
});
