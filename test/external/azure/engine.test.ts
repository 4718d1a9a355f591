import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { AzureCloud } from "../../apply/azure-cloud.ts";
import { exportAzureTo, installGroup, subscription, twoAzureRequests } from "../../helpers/azure-package.ts";
import { Azurite } from "../../helpers/azurite.ts";
import { commandLine } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, localCertificate, RealAz } from "../../helpers/real-az.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

// Dozens of calls of az, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describeWith(["az", "jq", "openssl", "azurite-blob"], "ccf apply, with Azurite and the real az", () => {
  let certificate: ReturnType<typeof keptTemporary>;
  let azure: AzureCloud;
  let azurite: Azurite;
  let real: RealAz;
  const home = keptTemporary();
  const out = join(home.directory, "out");
  beforeAll(async () => {
    certificate = localCertificate();
    const { directory } = certificate;
    [azure, azurite] = await Promise.all([AzureCloud.start({}, directory), Azurite.start("demooidc", directory)]);
    real = new RealAz(azure.world.address, directory);
    exportAzureTo(out, { issuerHosting: { type: "BlobPublic", storageAccount: "demooidc" } }, twoAzureRequests);
    // Azure Resource Manager creates the container of an account. Here the two do not know of each other.
    const place = ["--blob-endpoint", azurite.endpoint, "--auth-mode", "login", "--public-access", "blob"];
    const container = ["storage", "container", "create", "--name", "demo", ...place, "--only-show-errors"];
    expect(await real.call(container)).toMatchObject({ status: 0, stderr: "" });
  });
  beforeEach(() => azure.reset({ groups: { [installGroup]: { location: "westus" } } }));
  afterAll(async () => {
    await Promise.all([azure?.stop(), azurite?.stop()]);
    real?.remove();
    certificate?.remove();
    home.remove();
  });

  /** Runs the built program, with the client libraries of Azure. */
  function program(...args: string[]): Promise<Answer> {
    const env = {
      PATH: process.env["PATH"],
      NODE_EXTRA_CA_CERTS: join(certificate.directory, "cert.pem"),
      ...azure.environment(),
      CCF_AZURE_BLOB_ENDPOINT: azurite.endpoint,
    };
    return new Promise((resolve) => {
      execFile(...commandLine(...args), { env }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  const shown = async (...args: string[]) => {
    const answer = await real.call([...args, "--only-show-errors", "--output", "json"]);
    expect(answer.stderr).toBe("");
    return JSON.parse(answer.stdout);
  };

  it("makes what az shows, and destroys it", async () => {
    const applied = await program("apply", "--yes", out);
    expect([applied.status, applied.stdout]).toEqual([0, expect.stringContaining("the cloud matches the package")]);
    for (const [name, blob] of Object.entries({
      "openid-configuration": ".well-known/openid-configuration",
      "keys.json": "openid/v1/jwks",
    })) {
      const text = readFileSync(join(out, "azure/issuer", name), "utf8");
      expect(await azurite.read(`demo/${blob}`)).toEqual({ status: 200, type: "application/json", text });
    }
    const identities = await shown("identity", "list", "--resource-group", "demo-oidc");
    expect(identities.map(({ name }: { name: string }) => name)).toEqual([
      "demo-openshift-image-registry-installer-cloud-credentials",
      "demo-openshift-ingress-operator-cloud-credentials",
    ]);
    const assignments = await shown(
      "rest",
      "--method",
      "get",
      "--url",
      `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01`,
    );
    expect(assignments.value).toHaveLength(2);
    expect(await program("status", out)).toMatchObject({ status: 0 });
    expect(await program("destroy", "--yes", "demo", out)).toMatchObject({ status: 0 });
    expect(await shown("identity", "list", "--resource-group", "demo")).toEqual([]);
    expect(azure.state).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
  });

  it.each([
    ["commands.txt", async () => readFileSync(join(out, "azure/commands.txt"), "utf8")],
    ["-o commands", async () => (await program("apply", "--dry-run", "-o", "commands", out)).stdout],
  ])("says the same as commands of az: %s", async (_, text) => {
    azure.reset();
    const lines = (await text()).split("\n").filter((line) => line.startsWith("az "));
    expect(lines).toHaveLength(14);
    for (const line of lines) {
      const [, identity] = /<the principal ID of ([\w-]+)>/.exec(line) ?? [];
      const id =
        identity && (await shown("identity", "show", "--resource-group", "demo-oidc", "--name", identity)).principalId;
      const filled = line
        .replace(/<the principal ID of [\w-]+>/, id ?? "")
        .replace("--blob-endpoint 'https://demooidc.blob.core.windows.net'", `--blob-endpoint ${azurite.endpoint}`);
      const answer = await real.run("sh", ["-c", `${filled} --only-show-errors`], { cwd: out });
      expect([line, answer.status, answer.stderr]).toEqual([line, 0, ""]);
      // The stand-in's account is ready after it was read once.
      if (line.includes("/storageAccounts/demooidc?"))
        await shown("storage", "account", "show", "--name", "demooidc", "--resource-group", "demo-oidc");
    }
    const { status, stdout } = await program("status", out);
    expect([status, stdout]).toEqual([0, expect.stringContaining("in sync")]);
  });
});
