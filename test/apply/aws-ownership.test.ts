import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Plan } from "../../src/apply/plan.ts";
import { planDestroy } from "../../src/apply/plan-destroy.ts";
import { runPlan } from "../../src/apply/run.ts";
import { planText } from "../../src/apply/show.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { awsResources } from "../../src/clouds/aws/resources.ts";
import { serviceException } from "../helpers/amazon/api.mjs";
import { settled } from "../helpers/amazon/state.mjs";
import type { Bucket, State } from "../helpers/amazon/types.ts";
import {
  all,
  type Change,
  cloudFrontOwnDomain,
  ownerTag,
  providerArn,
  publicHost,
  roles,
  withAws,
} from "../helpers/exported-package.ts";
import { type Applied, applied, bucketOf, otherKey, prune, roleOf, withIssuer } from "./aws-applied.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  destroy,
  destroyPlan,
  differences,
  exportedFiles,
  external,
  externalUrl,
  open,
  plan,
  problems,
  said,
  usual,
} from "./aws-engine.ts";
import { carriedOut, quiet } from "./carried-out.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
let of: Applied["of"];
let start: Applied["start"];
beforeAll(async () => {
  ({ of, start } = await applied(cloud));
});

describe("what others have in the same document", () => {
  const strange = {
    Sid: "Team",
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::999999999999:root" },
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::demo-oidc/${team}/*",
  };

  it.each([
    ["2008-10-17", "2008-10-17"],
    [undefined, undefined],
    ["2012-10-17", "2012-10-17"],
    ["2030-01-01", "2030-01-01"],
  ])("stays when the policy of the bucket is written: version %s", async (before, after) => {
    const bucket = bucketOf(start("S3Public"));
    const own = JSON.parse(bucket.policy ?? "").Statement as object[];
    const policy = { Id: "team", ...(before && { Version: before }), Statement: [strange] };
    bucket.policy = JSON.stringify(policy);
    expect(await differences(cloud, of("S3Public"))).toContainEqual(expect.stringMatching(/^update bucket policy/));
    // The stand-in knows only the versions of today.
    if (before === "2030-01-01")
      cloud.before = ({ call, input }) => void (call === "s3:PutBucketPolicy" && keep(input));
    const keep = ({ Policy }: Record<string, unknown>) => {
      bucket.policy = String(Policy);
      throw serviceException("AccessDenied", "x", 403);
    };
    await apply(cloud, of("S3Public"), prune);
    const now = JSON.parse(bucket.policy ?? "");
    expect(now).toEqual({ Id: "team", ...(after && { Version: after }), Statement: [...own, strange] });
    cloud.before = () => undefined;
    expect(await differences(cloud, of("S3Public"))).toEqual([expect.stringMatching(/^keep bucket policy/)]);
  });

  it("is also a newer version of a policy that has no other statements", async () => {
    const bucket = bucketOf(start("S3Public"));
    bucket.policy = (bucket.policy ?? "").replace("2012-10-17", "2030-01-01");
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
    bucket.policy = (bucket.policy ?? "").replace("2030-01-01", "2008-10-17");
    expect(await differences(cloud, of("S3Public"))).toEqual([expect.stringMatching(/^update bucket policy/)]);
  });

  it("is a published key without an ID, which only --prune removes", async () => {
    const { objects } = bucketOf(start("S3Public"));
    const published = () => JSON.parse(objects["keys.json"]?.body ?? "") as { keys: object[] };
    const { keys } = published();
    const nameless = { kty: "RSA", n: "AQAB", e: "AQAB" };
    Object.assign(objects["keys.json"] as object, { body: JSON.stringify({ keys: [nameless] }) });
    const allowing = { ...usual, allow: ["replace-key"] };
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringMatching(
        /none of the keys that it publishes is in the package \(without an ID, sha256:[0-9a-f]{16}\)/,
      ),
    );
    expect(problems(await apply(cloud, of("S3Public"), allowing))).toBe("");
    expect(published()).toEqual({ keys: [...keys, nameless] });
    expect(await differences(cloud, of("S3Public"))).toEqual([
      expect.stringMatching(/^remove published key keys.json: without an ID, sha256:/),
    ]);
    expect(problems(await apply(cloud, of("S3Public"), prune))).toBe("");
    expect(published()).toEqual({ keys });
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
  });
});

it("one run with --prune and --allow replace-key publishes the new key, and removes the former one", async () => {
  const { objects } = bucketOf(start("S3Public"));
  const replaced = exportedFiles(withIssuer({ signingKeys: [{ publicKey: otherKey }] }));
  expect(problems(await apply(cloud, replaced, { ...prune, allow: ["replace-key"] }))).toBe("");
  expect(JSON.parse(objects["keys.json"]?.body ?? "")).toEqual(JSON.parse(replaced.get("aws/issuer/keys.json") ?? ""));
  expect(await differences(cloud, replaced)).toEqual([]);
});

describe("a provider that the configuration names", () => {
  const host = externalUrl.replace("https://", "");
  const arn = providerArn(host);
  const given = (fields: object = {}) => all(external, withAws({ identityProviderARN: arn, ...fields }));
  const marked = [{ Key: ownerTag, Value: "owned" }];

  /** What a status says if the provider has these client IDs, after an apply. */
  async function statusWith(clientIds: string[], fields: object = {}): Promise<Plan> {
    const files = exportedFiles(given(fields));
    cloud.reset({ providers: { [arn]: { url: host, clientIds, tags: [] } } });
    expect(problems(await apply(cloud, files))).toBe("");
    expect(Object.keys(cloud.state.roles)).toHaveLength(2);
    expect(cloud.state.providers[arn]).toMatchObject({ clientIds, tags: [] });
    return plan(open(cloud, files), prune);
  }

  it("is in sync only with the audience of the tokens, and is never written to", async () => {
    expect(said(await statusWith(["openshift"]))).toEqual([]);
    const unknown = await statusWith(["other"]);
    expect(said(unknown)).toEqual([
      expect.stringMatching(
        /^keep provider .* its client IDs are other, so AWS refuses tokens for the audience openshift/,
      ),
    ]);
    expect(unknown.steps.find(({ action }) => action === "keep")?.extra?.unread).toBe(true);
  });

  it("differs if it has none of the audiences that a role demands", async () => {
    const roles = { roles: { requireAudience: true } };
    expect(said(await statusWith(["sts.amazonaws.com"], roles))).toEqual([]);
    const wrong = await statusWith([], roles);
    expect(said(wrong)).toEqual([
      expect.stringMatching(/it has no client IDs, but a role demands the audience openshift or sts.amazonaws.com/),
    ]);
    expect(wrong.steps.find(({ action }) => action === "keep")?.extra?.unread).toBeUndefined();
  });

  it.each(["with", "without"])(
    "stays when the package is destroyed, %s the owner mark, and what it trusts",
    async (mark) => {
      const tags = mark === "with" ? marked : [];
      for (const change of [given(), withAws({ identityProviderARN: providerArn(publicHost) })]) {
        const files = exportedFiles(change);
        const own = awsResources(files).facts.provider ?? "";
        cloud.reset({
          providers: { [own]: { url: own.replace(/^.*provider\//, ""), clientIds: ["openshift"], tags } },
        });
        expect(problems(await apply(cloud, files))).toBe("");
        const [providers, buckets] = [structuredClone(cloud.state.providers), Object.keys(cloud.state.buckets)];
        expect(problems(await destroy(cloud, files))).toBe("");
        expect([cloud.state.providers, Object.keys(cloud.state.buckets), cloud.state.roles]).toEqual([
          providers,
          buckets,
          {},
        ]);
        cloud.state.providers = {};
        expect(problems(await destroy(cloud, files))).toBe("");
        expect(cloud.state.buckets).toEqual({});
      }
    },
  );
});

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

  it("is not gone if its bucket cannot be read anymore while a destroy runs", async () => {
    start("S3Public");
    const target = open(cloud, of("S3Public"));
    const made = await destroyPlan(target);
    cloud.before = ({ call }) => {
      if (call === "s3:HeadBucket") throw serviceException("403", call, 403);
    };
    const outcome = await runPlan(target, made, quiet);
    expect(outcome.done.map(({ kind }) => kind)).not.toContain("document");
    expect(problems(outcome)).toMatch(
      /bucket.* demo-oidc: It belongs to another account, or these credentials may not/,
    );
    expect(bucketOf(cloud.state).objects).not.toEqual({});
  });

  it("is not another account's bucket, whether or not it can be read", async () => {
    for (const isOpen of [true, false]) {
      cloud.reset({
        buckets: { "demo-oidc": { owner: "999999999999", open: isOpen, tags: [{ Key: ownerTag, Value: "owned" }] } },
      });
      const before = structuredClone(cloud.state);
      const now = await differences(cloud, of("S3Public"));
      expect(now).toContainEqual(expect.stringMatching(/unknown bucket demo-oidc It belongs to another account/));
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

  it("is not what another prefix owns, too", async () => {
    for (const [name, one] of [
      ["demo-oidc", bucketOf],
      [roles[0], roleOf],
      [publicHost, (state: State) => state.providers[providerArn(publicHost)]],
    ] as const) {
      const resource = one(start("S3Public")) as { tags: object[] };
      resource.tags.push({ Key: `${ownerTag}-2`, Value: "owned" });
      const before = structuredClone(resource);
      expect(await differences(cloud, of("S3Public"))).toContainEqual(
        expect.stringMatching(new RegExp(`refuse .* ${name} another resource prefix owns it`)),
      );
      await apply(cloud, of("S3Public"), { ...prune, adopt: [name] });
      await destroy(cloud, of("S3Public"));
      expect(one(cloud.state)).toEqual(before);
    }
  });

  it("is not what a file of an export names besides", async () => {
    const state = start("S3Public");
    const policyOf = (name: string) => Object.keys(state.roles[name]?.inlinePolicies ?? {});
    Object.assign(state.roles, { other: { ...structuredClone(roleOf(state)), tags: [], inlinePolicies: {} } });
    state.buckets["other"] = { ...structuredClone(bucketOf(state)), tags: [], objects: {} };
    const files = [...of("S3Public")].map(([path, text]): [string, string] => {
      if (!/put-role-policy\.json|put-object-.*\.json/.test(path)) return [path, text];
      const input = JSON.parse(text) as Record<string, string>;
      const other = "RoleName" in input ? { RoleName: "other" } : { Bucket: "other" };
      return [path, JSON.stringify({ ...input, ...other })];
    });
    roleOf(state).inlinePolicies = {};
    bucketOf(state).objects = {};
    expect(problems(await apply(cloud, new Map(files)))).toBe("");
    expect([policyOf("other"), state.buckets["other"]?.objects]).toEqual([[], {}]);
    expect(policyOf(roles[0])).toEqual([roles[0]]);
  });

  it("is not a role whose only statement, outside a list, trusts another cluster's issuer", async () => {
    const state = start("S3Public");
    const [statement] = roleOf(state).trustPolicy.Statement;
    const Federated = providerArn("other.example.com");
    roleOf(state).trustPolicy = { Version: "2012-10-17", Statement: { ...statement, Principal: { Federated } } };
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringMatching(/^refuse role .* it trusts only .*other\.example\.com/),
    );
  });

  it("is not what is attached to a role without the owner mark", async () => {
    const state = start("S3Public");
    Object.assign(roleOf(state), { tags: [], attachedPolicies: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] });
    const before = structuredClone(roleOf(state));
    expect(said(await destroyPlan(open(cloud, of("S3Public")))).filter((one) => /attached/.test(one))).toEqual([]);
    expect(problems(await destroy(cloud, of("S3Public")))).toBe("");
    expect(roleOf(state)).toEqual(before);
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

it("a creation that AWS does not show afterwards did not succeed", async () => {
  cloud.reset();
  cloud.before = ({ call }) => {
    if (call === "iam:GetRolePolicy") for (const one of Object.values(cloud.state.roles)) one.inlinePolicies = {};
  };
  const outcome = await apply(cloud, of("External"));
  expect(problems(outcome)).toMatch(/inline policy .* does not show what was written/);
});

describe("a bucket", () => {
  it("is not written if its policy cannot be read", async () => {
    const state = start("S3Public");
    const policy = `{"Version":"2012-10-17","Id":"a","Id":"b","Statement":[]}`;
    bucketOf(state).policy = policy;
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringMatching(/^unknown bucket policy demo-oidc .*has a duplicate key/),
    );
    cloud.received.length = 0;
    await apply(cloud, of("S3Public"), prune);
    expect(bucketOf(state).policy).toBe(policy);
  });

  it("keeps an object that arrives while it is removed", async () => {
    start("S3Public");
    let lists = 0;
    cloud.before = ({ call }) => {
      // The plan, and the check before the removal, list the bucket before.
      if (call === "s3:ListObjectVersions" && ++lists === 3)
        bucketOf(cloud.state).objects["photo"] = { body: "a", headers: {}, metadata: {} };
    };
    expect(problems(await destroy(cloud, of("S3Public")))).toMatch(
      /^bucket demo-oidc: s3 DeleteBucket.*BucketNotEmpty/,
    );
    expect(Object.keys(bucketOf(cloud.state).objects)).toEqual(["photo"]);
  });

  it("is unknown if the list of its objects is cut off", async () => {
    start("S3Public");
    const own = cloud.connection();
    const connection: typeof own = {
      ...own,
      send: async (call, input) =>
        call === "s3:ListObjectVersions" ? { Name: "demo-oidc", IsTruncated: true } : own.send(call, input),
    };
    const target = awsEngine({ environment: {}, removeTags: [] }, connection)(of("S3Public"));
    await expect(destroyPlan(target)).rejects.toThrow(/ListObjectVersions demo-oidc is cut off/);
  });

  it("with Object Lock is kept, and the reason is said", async () => {
    bucketOf(start("S3Public")).objectLock = true;
    expect(said(await destroyPlan(open(cloud, of("S3Public"))))).toContainEqual(
      expect.stringMatching(/keep bucket demo-oidc .*Object Lock/),
    );
    await destroy(cloud, of("S3Public"));
    expect(Object.keys(cloud.state.buckets)).toEqual(["demo-oidc"]);
  });

  it("is kept if the provider is", async () => {
    const state = start("S3Public");
    for (const one of Object.values(state.providers)) one.tags = [{ Key: "team", Value: "a" }];
    await destroy(cloud, of("S3Public"));
    expect(Object.keys(bucketOf(cloud.state).objects)).toHaveLength(2);
    expect(Object.keys(cloud.state.providers)).toHaveLength(1);
  });

  it("in another region is not moved", async () => {
    bucketOf(start("S3Public")).region = "eu-west-1";
    expect(await differences(cloud, of("S3Public"))).toContainEqual(
      expect.stringMatching(/refuse bucket demo-oidc .*cannot be moved/),
    );
    await apply(cloud, of("S3Public"), prune);
    expect(cloud.changing().filter((call) => call.startsWith("s3:"))).toEqual([]);
  });

  it("gets its tags in a second request where the partition takes none with the creation", async () => {
    cloud.reset();
    cloud.before = ({ call, input }) => {
      if (call === "s3:CreateBucket" && JSON.stringify(input).includes("Tags"))
        throw serviceException("MalformedXML", "The XML you provided was not well-formed", 400);
    };
    expect(problems(await apply(cloud, of("S3Public")))).toBe("");
    expect(bucketOf(cloud.state).tags).toContainEqual({ Key: ownerTag, Value: "owned" });
    expect(await differences(cloud, of("S3Public"))).toEqual([]);
  });
});

describe("two applies at once", () => {
  it("end in the same state: who loses is told to run again, and then nothing remains to be done", async () => {
    cloud.reset({}, { deployment: 0 });
    const targets = [open(cloud, of("S3CloudFront")), open(cloud, of("S3CloudFront"))] as const;
    const plans = await Promise.all(targets.map((target) => plan(target)));
    const outcomes = await Promise.all(targets.map((target, index) => runPlan(target, plans[index] as Plan, quiet)));
    for (const outcome of outcomes)
      for (const { problem } of outcome.failed) expect(problem).toMatch(/Run the same command again/);
    expect(problems(await apply(cloud, of("S3CloudFront")))).toBe("");
    expect(await differences(cloud, of("S3CloudFront"))).toEqual([]);
    expect(Object.keys(cloud.state.distributions)).toHaveLength(1);
  });
});

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

it("a bucket that S3 creates without its tags is not another program's", async () => {
  cloud.reset();
  cloud.before = ({ call }) => {
    for (const bucket of call === "s3:HeadBucket" ? Object.values(cloud.state.buckets) : []) bucket.tags = [];
  };
  const said = problems(await apply(cloud, of("S3Public")));
  cloud.before = () => undefined;
  expect(said).toContain("S3 did not store the tags of its creation, or the bucket existed before.");
  expect(said).toContain("If it is the package's, use --adopt bucket/demo-oidc.");
  expect(problems(await apply(cloud, of("S3Public"), { ...usual, adopt: ["bucket/demo-oidc"] }))).toBe("");
  expect(await differences(cloud, of("S3Public"))).toEqual([]);
});

describe("what others have inside a resource", () => {
  const [first] = roles;
  const policy = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:*", Resource: "*" }] };
  const statement = {
    Sid: "Team",
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::999999999999:root" },
    Action: "s3:GetObject",
  };

  /** A cluster whose resources others use, too. */
  function shared(): State {
    const state = start("S3Public");
    roleOf(state).inlinePolicies["team"] = policy;
    roleOf(state).attachedPolicies.push("arn:aws:iam::aws:policy/ReadOnlyAccess");
    Object.values(state.providers)[0]?.clientIds.push("team-app");
    const bucket = bucketOf(state);
    const own = JSON.parse(bucket.policy ?? "");
    own.Statement.push({ ...statement, Resource: "arn:aws:s3:::demo-oidc/*" });
    bucket.policy = JSON.stringify(own);
    return state;
  }

  it("keeps the resource when the package is destroyed, and the plan names it", async () => {
    const state = shared();
    const before = structuredClone(settled(state));
    const made = await destroyPlan(open(cloud, of("S3Public")));
    expect(said(made)).toEqual([
      expect.stringMatching(/^remove role (?!.*image-registry)/),
      expect.stringMatching(
        `^keep role ${first} it contains inline policy ${first}: team, which the package does not have; if nothing needs that, remove it, or use --include-foreign "?'inline policy/${first}: team'`,
      ),
      expect.stringMatching(
        /^keep provider .* it contains client ID demo-oidc\.s3.*: team-app, which the package does not have/,
      ),
      expect.stringMatching(/^keep bucket demo-oidc provider .* stays$/),
    ]);
    expect(problems(await carriedOut(open(cloud, of("S3Public")), made))).toBe("");
    const after = settled(cloud.state);
    expect(after.roles[first]).toEqual(before.roles[first]);
    expect([after.providers, after.buckets]).toEqual([before.providers, before.buckets]);
  });

  it("goes with it if the user names it, and is shown", async () => {
    shared();
    const target = open(cloud, of("S3Public"));
    await target.check();
    const state = await target.read({ fetch: false, progress: () => undefined });
    const include = [`inline policy/${first}: team`, "client ID/demo-oidc.s3.us-east-2.amazonaws.com: team-app"];
    const without = await planDestroy(target, state, include);
    const [kept] = without.steps.filter(({ action }) => action === "keep");
    expect([kept?.kind, kept?.reason]).toEqual([
      "bucket",
      expect.stringContaining("it contains bucket policy demo-oidc: "),
    ]);
    const [{ kind = "", name = "" } = {}] = kept?.inside ?? [];
    expect(name).toMatch(/^demo-oidc: s3:GetObject on .*999999999999/);
    const made = await planDestroy(target, state, [...include, `${kind}/${name}`]);
    expect(planText(made, "demo").join("\n")).toContain(
      [
        `  - role ${first}`,
        `      contains inline policy ${first}: team`,
        `      contains attached policy ${first}: arn:aws:iam::aws:policy/ReadOnlyAccess`,
      ].join("\n"),
    );
    expect(made.options.includeForeign).toHaveLength(3);
    expect(problems(await carriedOut(target, made))).toBe("");
    expect([cloud.state.roles, cloud.state.providers, cloud.state.buckets]).toEqual([{}, {}, {}]);
  });

  it("stops a removal that was planned before it was there", async () => {
    const state = start("S3Public");
    const target = open(cloud, of("S3Public"));
    const made = await destroyPlan(target);
    roleOf(state).inlinePolicies["team"] = policy;
    expect(problems(await carriedOut(target, made))).toContain(
      `It changed after the plan was made: it contains inline policy ${first}: team.`,
    );
    expect(Object.keys(cloud.state.roles[first]?.inlinePolicies ?? {})).toContain("team");
  });

  it("is a step of its own if --prune removes the role", async () => {
    const state = start("S3Public");
    state.roles["demo-old"] = {
      ...structuredClone(roleOf(state)),
      inlinePolicies: { "demo-old": policy, team: policy },
    };
    expect(await differences(cloud, of("S3Public"))).toEqual([
      "remove role demo-old",
      "remove inline policy demo-old: team",
    ]);
    expect(problems(await apply(cloud, of("S3Public"), prune))).toBe("");
    expect(cloud.state.roles["demo-old"]).toBeUndefined();
  });
});
