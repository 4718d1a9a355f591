import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { StubAz } from "../../helpers/az-stub/index.ts";
import { exportAzureTo, installGroup, subscription, twoAzureRequests } from "../../helpers/azure-package.ts";
import { Azurite } from "../../helpers/azurite.ts";
import { ccf } from "../../helpers/ccf.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, localCertificate, RealAz } from "../../helpers/real-az.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

// Dozens of calls of az, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

describeWith(["az", "openssl", "azurite-blob"], "ccf apply, with Azurite and the real az", () => {
  let certificate: ReturnType<typeof keptTemporary>;
  let azure: StubAz;
  let azurite: Azurite;
  let real: RealAz;
  const home = keptTemporary();
  const out = join(home.directory, "out");
  beforeAll(async () => {
    certificate = localCertificate();
    const { directory } = certificate;
    [azure, azurite] = await Promise.all([StubAz.start(directory), Azurite.start("demooidc", directory)]);
    real = await RealAz.start(azure.address, directory);
    exportAzureTo(out, { issuerHosting: { type: "BlobPublic", storageAccount: "demooidc" } }, twoAzureRequests);
    // Azure Resource Manager creates the container of an account. Here the two do not know of each other.
    const place = ["--blob-endpoint", azurite.endpoint, "--auth-mode", "login", "--public-access", "blob"];
    const container = ["storage", "container", "create", "--name", "demo", ...place, "--only-show-errors"];
    expect(await real.call(container)).toMatchObject({ status: 0, stderr: "" });
  });
  beforeEach(() => azure.reset({ groups: { [installGroup]: { location: "westus" } } }));
  afterAll(async () => {
    await Promise.all([azure?.stop(), azurite?.stop(), real?.stop()]);
    certificate?.remove();
    home.remove();
  });

  /** Runs the built program, with the client libraries of Azure. */
  function program(...args: string[]): Promise<Answer> {
    const env = {
      PATH: process.env["PATH"],
      NODE_EXTRA_CA_CERTS: join(certificate.directory, "cert.pem"),
      CCF_AZURE_ARM_ENDPOINT: azure.address,
      CCF_AZURE_BLOB_ENDPOINT: azurite.endpoint,
      IDENTITY_ENDPOINT: `${azure.address}/msi/token`,
      IDENTITY_HEADER: "secret",
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [ccf, ...args], { env }, (error, stdout, stderr) =>
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
    expect(azure.state()).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
  });

  it("says the same as commands of az", async () => {
    const { stdout } = await program("apply", "--dry-run", "-o", "commands", out);
    const lines = stdout.split("\n").filter((line) => line.startsWith("az "));
    expect(lines).toHaveLength(13);
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
    const { status, stdout: said } = await program("status", out);
    expect([status, said]).toEqual([0, expect.stringContaining("in sync")]);
  });
});
