import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";

let gcloud: StubGcloud;
let one: Administrator;
let applied: State;
let first: string;
let role: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  one = new Administrator(gcloud, exportedGcp());
  gcloud.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = gcloud.state();
  [first = ""] = one.emails();
  role = one.roles()[0]?.split("/").at(-1) ?? "";
});
afterAll(() => gcloud?.stop());

const changing = () => gcloud.calls().filter(({ changes }) => changes);

/** The project after a change. */
function edited(edit: (state: State) => void): State {
  const copy = structuredClone(applied);
  edit(copy);
  return copy;
}

describe("what Google keeps for a while is restored", () => {
  it("a pool, whose provider at once gets the keys of now", () => {
    const old = JSON.stringify({ keys: [{ kty: "RSA", alg: "RS256", use: "sig", kid: "old", n: "AQAB", e: "AQAB" }] });
    gcloud.reset(
      edited(({ pools }) => {
        Object.assign(pools["demo"] ?? {}, { state: "DELETED" });
        Object.assign(pools["demo"]?.providers["demo"]?.oidc ?? {}, { jwksJson: old });
      }),
    );
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
    const commands = changing().map(({ command }) => command.replace("iam workload-identity-pools ", ""));
    expect(commands).toEqual(["undelete", "providers update-oidc"]);
  });

  it("a pool, and a failure at its provider ends the script before anything else", () => {
    gcloud.reset(
      edited(({ pools, accounts }) => {
        Object.assign(pools["demo"] ?? {}, { state: "DELETED" });
        delete accounts[first];
      }),
    );
    gcloud.settings({ constraints: ["iam.workloadIdentityPoolProviders"] });
    const { status, stderr } = one.apply();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: gcloud iam workload-identity-pools providers/m);
    expect(Object.keys(gcloud.state().accounts)).not.toContain(first);
  });

  it("a pool and its provider, which were deleted one after the other", () => {
    gcloud.reset(
      edited(({ pools }) => {
        Object.assign(pools["demo"] ?? {}, { state: "DELETED" });
        Object.assign(pools["demo"]?.providers["demo"] ?? {}, { state: "DELETED" });
      }),
    );
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
  });

  it("a role, with the permissions of now", () => {
    gcloud.reset(
      edited(({ roles }) => {
        Object.assign(roles[role] ?? {}, { deleted: true, includedPermissions: ["compute.disks.get"] });
      }),
    );
    expect(one.status()).toMatchObject({ status: 2 });
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
  });

  it.each([
    ["absent", 3],
    ["unspecified", 3],
    ["absent", 0],
  ] as const)("if Google shows a change late: %s, after %i reads", (begun, pending) => {
    gcloud.reset();
    gcloud.settings({ begun, pending });
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
    expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
  });
});

describe("what others have deleted is not touched", () => {
  it("a pool of another prefix", () => {
    gcloud.reset(
      edited(({ pools }) => {
        Object.assign(pools["demo"] ?? {}, { state: "DELETED", description: "Owned by: demo-2" });
      }),
    );
    const { status, stdout } = one.apply();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refused +pool demo: /m);
    expect(changing()).toEqual([]);
  });
});

describe("a role whose ID is blocked", () => {
  it("is refused with a cure, and everything else is applied", () => {
    gcloud.reset(
      edited(({ roles, policy }) => {
        roles[role] = { includedPermissions: [], changes: 1, deleted: true, blocked: true };
        policy.bindings = policy.bindings.filter(({ members }) => !members.includes(`serviceAccount:${first}`));
      }),
    );
    const { status, stdout } = one.apply();
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`^refused +role ${role}: .*customRoleID`, "m"));
    const { bindings } = gcloud.state().policy;
    expect(bindings).toContainEqual({ role: "roles/storage.admin", members: [`serviceAccount:${first}`] });
    expect(bindings.map((binding) => binding.role)).not.toContain(`projects/demo-project/roles/${role}`);
  });
});

describe("an account that was deleted and made again", () => {
  it("is another one: members of the former one go, and the new one gets its bindings", () => {
    gcloud.reset(
      edited(({ accounts, policy }) => {
        delete accounts[first];
        for (const binding of policy.bindings) {
          binding.members = binding.members.map((member) =>
            member === `serviceAccount:${first}` ? `deleted:serviceAccount:${first}?uid=100000000000000000009` : member,
          );
        }
        policy.bindings.push({
          role: "roles/viewer",
          members: ["deleted:serviceAccount:other@demo-project.iam?uid=1"],
        });
      }),
    );
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    const { policy, ...rest } = gcloud.state();
    const { policy: wanted, ...before } = applied;
    expect(rest).toEqual(before);
    expect(policy.bindings).toHaveLength(wanted.bindings.length + 1);
    expect(policy.bindings).toEqual(expect.arrayContaining(wanted.bindings));
    expect(one.status()).toMatchObject({ status: 0 });
  });

  it("by others, without a description, is refused", () => {
    gcloud.reset(
      edited(({ accounts }) => {
        accounts[first] = { displayName: "x" } as State["accounts"][string];
      }),
    );
    expect(one.apply()).toMatchObject({ status: 1, stdout: expect.stringMatching(/^refused +service account /m) });
  });
});
