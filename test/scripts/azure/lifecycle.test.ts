import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { installGroup, oidcGroup, subscription, tenAzureRequests, tenant } from "../../helpers/azure-package.ts";
import { temporary } from "../../helpers/temporary.ts";

let az: StubAz;
beforeAll(async () => {
  az = await StubAz.start();
});
afterAll(() => az?.stop());

const guid = (digit: number) => `99999999-0000-4000-8000-00000000000${digit}`;
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const theirIdentity = `/subscriptions/${subscription}/resourceGroups/team/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team`;
/** What is in the subscription before, and stays. */
const foreign: Seed = {
  groups: {
    [`/subscriptions/${subscription}/resourceGroups/team`]: {},
    [installGroup]: { location: "westus", tags: { team: "x" } },
  },
  accounts: {
    teamaccount: {
      id: `/subscriptions/${subscription}/resourceGroups/team/providers/Microsoft.Storage/storageAccounts/teamaccount`,
    },
  },
  identities: { [theirIdentity]: { principalId: guid(1) } },
  definitions: { [guid(2)]: { roleName: "team", permissions: [{ actions: ["*/read"] }] } },
  assignments: {
    [`${installGroup}/providers/Microsoft.Authorization/roleAssignments/${guid(3)}`]: {
      role: contributor,
      principalId: guid(1),
    },
  },
};

/** Runs a script, which must succeed or exit with the given code, with nothing on standard error. */
function succeeds(one: AzureAdministrator, script: string, flags: readonly string[] = [], status = 0): string[] {
  az.forgetCalls();
  const done = one.run(script, flags);
  expect(done, `${script}\n${done.stdout}`).toMatchObject({ status, stderr: "" });
  for (const call of az.calls()) expect(call, call.args.join(" ")).toMatchObject({ input: "/dev/null" });
  return done.stdout.trimEnd().split("\n");
}

const changing = () => az.calls().filter(({ changes }) => changes);
/** The rest of each line of a kind, and the kinds of all lines but the last. */
const things = (lines: readonly string[]) =>
  lines
    .slice(0, -1)
    .filter((line) => !line.startsWith("note "))
    .map((line) => line.slice(14).replace(/[:,].*/, ""));

describe.each(["BlobPublic", "External"])("a package with %s", (how) => {
  let one: AzureAdministrator;
  let applied: State;
  const isExternal = how === "External";
  beforeAll(() => {
    one = isExternal
      ? new AzureAdministrator(
          az,
          exportedAzure({ issuerHosting: { type: "External" } }, undefined, {
            issuer: { ...issuerOf(), url: "https://oidc.example.com/demo" },
          }),
        )
      : new AzureAdministrator(az, exportedAzure());
  });
  const nameOf = (id: string) => id.slice(id.lastIndexOf("/") + 1);
  const account = () => String(one.json("cluster.json")["storageAccount"]);

  it("is created in a subscription with other resources, and then in sync", () => {
    const expected = [
      "resource group demo-oidc",
      ...(isExternal
        ? []
        : [`storage account ${account()}`, "container demo", "document .well-known/openid-configuration"]),
      ...(isExternal ? [] : ["document openid/v1/jwks"]),
      "role demo-openshift-image-registry-installer-cloud-credentials",
      ...one.identities().map((id) => `managed identity ${nameOf(id)}`),
    ];
    const all = [expected[0] ?? "", "resource group demo", ...expected.slice(1)];
    az.reset(foreign);
    const before = az.state();
    expect(things(succeeds(one, "status.sh", [], 2))).toEqual(all);
    expect(things(succeeds(one, "apply.sh", ["--dry-run"], 2))).toEqual(all);
    expect(changing()).toEqual([]);
    expect(az.state()).toEqual(before);

    const lines = succeeds(one, "apply.sh");
    expect(things(lines)).toEqual(all);
    expect(lines.filter((line) => line.startsWith("created "))).toHaveLength(expected.length);
    expect(lines.join("\n")).toMatch(/^note +resource group demo: its location is westus, not eastus/m);
    applied = az.state();
    const { groups, accounts, identities, definitions, assignments } = before;
    expect(applied).toMatchObject({ groups, accounts, identities, definitions, assignments });

    expect(succeeds(one, "apply.sh").at(-1)).toBe("No changes: the cloud matches the package.");
    expect(changing()).toEqual([]);
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
    expect(changing()).toEqual([]);
    expect(az.calls().length).toBeLessThanOrEqual(7 + 2 + (isExternal ? 0 : 4));
    expect(az.state()).toEqual(applied);
    const json = JSON.parse(succeeds(one, "status.sh", ["-o", "json"]).join("\n"));
    expect(json).toMatchObject({ account: subscription, status: "in sync", changes: 0, refused: 0 });
  });

  it("has exactly what its files say", () => {
    const [first = "", second = ""] = one.identities();
    const [definition = ""] = one.definitions();
    const subjects = (id: string) =>
      Object.values(applied.identities[id.toLowerCase()]?.credentials ?? {}).map(({ issuer, subject, audiences }) => {
        expect({ issuer, audiences }).toEqual({ issuer: one.json("cluster.json")["issuer"], audiences: ["openshift"] });
        return subject;
      });
    expect(subjects(first)).toEqual(["system:serviceaccount:openshift-image-registry:cluster-image-registry-operator"]);
    const ingress = ["ingress-operator", "router"].map(
      (name) => `system:serviceaccount:openshift-ingress-operator:${name}`,
    );
    expect(subjects(second).sort()).toEqual(ingress);
    const roles = (id: string) =>
      Object.values(applied.assignments)
        .filter(({ principalId }) => principalId === applied.identities[id.toLowerCase()]?.principalId)
        .map(({ role, scope, principalType }) => ({ role, scope, principalType }));
    const at = { scope: installGroup, principalType: "ServicePrincipal" };
    expect(roles(first)).toEqual([{ role: nameOf(definition), ...at }]);
    expect(roles(second)).toEqual([{ role: contributor, ...at }]);
    expect(applied.definitions[nameOf(definition)]).toMatchObject({
      description: "Custom role for OpenShift. Owned by: demo",
      permissions: [{ dataActions: ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read"] }],
    });
    if (isExternal) return;
    const { body } = one.json("issuer/storage-account.json") as { body: Record<string, unknown> };
    // Azure adds more rules of the firewall.
    expect(applied.accounts[account()]).toMatchObject(body);
    const document = (name: string) => ({
      body: readFileSync(join(one.out, "azure/issuer", name), "utf8"),
      contentType: "application/json",
    });
    expect(applied.accounts[account()]?.containers).toEqual({
      demo: {
        publicAccess: "Blob",
        blobs: {
          ".well-known/openid-configuration": document("openid-configuration"),
          "openid/v1/jwks": document("keys.json"),
        },
      },
    });
  });

  it("writes all client IDs to a file", () => {
    az.reset(applied);
    const file = join(temporary(), "identities.yaml");
    const lines = succeeds(one, "apply.sh", ["--identities", file]);
    expect(lines.at(-2)).toContain(`ccf set-identities DIR --from ${file}`);
    expect(load(readFileSync(file, "utf8"))).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "azure-identities",
        annotations: {
          "config.kubernetes.io/local-config": "true",
          "fn.cloudcredential.dev/azure-subscription": subscription,
          "fn.cloudcredential.dev/azure-tenant": tenant,
          "fn.cloudcredential.dev/resource-prefix": "demo",
        },
      },
      data: {
        "openshift-image-registry_installer-cloud-credentials": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "openshift-ingress-operator_cloud-credentials": expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });

  it("is destroyed in the safe order, and nothing else is", () => {
    az.reset(applied);
    const dry = things(succeeds(one, "destroy.sh", ["--dry-run"], 2));
    expect(changing()).toEqual([]);
    const lines = succeeds(one, "destroy.sh", ["--yes"]);
    expect(things(lines)).toEqual(dry);
    const kinds = changing().map(({ path }) => /\/(\w+)\/[^/]+$/.exec(path)?.[1] ?? path);
    const each = ["roleAssignments", "userAssignedIdentities"];
    const hosting = isExternal ? [] : ["storageAccounts"];
    expect(kinds).toEqual([...each, ...each, "roleDefinitions", ...hosting, "resourceGroups"]);
    // The identities are known to be gone before the storage account is.
    const calls = az.calls().map(({ method, path }) => `${method} ${path.split("/").slice(-2).join("/")}`);
    const gone = calls.findLastIndex((call) => call.startsWith("DELETE userAssignedIdentities/"));
    if (!isExternal)
      expect(calls.slice(gone, calls.indexOf(`DELETE storageAccounts/${account()}`))).toContain(
        "GET Microsoft.ManagedIdentity/userAssignedIdentities",
      );

    const left = az.state();
    expect(succeeds(one, "destroy.sh", ["--yes"]).at(-1)).toBe("Nothing to delete.");
    az.reset(foreign);
    expect(left).toEqual(az.state());
  });

  it("needs no permission but those of admin-role.json", () => {
    const role = one.json("admin-role.json") as Record<"Actions" | "DataActions", string[]>;
    const used = new Set<string>();
    const run = (script: string, ...flags: string[]) => {
      az.settings({ permissions: role.Actions, dataPermissions: role.DataActions });
      succeeds(one, script, flags);
      for (const action of az.usedActions()) used.add(action);
    };
    az.reset();
    run("apply.sh");
    const drifted = az.state();
    for (const identity of Object.values(drifted.identities)) identity.credentials["x"] = { ...credential };
    az.reset(drifted);
    run("apply.sh");
    run("destroy.sh", "--yes");
    const permitted = [...role.Actions, ...role.DataActions].sort();
    expect(permitted).toEqual(expect.arrayContaining([...used]));
  });
});

const credential = { issuer: "https://x", subject: "y", audiences: ["openshift"] };

function issuerOf() {
  const publicKey = readFileSync(
    new URL("../../../testdata/sample-cluster/serviceaccount-signer.public", import.meta.url),
    "utf8",
  );
  return { signingKeys: [{ publicKey }] };
}

describe("az is started", () => {
  it("at most 12 times, and once for each of ten identities", () => {
    const one = new AzureAdministrator(az, exportedAzure({}, tenAzureRequests));
    az.reset({ groups: { [oidcGroup]: {} } });
    expect(one.apply()).toMatchObject({ status: 0 });
    succeeds(one, "status.sh");
    expect(az.calls().length).toBeLessThanOrEqual(12 + 10);
    // Each further page of a list is one more.
    az.settings({ page: 3 });
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
    expect(things(succeeds(one, "destroy.sh", ["--yes"]))).toHaveLength(10 + 5 + 1 + 2);
  });
});
