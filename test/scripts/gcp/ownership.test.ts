import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";

let gcloud: StubGcloud;
let one: Administrator;
let applied: State;
let first: string;
let role: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  one = new Administrator(gcloud, exportedGcp({ keyStorage: "Bucket" }));
  gcloud.reset();
  expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
  applied = gcloud.state();
  [first = ""] = one.emails();
  role = one.roles()[0]?.split("/").at(-1) ?? "";
});
afterAll(() => gcloud?.stop());

type Edit = (state: State) => void;
const edited = (...edits: readonly Edit[]): State => {
  const copy = structuredClone(applied);
  for (const edit of edits) edit(copy);
  return copy;
};
const changing = () => gcloud.calls().filter(({ changes }) => changes);

/** Both scripts must fail with this, and must change nothing. */
function expectRefused(seed: Seed, message: RegExp, permissions?: readonly string[]): void {
  for (const [script, ...flags] of [["status.sh"], ["apply.sh"], ["destroy.sh", "--yes"]] as const) {
    gcloud.reset(seed);
    if (permissions !== undefined) gcloud.settings({ permissions });
    const before = gcloud.state();
    const { status, stderr } = one.run(script, flags);
    expect(status, script).toBe(1);
    expect(stderr, script).toMatch(message);
    expect(changing(), script).toEqual([]);
    expect(gcloud.state(), script).toEqual(before);
  }
}

describe("nothing is done in", () => {
  it("another project", () => {
    expectRefused({ project: "demo-other" }, /^error: gcloud projects describe: .*demo-project/);
  });

  it("a project that has this ID, but another number", () => {
    expectRefused({ number: "999999999999" }, /has the number 999999999999, but the package is for 123456789012/);
  });

  it("a project without the services, and the command that enables them is printed", () => {
    const services = ["iam.googleapis.com", "sts.googleapis.com", "cloudresourcemanager.googleapis.com"];
    const command =
      /gcloud services enable iamcredentials.googleapis.com storage.googleapis.com --project=demo-project/;
    expectRefused({ services }, command);
  });

  it("a project that the credentials may not read", () => {
    expectRefused({}, /^error: gcloud projects describe: .*denied|permission/, []);
  });

  it("another universe", () => {
    expectRefused({ universe: "other.example.com" }, /^error: gcloud projects describe/);
  });
});

/** How each resource shows its owner. */
const owned: readonly (readonly [string, string, (state: State, owner: string | undefined) => void])[] = [
  ["pool", "demo", (state, owner) => describeAs(state.pools["demo"], owner)],
  ["provider", "demo", (state, owner) => describeAs(state.pools["demo"]?.providers["demo"], owner)],
  ["service account", "", (state, owner) => describeAs(state.accounts[first], owner)],
  ["role", "", (state, owner) => describeAs(state.roles[role], owner)],
  [
    "bucket",
    "demo-oidc",
    (state, owner) => {
      const bucket = state.buckets["demo-oidc"];
      if (bucket === undefined) return;
      const labels = {
        team: "x",
        ...(owner && { "openshift-cloud-credential-operator": owner.replace("Owned by: ", "") }),
      };
      bucket.labels = labels;
    },
  ],
];

function describeAs(resource: { description?: string } | undefined, owner: string | undefined): void {
  if (resource === undefined) throw new Error("it was not applied");
  if (owner === undefined) delete resource.description;
  else resource.description = owner;
}

describe.each(owned)("a %s that the package does not own", (kind, given, edit) => {
  const name = () => given || (kind === "role" ? role : (first.split("@")[0] ?? ""));

  it("is not touched, and adopted if it is named", () => {
    gcloud.reset(edited((state) => edit(state, undefined)));
    const before = gcloud.state();
    const status = one.status();
    expect(status.status, status.stderr).toBe(2);
    expect(status.stdout).toMatch(new RegExp(`^refused +${kind} .*--adopt ${name()}$`, "m"));
    const refused = one.apply();
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(new RegExp(`^refused +${kind} `, "m"));
    expect(changing()).toEqual([]);
    expect(gcloud.state()).toEqual(before);

    const adopted = one.apply("--adopt", name());
    expect(adopted, adopted.stdout).toMatchObject({ status: 0, stderr: "" });
    const { buckets, ...rest } = gcloud.state();
    const { buckets: wanted, ...before2 } = applied;
    expect(rest).toEqual(before2);
    const labels = kind === "bucket" ? { labels: { ...wanted["demo-oidc"]?.labels, team: "x" } } : {};
    expect(buckets).toEqual({ "demo-oidc": { ...wanted["demo-oidc"], ...labels } });
    expect(one.apply().stdout).toContain("No changes");
  });

  it("is never adopted from another prefix", () => {
    gcloud.reset(edited((state) => edit(state, "Owned by: demo-2")));
    const before = gcloud.state();
    const { status, stdout } = one.apply("--adopt", name());
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`^refused +${kind} .*another resource prefix`, "m"));
    expect(changing()).toEqual([]);
    expect(gcloud.state()).toEqual(before);
  });

  it("survives destroy.sh", () => {
    gcloud.reset(edited((state) => edit(state, undefined)));
    one.destroy("--yes", "--delete-roles");
    const left = gcloud.state();
    const kept = { pool: left.pools["demo"]?.state, provider: left.pools["demo"]?.providers["demo"]?.state };
    if (kind === "pool") expect(kept.pool).toBe("ACTIVE");
    if (kind === "provider") expect(kept).toEqual({ pool: "ACTIVE", provider: "ACTIVE" });
    if (kind === "service account") expect(left.accounts[first]?.displayName).toBeDefined();
    if (kind === "role") expect(left.roles[role]?.deleted).toBeUndefined();
    if (kind === "bucket" || kept.pool === "ACTIVE")
      expect(left.buckets["demo-oidc"]?.objects).toHaveProperty(["keys.json"]);
    else expect(left.buckets).toEqual({});
  });
});

describe("a bucket of others", () => {
  it.each<[string, Partial<State["buckets"][string]>]>([
    ["that is private", { closed: true, projectNumber: "9" }],
    ["that everybody may read, even with the label of this prefix", { projectNumber: "9" }],
  ])("%s is not written to", (_, change) => {
    gcloud.reset(
      edited((state) => {
        Object.assign(state.buckets["demo-oidc"] ?? {}, change);
      }),
    );
    const before = gcloud.state();
    for (const script of ["status.sh", "apply.sh"]) {
      const { status, stderr } = one.run(script, []);
      expect(status).toBe(1);
      expect(stderr).toMatch(/bucket demo-oidc belongs to .*nothing was written to it/);
    }
    expect(changing()).toEqual([]);
    expect(gcloud.state()).toEqual(before);
  });

  it("in another location is not used", () => {
    gcloud.reset(
      edited((state) => {
        Object.assign(state.buckets["demo-oidc"] ?? {}, { location: "EU" });
      }),
    );
    expect(one.apply()).toMatchObject({ status: 1, stderr: expect.stringContaining("is in the location EU") });
    expect(changing()).toEqual([]);
  });

  it("is not taken, if it is empty but labelled by others", () => {
    gcloud.reset({ buckets: { "demo-oidc": { labels: { team: "x" } } } });
    expect(one.apply()).toMatchObject({ status: 1 });
    expect(changing()).toEqual([]);
  });
});

describe("a provider of others in the pool", () => {
  it("stops apply.sh, because its tokens would count like the cluster's", () => {
    const foreign = {
      oidc: { issuerUri: "https://x.example.com" },
      attributeMapping: { "google.subject": "assertion.sub" },
    };
    gcloud.reset(
      edited((state) => {
        state.accounts = {};
        Object.assign(state.pools["demo"]?.providers ?? {}, { other: { ...foreign, state: "ACTIVE", pending: 0 } });
      }),
    );
    const { status, stdout } = one.apply();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refused +pool demo: it contains the provider other/m);
    expect(gcloud.state().accounts).toEqual({});
    expect(one.status()).toMatchObject({ status: 2 });
  });
});

describe("what the package no longer has", () => {
  const former = "demo-former-abcdefg@demo-project.iam.gserviceaccount.com";
  const near = "demo-near-abcdefg@demo-project.iam.gserviceaccount.com";
  const leftover = (): State =>
    edited((state) => {
      Object.assign(state.accounts, {
        [former]: { description: "Owned by: demo", displayName: "demo former/secret" },
        [near]: { description: "Owned by: demo-2", displayName: "demo-2 near/secret" },
      });
      Object.assign(state.roles, {
        demo_former: { description: "Owned by: demo", includedPermissions: [] },
        team: { description: "team", includedPermissions: [] },
      });
      const members = [`serviceAccount:${former}`, `serviceAccount:${near}`];
      state.policy.bindings.push({ role: "roles/editor", members });
    });

  it("is reported, and removed with --prune", () => {
    gcloud.reset(leftover());
    const before = gcloud.state();
    expect(one.status()).toMatchObject({
      status: 2,
      stdout: expect.stringContaining(`extra         service account ${former}`),
    });
    const { status, stdout } = one.apply();
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("--prune removes it") });
    expect(gcloud.state()).toEqual(before);
    const dry = one.apply("--dry-run", "--prune");
    expect(dry.stdout).toMatch(/^2 changes would be made/m);
    expect(one.apply("--prune")).toMatchObject({ status: 0, stderr: "" });
    const after = gcloud.state();
    expect(Object.keys(after.accounts)).toEqual(Object.keys(before.accounts).filter((email) => email !== former));
    expect(after.roles["demo_former"]).toMatchObject({ deleted: true });
    expect(after.roles["team"]?.deleted).toBeUndefined();
    expect(after.policy.bindings).toContainEqual({ role: "roles/editor", members: [`serviceAccount:${near}`] });
    expect(JSON.stringify(after.policy)).not.toContain("demo-former");
    expect(one.apply().stdout).toContain("No changes");
  });

  it("is destroyed with the rest", () => {
    gcloud.reset(leftover());
    expect(one.destroy("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(gcloud.state().accounts)).toEqual([near]);
  });
});

describe("ccoctl's role, which all clusters of a project share", () => {
  const shared = "my_project_openshift_image_registry_gcs";
  const its = "demo-openshift-i-abcde@demo-project.iam.gserviceaccount.com";
  const name = `projects/demo-project/roles/${shared}`;
  const other = "serviceAccount:user@other-project.iam.gserviceaccount.com";
  const madeByCcoctl: Seed = {
    accounts: {
      [its]: { displayName: "demo-openshift-image-registry-gcs", description: "Created By OpenShift ccoctl" },
    },
    roles: { [shared]: { description: "Created By OpenShift ccoctl", includedPermissions: ["compute.disks.get"] } },
    policy: { bindings: [{ role: name, members: [`serviceAccount:${its}`, other] }] },
  };
  const key = "openshift-image-registry/installer-cloud-credentials";

  it("is not changed: the account gets its own, and then loses the shared one", () => {
    const overrides = { [key]: { serviceAccountID: its.split("@")[0] } };
    const admin = new Administrator(gcloud, exportedGcp({ overrides }));
    gcloud.reset(madeByCcoctl);
    expect(admin.apply("--adopt", its.split("@")[0] ?? "")).toMatchObject({ status: 0, stderr: "" });
    const { roles, policy, accounts } = gcloud.state();
    expect(roles[shared]).toEqual({
      description: "Created By OpenShift ccoctl",
      includedPermissions: ["compute.disks.get"],
    });
    expect(accounts[its]?.description).toBe("Owned by: demo");
    expect(policy.bindings).toContainEqual({ role: name, members: [other] });
    const commands = changing().filter(({ flags }) => flags["member"] === `serviceAccount:${its}`);
    expect(commands.at(-1)).toMatchObject({ command: "projects remove-iam-policy-binding", flags: { role: name } });
    expect(admin.status()).toMatchObject({ status: 0 });
  });

  it("is never adopted, even if it is named", () => {
    const overrides = { [key]: { serviceAccountID: its.split("@")[0], customRoleID: shared } };
    const admin = new Administrator(gcloud, exportedGcp({ overrides }));
    gcloud.reset(madeByCcoctl);
    const { status, stdout } = admin.apply("--adopt", its.split("@")[0] ?? "", "--adopt", shared);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refused +role my_project_openshift_image_registry_gcs: .*never adopted.*customRoleID/m);
    expect(gcloud.state().roles[shared]?.includedPermissions).toEqual(["compute.disks.get"]);
  });
});
