import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubAz } from "../../helpers/az-stub/index.ts";
import { AzureAdministrator, exportedAzure } from "../../helpers/azure-administrator.ts";
import { twoAzureRequests } from "../../helpers/azure-package.ts";
import { keptTemporary } from "../../helpers/temporary.ts";

let az: StubAz;
let one: AzureAdministrator;
let applied: State;
const home = keptTemporary();
beforeAll(async () => {
  az = await StubAz.start();
  one = new AzureAdministrator(az, exportedAzure({}, twoAzureRequests.slice(0, 1)));
  az.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = az.state();
});
afterAll(async () => {
  await az?.stop();
  home.remove();
});

/** An az that succeeds for the URLs of one kind of list, with another answer. */
function answering(path: string, answer: string): AzureAdministrator {
  const real = az.environment["PATH"]?.split(delimiter)[0] ?? "";
  const text = `#!/bin/sh\ncase "$*" in *${path}*) printf '%s' '${answer}' ;; *) exec ${join(real, "az")} "$@" ;; esac\n`;
  writeFileSync(join(home.directory, "az"), text);
  chmodSync(join(home.directory, "az"), 0o755);
  return new AzureAdministrator(az, one.out, { PATH: `${home.directory}${delimiter}${az.environment["PATH"]}` });
}

describe.each(["", "{}", '{"value": null}'])("an answer that is not a list: %j", (answer) => {
  it.each([
    ["apply.sh", "/userAssignedIdentities?api"],
    ["apply.sh", "/federatedIdentityCredentials?api"],
    ["destroy.sh", "/containers?api"],
    ["destroy.sh", "/resources?api"],
    ["destroy.sh", "/roleAssignments?api"],
  ])("ends %s, for %s", (script, path) => {
    az.reset(applied as Seed);
    const { status, stderr } = answering(path, answer).run(script, script === "destroy.sh" ? ["--yes"] : []);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("error: cannot read a response"),
    });
    if (path.includes("containers")) expect(az.state().accounts).toEqual(applied.accounts);
    if (path.includes("resources")) expect(az.state().groups).toEqual(applied.groups);
    if (script === "apply.sh") expect(az.state()).toEqual(applied);
  });
});

it("all pages of containers and credentials count", () => {
  const state = structuredClone(applied);
  for (const account of Object.values(state.accounts)) {
    account.containers["team"] = { publicAccess: "None", blobs: {} };
  }
  for (const identity of Object.values(state.identities)) {
    const [[name, wanted]] = Object.entries(identity.credentials) as [[string, (typeof identity.credentials)[string]]];
    const { issuer, audiences } = wanted;
    identity.credentials = { a: { issuer, subject: "system:serviceaccount:a:a", audiences }, [name]: wanted };
  }
  az.reset(state as Seed);
  az.settings({ page: 1 });
  const { status, stdout } = one.apply();
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringMatching(/^created/m) });
  expect(az.state().identities).toEqual(applied.identities);
  expect(one.destroy("--yes").stdout).toMatch(/^kept +storage account .* it has the container team, /m);
});

it("a first page without the role for the upload does not mean that the caller lacks it", () => {
  const state = structuredClone(applied);
  for (const account of Object.values(state.accounts)) {
    for (const container of Object.values(account.containers)) container.blobs = {};
  }
  az.reset(state as Seed);
  const page = '{"value": [{"actions": ["*"], "dataActions": []}], "nextLink": "https://management.azure.com/next"}';
  expect(answering("/permissions?api", page).apply()).toMatchObject({ status: 0, stderr: "" });
  expect(az.state()).toEqual(applied);
});
