import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { awsScripts } from "../../src/generated/aws-scripts.ts";
import { type Seed, type State, StubAws } from "../helpers/aws-stub/index.ts";
import type { Fields } from "../helpers/cluster-package.ts";
import {
  account,
  all,
  bucket,
  type Change,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownerTag,
  providerArn,
  roles,
  s3Public,
  withAws,
} from "../helpers/exported-package.ts";
import { drifted } from "./drift.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());
beforeEach(() => aws.reset());

const boundary = `arn:aws:iam::${account}:policy/boundary`;
const ownPolicy = `arn:aws:iam::${account}:policy/more`;
const external = "issuer.example.com";

const withIssuer =
  (fields: Fields): Change =>
  (spec) =>
    void Object.assign(spec["issuer"] as Fields, fields);

const owned = [
  { Key: ownerTag, Value: "owned" },
  { Key: "Name", Value: "demo" },
];
const old = { Key: "old", Value: "1" };

/** The CLI operations that all runs here called, for example "iam get-role". */
const seen = new Set<string>();

/** What a policy is about. */
function actionsOf(policy: Fields): string[] {
  return [...new Set((policy["Statement"] as { Action: string[] }[]).flatMap(({ Action }) => Action))].sort();
}

/**
 * Runs everything that the scripts can do for a package under its own policy: nothing is denied, and the policy contains
 * exactly the required permissions.
 */
function expectExactlyEnough(change: Change, seed: Seed = {}, previous: Seed = {}): void {
  const operator = new Operator(aws, exported(change));
  const policy = operator.json("admin-policy.json");
  const used = new Set<string>();
  const run = (script: string, state: Seed, status: number, ...flags: string[]): State =>
    runWith(policy, script, state, status, ...flags);
  const runWith = (allowed: Fields, script: string, state: Seed, status: number, ...flags: string[]): State => {
    aws.reset({ ...state, policies: [boundary, ownPolicy] });
    aws.policy(allowed);
    const done = operator.run(script, flags);
    expect(done.status, `${script} ${flags.join(" ")}\n${done.stdout}${done.stderr}`).toBe(status);
    for (const { error, service, operation, args } of aws.calls()) {
      const isLess = allowed !== policy && operation === "GetAccountAuthorizationDetails";
      if (!isLess) expect(["AccessDenied", "403", "not-covered"]).not.toContain(error);
      seen.add(`${service} ${args[1]}`);
    }
    for (const action of aws.usedActions()) used.add(action);
    return aws.state();
  };

  // If the issuer contains a distribution's domain, everything except the distribution can be created again.
  if (Object.keys(seed.distributions ?? {}).length > 0) run("apply.sh", {}, 1);
  const applied = run("apply.sh", seed, 0);
  expect(run("status.sh", applied, 0)).toEqual(applied);

  // An administrator may remove the statement that allows reading all roles with one call.
  const Statement = (policy["Statement"] as Fields[]).filter(({ Sid }) => Sid !== "ReadRoles");
  expect(runWith({ ...policy, Statement }, "status.sh", applied, 0)).toEqual(applied);

  const changed = withOldTag(editDistribution(drifted(applied)));
  changed.roles["demo-former"] = { ...(applied.roles[roles[0]] as State["roles"][string]), tags: [...owned, old] };
  const names = [bucket, ...Object.values(applied.providers).map(({ url }) => url)];
  const mended = run("apply.sh", changed, 0, "--prune", "--remove-tag", "old");
  expect(Object.keys(mended.roles).sort()).toEqual([...roles].sort());
  // The scripts do not change a provider that the configuration names.
  const isGiven = !operator.has("issuer/create-open-id-connect-provider.json");
  expect(JSON.stringify({ ...mended, ...(isGiven ? { providers: {} } : {}) })).not.toContain('"old"');

  const untagged = withoutMarks(applied);
  const adopted = isGiven ? [] : names;
  const known = adopted.filter((name) => name !== bucket || operator.has("issuer/create-bucket.json"));
  run("apply.sh", untagged, 0, ...[...known, ...roles].flatMap((name) => ["--adopt", name]));

  const checked = operator.has("issuer/create-bucket.json") ? [] : ["--documents-checked"];
  const moved = run("destroy.sh", { ...mended, ...merged(mended, previous) }, 0, "--previous", ...checked, "--yes");
  const gone = run("destroy.sh", moved, 0, "--yes");
  const { buckets, roles: left, providers, distributions, originAccessControls: controls } = gone;
  expect([buckets, left, providers, distributions, controls].map(Object.keys)).toEqual([[], [], [], [], []]);
  expect([...used].filter((action) => action !== "sts:GetCallerIdentity").sort()).toEqual(actionsOf(policy));
}

function merged(state: State, more: Seed): Seed {
  const parts = ["buckets", "providers", "distributions", "originAccessControls"] as const;
  return Object.fromEntries(parts.map((part) => [part, { ...state[part], ...more[part] }]));
}

function editDistribution(state: State): State {
  for (const distribution of Object.values(state.distributions)) {
    distribution.config.Enabled = false;
    distribution.tags = distribution.tags.filter(({ Key }) => Key !== "Name");
  }
  for (const { config } of Object.values(state.originAccessControls)) config.SigningBehavior = "never";
  return state;
}

function withOldTag(state: State): State {
  for (const map of [state.buckets, state.roles, state.providers, state.distributions])
    for (const value of Object.values(map)) value.tags = [...(value.tags ?? []), old];
  return state;
}

/** Removes the owner tags, except from a distribution, which cannot be adopted. */
function withoutMarks(applied: State): State {
  const state = structuredClone(applied);
  for (const map of [state.buckets, state.roles, state.providers])
    for (const value of Object.values(map)) value.tags = [{ Key: "team", Value: "x" }];
  for (const { config } of Object.values(state.originAccessControls)) config.Description = "by hand";
  return state;
}

/** Issuers that the cluster has moved away from: a public bucket, and a distribution for another bucket. */
function former(domain: string): Seed {
  aws.reset();
  const publicOne = withAws({ issuerHosting: { type: "S3Public", bucket: "demo-first" } });
  expect(new Operator(aws, exported(publicOne)).apply().status).toBe(0);
  const { buckets, providers } = aws.state();
  aws.reset();
  const issuerHosting = {
    type: "S3CloudFront",
    bucket: "demo-second",
    domain,
    certificateARN: `arn:aws:acm:us-east-1:${account}:certificate/x`,
  };
  expect(new Operator(aws, exported(withAws({ issuerHosting }))).apply().status).toBe(0);
  const state = aws.state();
  return {
    buckets: { ...buckets, ...state.buckets },
    providers: { ...providers, ...state.providers },
    distributions: state.distributions,
    originAccessControls: state.originAccessControls,
  };
}

describe("the policy of the administrator who runs the scripts is exactly enough for", () => {
  it("a public bucket", () => expectExactlyEnough(s3Public));

  it("every option: boundary, managed policies, thumbprints, a custom role name, previous issuers", () => {
    const before = former("old.example.com");
    const key = "openshift-image-registry/installer-cloud-credentials";
    const managed = { [key]: { managedPolicyARNs: [ownPolicy, "arn:aws:iam::aws:policy/ReadOnlyAccess"] } };
    expectExactlyEnough(
      all(
        withAws({
          roles: { permissionsBoundaryARN: boundary },
          thumbprints: ["a".repeat(40)],
          overrides: managed,
        }),
        withIssuer({ previous: ["https://demo-first.s3.us-east-2.amazonaws.com", "https://old.example.com"] }),
      ),
      {},
      before,
    );
  });

  it("a distribution with AWS's domain", () => {
    const first = new Operator(aws, exported(firstPhase));
    const policy = first.json("admin-policy.json");
    aws.policy(policy);
    const domain = domainIn(first.apply());
    expect(first.status().status).toBe(0);
    expect(actionsOf(policy)).toEqual(
      expect.arrayContaining([...aws.usedActions()].filter((usedAction) => !usedAction.startsWith("sts:"))),
    );
    expectExactlyEnough(cloudFront(domain), aws.state());
  });

  it("a distribution with a custom domain", () => expectExactlyEnough(cloudFrontOwnDomain));

  it("documents elsewhere", () =>
    expectExactlyEnough(
      all(withAws({ issuerHosting: { type: "External" } }), withIssuer({ url: `https://${external}` })),
    ));

  it("documents elsewhere, and an existing provider", () =>
    expectExactlyEnough(
      all(
        withAws({ issuerHosting: { type: "External" }, identityProviderARN: providerArn(external) }),
        withIssuer({ url: `https://${external}` }),
      ),
      { providers: { [providerArn(external)]: { url: external, clientIds: ["openshift"], tags: owned } } },
    ));
});

it("every call in the scripts was made above", () => {
  const lines = Object.values(awsScripts).flatMap((text) => text.split("\n").filter((line) => !/^\s*#/.test(line)));
  const written = lines.flatMap((line) => line.match(/\b(?:sts|iam|s3api|cloudfront) [a-z]+(?:-[a-z0-9]+)+/g) ?? []);
  expect([...seen].sort()).toEqual([...new Set(written)].sort());
});

describe("with a boundary in the configuration, the policy does not allow the administrator to", () => {
  const trust = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { AWS: account }, Action: "sts:AssumeRole" }],
  });
  const permissions = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }],
  });
  let policy: Fields;
  beforeAll(() => {
    const out = exported(withAws({ roles: { permissionsBoundaryARN: boundary } }));
    policy = new Operator(aws, out).json("admin-policy.json");
  });
  const create = ["iam", "create-role", "--role-name", "demo-mine", "--assume-role-policy-document", trust];

  it.each<[string, string[], boolean]>([
    ["make a role without it", create, false],
    [
      "create a role with another boundary",
      [...create, "--permissions-boundary", "arn:aws:iam::aws:policy/AdministratorAccess"],
      false,
    ],
    ["make one of another name", [...create.with(3, "mine"), "--permissions-boundary", boundary], false],
    [
      "give permissions to a role without it",
      ["iam", "put-role-policy", "--role-name", "demo-free", "--policy-name", "p", "--policy-document", permissions],
      false,
    ],
    [
      "attach to a role with it what is not in the configuration",
      [
        "iam",
        "attach-role-policy",
        "--role-name",
        "demo-bound",
        "--policy-arn",
        "arn:aws:iam::aws:policy/AdministratorAccess",
      ],
      false,
    ],
    ["take it away", ["iam", "delete-role-permissions-boundary", "--role-name", "demo-bound"], false],
    [
      "replace the boundary",
      [
        "iam",
        "put-role-permissions-boundary",
        "--role-name",
        "demo-bound",
        "--permissions-boundary",
        "arn:aws:iam::aws:policy/AdministratorAccess",
      ],
      false,
    ],
    ["but make one with it", [...create, "--permissions-boundary", boundary], true],
  ])("%s", (_, call, allowed) => {
    aws.reset({ policies: [boundary], roles: { "demo-free": {}, "demo-bound": { permissionsBoundary: boundary } } });
    aws.policy(policy);
    const before = aws.state();
    const { status, stderr } = aws.run("aws", call);
    expect(status, stderr).toBe(allowed ? 0 : 255);
    if (!allowed) expect(stderr).toContain("(AccessDenied)");
    if (!allowed) expect(aws.state()).toEqual(before);
  });
});
