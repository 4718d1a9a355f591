import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import { azureResources } from "../../../src/clouds/azure/resources.ts";
import { azureIdentities, azureRequest, clientIdNumber, renderedAzurePackage } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { resultFile } from "../../helpers/status-result.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const one = azureRequest("one", { provider: { roleBindings: [], permissions: ["Microsoft.Compute/disks/*"] } });
const ids = azureIdentities({ "ns-one_credentials": clientIdNumber(1) });

function exported(directory: string): string {
  const out = join(temporary(), "out");
  expect(run(["export", directory, "--output-dir", out])).toMatchObject({ status: 0 });
  return out;
}

describe("the commands of an export for Azure", () => {
  it("are one for each resource, in the order of their needs, with the files that they read", () => {
    const out = exported(renderedAzurePackage([one, ids]));
    const files = new Map(Object.entries(readTree(out)));
    const { wanted } = azureResources(files);
    const text = files.get("azure/commands.txt") ?? "";
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const titles = [...text.matchAll(/^# (.*)\naz /gm)].map(([, title]) => title);
    const shown = ({ kind, name, shared }: (typeof wanted)[0]) =>
      `${kind} ${name}${shared ? ", unless it exists" : ""}`;
    expect(titles).toEqual(wanted.map(shown));
    expect(lines).toHaveLength(wanted.length);
    for (const [index, { source = "", needs }] of wanted.entries()) {
      expect(lines[index]).toContain(`'${source}'`);
      expect(files.has(source)).toBe(true);
      for (const need of needs) expect(wanted.findIndex(({ id }) => id === need)).toBeLessThan(index);
    }
    expect(text).toMatch(
      /^# What "ccf apply" creates in the subscription [-0-9a-f]{36}, as commands of the Azure CLI, to read\.\n/,
    );
    expect(text).toMatch(/[^\n]\n$/);
    expect(lines.at(-1)).toMatch(
      /^az rest --method put .*"<the principal ID of [-\w]+>"' 'azure\/identities\/.*\.json'\)"$/,
    );
  });
});

describe("ccf upgradeable-to on Azure", () => {
  it("writes the annotation if the cloud was in sync, and refuses what managed identities lack", () => {
    const directory = renderedAzurePackage([one, ids]);
    const status = resultFile(directory);
    const more = join(temporary(), "requests");
    const permissions = ["Microsoft.Compute/disks/*", "Microsoft.Compute/snapshots/write"];
    const wanted = azureRequest("one", { provider: { roleBindings: [], permissions } });
    writeFileSync(more, [wanted, azureRequest("two")].map((each) => dump(each)).join("---\n"));
    const lacking = run(["upgradeable-to", "4.20", directory, "--status", status, "--credentials-requests", more]);
    expect(lacking).toMatchObject({ status: 2, stdout: "" });
    const cure =
      '"ccf diff" shows the difference. Bring the requests into the package with "ccf update-requests", then render, export and apply it. [permissions-missing]';
    expect(lacking.stderr).toContain(
      `error: ns-one/credentials asks for more than its managed identity has in the requests for 4.20; ${cure}\n`,
    );
    expect(lacking.stderr).toContain(
      `error: ns-two/credentials has no managed identity in the requests for 4.20; ${cure}\n`,
    );
    const done = run(["upgradeable-to", "4.20", directory, "--status", status]);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(directory, "manifests/cluster-cloudcredential.yaml"), "utf8")).toContain(
      'cloudcredential.openshift.io/upgradeable-to: "4.20"',
    );
  });

  it("refuses the status of an earlier state", () => {
    const directory = renderedAzurePackage([one, ids]);
    const status = resultFile(directory);
    writeFileSync(join(directory, "credentials-requests/more.yaml"), dump(azureRequest("two")));
    expect(run(["render", directory]).status).toBe(0);
    const { status: code, stderr } = run(["upgradeable-to", "4.20", directory, "--status", status]);
    expect(code).toBe(2);
    expect(stderr).toContain("[status-of-another-package]");
  });
});

describe("ccf explain on Azure", () => {
  it("says of each managed identity who can use it, and what it may do, as text and as JSON", () => {
    const directory = renderedAzurePackage([one, ids]);
    const { status, stdout, stderr } = run(["explain", directory]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const part of [
      "demo-ns-one-credentials",
      clientIdNumber(1),
      "Who:              ns-one/one-operator",
      "Microsoft.Compute/disks/*",
    ]) {
      expect(stdout).toContain(part);
    }
    const json = run(["explain", directory, "-o", "json"]);
    expect(json.status).toBe(0);
    expect(json.stdout).toContain(`"assignedId": "${clientIdNumber(1)}"`);
  });
});
