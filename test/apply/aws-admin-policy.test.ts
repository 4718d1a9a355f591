import { beforeAll, expect, it, vi } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import type { Seed, State, Value } from "../helpers/amazon/types.ts";
import {
  account,
  all,
  type Change,
  certificate,
  cloudFront,
  cloudFrontOwnDomain,
  firstPhase,
  ownerTag,
  providerArn,
  roles,
  s3Public,
  withAws,
} from "../helpers/exported-package.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  assignedDomain,
  destroy,
  destroyPrevious,
  differences,
  exportedFiles,
  external,
  externalUrl,
  problems,
  usual,
} from "./aws-engine.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
beforeAll(() => {
  pace.second = 0;
});

const boundary = `arn:aws:iam::${account}:policy/boundary`;
const own = `arn:aws:iam::${account}:policy/more`;
const policies = [boundary, own];

/** Everything at once that an interrupted run or another administrator leaves behind. */
function damage(state: State, isGiven: boolean): void {
  const [first, second] = roles;
  delete state.roles[second];
  const role = state.roles[first] as State["roles"][string];
  state.roles["demo-former"] = structuredClone(role);
  Object.assign(role, { description: "x", maxSessionDuration: 7200, permissionsBoundary: "arn:aws:iam::aws:policy/A" });
  role.trustPolicy.Statement[0].Action = "sts:AssumeRole";
  role.inlinePolicies[first] = { Version: "2012-10-17", Statement: [] };
  role.inlinePolicies["more"] = { Version: "2012-10-17", Statement: [] };
  role.attachedPolicies = ["arn:aws:iam::aws:policy/B"];
  const withoutName = (one: { tags?: Value[] }) => {
    one.tags = [...(one.tags ?? []).filter(({ Key }) => Key !== "Name"), { Key: "old", Value: "1" }];
  };
  withoutName(role);
  if (!isGiven)
    for (const provider of Object.values(state.providers)) {
      Object.assign(provider, { clientIds: ["else"], thumbprints: ["f".repeat(40)] });
      withoutName(provider);
    }
  for (const bucket of Object.values(state.buckets)) {
    delete bucket.publicAccessBlock;
    delete bucket.policy;
    Object.assign(bucket, { payer: "Requester", objects: {} });
    withoutName(bucket);
  }
  for (const distribution of Object.values(state.distributions)) {
    distribution.config.Comment = "x";
    withoutName(distribution);
  }
  for (const { config } of Object.values(state.originAccessControls)) config.SigningBehavior = "never";
}

async function expectExactlyEnough(change: Change, seed: Seed = {}) {
  const files = exportedFiles(change);
  const policy = JSON.parse(files.get("aws/admin-policy.json") ?? "") as Value;
  const isGiven = !files.has("aws/issuer/create-open-id-connect-provider.json");
  // Without the distribution that has the issuer's domain, everything else can be created again.
  cloud.reset({ policies }, { deployment: 0 });
  cloud.world.policy = policy;
  expect(problems(await apply(cloud, files))).not.toContain("AccessDenied");
  const before = [...cloud.world.used];
  cloud.reset({ ...seed, policies }, { deployment: 0 });
  cloud.world.policy = policy;
  expect(problems(await apply(cloud, files))).toBe("");
  damage(cloud.state, isGiven);
  const pruned = await apply(cloud, files, { ...usual, prune: true }, { removeTags: ["old"] });
  expect(problems(pruned)).toBe("");
  // Removals free what a first run cannot give back in the same plan.
  expect(problems(await apply(cloud, files, { ...usual, prune: true }, { removeTags: ["old"] }))).toBe("");
  expect(await differences(cloud, files)).toEqual([]);
  // An administrator may remove the statement that allows reading all roles at once.
  const Statement = policy.Statement.filter(({ Sid }: Value) => Sid !== "ReadRoles");
  cloud.world.policy = { ...policy, Statement };
  expect(await differences(cloud, files)).toEqual([
    expect.stringMatching(/^keep role with another name .*GetAccountAuthorizationDetails/),
  ]);
  cloud.world.policy = policy;
  // What others have in a previous provider would keep it.
  for (const one of Object.values(cloud.state.providers)) one.clientIds = one.clientIds.filter((id) => id !== "else");
  const previous = await destroyPrevious(cloud, files);
  if (previous !== undefined) expect(problems(previous)).toBe("");
  expect(problems(await destroy(cloud, files))).toBe("");
  const { buckets, roles: left, providers, distributions, originAccessControls } = cloud.state;
  expect([buckets, left, providers, distributions, originAccessControls].map(Object.keys)).toEqual([
    [],
    [],
    // One that the configuration names stays.
    isGiven ? Object.keys(seed.providers ?? {}) : [],
    [],
    [],
  ]);
  const allowed = (policy.Statement as Value[]).flatMap(({ Action }) => Action);
  expect([...new Set([...before, ...cloud.world.used])].sort()).toEqual([...new Set(allowed)].sort());
}

it("the policy of the administrator allows exactly the requests that are made: a public bucket", () =>
  expectExactlyEnough(s3Public));

it("… a distribution with a custom domain", () => expectExactlyEnough(cloudFrontOwnDomain));

it("… a distribution with AWS's domain, before and after it is known", async () => {
  cloud.reset({}, { deployment: 0 });
  const files = exportedFiles(firstPhase);
  cloud.world.policy = JSON.parse(files.get("aws/admin-policy.json") ?? "");
  expect(problems(await apply(cloud, files))).toBe("");
  await expectExactlyEnough(cloudFront(assignedDomain(cloud)), structuredClone(cloud.state) as Seed);
});

it("… documents elsewhere", () => expectExactlyEnough(external));

it("… an existing provider", () => {
  const host = externalUrl.replace("https://", "");
  const tags = [{ Key: ownerTag, Value: "owned" }];
  return expectExactlyEnough(all(external, withAws({ identityProviderARN: providerArn(host) })), {
    providers: { [providerArn(host)]: { url: host, clientIds: ["openshift"], tags } },
  });
});

/** What the cluster had before: a public bucket, and a distribution of another bucket. */
async function former(domain: string): Promise<Seed> {
  cloud.reset({}, { deployment: 0 });
  const issuerHosting = { type: "S3CloudFront", bucket: "demo-second", domain, certificateARN: certificate };
  const first = exportedFiles(withAws({ issuerHosting: { type: "S3Public", bucket: "demo-first" } }));
  expect(problems(await apply(cloud, first))).toBe("");
  cloud.state.roles = {};
  expect(problems(await apply(cloud, exportedFiles(withAws({ issuerHosting }))))).toBe("");
  return structuredClone({ ...cloud.state, roles: {} }) as Seed;
}

it("… every option: boundary, managed policies, thumbprints, previous issuers", async () => {
  const previous = ["https://demo-first.s3.us-east-2.amazonaws.com", "https://old.example.com"];
  const ofRole = { "openshift-image-registry/installer-cloud-credentials": { managedPolicyARNs: [own] } };
  const change = all(
    withAws({ roles: { permissionsBoundaryARN: boundary }, thumbprints: ["a".repeat(40)], overrides: ofRole }),
    (spec) => void Object.assign(spec["issuer"] as object, { previous }),
  );
  await expectExactlyEnough(change, await former("old.example.com"));
});
