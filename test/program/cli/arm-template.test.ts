import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { azureRequest, azureSubscription, renderedAzurePackage } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { renderedPackage } from "../../helpers/cluster-package.ts";
import { renderedGcpPackage } from "../../helpers/gcp-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const template = "azure/template.json";
const exported = (directory: string, out: string, ...flags: string[]) =>
  run(["export", directory, "--verbose", "--output-dir", out, ...flags]);
const packageOfOne = () => renderedAzurePackage([azureRequest("one")]);
const incomplete =
  'info: The ARM template does not contain the resource group "demo". Create it before the deployment, if it does not exist. The template does not contain the documents of the issuer. Upload them after the deployment, with "ccf apply" or "az storage blob upload". [template-incomplete]';

describe("ccf export --arm-template", () => {
  it("writes the template beside the other files, and says how to deploy it and what remains", () => {
    const directory = packageOfOne();
    const [out, plain] = [join(temporary(), "out"), join(temporary(), "plain")];
    const { status, stdout, stderr } = exported(directory, out, "--arm-template");
    expect({ status, stderr: stderr.split("\n") }).toEqual({ status: 0, stderr: expect.arrayContaining([incomplete]) });
    expect(stdout).toContain(
      `Next: az deployment sub create --name demo --subscription ${azureSubscription} --location westeurope --template-file ${out}/${template}\nThen: ccf apply --dry-run ${out}\n`,
    );
    expect(exported(directory, plain).status).toBe(0);
    const { [template]: text, SHA256SUMS: list, ...others } = readTree(out);
    const { SHA256SUMS: plainList, ...plainFiles } = readTree(plain);
    expect(others).toEqual(plainFiles);
    expect(list?.split("\n").filter((line) => !plainList?.includes(line))).toEqual([
      expect.stringMatching(/^[0-9a-f]{64} {2}azure\/template\.json$/),
    ]);
    expect(JSON.parse(text ?? "").outputs.clientIds.value).toHaveProperty("ns-one_credentials");
  });

  it("changes nothing in a second run, and removes the template in a run without the flag", () => {
    const directory = packageOfOne();
    const out = join(temporary(), "out");
    expect(exported(directory, out, "--arm-template").status).toBe(0);
    const before = readFileSync(join(out, template), "utf8");
    const again = exported(directory, out, "--arm-template", "--check");
    expect(again).toMatchObject({ status: 0, stdout: "Up to date: no file changes.\n" });
    writeFileSync(join(out, template), before);
    const { status, stdout } = exported(directory, out, "--check");
    expect({ status, stdout }).toEqual({ status: 2, stdout: expect.stringContaining(`removed  ${template}\n`) });
    expect(exported(directory, out).status).toBe(0);
    expect(existsSync(join(out, template))).toBe(false);
    const check = exported(directory, out, "--arm-template", "--check");
    expect(check.status).toBe(2);
    expect(check.stdout).toContain(`Run: ccf export ${directory} --output-dir ${out} --arm-template\n`);
  });

  it("reports what remains as JSON, and prints no note with --quiet", () => {
    const directory = packageOfOne();
    const out = join(temporary(), "out");
    const { stdout } = exported(directory, out, "--arm-template", "--output", "json");
    const { findings, added } = JSON.parse(stdout);
    expect(added).toContain(template);
    expect(findings.map((one: { tags: { code: string } }) => one.tags.code)).toContain("template-incomplete");
    const { stdout: none, stderr } = exported(directory, out, "--arm-template", "--quiet");
    expect(none).toBe("");
    expect(stderr).not.toContain("template-incomplete");
  });

  for (const [cloud, rendered] of [
    ["AWS", renderedPackage],
    ["GCP", renderedGcpPackage],
  ] as const) {
    it(`refuses a package for ${cloud}, and writes nothing`, () => {
      const out = join(temporary(), "out");
      const { status, stdout, stderr } = exported(rendered(), out, "--arm-template");
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(
        `error: "--arm-template" requires a package for Azure, but this package is for ${cloud}. Export without "--arm-template". [template-unsupported]\n`,
      );
      expect(existsSync(out)).toBe(false);
    });
  }
});
