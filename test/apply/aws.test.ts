import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError, pace } from "../../src/apply/requests.ts";
import { runPlan } from "../../src/apply/run.ts";
import { planCommands } from "../../src/apply/show.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { serviceException } from "../helpers/amazon/api.mjs";
import { settled } from "../helpers/amazon/state.mjs";
import type { Bucket, Role, State } from "../helpers/amazon/types.ts";
import { signerKeyFile } from "../helpers/cluster-package.ts";
import {
  all,
  type Change,
  cloudFront,
  cloudFrontOwnDomain,
  firstPhase,
  ownDomain,
  ownerTag,
  providerArn,
  publicHost,
  roles,
  s3Public,
  withAws,
} from "../helpers/exported-package.ts";
import { distribution, foreign } from "../helpers/foreign.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  assignedDomain,
  destroy,
  destroyPlan,
  destroyPrevious,
  differences,
  exportedFiles,
  external,
  open,
  plan,
  problems,
  quiet,
  said,
  usual,
} from "./aws-engine.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
const healthy = new Map<string, State>();
const files = new Map<string, Map<string, string>>();
const of = (name: string) => files.get(name) ?? new Map<string, string>();
const prune = { ...usual, prune: true };

const withIssuer =
  (fields: object): Change =>
  (spec) =>
    void Object.assign(spec["issuer"] as object, fields);
const previous = (...urls: string[]) => withIssuer({ previous: urls });
const ownKey = readFileSync(signerKeyFile, "utf8");
const { publicKey: other } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const otherKey = String(other.export({ type: "spki", format: "pem" }));

/** A package with many roles, out of one of its roles. */
function withRoles(from: ReadonlyMap<string, string>, count: number): Map<string, string> {
  const result = new Map(from);
  const ingress = [...from].filter(([path]) => path.includes("openshift-ingress-operator"));
  for (let index = 0; index < count; index++)
    for (const [path, text] of ingress) {
      const renamed = (one: string) => one.replaceAll("openshift-ingress-operator", `openshift-part-${index}`);
      result.set(renamed(path), renamed(text));
    }
  return result;
}

beforeAll(async () => {
  pace.second = 0;
  for (const [name, change] of Object.entries({
    S3Public: s3Public,
    S3CloudFront: cloudFrontOwnDomain,
    External: external,
  }))
    files.set(name, exportedFiles(change));
  for (const [name, own] of files) {
    cloud.reset({}, { deployment: 1 });
    expect(problems(await apply(cloud, own))).toBe("");
    healthy.set(name, structuredClone(cloud.state));
  }
});

/** The state after an apply, in an account with nothing else. */
function start(name: string): State {
  cloud.reset({}, { deployment: 1 });
  cloud.world.state = structuredClone(healthy.get(name) as State);
  return cloud.state;
}

describe.each(["S3Public", "S3CloudFront", "External"])("with %s", (name) => {
  it("a first apply creates everything, and a second one nothing", async () => {
    start(name);
    expect(await differences(cloud, of(name))).toEqual([]);
    expect((await apply(cloud, of(name))).done).toEqual([]);
    expect(cloud.changing()).toEqual([]);
  });

  it("a destroy removes everything, and a second one nothing", async () => {
    start(name);
    expect(problems(await destroy(cloud, of(name)))).toBe("");
    const { buckets, distributions, originAccessControls, providers, roles: left } = cloud.state;
    expect([buckets, distributions, originAccessControls, providers, left]).toEqual([{}, {}, {}, {}, {}]);
    cloud.received.length = 0;
    await destroy(cloud, of(name));
    expect(cloud.changing()).toEqual([]);
  });

  it("the owner mark is part of the request that creates something", async () => {
    cloud.reset({}, { deployment: 0 });
    await apply(cloud, of(name));
    const creations = cloud.received.filter(({ call }) => /:Create/.test(call));
    expect(creations.length).toBeGreaterThan(2);
    for (const { call, input } of creations) expect(JSON.stringify(input), call).toContain(ownerTag);
    expect(cloud.changing()).not.toContain("s3:PutBucketTagging");
  });

  it("is destroyed in an order in which the next owner of the bucket's name cannot be the issuer", async () => {
    start(name);
    await destroy(cloud, of(name));
    const calls = cloud.changing();
    const at = (call: string) => calls.indexOf(call);
    expect(calls.lastIndexOf("iam:DeleteRole")).toBeLessThan(at("iam:DeleteOpenIDConnectProvider"));
    if (name !== "External") expect(at("iam:DeleteOpenIDConnectProvider")).toBeLessThan(at("s3:DeleteBucket"));
    if (name === "S3CloudFront") expect(at("cloudfront:DeleteDistribution")).toBeLessThan(at("s3:DeleteBucket"));
  });
});

const bucketOf = (state: State) => state.buckets["demo-oidc"] as Bucket;
const roleOf = (state: State) => state.roles[roles[0]] as Role;

describe("what is the package's", () => {
  it("is not an empty bucket of a colleague, which is refused until it is adopted, and keeps its tags", async () => {
    cloud.reset({ buckets: { "demo-oidc": { tags: [{ Key: "team", Value: "a" }] } } });
    const before = structuredClone(cloud.state);
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringContaining("refuse bucket demo-oidc it exists without the owner mark"),
    );
    await apply(cloud, of("S3Public"), prune);
    await destroy(cloud, of("S3Public"));
    expect(settled(cloud.state)).toEqual(settled(before));
    expect(problems(await apply(cloud, of("S3Public"), { ...usual, adopt: ["demo-oidc"] }))).toBe("");
    expect(bucketOf(cloud.state).tags).toContainEqual({ Key: "team", Value: "a" });
    expect(bucketOf(cloud.state).tags).toContainEqual({ Key: ownerTag, Value: "owned" });
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
  });

  it.each([
    ["in this account", {}],
    ["in another account", { owner: "999999999999" }],
    ["in another account, open to all", { owner: "999999999999", open: true }],
  ])("is not a bucket that another creates while ours is created: %s", async (_, bucket) => {
    for (const region of ["us-east-2", "us-east-1"]) {
      const own = region === "us-east-2" ? of("S3Public") : exportedFiles(withAws({ region }));
      cloud.reset();
      cloud.world.region = region;
      cloud.before = ({ call }) => {
        if (call === "s3:CreateBucket")
          cloud.state.buckets["demo-oidc"] ??= { region, objects: {}, owner: cloud.state.account, ...bucket };
      };
      const outcome = await apply(cloud, own);
      expect(problems(outcome)).toMatch(/bucket demo-oidc/);
      expect(bucketOf(cloud.state)).toEqual({ region, objects: {}, owner: cloud.state.account, ...bucket });
      expect([cloud.state.providers, cloud.state.roles]).toEqual([{}, {}]);
    }
  });

  it("is not another account's bucket, whether or not it can be read", async () => {
    for (const isOpen of [true, false]) {
      cloud.reset({
        buckets: { "demo-oidc": { owner: "999999999999", open: isOpen, tags: [{ Key: ownerTag, Value: "owned" }] } },
      });
      const before = structuredClone(cloud.state);
      const now = await differences(cloud, of("S3Public"));
      expect(now).toContainEqual(expect.stringMatching(/refuse bucket demo-oidc .*account/));
      await apply(cloud, of("S3Public"), { ...prune, adopt: ["demo-oidc"] });
      await destroy(cloud, of("S3Public"));
      expect(cloud.changing()).toEqual([]);
      expect(cloud.state).toEqual(before);
    }
  });

  it("is not a bucket with something else in it: a destroy keeps it, and names what it has", async () => {
    const old = { VersionId: "v1", IsLatest: false, isMarker: false };
    const cases: [string, Partial<Bucket>][] = [
      ["report.pdf", { objects: { "report.pdf": { body: "x", headers: {}, metadata: {} } } }],
      ["old.txt", { versioning: "Enabled", versions: [{ Key: "old.txt", ...old }] }],
      ["gone.txt", { versioning: "Enabled", versions: [{ Key: "gone.txt", ...old, IsLatest: true, isMarker: true }] }],
      ["big.iso", { uploads: ["big.iso"] }],
    ];
    for (const [expected, more] of cases) {
      const bucket = bucketOf(start("S3Public"));
      Object.assign(bucket, { ...more, objects: { ...bucket.objects, ...more.objects } });
      expect(said(await destroyPlan(open(cloud, of("S3Public"))))).toContainEqual(
        expect.stringMatching(new RegExp(`keep bucket demo-oidc .*${expected}`)),
      );
      await destroy(cloud, of("S3Public"));
      expect(Object.keys(bucketOf(cloud.state).objects), expected).toContain("keys.json");
    }
  });

  it("is a bucket with former versions of our documents", async () => {
    const bucket = bucketOf(start("S3Public"));
    Object.assign(bucket, { versioning: "Enabled" });
    bucket.versions = [
      { Key: "keys.json", VersionId: "v1", IsLatest: false, isMarker: false },
      { Key: ".well-known/openid-configuration", VersionId: "v2", IsLatest: false, isMarker: true },
    ];
    expect(problems(await destroy(cloud, of("S3Public")))).toBe("");
    expect(cloud.state.buckets).toEqual({});
  });

  it("is read again before each write", async () => {
    const state = start("S3Public");
    roleOf(state).description = "x";
    for (const provider of Object.values(state.providers)) provider.clientIds = [];
    const target = open(cloud, of("S3Public"));
    const made = await plan(target);
    expect(made.steps.filter(({ action }) => action === "update")).toHaveLength(2);
    for (const one of [roleOf(state), ...Object.values(state.providers)]) one.tags = [{ Key: "team", Value: "b" }];
    cloud.received.length = 0;
    expect((await runPlan(target, made, quiet)).done).toEqual([]);
    expect(cloud.changing()).toEqual([]);
  });

  it("is adopted by name, and what another prefix owns is not", async () => {
    for (const [name, one] of [
      [roles[0], (state: State) => roleOf(state)],
      [publicHost, (state: State) => state.providers[providerArn(publicHost)] as { tags: object[] }],
    ] as const) {
      const state = start("S3Public");
      one(state).tags = [{ Key: "team", Value: "b" }];
      expect(await differences(cloud, of("S3Public"))).toContainEqual(
        expect.stringMatching(new RegExp(`refuse .* ${name} it exists without the owner mark`)),
      );
      expect(problems(await apply(cloud, of("S3Public"), { ...usual, adopt: [name] }))).toBe("");
      expect(one(state).tags).toContainEqual({ Key: ownerTag, Value: "owned" });
      expect(one(state).tags).toContainEqual({ Key: "team", Value: "b" });
      one(state).tags = [{ Key: `${ownerTag}-2`, Value: "owned" }];
      cloud.received.length = 0;
      await apply(cloud, of("S3Public"), { ...prune, adopt: [name] });
      expect(one(state).tags).toEqual([{ Key: `${ownerTag}-2`, Value: "owned" }]);
    }
  });

  it("is not a role with another path, which is not moved", async () => {
    const state = start("S3Public");
    roleOf(state).path = "/other/";
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringMatching(new RegExp(`refuse role ${roles[0]} .*path`, "i")),
    );
    await apply(cloud, of("S3Public"), prune);
    expect(roleOf(state).path).toBe("/other/");
  });
});

describe("a distribution", () => {
  it("is applied twice if AWS assigns its domain: once for the domain, once with it", async () => {
    cloud.reset(foreign, { deployment: 2 });
    expect(problems(await apply(cloud, exportedFiles(firstPhase)))).toBe("");
    expect([cloud.state.providers, cloud.state.roles]).toEqual([
      expect.objectContaining(cloud.state.providers),
      expect.not.objectContaining({ [roles[0]]: expect.anything() }),
    ]);
    const [id = ""] = Object.keys(cloud.state.distributions).filter((one) => !(one in foreign.distributions));
    const domain = assignedDomainOf(id);
    const second = exportedFiles(cloudFront(domain));
    expect(problems(await apply(cloud, second))).toBe("");
    expect(await differences(cloud, second)).toEqual([]);
    expect(Object.keys(cloud.state.providers)).toContain(providerArn(domain));
  });

  it("with another domain than the package's is refused", async () => {
    const state = start("S3CloudFront");
    const wrong = exportedFiles(cloudFront("d111111abcdef8.cloudfront.net"));
    expect(await differences(cloud, wrong)).toContainEqual(expect.stringMatching(/distribution demo-oidc/));
    await apply(cloud, wrong);
    expect(Object.keys(state.distributions)).toHaveLength(1);
    expect(Object.keys(state.providers)).not.toContain(providerArn("d111111abcdef8.cloudfront.net"));
  });

  it("that was deleted by hand is not replaced if the issuer would change", async () => {
    cloud.reset({}, { deployment: 0 });
    await apply(cloud, exportedFiles(firstPhase));
    const second = exportedFiles(cloudFront(assignedDomain(cloud)));
    await apply(cloud, second);
    cloud.state.distributions = {};
    await apply(cloud, second);
    expect(cloud.state.distributions).toEqual({});
  });

  it("of somebody else that serves the domain is not touched, and nothing is created behind it", async () => {
    const theirs = distribution("demo-oidc");
    const Aliases = { Quantity: 1, Items: [ownDomain] };
    const ViewerCertificate = { ACMCertificateArn: "x" };
    cloud.reset({ distributions: { EHAND: { ...theirs, config: { ...theirs.config, Aliases, ViewerCertificate } } } });
    const before = settled(cloud.state).distributions;
    const outcome = await apply(cloud, of("S3CloudFront"));
    expect(outcome.failed.length + outcome.skipped.length).toBeGreaterThan(0);
    expect(settled(cloud.state).distributions).toEqual(before);
    expect(cloud.state.roles).toEqual({});
  });

  it("without its owner tag is not touched, and no other is created", async () => {
    const state = start("S3CloudFront");
    for (const one of Object.values(state.distributions)) one.tags = [{ Key: "team", Value: "a" }];
    const before = structuredClone(state.distributions);
    await apply(cloud, of("S3CloudFront"), prune);
    await destroy(cloud, of("S3CloudFront"));
    expect(cloud.state.distributions).toEqual(before);
  });

  it("is waited for until it is deployed, before it is deleted", async () => {
    start("S3CloudFront");
    cloud.world.settings.deployment = 4;
    expect(problems(await destroy(cloud, of("S3CloudFront")))).toBe("");
    expect(cloud.state.distributions).toEqual({});
  });

  it("that a list does not contain yet is not created twice", async () => {
    cloud.reset({}, { deployment: 0, listLag: 3 });
    cloud.fault = { at: 0, how: "reset-before" };
    for (let tries = 0; tries < 6; tries++) {
      cloud.fault = undefined;
      cloud.before = ({ call }) => {
        if (call === "cloudfront:CreateDistributionWithTags" && tries === 0)
          cloud.fault = { at: cloud.received.length - 1, how: "reset-after" };
      };
      await apply(cloud, of("S3CloudFront"));
    }
    expect(Object.keys(cloud.state.distributions)).toHaveLength(1);
    expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
  });
});

function assignedDomainOf(id: string): string {
  const copy = new AwsCloud();
  copy.reset({ distributions: { [id]: cloud.state.distributions[id] as object } });
  return assignedDomain(copy);
}

describe("two clusters with one prefix", () => {
  it.each<[string, string, Change]>([
    ["other keys in the same bucket", "S3Public", withIssuer({ signingKeys: [{ publicKey: otherKey }] })],
    [
      "another bucket",
      "S3Public",
      all(
        withIssuer({ signingKeys: [{ publicKey: otherKey }] }),
        withAws({ issuerHosting: { bucket: "demo-second" } }),
      ),
    ],
    ["another issuer", "S3Public", all(external, withIssuer({ signingKeys: [{ publicKey: otherKey }] }))],
    [
      "a distribution",
      "S3CloudFront",
      all(cloudFrontOwnDomain, withIssuer({ signingKeys: [{ publicKey: otherKey }] })),
    ],
    [
      "an issuer elsewhere",
      "External",
      all(external, withIssuer({ url: "https://second.example", signingKeys: [{ publicKey: otherKey }] })),
    ],
  ])("the second is refused before its first write: %s", async (_, name, change) => {
    const before = structuredClone(start(name));
    const second = exportedFiles(change);
    expect((await differences(cloud, second)).filter((line) => line.startsWith("refuse"))).not.toEqual([]);
    await apply(cloud, second);
    expect(cloud.changing()).toEqual([]);
    expect(settled(cloud.state)).toEqual(settled(before));
  });

  it("is refused in one run, too", () => {
    const engine = awsEngine({ environment: {}, removeTags: [] }, cloud.connection());
    engine(of("S3Public"));
    expect(() => engine(of("S3CloudFront"))).toThrow(/prefix demo/);
  });
});

describe("a rotation of keys", () => {
  const both = withIssuer({ signingKeys: [{ publicKey: ownKey }, { publicKey: otherKey }] });
  const second = withIssuer({ signingKeys: [{ publicKey: otherKey }] });
  const keys = () => JSON.parse(bucketOf(cloud.state).objects["keys.json"]?.body ?? "{}").keys.length as number;

  it("publishes both, and takes a published key away only with --prune", async () => {
    start("S3Public");
    expect(problems(await apply(cloud, exportedFiles(both)))).toBe("");
    expect(keys()).toBe(2);
    const last = exportedFiles(second);
    await apply(cloud, last);
    expect(keys()).toBe(2);
    expect(await differences(cloud, last)).not.toEqual([]);
    expect(problems(await apply(cloud, last, prune))).toBe("");
    expect(keys()).toBe(1);
    expect(await differences(cloud, last)).toEqual([]);
  });

  it("is refused if it replaces all keys at once, until that is allowed", async () => {
    start("S3Public");
    const last = exportedFiles(second);
    await apply(cloud, last, prune);
    expect(cloud.changing()).toEqual([]);
    expect(problems(await apply(cloud, last, { ...prune, allow: ["replace-key"] }))).toBe("");
    // The key of whoever published before goes when the package's own is there.
    expect(problems(await apply(cloud, last, prune))).toBe("");
    expect(await differences(cloud, last)).toEqual([]);
  });
});

describe("previous issuers", () => {
  const first = withAws({ issuerHosting: { type: "S3Public", bucket: "demo-first" } });
  const url = "https://demo-first.s3.us-east-2.amazonaws.com";

  it("are removed after the package's own is live: a public bucket", async () => {
    cloud.reset(foreign);
    const seed = structuredClone(cloud.state);
    expect(problems(await apply(cloud, exportedFiles(first)))).toBe("");
    const moved = exportedFiles(previous(url));
    expect(await destroyPrevious(cloud, moved)).toBeUndefined();
    expect(problems(await apply(cloud, moved))).toBe("");
    expect(Object.keys(cloud.state.buckets)).toContain("demo-first");
    const outcome = await destroyPrevious(cloud, moved);
    expect(outcome && problems(outcome)).toBe("");
    expect(Object.keys(cloud.state.buckets)).not.toContain("demo-first");
    expect(Object.keys(cloud.state.providers)).not.toContain(providerArn("demo-first.s3.us-east-2.amazonaws.com"));
    expect(await differences(cloud, moved)).toEqual([]);
    expect(problems(await destroy(cloud, moved))).toBe("");
    const essence = ({ callerReferences: _, ...rest }: State) => rest;
    expect(essence(settled(cloud.state))).toEqual(essence(settled(seed)));
  });

  it("share what the package still uses: a distribution's bucket that is public now", async () => {
    cloud.reset({}, { deployment: 0 });
    expect(problems(await apply(cloud, of("S3CloudFront")))).toBe("");
    const moved = exportedFiles(previous(`https://${ownDomain}`));
    expect(problems(await apply(cloud, moved))).toBe("");
    const outcome = await destroyPrevious(cloud, moved);
    expect(outcome && problems(outcome)).toBe("");
    expect(Object.keys(cloud.state.buckets)).toEqual(["demo-oidc"]);
    expect(cloud.state.distributions).toEqual({});
    expect(Object.keys(cloud.state.providers)).toEqual([providerArn(publicHost)]);
    expect(await differences(cloud, moved)).toEqual([]);
  });
});

describe("requests", () => {
  it.each(["S3Public", "S3CloudFront"])("of a status are the same for 5 and 500 roles: %s", async (name) => {
    const counts: number[] = [];
    for (const count of [5, 500]) {
      const many = withRoles(of(name), count);
      cloud.reset({}, { page: 1000, deployment: 0 });
      expect(problems(await apply(cloud, many))).toBe("");
      cloud.received.length = 0;
      expect(await differences(cloud, many)).toEqual([]);
      expect(cloud.changing()).toEqual([]);
      counts.push(cloud.received.length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThanOrEqual(name === "S3Public" ? 14 : 18);
  });

  it("read all pages of lists", async () => {
    cloud.reset(foreign, { page: 1, deployment: 0 });
    const many = withRoles(of("S3CloudFront"), 5);
    expect(problems(await apply(cloud, many))).toBe("");
    expect(await differences(cloud, many)).toEqual([]);
    expect(problems(await destroy(cloud, many))).toBe("");
    expect(Object.keys(cloud.state.roles).sort()).toEqual(Object.keys(foreign.roles).sort());
  });

  it("read the roles one by one if all at once is not allowed: at most 4n + 12", async () => {
    start("S3Public");
    cloud.before = ({ call }) => {
      if (call === "iam:GetAccountAuthorizationDetails") throw serviceException("AccessDenied", "Access Denied", 403);
    };
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
    expect(cloud.received.length).toBeLessThanOrEqual(4 * 2 + 14);
    roleOf(cloud.state).inlinePolicies["more"] = { Version: "2012-10-17", Statement: [] };
    expect(await differences(cloud, of("S3Public"))).toContainEqual(expect.stringContaining("inline policy"));
  });

  it("are none after the first if the credentials are for another account or partition", async () => {
    for (const seed of [{ account: "999999999999" }, { caller: "arn:aws-cn:iam::123456789012:user/tester" }]) {
      cloud.reset(seed);
      await expect(apply(cloud, of("S3Public"))).rejects.toThrow(/999999999999|aws-cn/);
      expect(cloud.received.map(({ call }) => call)).toEqual(["sts:GetCallerIdentity"]);
    }
  });

  it("name the expected owner of the bucket, all but its creation", async () => {
    cloud.reset({}, { deployment: 0 });
    await apply(cloud, of("S3Public"));
    await differences(cloud, of("S3Public"));
    await destroy(cloud, of("S3Public"));
    const others = cloud.received.filter(({ call }) => call.startsWith("s3:") && call !== "s3:CreateBucket");
    expect(others.length).toBeGreaterThan(10);
    for (const { call, input } of others) {
      // Whose a bucket is that this account may not see is asked without it.
      if (call !== "s3:HeadBucket") expect(input["ExpectedBucketOwner"], call).toBe("123456789012");
    }
  });

  it("of several packages in one account read its roles once", async () => {
    cloud.reset({}, { deployment: 0 });
    const engine = awsEngine({ environment: {}, removeTags: [] }, cloud.connection());
    const packages = ["demo", "demo-2", "demo-3"].map((name) => exportedFiles(s3Public, name));
    const plans = await Promise.all(packages.map((one) => plan(engine(one))));
    expect(plans).toHaveLength(3);
    const asked = cloud.received.filter(({ call }) => call === "iam:GetAccountAuthorizationDetails");
    expect(asked).toHaveLength(1);
    for (const one of packages) expect(problems(await apply(cloud, one))).toBe("");
    for (const one of packages) expect(await differences(cloud, one)).toEqual([]);
  });
});

describe("what is not known", () => {
  it.each([
    "iam:ListRoles",
    "iam:GetRole",
    "iam:ListRolePolicies",
    "iam:GetOpenIDConnectProvider",
    "s3:GetBucketPolicy",
    "s3:GetBucketTagging",
    "s3:GetObject",
    "cloudfront:ListDistributions",
  ])("leads to no removal, and is not in sync: %s", async (refused) => {
    const state = start("S3CloudFront");
    state.roles["demo-old"] = structuredClone(roleOf(state));
    cloud.before = ({ call }) => {
      if (call === refused) throw serviceException("AccessDenied", "Access Denied", 403);
    };
    const target = () => open(cloud, of("S3CloudFront"));
    const asked = async () => said(await plan(target(), prune)).join("\n");
    let now = "";
    try {
      now = await asked();
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
    }
    const isAsked = cloud.received.some(({ call }) => call === refused);
    if (isAsked) expect(now).not.toBe("");
    await apply(cloud, of("S3CloudFront"), prune).catch(() => undefined);
    const removals = cloud.changing().filter((call) => /:(Delete|Detach|Remove)/.test(call));
    expect(isAsked ? removals.filter((call) => !call.includes("Role")) : []).toEqual([]);
  });

  it("is a page that fails: nothing is removed", async () => {
    const state = start("S3Public");
    state.roles["demo-old"] = structuredClone(roleOf(state));
    cloud.world.settings.page = 1;
    cloud.before = ({ call, input }) => {
      if (/iam:(ListRoles|GetAccountAuthorizationDetails)/.test(call) && input["Marker"] !== undefined)
        throw serviceException("AccessDenied", "Access Denied", 403);
    };
    const now = await differences(cloud, of("S3Public"));
    expect(now).toContainEqual(expect.stringMatching(/^unknown/));
    expect(now.filter((line) => line.startsWith("remove"))).toEqual([]);
  });

  it("is a new role that is not visible everywhere yet: it is waited for", async () => {
    cloud.reset({}, { lag: 3 });
    expect(problems(await apply(cloud, of("S3Public")))).toBe("");
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
  });
});

describe("Block Public Access for the whole account", () => {
  it("is reported with the fix, and nothing trusts the issuer", async () => {
    const all = { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true };
    cloud.reset({ accountPublicAccessBlock: all });
    const outcome = await apply(cloud, of("S3Public"));
    expect(problems(outcome)).toMatch(/Block Public Access is enabled for the whole account.*S3CloudFront/s);
    expect(cloud.state.roles).toEqual({});
  });
});

describe("commands", () => {
  it.each(["S3Public", "S3CloudFront", "External"])("are those of the AWS CLI, one for each step: %s", async (name) => {
    cloud.reset();
    const target = open(cloud, of(name));
    const lines = planCommands(target, await plan(target));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.startsWith("aws "))).toBe(true);
    expect(lines.join("\n")).not.toMatch(/undefined|=''|= |\[object/);
  });
});
