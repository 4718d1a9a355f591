import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderedAzurePackage } from "../../helpers/azure-package.ts";
import { run } from "../../helpers/ccf.ts";
import { renderedGcpPackage } from "../../helpers/gcp-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const differs =
  'warning: "spec.applier" is "Ccf", so "ccf apply" and Terraform would undo each other\'s changes. Set "spec.applier: Terraform", and render. [applier-differs]';
const byTerraform = { applier: "Terraform" };

function exported(directory: string, ...flags: readonly string[]) {
  const out = join(temporary(), "out");
  return { out, ...run(["export", directory, "--output-dir", out, ...flags]) };
}

const terraform = ["--format", "terraform"];

describe("ccf export --format terraform", () => {
  it("writes a module beside the other files, and says what comes next", () => {
    const directory = renderedGcpPackage({}, undefined, byTerraform);
    const { out, status, stdout, stderr } = exported(directory, ...terraform);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("applier-differs") });
    expect(stdout).toContain(`Next: terraform plan, in the root module that calls ${out}/terraform\n`);
    expect(stdout).not.toContain("ccf apply");
    const files = Object.keys(readTree(out)).filter((path) => path.startsWith("terraform/"));
    const names = ["identities", "issuer", "outputs", "versions"];
    expect(files).toEqual(names.map((name) => `terraform/${name}.tf.json`));
    const list = readFileSync(join(out, "SHA256SUMS"), "utf8");
    for (const file of files) expect(list).toContain(`  ${file}\n`);
  });

  it("writes the same bytes again, and removes the module in a run without the flag", () => {
    const directory = renderedGcpPackage({}, undefined, byTerraform);
    const { out } = exported(directory, ...terraform, "--import");
    const again = run(["export", directory, "--output-dir", out, ...terraform, "--import", "--check"]);
    expect(again).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    const without = run(["export", directory, "--output-dir", out, ...terraform, "--check"]);
    expect(without).toMatchObject({ status: 2, stdout: expect.stringContaining("removed  terraform/imports/") });
    expect(without.stdout).toContain(`Run: ccf export ${directory} --output-dir ${out} --format terraform\n`);
    expect(run(["export", directory, "--output-dir", out]).status).toBe(0);
    expect(existsSync(join(out, "terraform"))).toBe(false);
  });

  it("names the resources in import blocks as a root module knows them", () => {
    const { out } = exported(renderedGcpPackage({}, undefined, byTerraform), ...terraform, "--import");
    const { import: blocks } = JSON.parse(readFileSync(join(out, "terraform/imports/imports-demo.tf.json"), "utf8"));
    expect(blocks[0]).toEqual({
      to: "module.demo.google_iam_workload_identity_pool.issuer",
      id: "projects/demo-project/locations/global/workloadIdentityPools/demo",
    });
  });

  it("protects nothing with --no-prevent-destroy, and names the flag in the command to repeat", () => {
    const directory = renderedGcpPackage({}, undefined, byTerraform);
    const { out } = exported(directory, ...terraform);
    const protection = () =>
      Object.entries(readTree(join(out, "terraform"))).filter(([, text]) => text.includes("prevent_destroy"));
    expect(protection()).not.toEqual([]);
    const flags = ["--output-dir", out, ...terraform, "--no-prevent-destroy"];
    const check = run(["export", directory, ...flags, "--check"]);
    expect(check.stdout).toContain(`Run: ccf export ${directory} ${flags.join(" ")}\n`);
    expect([check.status, run(["export", directory, ...flags]).status]).toEqual([2, 0]);
    expect(protection()).toEqual([]);
  });

  it("warns if ccf apply applies the package, too", () => {
    const { status, stderr } = exported(renderedGcpPackage(), ...terraform);
    expect({ status, stderr: stderr.split("\n") }).toEqual({ status: 0, stderr: expect.arrayContaining([differs]) });
  });

  it("needs no client IDs: they are an output", () => {
    const { out, status } = exported(renderedAzurePackage({}, undefined, byTerraform), ...terraform);
    expect(status).toBe(0);
    const { output } = JSON.parse(readFileSync(join(out, "terraform/outputs.tf.json"), "utf8"));
    expect(Object.keys(output.client_ids.value)).toHaveLength(2);
  });

  it("refuses a file that Terraform would read as a part of the module", () => {
    const directory = renderedGcpPackage({}, undefined, byTerraform);
    const { out } = exported(directory, ...terraform);
    for (const name of ["extra.tf", "override.tf.json"]) writeFileSync(join(out, "terraform", name), "");
    writeFileSync(join(out, "terraform", "README"), "");
    const { status, stderr } = run(["export", directory, "--output-dir", out, ...terraform]);
    expect(status).toBe(1);
    for (const name of ["extra.tf", "override.tf.json"])
      expect(stderr).toContain(
        `error: terraform/${name}: "terraform/${name}" is not part of this export, but Terraform would apply it; move it away. [export-unlisted-input]\n`,
      );
    expect(stderr).toContain('"terraform/README"');
  });

  it("writes nothing if a name cannot be one of Terraform", () => {
    const requests = [
      { namespace: "4-east", secret: "keys", serviceAccounts: ["one"], predefinedRoles: ["roles/viewer2"] },
    ];
    const { out, status, stderr } = exported(renderedGcpPackage({}, requests, byTerraform), ...terraform);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("[terraform-address-invalid]") });
    expect(existsSync(out)).toBe(false);
  });

  it("is for files, and only it has import blocks and a protection", () => {
    const directory = renderedGcpPackage();
    const flag = "--no-prevent-destroy";
    expect(exported(directory, flag)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--no-prevent-destroy requires --format terraform"),
    });
    expect(run(["export", directory, "--format", "manifests-configmap", flag])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(flag),
    });
    expect(exported(directory, "--import")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--import requires --format terraform"),
    });
    expect(run(["export", directory, "--format", "manifests-configmap", "--import"])).toMatchObject({ status: 1 });
  });
});

describe("a package that Terraform applies", () => {
  const refused = (command: string) =>
    `error: "spec.applier" is "Terraform", so ccf ${command} does not change the cloud. Apply the module that "ccf export --format terraform" writes. [applier-other]\n`;

  it("is refused by ccf apply and ccf destroy before any request, also as an export", () => {
    const directory = renderedAzurePackage({}, undefined, byTerraform);
    const { out, stdout } = exported(directory);
    expect(stdout).toContain(`Next: ccf status ${out}\n`);
    for (const place of [directory, out])
      for (const [command, ...flags] of [
        ["apply", "--yes"],
        ["apply", "--dry-run"],
        ["destroy", "--yes", "demo"],
      ]) {
        const done = run([command ?? "", place, ...flags]);
        expect(done.status, done.stderr).toBe(1);
        expect(done.stdout + done.stderr).toContain(refused(command ?? "").trim());
      }
    // It has no credentials here, but asks for them.
    const { stdout: said, stderr } = run(["status", directory]);
    expect(said + stderr).toContain("[cloud-credentials]");
  });
});
