import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Binding, type State, StubGcloud } from "../../helpers/gcloud-stub/index.ts";
import { Administrator, exportedGcp } from "../../helpers/gcp-administrator.ts";

let gcloud: StubGcloud;
let one: Administrator;
let applied: State;
let withKeys: Administrator;
let appliedWithKeys: State;
let first: string;
let second: string;
let role: string;
beforeAll(async () => {
  gcloud = await StubGcloud.start();
  const applying = (keyStorage: string): [Administrator, State] => {
    const made = new Administrator(gcloud, exportedGcp({ keyStorage }));
    gcloud.reset();
    expect(made.apply()).toMatchObject({ status: 0, stderr: "" });
    return [made, gcloud.state()];
  };
  [one, applied] = applying("Bucket");
  [withKeys, appliedWithKeys] = applying("PoolJWKFile");
  [first = "", second = ""] = one.emails();
  role = one.roles()[0]?.split("/").at(-1) ?? "";
});
afterAll(() => gcloud?.stop());

type Edit = (state: State) => void;
const pool = (state: State) => state.pools["demo"] as State["pools"][string];
const provider = (state: State) => pool(state).providers["demo"] as State["pools"][string]["providers"][string];
const account = (state: State, email = first) => state.accounts[email] as State["accounts"][string];
const customRole = (state: State) => state.roles[role] as State["roles"][string];
const bucket = (state: State) => state.buckets["demo-oidc"] as State["buckets"][string];
const keys = (state: State) => bucket(state).objects["keys.json"] as State["buckets"][string]["objects"][string];
const subject = (name: string) =>
  `principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/subject/system:serviceaccount:${name}`;
const workload = (...members: string[]): Binding => ({ role: "roles/iam.workloadIdentityUser", members });
const serviceAccount = (email: string) => `serviceAccount:${email}`;

/** What was changed by hand, and the beginning of the line that reports it. */
const drifts: readonly (readonly [name: string, line: string | RegExp, edit: Edit])[] = [
  [
    "the pool's display name",
    "differs       pool demo: settings",
    (state) => {
      pool(state).displayName = "x";
    },
  ],
  [
    "a disabled pool",
    "differs       pool demo: settings",
    (state) => {
      pool(state).disabled = true;
    },
  ],
  [
    "the provider's display name",
    "differs       provider demo: settings",
    (state) => {
      provider(state).displayName = "x";
    },
  ],
  [
    "a disabled provider",
    "differs       provider demo: settings",
    (state) => {
      provider(state).disabled = true;
    },
  ],
  [
    "the provider's issuer",
    "differs       provider demo: settings",
    (state) => {
      provider(state).oidc.issuerUri = "https://other.example.com";
    },
  ],
  [
    "the provider's audiences",
    "differs       provider demo: settings",
    (state) => {
      provider(state).oidc.allowedAudiences = ["openshift", "other"];
    },
  ],
  [
    "the provider's mapping",
    "differs       provider demo: settings",
    (state) => {
      provider(state).attributeMapping = { "google.subject": "assertion.email" };
    },
  ],
  [
    "one more mapping",
    "differs       provider demo: settings",
    (state) => {
      provider(state).attributeMapping["attribute.x"] = "assertion.x";
    },
  ],
  [
    "the provider's condition",
    "differs       provider demo: settings",
    (state) => {
      provider(state).attributeCondition = "true";
    },
  ],
  [
    "keys in the provider, which would be used instead of the bucket's",
    "differs       provider demo: settings",
    (state) => {
      provider(state).oidc.jwksJson = JSON.stringify(one.json("issuer/keys.json"));
    },
  ],
  [
    "no provider",
    "missing       provider demo",
    (state) => {
      pool(state).providers = {};
    },
  ],
  [
    "a deleted provider",
    "missing       provider demo, which was",
    (state) => {
      provider(state).state = "DELETED";
    },
  ],
  [
    "an account's display name",
    /^differs {7}service account demo-image-.*: settings$/,
    (state) => {
      account(state).displayName = "x";
    },
  ],
  [
    "a disabled account",
    /^differs {7}service account demo-image-.*: it is disabled/,
    (state) => {
      account(state).disabled = true;
    },
  ],
  [
    "no subject of an account",
    /^differs {7}service account demo-image-.*: subjects/,
    (state) => {
      account(state).policy.bindings = [];
    },
  ],
  [
    "one more subject of an account",
    /^differs {7}service account demo-image-.*: subjects/,
    (state) => void account(state).policy.bindings[0]?.members.push(subject("other:one")),
  ],
  [
    "every subject of the pool",
    /^differs {7}service account demo-image-.*: subjects/,
    (state) =>
      void account(state).policy.bindings[0]?.members.push(
        "principalSet://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/demo/*",
      ),
  ],
  [
    "a role's title",
    /^differs {7}role demo_/,
    (state) => {
      customRole(state).title = "x";
    },
  ],
  [
    "a role's stage",
    /^differs {7}role demo_/,
    (state) => {
      customRole(state).stage = "DISABLED";
    },
  ],
  [
    "one more permission",
    /^differs {7}role demo_/,
    (state) => void customRole(state).includedPermissions.push("compute.disks.get"),
  ],
  ["one permission less", /^differs {7}role demo_/, (state) => void customRole(state).includedPermissions.pop()],
  [
    "a role that is bound to another, too",
    /^extra {9}service account demo-ingress-.*: role roles\/storage.admin on the project$/,
    (state) =>
      void state.policy.bindings
        .find((binding) => binding.role === "roles/storage.admin")
        ?.members.push(serviceAccount(second)),
  ],
  [
    "no role of an account",
    /^differs {7}service account demo-image-.*: role (?:roles|projects)\/.* on the project$/,
    (state) => {
      state.policy.bindings = state.policy.bindings.filter((binding) => binding.role === "roles/dns.admin");
    },
  ],
  [
    "one more role of an account",
    /^extra {9}service account demo-image-.*: role roles\/editor on the project$/,
    (state) => void state.policy.bindings.push({ role: "roles/editor", members: [serviceAccount(first)] }),
  ],
  [
    "a public bucket that can be listed",
    "differs       bucket demo-oidc: policy",
    (state) => void bucket(state).policy.bindings.push({ role: "roles/storage.objectViewer", members: ["allUsers"] }),
  ],
  [
    "a bucket that is not public",
    "differs       bucket demo-oidc: policy",
    (state) => {
      bucket(state).policy.bindings = [];
    },
  ],
  [
    "a bucket with access lists",
    "differs       bucket demo-oidc: settings",
    (state) => {
      bucket(state).iamConfiguration.uniformBucketLevelAccess = { enabled: false };
    },
  ],
  [
    "a bucket that prevents public access",
    "differs       bucket demo-oidc: settings",
    (state) => {
      bucket(state).iamConfiguration.publicAccessPrevention = "enforced";
    },
  ],
  [
    "a document's text",
    "differs       document keys.json",
    (state) => {
      keys(state).body = "{}";
    },
  ],
  [
    "a document's type",
    "differs       document keys.json",
    (state) => {
      keys(state).contentType = "text/plain";
    },
  ],
  ["a document's caching", "differs       document keys.json", (state) => void delete keys(state).cacheControl],
  ["no document", "missing       document keys.json", (state) => void delete bucket(state).objects["keys.json"]],
];

function edited(state: State, ...edits: readonly Edit[]): State {
  const copy = structuredClone(state);
  for (const edit of edits) edit(copy);
  return copy;
}

/** status.sh must find a difference, in a line that begins like this. */
function expectFound(admin: Administrator, line: string | RegExp): string {
  const { status, stdout, stderr } = admin.status();
  expect({ status, stderr }, stdout).toEqual({ status: 2, stderr: "" });
  const lines = stdout.split("\n");
  const matches = (text: string) => (typeof line === "string" ? text.startsWith(line) : line.test(text));
  expect(lines.filter(matches), stdout).not.toEqual([]);
  expect(gcloud.calls().filter(({ changes }) => changes)).toEqual([]);
  return stdout;
}

describe("what was changed by hand", () => {
  it.each(drifts)("is found: %s", (_, line, edit) => {
    gcloud.reset(edited(applied, edit));
    expectFound(one, line);
  });

  it("is mended: what is missing", () => {
    const missing = drifts.filter(([name]) => /^no /.test(name)).map(([, , edit]) => edit);
    gcloud.reset(edited(applied, ...missing));
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
  });

  it("is found and mended: other keys in the provider, and none", () => {
    const key = { kty: "RSA", alg: "RS256", use: "sig", kid: "old", n: "AQAB", e: "AQAB" };
    const all = [
      (state: State) => {
        provider(state).oidc.jwksJson = JSON.stringify({ keys: [key] });
      },
      (state: State) => void delete provider(state).oidc.jwksJson,
    ];
    for (const edit of all) {
      gcloud.reset(edited(appliedWithKeys, edit));
      expectFound(withKeys, "differs       provider demo: settings");
      expect(withKeys.apply()).toMatchObject({ status: 0, stderr: "" });
      expect(gcloud.state()).toEqual(appliedWithKeys);
    }
  });

  it("is found: keys in the provider, if Google's list of providers lacks them", () => {
    gcloud.reset(appliedWithKeys);
    gcloud.settings({ keysInList: false });
    expect(withKeys.status()).toMatchObject({ status: 0, stderr: "" });
    const key = { kty: "RSA", alg: "RS256", use: "sig", kid: "old", n: "AQAB", e: "AQAB" };
    const other = (state: State) => {
      provider(state).oidc.jwksJson = JSON.stringify({ keys: [key] });
    };
    for (const [admin, state] of [
      [withKeys, appliedWithKeys],
      [one, applied],
    ] as const) {
      gcloud.reset(edited(state, other));
      gcloud.settings({ keysInList: false });
      expectFound(admin, "differs       provider demo: settings");
      expect(admin.apply()).toMatchObject({ status: 0, stderr: "" });
      expect(gcloud.state()).toEqual(state);
    }
  });

  it("is found and mended at once, and a dry run counts the same", () => {
    const some = drifts.filter(([name]) => !/^no |^a deleted provider/.test(name)).map(([, , edit]) => edit);
    const state = edited(applied, ...some);
    gcloud.reset(state);
    const dry = one.apply("--dry-run");
    expect(dry).toMatchObject({ status: 2, stderr: "" });
    const done = one.apply();
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
    const count = (text: string) => /^(\d+) changes/m.exec(text)?.[1];
    expect(count(dry.stdout)).toBe(count(done.stdout));
    expect(Number(count(done.stdout))).toBeGreaterThan(8);
  });

  it("is added before something is removed", () => {
    const state = edited(
      applied,
      (state) => {
        account(state).policy.bindings = [workload(subject("other:one"))];
      },
      (state) => {
        state.policy.bindings = [{ role: "roles/editor", members: [serviceAccount(first)] }];
      },
    );
    gcloud.reset(state);
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(applied);
    const verbs = gcloud.calls().map(({ command }) => command);
    for (const group of ["iam service-accounts", "projects"]) {
      const added = verbs.indexOf(`${group} add-iam-policy-binding`);
      expect(added).toBeGreaterThan(0);
      expect(added).toBeLessThan(verbs.indexOf(`${group} remove-iam-policy-binding`));
    }
  });
});

describe("the order of lists, and the form of JSON, do not count as differences", () => {
  it("in audiences, permissions, members, and keys", () => {
    const state = edited(
      appliedWithKeys,
      (state) => void customRole(state).includedPermissions.reverse(),
      (state) => void account(state, second).policy.bindings[0]?.members.reverse(),
      (state) => {
        provider(state).oidc.jwksJson = JSON.stringify(JSON.parse(provider(state).oidc.jwksJson ?? ""));
      },
      // Two bindings of one role.
      (state) => {
        const [binding] = account(state, second).policy.bindings;
        account(state, second).policy.bindings = (binding?.members ?? []).map((member) => workload(member));
      },
    );
    gcloud.reset(state);
    expect(withKeys.status()).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("what is not in the package and not against it is reported and stays", () => {
  const condition = { title: "c", expression: "request.time < timestamp('2030-01-01T00:00:00Z')" };
  it.each<[string, RegExp, Edit]>([
    [
      "a conditional role of an account",
      /^note .*demo-image-.*: the role roles\/editor is bound with a condition/m,
      (state) => void state.policy.bindings.push({ role: "roles/editor", members: [serviceAccount(first)], condition }),
    ],
    [
      "a user who may use an account",
      /^note .*demo-image-.*user:a@example.com has the role roles\/iam.serviceAccountUser/m,
      (state) =>
        void account(state).policy.bindings.push({
          role: "roles/iam.serviceAccountUser",
          members: ["user:a@example.com"],
        }),
    ],
    [
      "a conditional subject of an account",
      /^note .*demo-image-.*with a condition/m,
      (state) => void account(state).policy.bindings.push({ ...workload(subject("other:one")), condition }),
    ],
    [
      "a subject of another pool",
      /^note .*demo-image-.*workloadIdentityPools\/demo-2\/subject/m,
      (state) =>
        void account(state).policy.bindings[0]?.members.push(
          subject("other:one").replace("Pools/demo", "Pools/demo-2"),
        ),
    ],
  ])("%s", (_, line, edit) => {
    const state = edited(appliedWithKeys, edit);
    gcloud.reset(state);
    const before = gcloud.state();
    const { status, stdout, stderr } = withKeys.apply();
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(line);
    expect(stdout).toContain("No changes: the cloud matches the package.");
    expect(gcloud.state()).toEqual(before);
  });

  it("bindings of others, in policies with conditions, when ours change", () => {
    const others: Binding[] = [
      { role: "roles/storage.admin", members: ["user:a@example.com"], condition },
      { role: "roles/storage.admin", members: ["user:b@example.com"] },
    ];
    const edit = (state: State) => {
      state.policy.bindings = [...others, { role: "roles/editor", members: [serviceAccount(second)] }];
    };
    gcloud.reset(edited(appliedWithKeys, edit));
    expect(withKeys.apply()).toMatchObject({ status: 0, stderr: "" });
    const { bindings } = gcloud.state().policy;
    expect(bindings).toContainEqual(others[0]);
    expect(bindings.find(({ role, condition }) => role === "roles/storage.admin" && !condition)?.members).toEqual([
      serviceAccount(first),
      "user:b@example.com",
    ]);
    expect(bindings.map(({ role }) => role)).not.toContain("roles/editor");
  });

  it("conditional bindings of the bucket, when its others change", () => {
    const conditional = { role: "roles/storage.objectViewer", members: ["user:a@example.com"], condition };
    const state = edited(applied, (state) => {
      bucket(state).policy.bindings = [conditional, { role: "roles/storage.objectViewer", members: ["allUsers"] }];
    });
    gcloud.reset(state);
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    const { bindings } = gcloud.state().buckets["demo-oidc"]?.policy ?? { bindings: [] };
    expect(bindings).toHaveLength(2);
    expect(bindings).toEqual(
      expect.arrayContaining([{ role: "roles/storage.legacyObjectReader", members: ["allUsers"] }, conditional]),
    );
  });

  it("labels, other members, and other objects of the bucket", () => {
    const state = edited(
      applied,
      (state) => {
        bucket(state).labels = { ...bucket(state).labels, team: "x" };
      },
      (state) =>
        void bucket(state).policy.bindings.push({ role: "roles/storage.admin", members: ["user:a@example.com"] }),
      (state) => {
        bucket(state).objects["other"] = { body: "x", generation: 1 };
      },
    );
    gcloud.reset(state);
    const before = gcloud.state();
    expect(one.apply()).toMatchObject({ status: 0, stderr: "" });
    expect(gcloud.state()).toEqual(before);
  });
});
