import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Seed, StubAz } from "../../helpers/az-stub/index.ts";
import { exportAzureTo, installGroup, twoAzureRequests } from "../../helpers/azure-package.ts";
import { Azurite } from "../../helpers/azurite.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, localCertificate, RealAz } from "../../helpers/real-az.ts";
import { type keptTemporary, temporary } from "../../helpers/temporary.ts";

// A hundred calls of az, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

// A request with a custom role: a second one would add no other kind of call.
const requests = twoAzureRequests.slice(0, 1);

describeWith(["az", "openssl", "azurite-blob"], "the scripts, with the real az", () => {
  let certificate: ReturnType<typeof keptTemporary>;
  let azure: StubAz;
  let azurite: Azurite;
  let real: RealAz;
  beforeAll(async () => {
    certificate = localCertificate();
    const { directory } = certificate;
    [azure, azurite] = await Promise.all([StubAz.start(directory), Azurite.start("demooidc", directory)]);
    real = await RealAz.start(azure.address, directory);
  });
  afterAll(async () => {
    await Promise.all([azure?.stop(), azurite?.stop(), real?.stop()]);
    certificate?.remove();
  });

  it("create a cluster's resources, mend them, and delete them", async () => {
    const out = join(temporary(), "out");
    exportAzureTo(out, { issuerHosting: { type: "BlobPublic", storageAccount: "demooidc" } }, requests);
    const env = { CCF_WAIT: "0", TMPDIR: temporary(), CCF_BLOB_ENDPOINT: azurite.endpoint };
    const script = async (name: string, ...args: string[]): Promise<Answer> => {
      const answer = await real.run(join(out, "azure", name), args, { env });
      expect(answer.stderr, `${name}\n${answer.stdout}`).toBe("");
      return answer;
    };
    // Azure Resource Manager creates the container of an account. Here the two do not know of each other.
    const place = ["--blob-endpoint", azurite.endpoint, "--auth-mode", "login", "--public-access", "blob"];
    const container = ["storage", "container", "create", "--name", "demo", ...place, "--only-show-errors"];
    expect(await real.call(container)).toMatchObject({ status: 0, stderr: "" });
    azure.reset({ groups: { [installGroup]: { location: "westus" } } });

    const file = join(temporary(), "identities.yaml");
    const first = await script("apply.sh", "--identities", file);
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+ changes made\. Another run would/m) });
    const applied = azure.state();
    expect(Object.keys(applied.identities)).toHaveLength(1);
    expect(load(readFileSync(file, "utf8"))).toMatchObject({
      kind: "ConfigMap",
      metadata: { name: "azure-identities" },
    });
    for (const [name, blob] of Object.entries({
      "openid-configuration": ".well-known/openid-configuration",
      "keys.json": "openid/v1/jwks",
    })) {
      const text = readFileSync(join(out, "azure/issuer", name), "utf8");
      expect(await azurite.read(`demo/${blob}`)).toEqual({ status: 200, type: "application/json", text });
    }

    // What was changed by hand: a setting of each kind.
    const edited = structuredClone(applied);
    for (const account of Object.values(edited.accounts)) account.properties.minimumTlsVersion = "TLS1_0";
    for (const identity of Object.values(edited.identities)) identity.credentials = {};
    for (const role of Object.values(edited.definitions)) role.permissions[0].actions = ["*"];
    edited.assignments = {};
    azure.reset(edited as Seed);
    const report = await script("status.sh", "-o", "json");
    expect(report.status).toBe(2);
    expect(JSON.parse(report.stdout)).toMatchObject({ status: "differs", changes: 4, refused: 0 });
    expect((await script("apply.sh")).stdout).toContain("4 changes made.");
    expect(azure.state()).toEqual(applied);

    expect(await script("status.sh")).toMatchObject({ status: 0 });
    expect(await script("destroy.sh", "--yes")).toMatchObject({ status: 0 });
    const left = azure.state();
    expect(left).toMatchObject({ accounts: {}, identities: {}, definitions: {}, assignments: {} });
    expect(Object.values(left.groups).map(({ id }) => id)).toEqual([installGroup]);
  });
});
