import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Seed, type Settings, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { describeWith } from "../../helpers/need.ts";
import { type Answer, RealGcloud } from "../../helpers/real-gcloud.ts";
import { temporary } from "../../helpers/temporary.ts";

// The stand-in for the command is held to the real gcloud: both talk to the same stand-in for Google, in a project each.

// A call of gcloud takes a second or two.
vi.setConfig({ testTimeout: 600_000 });

const account = "demo-one@demo-project.iam.gserviceaccount.com";
const pool = "projects/123456789012/locations/global/workloadIdentityPools/demo";
const principal = `principal://iam.googleapis.com/${pool}/subject/system:serviceaccount:a:b`;
const condition = { title: "c", expression: "request.time < timestamp('2030-01-01T00:00:00Z')" };
const conditional = { bindings: [{ role: "roles/viewer", members: ["user:a@example.com"], condition }] };
const global = ["--location=global"];
const inPool = [...global, "--workload-identity-pool=demo"];
const texts = ["--display-name=demo a/b", "--description=Owned by: demo"];
const oidc = [
  "--issuer-uri=https://storage.googleapis.com/demo-oidc",
  "--allowed-audiences=openshift,other",
  "--attribute-mapping=google.subject=assertion.sub",
];

const pools = (verb: string, ...rest: string[]) => ["iam", "workload-identity-pools", verb, "demo", ...global, ...rest];
const providers = (verb: string, ...rest: string[]) => [
  ...["iam", "workload-identity-pools", "providers", verb, "demo"],
  ...inPool,
  ...rest,
];
const accounts = (verb: string, ...rest: string[]) => ["iam", "service-accounts", verb, ...rest];
const roles = (verb: string, ...rest: string[]) => ["iam", "roles", verb, ...rest];
const binding = (role: string, member: string) => [`--member=${member}`, `--role=${role}`, "--condition=None"];
const bucket = "gs://demo-oidc";
const buckets = (verb: string, ...rest: string[]) => ["storage", "buckets", verb, bucket, ...rest];
const document = ["--content-type=application/json", "--cache-control=public, max-age=60"];
const isPublic = ["--member=allUsers", "--role=roles/storage.legacyObjectReader"];

interface Series {
  readonly seed?: Seed;
  /** Calls, and changes of the settings between them. */
  readonly steps: readonly (readonly string[] | Partial<Settings>)[];
}

const series: Readonly<Record<string, Series>> = {
  "pools and providers": {
    steps: [
      pools("describe"),
      pools("create", ...texts),
      pools("create", ...texts),
      pools("describe"),
      pools("describe"),
      pools("update", "--display-name=other", "--description=", "--no-disabled"),
      pools("describe"),
      pools("describe"),
      providers("create-oidc", ...oidc, "--jwk-json-path=p384.json"),
      providers("create-oidc", ...oidc, "--jwk-json-path=keys.json", ...texts),
      providers("describe"),
      providers("update-oidc", ...oidc, "--jwk-json-path=empty.json", "--attribute-condition=true", "--disabled"),
      providers("describe"),
      providers("describe"),
      ["iam", "workload-identity-pools", "providers", "list", ...inPool, "--show-deleted"],
      providers("delete"),
      providers("describe"),
      providers("describe"),
      ["iam", "workload-identity-pools", "providers", "list", ...inPool],
      providers("update-oidc", "--no-disabled"),
      providers("undelete"),
      pools("delete"),
      pools("undelete"),
      { permissions: [] },
      pools("describe"),
      ["iam", "workload-identity-pools", "providers", "list", ...inPool],
    ],
  },
  "service accounts": {
    seed: { pools: { demo: {} }, policy: conditional },
    steps: [
      accounts("list"),
      accounts("create", "demo-one", ...texts),
      accounts("create", "demo-one", ...texts),
      accounts("update", account, "--display-name=other", "--description=x"),
      accounts("disable", account),
      accounts("list"),
      accounts("enable", account),
      accounts("get-iam-policy", account),
      accounts("get-iam-policy", account.replace("one", "two")),
      accounts("add-iam-policy-binding", account, ...binding("roles/iam.workloadIdentityUser", principal)),
      accounts("add-iam-policy-binding", account, ...binding("roles/iam.workloadIdentityUser", principal)),
      accounts("remove-iam-policy-binding", account, ...binding("roles/iam.workloadIdentityUser", `${principal}c`)),
      { conflicts: 1 },
      accounts("remove-iam-policy-binding", account, ...binding("roles/iam.workloadIdentityUser", principal)),
      accounts("remove-iam-policy-binding", account, ...binding("roles/iam.workloadIdentityUser", principal)),
      accounts("delete", account),
      accounts("delete", account),
      accounts("describe", account),
      { hidden: 1 },
      accounts("create", "demo-one"),
      accounts("get-iam-policy", account),
      { constraints: ["iam.disableServiceAccountCreation"] },
      accounts("create", "demo-three"),
    ],
  },
  "roles and the policy of the project": {
    seed: { accounts: { [account]: {} }, policy: conditional },
    steps: [
      ["projects", "describe", "demo-project"],
      ["projects", "describe", "demo-other"],
      ["services", "list", "--enabled"],
      roles("list", "--show-deleted"),
      roles("create", "demo_role", "--file=role.json"),
      roles("create", "demo_role", "--file=role.json"),
      roles("update", "demo_role", "--file=more.json"),
      roles("describe", "demo_role"),
      roles("describe", "none"),
      roles("create", "demo_bad", "--file=bad.json"),
      ["projects", "get-iam-policy", "demo-project"],
      ["projects", "add-iam-policy-binding", "demo-project", ...binding("roles/viewer", `serviceAccount:${account}`)],
      ["projects", "add-iam-policy-binding", "demo-project", ...binding("roles/viewer", `serviceAccount:x${account}`)],
      ["projects", "add-iam-policy-binding", "demo-project", ...isPublic],
      { conflicts: 1 },
      [
        "projects",
        "remove-iam-policy-binding",
        "demo-project",
        ...binding("roles/viewer", `serviceAccount:${account}`),
      ],
      [
        "projects",
        "remove-iam-policy-binding",
        "demo-project",
        ...binding("roles/viewer", `serviceAccount:${account}`),
      ],
      [
        "projects",
        "remove-iam-policy-binding",
        "demo-project",
        ...binding("roles/viewer", `serviceAccount:${account}`),
      ],
      roles("delete", "demo_role"),
      roles("list", "--show-deleted"),
      roles("update", "demo_role", "--file=role.json"),
      roles("create", "demo_role", "--file=role.json"),
      roles("undelete", "demo_role"),
      { permissions: [] },
      roles("list", "--show-deleted"),
      accounts("list"),
    ],
  },
  "a bucket whose policy has a condition": {
    seed: { buckets: { "demo-oidc": { policy: { ...conditional, changes: 1 } } } },
    steps: [
      buckets("get-iam-policy"),
      buckets("add-iam-policy-binding", ...isPublic),
      buckets("add-iam-policy-binding", ...isPublic, "--condition=None"),
      buckets("remove-iam-policy-binding", ...isPublic),
      buckets("remove-iam-policy-binding", ...isPublic, "--condition=None"),
    ],
  },
  "audiences with commas, and texts that begin with a dash": {
    steps: [
      pools("create", "--display-name=-x", "--description="),
      pools("describe"),
      pools("describe"),
      providers("create-oidc", ...oidc, "--allowed-audiences=^~;~^a,b~;~c", "--attribute-condition="),
      providers("describe"),
      providers("update-oidc", "--attribute-mapping=google.subject=assertion.sub,attribute.x=assertion['a=b']"),
      providers("describe"),
      providers("describe"),
      { constraints: ["iam.workloadIdentityPoolProviders"] },
      providers("update-oidc", "--issuer-uri=https://other.example.com"),
    ],
  },
  storage: {
    seed: { buckets: { theirs: { closed: true, projectNumber: "9" } } },
    steps: [
      buckets("describe", "--raw"),
      ["storage", "buckets", "describe", "gs://theirs", "--raw"],
      ["storage", "buckets", "create", "gs://theirs", "--location=us"],
      buckets("create", "--location=us", "--uniform-bucket-level-access", "--no-public-access-prevention"),
      buckets("create", "--location=us", "--uniform-bucket-level-access", "--no-public-access-prevention"),
      buckets("update", "--update-labels=a=b,c=d"),
      buckets("describe", "--raw"),
      { constraints: ["storage.publicAccessPrevention"] },
      buckets("add-iam-policy-binding", ...isPublic),
      { constraints: [], conflicts: 1 },
      buckets("add-iam-policy-binding", ...isPublic),
      buckets("add-iam-policy-binding", ...isPublic),
      buckets("get-iam-policy"),
      ["storage", "cp", "keys.json", `${bucket}/keys.json`, ...document],
      ["storage", "objects", "describe", `${bucket}/keys.json`, "--raw"],
      ["storage", "objects", "describe", `${bucket}/other`, "--raw"],
      ["storage", "hash", "keys.json"],
      ["storage", "hash", "keys.json", "role.json", "--skip-crc32c"],
      ["storage", "hash", `${bucket}/keys.json`, "--skip-crc32c"],
      ["storage", "objects", "list", `${bucket}/**`, "--limit=1", "--raw"],
      ["storage", "hash", `${bucket}/keys.json`],
      ["storage", "hash", `${bucket}/other`],
      ["storage", "objects", "list", `${bucket}/**`, "--raw"],
      ["storage", "objects", "update", `${bucket}/keys.json`, "--content-type=text/plain"],
      buckets("delete"),
      ["storage", "rm", `${bucket}/keys.json`],
      ["storage", "rm", `${bucket}/keys.json`],
      buckets("remove-iam-policy-binding", ...isPublic, "--condition=None"),
      buckets("remove-iam-policy-binding", ...isPublic, "--condition=None"),
      buckets("delete"),
      buckets("delete"),
      ["storage", "rm", `${bucket}/keys.json`],
    ],
  },
};

describeWith(["gcloud"], "the stand-in is like gcloud", () => {
  let stub: StubGcloud;
  let other: StubGcloud;
  let real: RealGcloud;
  beforeAll(async () => {
    [stub, other] = await Promise.all([StubGcloud.start(), StubGcloud.start()]);
    real = await RealGcloud.start(other.address);
  });
  afterAll(async () => {
    await Promise.all([stub?.stop(), other?.stop(), real?.stop()]);
  });

  it.each(Object.entries(series))("for %s", async (_, { seed = {}, steps }) => {
    const cwd = temporary();
    for (const [file, value] of Object.entries(files)) writeFileSync(join(cwd, file), value);
    stub.reset(seed);
    other.reset(seed);
    for (const step of steps) {
      if (!Array.isArray(step)) {
        stub.settings(step as Partial<Settings>);
        other.settings(step as Partial<Settings>);
        continue;
      }
      const args = [...(step as string[]), "--project=demo-project", "--quiet", "--format=json"];
      const theirs = await real.call(args, cwd);
      const ours = stub.run("gcloud", args, { cwd });
      expect(likeness(ours), step.join(" ")).toEqual(likeness(theirs));
      expect(theirs.stderr).not.toMatch(/stand-in|crashed/);
    }
    expect(stub.state()).toEqual(other.state());
    expect(stub.usedPermissions()).toEqual(other.usedPermissions());
  });
});

const key = { kty: "RSA", alg: "RS256", use: "sig", kid: "a", n: "AQAB", e: "AQAB" };
const role = { title: "t", description: "Owned by: demo", stage: "GA", includedPermissions: ["compute.disks.get"] };
const files = {
  "keys.json": JSON.stringify({ keys: [key] }, null, 2),
  "p384.json": JSON.stringify({ keys: [{ ...key, kty: "EC", crv: "P-384" }] }),
  "empty.json": "",
  "role.json": JSON.stringify({ name: "projects/demo-project/roles/demo_role", ...role }),
  "more.json": JSON.stringify({ ...role, includedPermissions: ["compute.disks.list", "compute.disks.create"] }),
  "bad.json": JSON.stringify({ ...role, includedPermissions: ["compute.disks.invalid"] }),
};

/** What of a call must be the same: the exit code, the values, and errors without the name of the caller. */
function likeness({ status, stdout, stderr }: Answer | ReturnType<StubGcloud["run"]>) {
  const errors = stderr.slice(Math.max(0, stderr.search(/^(?:ERROR|WARNING)|ERROR: /m)));
  return {
    status,
    values: stdout === "" ? undefined : JSON.parse(stdout.replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://host")),
    errors: !/ERROR|WARNING/.test(stderr)
      ? ""
      : errors
          .replace(/[. ]*This command is authenticated .*/g, "")
          .replace("[tester@example.com]", "[None]")
          // Dots show progress.
          .replace(/^\.+$/gm, "")
          .replace(/\n+$/, ""),
  };
}
