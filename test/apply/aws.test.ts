import { beforeAll, describe, expect, it, vi } from "vitest";
import { CloudError } from "../../src/apply/requests.ts";
import { planCommands } from "../../src/apply/show.ts";
import { awsEngine } from "../../src/clouds/aws/apply/engine.ts";
import { serviceException } from "../helpers/amazon/api.mjs";
import { ownerTag, s3Public } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { type Applied, applied, prune, roleOf } from "./aws-applied.ts";
import { AwsCloud } from "./aws-cloud.ts";
import { apply, destroy, differences, exportedFiles, open, plan, problems, said } from "./aws-engine.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
let of: Applied["of"];
let start: Applied["start"];
beforeAll(async () => {
  ({ of, start } = await applied(cloud));
});

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

  it("documents that do not answer stop no run, and are not taken for read", async () => {
    if (name === "External") return;
    start(name);
    const fetch = () => Promise.reject(new Error("getaddrinfo ENOTFOUND"));
    const connection = { send: cloud.connection().send, fetch };
    const target = awsEngine({ environment: {}, removeTags: [] }, connection)(of(name));
    const { steps } = await plan(target);
    const different = steps.filter(({ action }) => action !== "none");
    expect(different.map(({ action, extra }) => [action, extra?.unread])).toEqual([
      ["keep", true],
      ["keep", true],
    ]);
    expect(different[0]?.reason).toContain("getaddrinfo ENOTFOUND); to omit this check, use --no-fetch");
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
    const { steps } = await plan(open(cloud, of("S3Public")));
    expect(cloud.received.length).toBeLessThanOrEqual(4 * 2 + 14);
    // A role of the package under another name would not be seen.
    expect(steps.flatMap(({ action, extra }) => (action === "none" ? [] : [[action, extra?.unread]]))).toEqual([
      ["keep", true],
    ]);
    roleOf(cloud.state).inlinePolicies["more"] = { Version: "2012-10-17", Statement: [] };
    expect(await differences(cloud, of("S3Public"))).toContainEqual(expect.stringContaining("inline policy"));
  });

  it("that fail are named with what they are for, also if several do", async () => {
    start("S3CloudFront");
    cloud.before = ({ call }) => {
      if (/ListRoles|ListDistributions/.test(call)) throw serviceException("InternalError", call, 500);
    };
    const now = await differences(cloud, of("S3CloudFront"));
    expect(now).toContainEqual(
      expect.stringMatching(
        /^unknown distribution .*origin access control demo-oidc, which it needs, could not be read$/,
      ),
    );
    expect(now).toContainEqual(expect.stringMatching(/^unknown origin access control .*cloudfront ListDistributions/));
    expect(now).toContainEqual(expect.stringMatching(/^unknown role .*iam ListRoles/));
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
    // What is not in the package follows from the lists; the role above is in none of the other answers.
    const isList = /:List(Roles|Distributions)$/.test(refused);
    expect(isAsked ? removals.filter((call) => isList || !call.includes("Role")) : []).toEqual([]);
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
