import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { accountKey } from "../../helpers/arm/storage.mjs";
import { type Seed, type Settings, StubAz } from "../../helpers/az-stub/index.ts";
import { installGroup, oidcGroup, subscription } from "../../helpers/azure-package.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, localCertificate, RealAz } from "../../helpers/real-az.ts";
import { type keptTemporary, temporary } from "../../helpers/temporary.ts";

// A hundred calls of az, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

type Step = readonly string[] | Partial<Settings>;
interface Series {
  readonly seed?: Seed;
  readonly steps: readonly Step[];
}

const here = `/subscriptions/${subscription}`;
const identity = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo-one`;
const account = `${oidcGroup}/providers/Microsoft.Storage/storageAccounts/demooidc`;
const container = `${account}/blobServices/default/containers/demo`;
const guid = "aaaaaaaa-1111-4000-8000-000000000001";
const other = "aaaaaaaa-1111-4000-8000-000000000002";
const definition = `${here}/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
const assignment = (name: string) => `${installGroup}/providers/Microsoft.Authorization/roleAssignments/${name}`;
const versions: Readonly<Record<string, string>> = {
  "Microsoft.Authorization": "2022-04-01",
  "Microsoft.ManagedIdentity": "2023-01-31",
  "Microsoft.Storage": "2023-01-01",
};

function rest(method: string, id: string, ...more: readonly string[]): readonly string[] {
  const [, provider = ""] = /.*\/providers\/([^/]+)/.exec(id) ?? [];
  const [path, query] = id.split("?");
  const url = `${path}?api-version=${versions[provider] ?? "2021-04-01"}${query === undefined ? "" : `&${query}`}`;
  return ["rest", "--method", method, "--url", url, ...more];
}
const put = (id: string, body: unknown) => rest("put", id, "--body", JSON.stringify(body));
const document = (name: string, ...more: readonly string[]) => [
  ...["storage", "blob", "upload", "--blob-endpoint", "BLOBS", "--container-name", "demo", "--name", name],
  ...["--file", "document.json", "--content-type", "application/json", "--overwrite", "--no-progress", ...more],
];
const anonymous = (name: string) => [
  "rest",
  "--method",
  "get",
  "--url",
  `BLOBS/${name}`,
  "--skip-authorization-header",
];
const role = (roleName: string) => ({
  properties: {
    roleName,
    type: "CustomRole",
    description: "Custom role for OpenShift. Owned by: demo",
    assignableScopes: [here],
    permissions: [{ actions: ["Microsoft.Compute/disks/read"] }],
  },
});
const assigned = (principalId: string) => ({
  properties: { roleDefinitionId: definition, principalId, principalType: "ServicePrincipal" },
});
const principal = "bbbbbbbb-0000-4000-8000-000000000001";
const groups = { [oidcGroup]: {}, [installGroup]: {} };

/** Calls that are made with both, in this order, each with an equal state; a step that is not a list changes settings. */
const series: Readonly<Record<string, Series>> = {
  "groups, identities and usage errors": {
    steps: [
      ["account", "show"],
      rest("get", oidcGroup),
      put(oidcGroup, { location: "eastus", tags: { b: "c", a: 'Ü "<&>' } }),
      rest("GET", oidcGroup),
      put(oidcGroup, { location: "westus" }),
      rest("get", `/subscriptions/${other}/resourceGroups/demo`),
      rest("put", oidcGroup, "--body", "@group.json"),
      rest("get", identity),
      put(identity, { location: "eastus" }),
      rest("patch", identity, "--body", '{"tags": {"a": "b"}}'),
      put(`${identity}/federatedIdentityCredentials/one`, {
        properties: { issuer: "https://example.com", subject: "s", audiences: ["openshift"] },
      }),
      rest("get", `${identity}/federatedIdentityCredentials`),
      { throttled: 1 },
      rest("delete", `${identity}/federatedIdentityCredentials/one`),
      rest("delete", `${identity}/federatedIdentityCredentials/one`),
      rest("delete", `${identity}/federatedIdentityCredentials/one`),
      { permissions: ["*/read"] },
      rest("delete", identity),
      { permissions: ["*"], pending: 0 },
      rest("delete", oidcGroup),
      ["rest", "--method"],
      ["rest", "--url", "--body", "x"],
    ],
  },
  "roles, and lists with several pages": {
    seed: { groups, identities: { [identity]: {} } },
    steps: [
      put(definition, role("demo one")),
      put(definition.replace(guid, other), role("Demo one")),
      put(assignment(guid), assigned(principal)),
      put(assignment(other), assigned(principal)),
      put(assignment(guid), assigned(other)),
      { page: 1 },
      rest("get", `${here}/providers/Microsoft.Authorization/roleAssignments?$filter=principalId eq '${principal}'`),
      rest("get", `${here}/providers/Microsoft.Authorization/roleDefinitions?$filter=type%20eq%20'CustomRole'`),
      rest("get", `${here}/providers/Microsoft.Authorization/roleDefinitions?$filter=x`),
      rest("get", `${here}/providers/Microsoft.Authorization/permissions`),
      rest("delete", definition),
      rest("delete", assignment(guid)),
      rest("delete", assignment(guid)),
      rest("get", assignment(guid)),
    ],
  },
  "storage accounts and documents": {
    seed: { groups },
    steps: [
      put(account, {
        ...{ kind: "StorageV2", location: "eastus", sku: { name: "Standard_LRS" } },
        properties: { allowBlobPublicAccess: true, allowSharedKeyAccess: false },
      }),
      rest("get", account),
      rest("get", account),
      document("a/b.json", "--auth-mode", "login"),
      anonymous("demo/a/b.json"),
      put(container, { properties: { publicAccess: "Blob" } }),
      document("a/b.json", "--auth-mode", "login"),
      document("a/b.json", "--auth-mode", "key", "--account-name", "demooidc"),
      [...anonymous("demo/a/b.json"), "--output-file", "read.json"],
      [...anonymous("demo/a/c.json"), "--output-file", "read.json"],
      { dataPermissions: [] },
      document("a/b.json", "--auth-mode", "login"),
      rest("post", `${account}/listKeys`),
      { publicBlobs: "modified" },
      rest("patch", account, "--body", "{}"),
      anonymous("demo/a/b.json"),
      put(container, { properties: { publicAccess: "Blob" } }),
      rest("delete", account),
      rest("delete", account),
    ],
  },
};

const files = { "document.json": '{"a": "ü"}\n', "group.json": '{"location": "East US", "tags": {}}\n' };

describeWith(["az", "openssl"], "the stand-in is like az", () => {
  let stub: StubAz;
  let served: StubAz;
  let real: RealAz;
  let certificate: ReturnType<typeof keptTemporary>;
  beforeAll(async () => {
    certificate = localCertificate();
    [stub, served] = await Promise.all([StubAz.start(), StubAz.start(certificate.directory)]);
    real = await RealAz.start(served.address, certificate.directory);
  });
  afterAll(async () => {
    await Promise.all([stub?.stop(), served?.stop(), real?.stop()]);
    certificate?.remove();
  });

  it.each(Object.entries(series))("for %s", async (_, { seed = {}, steps }) => {
    const [ours, theirs] = [temporary(), temporary()];
    for (const [file, value] of Object.entries(files)) {
      for (const directory of [ours, theirs]) writeFileSync(join(directory, file), value);
    }
    stub.reset(seed);
    served.reset(seed);
    for (const step of steps) {
      if (!Array.isArray(step)) {
        stub.settings(step as Partial<Settings>);
        served.settings(step as Partial<Settings>);
        continue;
      }
      const args = [...(step as string[]), "--only-show-errors", "--output", "json"];
      const env = { AZURE_STORAGE_KEY: accountKey };
      const to = (blobs: string) => args.map((arg) => arg.replace("BLOBS", blobs));
      const answer = await real.call(to(`${served.address}/demooidc`), { cwd: theirs, env });
      const said = stub.run("az", to("https://demooidc.blob.core.windows.net"), { cwd: ours, env });
      expect(likeness(said), step.join(" ")).toEqual(likeness(answer));
      expect(answer.stderr).not.toMatch(/stand-in|Traceback/);
    }
    expect(stub.state()).toEqual(served.state());
    expect(stub.usedActions()).toEqual(served.usedActions());
  });
});

/** What of a call must be the same: the exit code, what is printed, and errors without the examples below them. */
function likeness({ status, stdout, stderr }: Answer | ReturnType<StubAz["run"]>) {
  return {
    status,
    stdout: stdout
      .replaceAll(/https:\/\/(?:localhost:\d+|management\.azure\.com)/g, "https://host")
      // Versions of blobs, which each stand-in counts in its own way.
      .replaceAll(/0x[0-9A-F]{15,16}/g, "0x0")
      // The login of the real az is that of a managed identity.
      .replace(/"user": \{[^}]*\}/, ""),
    stderr: stderr.replace(/\n\nExamples from AI knowledge base:.*/s, "\n"),
  };
}
