import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure, saidAzure } from "../../helpers/azure-administrator.ts";
import { oidcGroup, twoAzureRequests } from "../../helpers/azure-package.ts";
import { signerKeyFile } from "../../helpers/cluster-package.ts";

const requests = twoAzureRequests.slice(0, 1);
const oldIssuer = "https://oldaccount.blob.core.windows.net/demo";
const sameAccount = (container: string) => ({ storageAccount: "oldaccount", container });
const signingKeys = [{ publicKey: readFileSync(signerKeyFile, "utf8") }];
const trustingOld = { issuer: { signingKeys, previous: [oldIssuer] } };

let az: StubAz;
let old: AzureAdministrator;
beforeAll(async () => {
  az = await StubAz.start();
  old = new AzureAdministrator(az, exportedAzure({ issuerHosting: sameAccount("demo") }, requests));
});
afterAll(() => az?.stop());

const issuersOf = (state: State) => {
  const all = Object.values(state.identities).flatMap(({ credentials }) => Object.values(credentials));
  return [...new Set(all.map(({ issuer }) => issuer))].sort();
};
const succeeds = (one: AzureAdministrator, script: string, ...flags: string[]) => {
  const { status, stderr, lines } = saidAzure(one.run(script, flags));
  expect({ status, stderr }, lines.join("\n")).toEqual({ status: 0, stderr: "" });
  return lines;
};

describe.each(["another account", "another container", "documents elsewhere"])(
  "a cluster that moves to %s",
  (where) => {
    const isElsewhere = where === "documents elsewhere";
    const url = "https://oidc.example.com/demo";
    const confirmed = isElsewhere ? ["--documents-checked"] : [];
    let moving: AzureAdministrator;
    let moved: AzureAdministrator;
    beforeAll(() => {
      const azure = isElsewhere
        ? { issuerHosting: { type: "External" } }
        : where === "another account"
          ? {}
          : { issuerHosting: sameAccount("new") };
      const withUrl = (spec: typeof trustingOld) => (isElsewhere ? { issuer: { ...spec.issuer, url } } : spec);
      moving = new AzureAdministrator(az, exportedAzure(azure, requests, withUrl(trustingOld)));
      moved = new AzureAdministrator(
        az,
        exportedAzure(azure, requests, withUrl({ issuer: { signingKeys, previous: [] } })),
      );
      az.reset();
      succeeds(old, "apply.sh");
    });

    it("keeps the old issuer until it is asked to delete it", () => {
      const early = saidAzure(moving.destroy("--previous", "--yes", ...confirmed));
      expect(early.status).toBe(1);
      expect(early.stderr).toMatch(/^error: --previous: the package's own issuer does not match the package/);
      const issuer = String(moving.json("cluster.json")["issuer"]);
      succeeds(moving, "apply.sh");
      succeeds(moving, "status.sh");
      expect(issuersOf(az.state())).toEqual([issuer, oldIssuer].sort());
      if (isElsewhere) {
        const unconfirmed = saidAzure(moving.destroy("--previous", "--yes"));
        expect(unconfirmed.status).toBe(1);
        expect(unconfirmed.stderr).toContain("add --documents-checked");
      }
      const dry = saidAzure(moving.destroy("--previous", "--dry-run", ...confirmed)).lines.slice(0, -1);
      const lines = succeeds(moving, "destroy.sh", "--previous", "--yes", ...confirmed).slice(0, -1);
      expect(lines.map((line) => line.slice(14))).toEqual(dry.map((line) => line.slice(14)));
      expect(lines.at(-1)).toBe(
        `removed       ${where === "another container" ? "container demo" : "storage account oldaccount"}`,
      );
      const state = az.state();
      expect(issuersOf(state)).toEqual([issuer]);
      const there = Object.entries(state.accounts).flatMap(([name, { containers }]) =>
        Object.keys(containers).map((container) => `https://${name}.blob.core.windows.net/${container}`),
      );
      expect(there).toEqual(isElsewhere ? [] : [issuer]);
      expect(succeeds(moving, "destroy.sh", "--previous", "--yes", ...confirmed).at(-1)).toBe("Nothing to delete.");
      succeeds(moved, "apply.sh");
      expect(succeeds(moved, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
    });
  },
);

it("a package that no longer names the old issuer removes it last, and its account if --prune is given", () => {
  az.reset();
  succeeds(old, "apply.sh");
  const moved = new AzureAdministrator(az, exportedAzure({}, requests));
  const lines = succeeds(moved, "apply.sh");
  const kinds = lines.map((line) => line.split(" ")[0]);
  expect(kinds.indexOf("removed")).toBeGreaterThan(kinds.lastIndexOf("created"));
  expect(lines.join("\n")).toMatch(/^note +waiting 0 seconds before credentials/m);
  expect(lines.join("\n")).toMatch(/^note +storage account oldaccount has the owner of this package .*--prune/m);
  const state = az.state();
  state.accounts["oldaccount"] = { ...(state.accounts["oldaccount"] as State["accounts"][string]) };
  state.accounts["oldaccount"].containers["other"] = { publicAccess: "None", blobs: {} };
  az.reset(state);
  expect(succeeds(moved, "apply.sh", "--prune").join("\n")).toMatch(
    /not removed, because it has the container other$/m,
  );
  const { status, lines: kept } = saidAzure(moved.destroy("--yes"));
  expect(status).toBe(0);
  expect(kept).toContainEqual(expect.stringMatching(/^kept +storage account oldaccount: it has the container other/));
  expect(kept).toContainEqual(expect.stringMatching(/^kept +resource group demo-oidc: it contains .*oldaccount$/));
  expect(Object.keys(az.state().accounts)).toEqual(["oldaccount"]);
});

it("--previous frees no name that an identity outside the package trusts", () => {
  const moving = new AzureAdministrator(az, exportedAzure({}, requests, trustingOld));
  az.reset();
  succeeds(old, "apply.sh");
  succeeds(moving, "apply.sh");
  const seed = az.state();
  const trusting = (name: string, tags: Record<string, string>) => {
    const credentials = {
      old: { issuer: oldIssuer, subject: `system:serviceaccount:${name}:a`, audiences: ["openshift"] },
    };
    const id = `${oidcGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    (seed as Seed).identities = { ...seed.identities, [id]: { tags, credentials } };
  };
  trusting("Left-behind", { "openshift.io_cloud-credential-operator_demo": "owned" });
  az.reset(seed as Seed);
  expect(succeeds(moving, "destroy.sh", "--previous", "--yes").join("\n")).toMatch(
    /^removed +managed identity left-behind: federated credential old for (?:.|\n)*^removed +storage account oldaccount$/m,
  );
  expect(issuersOf(az.state())).not.toContain(oldIssuer);
  trusting("team", {});
  az.reset(seed as Seed);
  const kept = succeeds(moving, "destroy.sh", "--previous", "--yes").join("\n");
  expect(kept).toMatch(/^kept +managed identity team: federated credential old .*does not own the identity$/m);
  expect(kept).toMatch(/^kept +storage account oldaccount: a managed identity that the package does not own/m);
  expect(Object.keys(az.state().accounts)).toContain("oldaccount");
});
