import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Options, Plan } from "../../src/apply/plan.ts";
import { pace } from "../../src/apply/requests.ts";
import { runPlan } from "../../src/apply/run.ts";
import { planCommands } from "../../src/apply/show.ts";
import { gcpEngine } from "../../src/clouds/gcp/apply/engine.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import { tenGcpRequests } from "../helpers/gcp-package.ts";
import { settled, stateOf } from "../helpers/google/state.mjs";
import type { Bucket, State, Value } from "../helpers/google/types.ts";
import { quiet } from "./carried-out.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import {
  apply,
  destroy,
  destroyPlan,
  differences,
  exportedFiles,
  open,
  plan,
  problems,
  said,
  usual,
} from "./gcp-engine.ts";

const publicKey = readFileSync(signerKeyFile, "utf8");
const storages = ["PoolJWKFile", "Bucket"] as const;
let cloud: GcpCloud;
const files = new Map<string, Map<string, string>>();
const healthy = new Map<string, State>();

beforeAll(async () => {
  pace.second = 0;
  cloud = await GcpCloud.start();
  for (const keyStorage of storages) files.set(keyStorage, exportedFiles({ keyStorage }));
});
afterAll(() => cloud.stop());

const of = (keyStorage: string) => files.get(keyStorage) ?? new Map<string, string>();

describe.each(storages)("with the keys in %s", (keyStorage) => {
  it("a first apply creates everything, and a second one nothing", async () => {
    cloud.reset();
    const first = await apply(cloud, of(keyStorage));
    expect(problems(first)).toBe("");
    expect(first.skipped).toEqual([]);
    healthy.set(keyStorage, structuredClone(cloud.state));
    expect(await differences(cloud, of(keyStorage))).toEqual([]);
    cloud.received.length = 0;
    expect((await apply(cloud, of(keyStorage))).done).toEqual([]);
    expect(cloud.received.filter(({ changes }) => changes)).toEqual([]);
  });

  it("a destroy removes all but the custom roles, which --delete-roles removes", async () => {
    cloud.reset();
    cloud.world.state = structuredClone(healthy.get(keyStorage) as State);
    expect(problems(await destroy(cloud, of(keyStorage)))).toBe("");
    const { accounts, buckets, policy, pools, roles } = cloud.state;
    expect([accounts, buckets, policy.bindings]).toEqual([{}, {}, []]);
    expect(Object.values(pools).map(({ state }) => state)).toEqual(["DELETED"]);
    expect(Object.values(roles).map(({ deleted }) => deleted)).toEqual([undefined]);
    expect(problems(await destroy(cloud, of(keyStorage), true))).toBe("");
    expect(Object.values(roles).map(({ deleted }) => deleted)).toEqual([true]);
    expect(problems(await apply(cloud, of(keyStorage)))).toBe("");
    expect(await differences(cloud, of(keyStorage))).toEqual([]);
  });
});

const pool = "projects/123456789012/locations/global/workloadIdentityPools";
const first = "demo-image-regis-z5fkwlp";
const email = `${first}@demo-project.iam.gserviceaccount.com`;
const account = (): Value => cloud.state.accounts[email];
const changes = () => cloud.received.filter((one) => one.changes);
const bucketFiles = () => of("Bucket");
const prune: Options = { ...usual, prune: true };

describe("what is the package's", () => {
  beforeEach(() => {
    cloud.reset();
    cloud.world.state = structuredClone(healthy.get("Bucket") as State);
  });

  it("is not an empty bucket of a colleague, which is refused until it is adopted, and keeps its labels", async () => {
    cloud.reset({ buckets: { "demo-oidc": { labels: { team: "a" }, iamConfiguration: {} } } });
    const before = structuredClone(cloud.state);
    expect(await differences(cloud, bucketFiles())).toContainEqual(
      expect.stringContaining("refuse bucket demo-oidc it exists without the owner mark"),
    );
    await apply(cloud, bucketFiles(), prune);
    await destroy(cloud, bucketFiles(), true);
    expect(settled(cloud.state)).toEqual(settled(before));
    expect(problems(await apply(cloud, bucketFiles(), { ...usual, adopt: ["demo-oidc"] }))).toBe("");
    expect(cloud.state.buckets["demo-oidc"]?.labels).toEqual({
      team: "a",
      "openshift-cloud-credential-operator": "demo",
    });
  });

  it("is not a bucket that another creates while ours is created", async () => {
    cloud.reset();
    cloud.before = ({ method, url }) => {
      if (method === "POST" && url.includes("/b?project="))
        cloud.world.state.buckets["demo-oidc"] = stateOf({ buckets: { "demo-oidc": {} } }).buckets[
          "demo-oidc"
        ] as Value;
    };
    const outcome = await apply(cloud, bucketFiles());
    expect(problems(outcome)).toMatch(/bucket demo-oidc: Another program has created the bucket demo-oidc/);
    expect(cloud.state.buckets["demo-oidc"]?.objects).toEqual({});
    expect(cloud.state.pools).toEqual({});
  });

  it("is not another project's bucket, whether or not it can be read", async () => {
    for (const closed of [true, false]) {
      cloud.reset({ buckets: { "demo-oidc": { closed, projectNumber: "999999999999" } } });
      expect(await differences(cloud, bucketFiles())).toContainEqual(
        expect.stringMatching(
          closed
            ? /unknown bucket demo-oidc It belongs to another project/
            : /refuse bucket demo-oidc it is in the project with the number 9/,
        ),
      );
      await apply(cloud, bucketFiles(), { ...prune, adopt: ["demo-oidc"] });
      expect(changes()).toEqual([]);
    }
  });

  it("is not a bucket with other objects: a destroy keeps it, and names what it has", async () => {
    const cases: Partial<Bucket>[] = [
      { noncurrent: ["old.txt"] },
      { softDeleted: ["deleted.txt"] },
      { uploads: ["big.iso"] },
      { objects: { "report.pdf": { body: "x", generation: 1 } } },
    ];
    for (const more of cases) {
      cloud.world.state = structuredClone(healthy.get("Bucket") as State);
      const bucket = cloud.state.buckets["demo-oidc"] as Bucket;
      Object.assign(bucket, { ...more, objects: { ...bucket.objects, ...more.objects } });
      expect(said(await destroyPlan(open(cloud, bucketFiles())))).toContainEqual(
        expect.stringMatching(/keep bucket demo-oidc it has the object (old|deleted|big|report)\./),
      );
      await destroy(cloud, bucketFiles());
      expect(Object.keys(cloud.state.buckets["demo-oidc"]?.objects ?? {})).toContain("keys.json");
    }
  });

  it("is a bucket with former versions of our documents", async () => {
    Object.assign(cloud.state.buckets["demo-oidc"] as Bucket, {
      noncurrent: ["keys.json"],
      softDeleted: ["keys.json"],
    });
    expect(problems(await destroy(cloud, bucketFiles()))).toBe("");
    expect(cloud.state.buckets).toEqual({});
  });

  it("goes in an order in which the next owner of the bucket's name cannot be the issuer", async () => {
    await destroy(cloud, bucketFiles());
    const deletes = cloud.received.filter(({ method }) => method === "DELETE").map(({ url }) => url);
    const at = (part: string) => deletes.findIndex((url) => url.endsWith(part));
    expect(at("/providers/demo")).toBeLessThan(at(`${pool}/demo`));
    expect(at(`${pool}/demo`)).toBeLessThan(at("/b/demo-oidc"));
  });

  it("is read again before each write", async () => {
    account().policy.bindings = [];
    account().displayName = "x";
    const target = open(cloud, bucketFiles());
    const made = await plan(target);
    expect(made.steps.filter(({ action }) => action !== "none").length).toBeGreaterThan(1);
    account().description = "Owned by: demo-2";
    cloud.received.length = 0;
    const outcome = await runPlan(target, made, quiet);
    expect(outcome.done).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it("is not ccoctl's role, which is never adopted, and the account keeps it until it has its own", async () => {
    const [id = ""] = Object.keys(cloud.state.roles);
    Object.assign(cloud.state.roles[id] as Value, { description: "Created By OpenShift ccoctl" });
    cloud.state.policy.bindings.push({ role: "roles/shared", members: [`serviceAccount:${email}`] });
    const now = await differences(cloud, bucketFiles());
    expect(now).toContainEqual(expect.stringMatching(/refuse custom role .* never adopted, because ccoctl/));
    expect(now).toContainEqual(expect.stringMatching(/keep project role .*roles\/shared .*until it has its own/));
    await apply(cloud, bucketFiles(), { ...prune, adopt: [id] });
    expect(changes()).toEqual([]);
  });

  it("is adopted by name, and what another prefix owns is not", async () => {
    for (const description of ["", "Created By OpenShift ccoctl"]) {
      account().description = description;
      expect(await differences(cloud, bucketFiles())).toContainEqual(
        expect.stringContaining(`refuse service account ${first} it exists without the owner mark`),
      );
      expect(problems(await apply(cloud, bucketFiles(), { ...usual, adopt: [first] }))).toBe("");
      expect(account().description).toBe("Owned by: demo");
    }
    account().description = "Owned by: demo-2";
    await apply(cloud, bucketFiles(), { ...prune, adopt: [first] });
    expect(account().description).toBe("Owned by: demo-2");
  });
});

it("a pool that was deleted is restored in one run, with its provider, which Google hides until then", async () => {
  for (const keyStorage of storages) {
    cloud.reset();
    cloud.world.state = structuredClone(healthy.get(keyStorage) as State);
    const [one] = Object.values(cloud.state.pools) as [Value];
    const hidden = one.providers as Record<string, Value>;
    Object.assign(one, { state: "DELETED", providers: {} });
    for (const provider of Object.values(hidden)) provider.state = "DELETED";
    cloud.before = ({ url }) => {
      if (url.includes(":undelete")) one.providers = hidden;
    };
    expect(problems(await apply(cloud, of(keyStorage)))).toBe("");
    expect(await differences(cloud, of(keyStorage))).toEqual([]);
  }
});

describe("two clusters with one prefix", () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });

  it.each([
    ["other keys", { issuer: { signingKeys: [{ publicKey: String(other) }] } }, {}],
    [
      "another pool",
      { issuer: { signingKeys: [{ publicKey: String(other) }] } },
      { pool: "second", bucket: "second-oidc" },
    ],
    ["another issuer", { issuer: { signingKeys: [{ publicKey }], url: "https://second.example" } }, {}],
  ])("the second is refused before its first write: %s", async (_, spec, gcp) => {
    for (const keyStorage of "url" in spec.issuer ? (["PoolJWKFile"] as const) : storages) {
      cloud.reset();
      cloud.world.state = structuredClone(healthy.get(keyStorage) as State);
      const second = exportedFiles({ keyStorage, ...gcp }, tenGcpRequests, spec);
      const before = structuredClone(cloud.state);
      expect((await differences(cloud, second)).filter((line) => line.startsWith("refuse"))).not.toEqual([]);
      await apply(cloud, second);
      expect(changes()).toEqual([]);
      expect(settled(cloud.state)).toEqual(settled(before));
    }
  });

  it("is refused in one run, too", () => {
    const engine = gcpEngine({ environment: {}, deleteRoles: false }, cloud.connection());
    engine(of("Bucket"));
    expect(() => engine(of("PoolJWKFile"))).toThrow(/has the resource prefix demo in the project demo-project, too/);
  });
});

describe("requests", () => {
  it.each(storages)("of a status of ten identities: at most 2n + 14, with the keys in %s", async (keyStorage) => {
    const ten = exportedFiles({ keyStorage }, tenGcpRequests);
    cloud.reset({}, { page: 1000 });
    expect(problems(await apply(cloud, ten))).toBe("");
    cloud.received.length = 0;
    expect(await differences(cloud, ten)).toEqual([]);
    expect(cloud.received.length).toBeLessThanOrEqual(2 * 10 + 14);
    expect(changes()).toEqual([]);
  });

  it("read all pages of lists", async () => {
    cloud.reset({}, { page: 1 });
    const ten = exportedFiles({}, tenGcpRequests);
    expect(problems(await apply(cloud, ten))).toBe("");
    expect(await differences(cloud, ten)).toEqual([]);
  });

  it("are none after the first if the project has another number", async () => {
    cloud.reset({ number: "111111111111" });
    await expect(apply(cloud, of("Bucket"))).rejects.toThrow(
      /demo-project has the number 111111111111, but the package is for demo-project with the number 123456789012/,
    );
    expect(cloud.received).toHaveLength(1);
  });

  it("name the APIs that must be enabled", async () => {
    cloud.reset({ services: ["cloudresourcemanager.googleapis.com", "serviceusage.googleapis.com"] });
    await expect(apply(cloud, of("Bucket"))).rejects.toThrow(
      /gcloud services enable iam\.googleapis\.com .*storage\.googleapis\.com --project=demo-project/,
    );
    expect(changes()).toEqual([]);
  });
});

describe("policies", () => {
  const conditional = {
    role: "roles/viewer",
    members: ["user:kim@example.com"],
    condition: { title: "t", expression: "true" },
  };

  it("keep every other entry, and are written with version 3 and the etag", async () => {
    cloud.reset({
      policy: { bindings: [conditional, { role: "roles/dns.admin", members: ["user:lee@example.com"] }] },
    });
    expect(problems(await apply(cloud, of("Bucket")))).toBe("");
    expect(problems(await destroy(cloud, of("Bucket")))).toBe("");
    expect(cloud.state.policy.bindings).toEqual([
      conditional,
      { role: "roles/dns.admin", members: ["user:lee@example.com"] },
    ]);
  });

  it("that others change at the same time are read again, at most ten times", async () => {
    cloud.reset({}, { conflicts: 9 });
    expect(problems(await apply(cloud, of("PoolJWKFile")))).toBe("");
    cloud.reset({}, { conflicts: 10_000 });
    const outcome = await apply(cloud, of("PoolJWKFile"));
    expect(problems(outcome)).toMatch(/Another program changed the policy of .* each of 10 times/);
    cloud.world.settings.conflicts = 0;
    expect(problems(await apply(cloud, of("PoolJWKFile")))).toBe("");
  });

  it("of one project are written by one package at a time", async () => {
    cloud.reset();
    const engine = gcpEngine({ environment: {}, deleteRoles: false }, cloud.connection());
    const packages = ["demo", "demo-2", "demo-3"].map((resourcePrefix) =>
      exportedFiles({}, undefined, {
        resourcePrefix,
        issuer: { signingKeys: [{ publicKey }], url: `https://${resourcePrefix}.example` },
      }),
    );
    const targets = packages.map((one) => engine(one));
    const plans = await Promise.all(targets.map((target) => plan(target)));
    const outcomes = await Promise.all(targets.map((target, index) => runPlan(target, plans[index] as Plan, quiet)));
    expect(outcomes.map(problems)).toEqual(["", "", ""]);
    const [sets, gets] = ["setIamPolicy", "getIamPolicy"].map(
      (verb) => cloud.received.filter(({ url }) => url.includes(`projects/demo-project:${verb}`)).length,
    ) as [number, number];
    expect(sets).toBe(9);
    expect(gets).toBeLessThanOrEqual(25);
    for (const one of packages) expect(await differences(cloud, one)).toEqual([]);
  });
});

describe("what is not known", () => {
  it("is not taken for a removal: a deletion that Google refuses", async () => {
    cloud.reset({});
    expect(problems(await apply(cloud, of("Bucket")))).toBe("");
    const role = JSON.parse(of("Bucket").get("gcp/admin-role.json") ?? "") as { includedPermissions: string[] };
    const permitted = role.includedPermissions.filter((one) => one !== "iam.serviceAccounts.delete");
    cloud.world.settings.permissions = permitted;
    const { done, failed } = await destroy(cloud, of("Bucket"));
    delete cloud.world.settings.permissions;
    expect(done.filter(({ kind }) => kind === "service account")).toEqual([]);
    expect(failed.map(({ problem }) => problem).join("\n")).toContain("403 PERMISSION_DENIED");
    expect(Object.keys(cloud.state.accounts)).not.toEqual([]);
  });

  it("is what everyone reads if nothing answers: no run stops, and no document is taken for read", async () => {
    cloud.reset();
    cloud.isHidden = true;
    expect(problems(await apply(cloud, of("Bucket")))).toBe("");
    const { steps } = await plan(open(cloud, of("Bucket")));
    const different = steps.filter(({ action }) => action !== "none");
    expect(different.map(({ action, extra }) => [action, extra?.unread])).toEqual([
      ["keep", true],
      ["keep", true],
    ]);
    expect(different[0]?.reason).toMatch(/without credentials \(GET .*[^.]\); to omit this check, use --no-fetch$/);
  });

  it("leads to no removal: a list, a policy, or a page that cannot be read", async () => {
    for (const part of ["/serviceAccounts?", "/roles?", ":getIamPolicy", "/providers?", "workloadIdentityPools?"]) {
      cloud.reset();
      cloud.world.state = structuredClone(healthy.get("Bucket") as State);
      cloud.state.accounts["demo-old-1234567@demo-project.iam.gserviceaccount.com"] = structuredClone(account());
      cloud.before = ({ url }) => {
        cloud.world.settings.permissions = url.includes(part) ? [] : ["*"];
        if (!url.includes(part)) delete cloud.world.settings.permissions;
      };
      const now = await differences(cloud, bucketFiles());
      expect(now, part).toContainEqual(expect.stringMatching(/unknown resources that are not in the package .*403/));
      expect(now.filter((line) => line.startsWith("remove"))).toEqual([]);
      cloud.received.length = 0;
      await apply(cloud, bucketFiles(), prune);
      expect(cloud.received.filter(({ method, url }) => method === "DELETE" || url.includes("setIam"))).toEqual([]);
    }
  });
});

describe("the requests that a plan shows", () => {
  /** What changes something, without what differs from run to run. */
  const plain = (line: string) =>
    line
      .replace(/ .*?\/\/[^/]+\//, " /")
      .replace(/^(\S+ \S+).*$/, "$1")
      .replace(/(generation=|\/o\/(?=.*generation=)).*$/i, "");

  async function compare(made: Plan, target = open(cloud, bucketFiles(), true)): Promise<void> {
    const shown = planCommands(target, made);
    expect(shown.join("\n")).not.toMatch(/undefined|\[object/);
    cloud.received.length = 0;
    await runPlan(target, made, quiet);
    const sent = cloud.received.filter(({ changes }) => changes).map(({ method, url }) => plain(`${method} ${url}`));
    expect([...new Set(sent)].sort()).toEqual([...new Set(shown.map(plain))].sort());
  }

  it("are those that the run sends: creation, repair, restoration, destruction", async () => {
    cloud.reset();
    const target = open(cloud, bucketFiles());
    const first = await plan(target);
    expect(planCommands(target, first)).toContain(
      'POST https://iam.googleapis.com/v1/projects/123456789012/locations/global/workloadIdentityPools?workloadIdentityPoolId=demo {"description":"Owned by: demo","disabled":false,"displayName":"demo"}',
    );
    await compare(first, target);
    const [one, two] = Object.values(cloud.state.accounts) as [Value, Value];
    Object.assign(one, { disabled: true, displayName: "x" });
    Object.assign(two, { disabled: true });
    for (const role of Object.values(cloud.state.roles)) role.title = "x";
    for (const pool of Object.values(cloud.state.pools)) Object.assign(pool, { displayName: "x" });
    for (const bucket of Object.values(cloud.state.buckets)) bucket.iamConfiguration = {};
    cloud.state.policy.bindings.splice(0, 1);
    await compare(await plan(open(cloud, bucketFiles())));
    for (const role of Object.values(cloud.state.roles)) role.deleted = true;
    for (const one of Object.values((cloud.state.pools["demo"] as Value).providers) as Value[]) one.state = "DELETED";
    const restoring = await plan(open(cloud, bucketFiles()));
    expect(planCommands(target, restoring).join("\n")).toContain('"etag":"<the etag of the restored role>"');
    await compare(restoring);
    expect(await differences(cloud, bucketFiles())).toEqual([]);
    await compare(await destroyPlan(open(cloud, bucketFiles(), true)));
  });
});

describe("an entry with a condition", () => {
  const condition = { title: "until", expression: 'request.time < timestamp("2030-01-01T00:00:00Z")' };
  const healthyState = () => {
    cloud.reset();
    cloud.world.state = structuredClone(healthy.get("Bucket") as State);
    return cloud.state;
  };

  it("of a deleted service account is named, and never said to be removed", async () => {
    const { policy } = healthyState();
    const member = `deleted:serviceAccount:${Object.keys(cloud.state.accounts)[0]}?uid=1`;
    policy.bindings.push({ role: "roles/viewer", members: [member], condition });
    const before = structuredClone(policy.bindings);
    expect(await differences(cloud, of("Bucket"))).toEqual([
      expect.stringMatching(/^keep project role .* if until .*remove it yourself$/),
    ]);
    await apply(cloud, of("Bucket"), { ...usual, prune: true });
    expect(policy.bindings).toEqual(before);
  });

  it("with another pool, or after a user, does not decide whose cluster's a service account is", async () => {
    healthyState();
    const own = account().policy.bindings.find(
      ({ role }: { role: string }) => role === "roles/iam.workloadIdentityUser",
    );
    const other =
      own?.members.map((one: string) => one.replace("workloadIdentityPools/demo/", "workloadIdentityPools/other/")) ??
      [];
    account().policy.bindings = [{ role: "roles/iam.workloadIdentityUser", members: other, condition }];
    expect(await differences(cloud, of("Bucket"))).toContainEqual(expect.stringMatching(/^create policy member/));
    account().policy.bindings = [
      { role: "roles/iam.workloadIdentityUser", members: ["user:kim@example.com", ...other] },
    ];
    expect(await differences(cloud, of("Bucket"))).toContainEqual(
      expect.stringMatching(/^refuse service account .* it trusts only subjects of the workload identity pool other/),
    );
  });
});
