import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seed, type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";
import { type GcpRequest, tenGcpRequests, twoGcpRequests } from "../../helpers/gcp-package.ts";

let gcloud: StubGcloud;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
});
afterAll(() => gcloud?.stop());

/** What is in the project before, and stays. */
const theirs = "team@demo-project.iam.gserviceaccount.com";
const foreign: Seed = {
  policy: {
    bindings: [
      { role: "roles/owner", members: ["user:a@example.com"] },
      { role: "roles/dns.admin", members: [`serviceAccount:${theirs}`] },
      {
        role: "roles/viewer",
        members: ["user:a@example.com"],
        condition: { title: "c", expression: "request.time < timestamp('2030-01-01T00:00:00Z')" },
      },
    ],
  },
  accounts: { [theirs]: { displayName: "team" } },
  roles: { team_role: { title: "team", includedPermissions: ["compute.disks.get"] } },
  pools: { team: { displayName: "team" } },
  buckets: { "team-bucket": {} },
};

/** The bindings of the project without those of some accounts. */
function withoutMembers({ policy }: State, emails: readonly string[]) {
  const members = emails.map((email) => `serviceAccount:${email}`);
  const rest = policy.bindings.map((one) => ({
    ...one,
    members: one.members.filter((name) => !members.includes(name)),
  }));
  return rest.filter((one) => one.members.length > 0).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Runs a script, which must succeed or exit with the given code, with nothing on standard error. */
function succeeds(one: Administrator, script: string, flags: readonly string[] = [], status = 0): string[] {
  gcloud.forgetCalls();
  const done = one.run(script, flags);
  expect(done, `${script}\n${done.stdout}`).toMatchObject({ status, stderr: "" });
  for (const call of gcloud.calls()) expect(call, call.args.join(" ")).toMatchObject({ input: "/dev/null" });
  return done.stdout.trimEnd().split("\n");
}

const changing = () => gcloud.calls().filter(({ changes }) => changes);
/** The rest of each line of a kind, and the kinds of all lines but the last. */
const things = (lines: readonly string[]) => lines.slice(0, -1).map((line) => line.slice(14).replace(/[:,].*/, ""));

describe.each(["PoolJWKFile", "Bucket"])("a package with keyStorage %s", (keyStorage) => {
  let one: Administrator;
  let applied: State;
  beforeAll(() => {
    one = new Administrator(gcloud, exportedGcp({ keyStorage }));
  });
  const isBucket = keyStorage === "Bucket";

  it("is created in a project with other resources, and then in sync", () => {
    const [first = "", second = ""] = one.emails();
    const role = one.roles().map((name) => `role ${name.split("/").at(-1)}`);
    const documents = ["document .well-known/openid-configuration", "document keys.json"];
    const expected = [
      ...(isBucket ? ["bucket demo-oidc", ...documents] : []),
      ...["pool demo", "provider demo", `service account ${first}`, `service account ${second}`],
      ...role,
    ];
    gcloud.reset(foreign);
    const before = gcloud.state();
    expect(things(succeeds(one, "status.sh", [], 2))).toEqual(expected);
    expect(things(succeeds(one, "apply.sh", ["--dry-run"], 2))).toEqual(expected);
    expect(changing()).toEqual([]);
    expect(gcloud.state()).toEqual(before);

    const lines = succeeds(one, "apply.sh");
    expect(things(lines)).toEqual(expected);
    expect(lines.filter((line) => line.startsWith("created "))).toHaveLength(expected.length);
    applied = gcloud.state();
    const { policy, ...rest } = before;
    expect(applied).toMatchObject(rest);
    expect(withoutMembers(applied, [first, second])).toEqual(policy.bindings);
    expect(Object.keys(applied.accounts).sort()).toEqual([first, second, theirs].sort());

    expect(succeeds(one, "apply.sh").at(-1)).toBe("No changes: the cloud matches the package.");
    expect(changing()).toEqual([]);
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
    expect(changing()).toEqual([]);
    expect(gcloud.calls().length).toBeLessThanOrEqual(8 + 2 * 2 + (isBucket ? 5 : 0));
    expect(gcloud.state()).toEqual(applied);
    const json = JSON.parse(succeeds(one, "status.sh", ["-o", "json"]).join("\n"));
    expect(json).toMatchObject({ account: "demo-project", status: "in sync", changes: 0, refused: 0 });
  });

  it("has exactly what its files say", () => {
    const [first = "", second = ""] = one.emails();
    const { description, oidc, attributeMapping } = applied.pools["demo"]?.providers["demo"] ?? {};
    const file = one.json("issuer/provider.json") as Record<string, Record<string, unknown>>;
    expect({ description, attributeMapping }).toEqual({
      description: file["description"],
      attributeMapping: file["attributeMapping"],
    });
    const { jwksJson, ...rest } = oidc ?? {};
    expect(rest).toEqual(file["oidc"]);
    if (isBucket) expect(jwksJson).toBeUndefined();
    else expect(JSON.parse(jwksJson ?? "")).toEqual(one.json("issuer/keys.json"));

    const subject = (account: string) =>
      `principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/subject/system:serviceaccount:${account}`;
    const policy = (...accounts: string[]) => ({
      bindings: [{ role: "roles/iam.workloadIdentityUser", members: accounts.map(subject) }],
    });
    expect(applied.accounts[first]?.policy).toEqual(policy("openshift-image-registry:cluster-image-registry-operator"));
    const ingress = ["ingress-operator", "router"].map((name) => `openshift-ingress-operator:${name}`);
    expect(applied.accounts[second]?.policy).toEqual(policy(...ingress));
    const granted = applied.policy.bindings.flatMap(({ role, members }) =>
      members.filter((member) => member === `serviceAccount:${first}`).map(() => role),
    );
    expect(granted.sort()).toEqual([...one.roles(), "roles/storage.admin"].sort());
    if (!isBucket) return;
    expect(applied.buckets["demo-oidc"]).toMatchObject({
      labels: { "openshift-cloud-credential-operator": "demo" },
      location: "US",
      iamConfiguration: { publicAccessPrevention: "inherited", uniformBucketLevelAccess: { enabled: true } },
      policy: { bindings: [{ role: "roles/storage.legacyObjectReader", members: ["allUsers"] }] },
      objects: {
        "keys.json": { contentType: "application/json", cacheControl: "public, max-age=60" },
        ".well-known/openid-configuration": { contentType: "application/json", cacheControl: "public, max-age=60" },
      },
    });
  });

  it("is destroyed in the safe order, and nothing else is", () => {
    gcloud.reset(applied);
    const dry = things(succeeds(one, "destroy.sh", ["--dry-run"], 2));
    expect(changing()).toEqual([]);
    const lines = succeeds(one, "destroy.sh", ["--yes"]);
    expect(things(lines)).toEqual(dry);
    const verbs = changing().map(({ command, names }) => `${command} ${names[0]}`);
    const last = [
      ...["iam workload-identity-pools providers delete demo", "iam workload-identity-pools delete demo"],
      ...(isBucket
        ? [
            "storage rm gs://demo-oidc/.well-known/openid-configuration",
            "storage rm gs://demo-oidc/keys.json",
            "storage buckets delete gs://demo-oidc",
          ]
        : []),
    ];
    expect(verbs.slice(-last.length)).toEqual(last);
    // The pool is known to be gone before the first document is.
    const commands = gcloud.calls().map(({ command }) => command);
    const gone = commands.indexOf("iam workload-identity-pools delete");
    if (isBucket)
      expect(commands.slice(gone, commands.indexOf("storage rm"))).toContain("iam workload-identity-pools describe");
    for (const email of one.emails()) {
      const account = verbs.indexOf(`iam service-accounts delete ${email}`);
      const unbound = changing().flatMap(({ command, flags }, index) =>
        command.startsWith("projects remove") && flags["member"] === `serviceAccount:${email}` ? [index] : [],
      );
      expect(Math.max(...unbound)).toBeLessThan(account);
    }

    const left = gcloud.state();
    const { policy, pools, roles, ...rest } = left;
    gcloud.reset(foreign);
    const { policy: policyBefore, pools: poolsBefore, roles: rolesBefore, ...restBefore } = gcloud.state();
    expect(rest).toEqual(restBefore);
    expect(policy).toEqual(policyBefore);
    expect(pools).toEqual({ ...poolsBefore, demo: { ...pools["demo"], state: "DELETED" } });
    expect(pools["demo"]?.providers["demo"]?.state).toBe("DELETED");
    // The role stays, because its ID would be blocked.
    const [role = ""] = one.roles().map((name) => name.split("/").at(-1) ?? "");
    expect(roles).toEqual({ ...rolesBefore, [role]: applied.roles[role] });

    gcloud.reset(left);
    expect(succeeds(one, "destroy.sh", ["--yes"]).at(-1)).toBe("Nothing to delete.");
    expect(succeeds(one, "destroy.sh", ["--yes", "--delete-roles"]).at(-1)).toBe("1 resource deleted.");
    expect(gcloud.state().roles[role]).toMatchObject({ deleted: true });
  });

  it("is restored after that, with the keys of now", () => {
    gcloud.reset(applied);
    one.destroy("--yes", "--delete-roles");
    const old = JSON.stringify({ keys: [{ kty: "RSA", alg: "RS256", use: "sig", kid: "old", n: "AQAB", e: "AQAB" }] });
    gcloud.put(["pools", "demo", "providers", "demo", "oidc", "jwksJson"], old);
    const lines = succeeds(one, "apply.sh");
    expect(lines.join("\n")).toContain("pool demo, which was deleted");
    expect(gcloud.state()).toEqual(applied);
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
  });

  it("needs no permission but those of admin-role.json, and all of those", () => {
    const permissions = one.json("admin-role.json")["includedPermissions"] as string[];
    const [first = "", second = ""] = one.emails();
    const used = new Set<string>();
    const run = (script: string, ...flags: string[]) => {
      gcloud.settings({ permissions });
      succeeds(one, script, flags);
      for (const permission of gcloud.usedPermissions()) used.add(permission);
    };
    gcloud.reset();
    run("apply.sh");
    run("apply.sh");
    const drifted = gcloud.state();
    drifted.accounts[first] = { ...drifted.accounts[first], displayName: "x", disabled: true } as never;
    drifted.accounts[second] = { ...drifted.accounts[second], policy: { bindings: [], changes: 1 } } as never;
    for (const role of Object.values(drifted.roles)) role.includedPermissions = ["compute.disks.get"];
    for (const bucket of Object.values(drifted.buckets))
      bucket.labels = { "openshift-cloud-credential-operator": "demo" };
    const pool = drifted.pools["demo"];
    if (pool !== undefined) pool.displayName = "x";
    gcloud.reset(drifted);
    run("apply.sh");
    run("destroy.sh", "--yes", "--delete-roles");
    run("apply.sh");
    const lacking = [...used].filter((permission) => !permissions.includes(permission));
    expect(lacking).toEqual([]);
    // Objects are listed after a run that was interrupted. Accounts are only listed, but reading one reveals nothing more.
    // Without a bucket, the one that the issuer had before is deleted on demand.
    // Only the engine lists pools and uploads.
    const toPrune = ["storage.buckets.delete", "storage.multipartUploads.list"];
    const toErase = ["storage.objects.delete", "storage.objects.list"];
    const always = ["iam.serviceAccounts.get", "iam.workloadIdentityPools.list"];
    const ofBucket = ["storage.multipartUploads.list", "storage.objects.list"];
    const unused = new Set(permissions.filter((permission) => !used.has(permission)));
    expect([...unused]).toEqual([...always, ...(isBucket ? ofBucket : [...toPrune, ...toErase])]);
  });
});

describe("gcloud is started", () => {
  it("at most 8 times, 5 times for a bucket, and twice for each of ten identities with a role", () => {
    // Half of the ten have a custom role, so there are fewer calls than there may be.
    const limit = 8 + 5 + 10 + 5;
    const one = new Administrator(gcloud, exportedGcp({ keyStorage: "Bucket" }, tenGcpRequests));
    gcloud.reset();
    expect(one.apply()).toMatchObject({ status: 0 });
    // If lists have several pages, gcloud reads them all.
    gcloud.settings({ page: 3 });
    succeeds(one, "status.sh");
    expect(gcloud.calls().length).toBeLessThanOrEqual(limit);
    succeeds(one, "apply.sh");
    expect(gcloud.calls().length).toBeLessThanOrEqual(limit);
  });
});

describe("a package of one request", () => {
  const requests: readonly GcpRequest[] = twoGcpRequests.slice(1);
  it("is applied with an audience that contains a comma, a condition, and another pool and provider", () => {
    const spec = { attributeCondition: "assertion.sub != 'x'", pool: "pool-of-demo", provider: "its-provider" };
    const one = new Administrator(gcloud, exportedGcp(spec, requests));
    gcloud.reset();
    succeeds(one, "apply.sh");
    const provider = gcloud.state().pools["pool-of-demo"]?.providers["its-provider"];
    expect(provider?.attributeCondition).toBe("assertion.sub != 'x'");
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
  });

  it("is applied in another universe, and in the project of a domain", () => {
    const spec = { universeDomain: "s3nsapis.fr", projectID: "s3ns:demo-project", keyStorage: "Bucket" };
    const one = new Administrator(gcloud, exportedGcp(spec, requests));
    gcloud.reset({ universe: "s3nsapis.fr", project: "s3ns:demo-project" });
    succeeds(one, "apply.sh");
    expect(one.emails()[0]).toMatch(/@demo-project\.s3ns\.iam\.gserviceaccount\.com$/);
    expect(succeeds(one, "status.sh").at(-1)).toBe("In sync: the cloud matches the package.");
    succeeds(one, "destroy.sh", ["--yes"]);
    gcloud.reset({ project: "s3ns:demo-project" });
    expect(one.status()).toMatchObject({ status: 1 });
  });
});
