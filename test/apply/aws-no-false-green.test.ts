import { beforeAll, describe, expect, it, vi } from "vitest";
import { pace } from "../../src/apply/requests.ts";
import { flatten } from "../../src/apply/show.ts";
import { awsResources, kinds } from "../../src/clouds/aws/resources.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";
import { type Live, place } from "../helpers/amazon/places.ts";
import type { Role, State, Value } from "../helpers/amazon/types.ts";
import { moments } from "../helpers/effort.ts";
import {
  account,
  all,
  type Change,
  cloudFront,
  cloudFrontOwnDomain,
  firstPhase,
  ownerTag,
  roles,
  s3Public,
  withAws,
} from "../helpers/exported-package.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  assignedDomain,
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
/** Every field that a configuration can set. */
const more = withAws({
  roles: { permissionsBoundaryARN: boundary, maxSessionDuration: 7200, path: "/x/" },
  tags: { team: "a" },
  thumbprints: ["a".repeat(40)],
});

const packages: Record<string, Change> = {
  S3Public: s3Public,
  S3CloudFront: firstPhase,
  domain: cloudFrontOwnDomain,
  External: external,
};

/** What identifies a resource, or cannot change: it is another resource with another value. */
const fixed =
  /^(Bucket|ExpectedBucketOwner|Key|Url|RoleName|PolicyName|CreateBucketConfiguration.*|.*CallerReference)$/;

/** Other values in the place of one. */
function others(value: Value): Value[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "string") return [value === "" ? "x" : `${value}x`];
  if (value.every((one: Value) => typeof one !== "object")) return [[...value, "GET-more"], value.slice(1)];
  return [value.slice(1)];
}

/** Changes of a body, one at a time: each field removed, and with other values. */
function variants(body: Value): [string, (body: Value) => void][] {
  return [...flatten(body)]
    .filter(([path]) => !fixed.test(path))
    .flatMap(([path, value]) => {
      const inside = Array.isArray(value) ? insideOf(path, value) : [];
      const set = (now: Value) => (copy: Value) => setAt(copy, path, now);
      const changed = others(value).map((now): [string, (copy: Value) => void] => [
        `${path} ${JSON.stringify(now)}`,
        set(now),
      ]);
      // AWS omits what is not set, and encrypts with keys of S3 unless something else is stated.
      const isUsual = value === false || value === "" || value === 0 || path === "ServerSideEncryption";
      const removed: [string, (copy: Value) => void][] = isUsual ? [] : [[`${path} removed`, set(undefined)]];
      return [...removed, ...changed, ...inside];
    });
}

/** Changes of what is in the items of a list. */
function insideOf(path: string, list: readonly Value[]): [string, (body: Value) => void][] {
  return list.flatMap((item, index) =>
    typeof item !== "object"
      ? []
      : variants(item).map(([what, change]): [string, (body: Value) => void] => [
          `${path}.${index}.${what}`,
          (body) => change(at(body, path)[index]),
        ]),
  );
}

function at(value: Value, path: string): Value {
  return keysOf(path).reduce((one, key) => one[key], value);
}

/** The keys of a path; those of conditions contain dots. */
function keysOf(path: string): string[] {
  const [head = "", condition] = path.split(/(?<=Condition\.\w+)\./);
  return condition === undefined ? path.split(".") : [...head.split("."), condition];
}

function setAt(value: Value, path: string, now: Value): void {
  const keys = keysOf(path);
  const last = keys.pop() ?? "";
  const parent = keys.reduce((one, key) => one[key], value);
  if (now === undefined) delete parent[last];
  else parent[last] = now;
}

/** Adds tags of others, and changes the order of all. */
function tagEverything({ buckets, distributions, providers, roles: all }: State): void {
  const tag = { Key: "aws:cloudformation:stack-name", Value: "x" };
  for (const part of [all, providers, distributions, buckets])
    for (const one of Object.values(part as Record<string, { tags?: Value[] }>)) {
      one.tags?.reverse();
      one.tags?.push({ Key: "cost-center", Value: "7" }, tag);
    }
}

/** Writes the policies of roles in another way that means the same. */
function reorderPolicies({ roles: all }: State): void {
  const documents = Object.values(all).flatMap((one) => [one.trustPolicy, ...Object.values(one.inlinePolicies)]);
  for (const { Statement } of documents) {
    Statement.reverse();
    for (const one of Statement) one.Action = [one.Action].flat().reverse();
  }
}

describe.each(Object.keys(packages))("with %s, a status names", (name) => {
  let files: Map<string, string>;
  let healthy: State;
  let wanted: readonly WantedResource[];

  beforeAll(async () => {
    cloud.reset({ policies: [boundary, own] }, { deployment: 0 });
    const change = all(packages[name] ?? s3Public, more);
    files = exportedFiles(change);
    expect((await apply(cloud, files)).failed.map(({ problem }) => problem)).toEqual([]);
    if (name === "S3CloudFront") {
      files = exportedFiles(all(cloudFront(assignedDomain(cloud)), more));
      expect((await apply(cloud, files)).failed.map(({ problem }) => problem)).toEqual([]);
    }
    ({ wanted } = awsResources(files));
    healthy = structuredClone(cloud.state);
  });

  /** What a status says after a change of the healthy state. */
  async function statusAfter(change: (state: State) => void): Promise<string[]> {
    cloud.reset();
    cloud.world.state = structuredClone(healthy);
    if (name === "External") for (const [url, text] of awsResources(files).documents) cloud.elsewhere.set(url, text);
    change(cloud.state);
    return differences(cloud, files);
  }

  it("nothing if nothing differs", async () => {
    expect(await statusAfter(() => undefined)).toEqual([]);
  });

  it("each resource that is missing", async () => {
    for (const one of wanted)
      expect(await statusAfter((state) => place(state, one).remove()), `${one.kind} ${one.name}`).toContainEqual(
        expect.stringContaining(one.name),
      );
  });

  it("each field that the package states and that is removed or changed", async () => {
    let count = 0;
    const missed: string[] = [];
    for (const one of wanted.filter(({ kind }) => kind !== kinds.attachedPolicy)) {
      for (const [what, change] of variants(place(structuredClone(healthy), one).body())) {
        const said = await statusAfter((state) => {
          const live: Live = place(state, one);
          const body = live.body();
          change(body);
          live.put(body);
        });
        if (!said.some((line) => line.includes(one.name))) missed.push(`${one.kind} ${one.name}: ${what}`);
        count++;
      }
    }
    expect(missed).toEqual([]);
    expect(count).toBeGreaterThan(60);
  });

  it("what an apply then mends, or refuses with its reason", async () => {
    const all = wanted
      .filter(({ kind }) => kind !== kinds.attachedPolicy)
      .flatMap((one) =>
        variants(place(structuredClone(healthy), one).body()).map(([what, change]) => ({ one, what, change })),
      );
    const left: string[] = [];
    for (const moment of moments(all.length, { few: 25 })) {
      const { one, what, change } = all[moment - 1] as (typeof all)[number];
      const said = await statusAfter((state) => {
        const live = place(state, one);
        const body = live.body();
        change(body);
        live.put(body);
      });
      if (said.some((line) => line.startsWith("refuse"))) continue;
      let outcome = await apply(cloud, files, { ...usual, prune: true });
      // The ID of an access control that is created again is known only then, so the next run removes the one that was in use.
      if (outcome.failed.length > 0) outcome = await apply(cloud, files, { ...usual, prune: true });
      // A statement with another identifier is another program's, and stays.
      const after = (await differences(cloud, files)).filter((line) => !line.startsWith("keep"));
      const now = [...outcome.failed.map(({ problem }) => problem), ...after];
      if (now.length > 0) left.push(`${one.kind} ${one.name}: ${what}\n${now.join("\n")}`);
    }
    expect(left).toEqual([]);
  });

  it("what decides besides whether a token works, and who else may assume a role", async () => {
    const [first] = roles;
    const role = (state: State) => state.roles[first] as State["roles"][string];
    const trust = (state: State) => role(state).trustPolicy.Statement as Value[];
    const provider = (state: State) => Object.values(state.providers)[0] as State["providers"][string];
    const everyone = { Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" };
    const cases: [string, (state: State) => void][] = [
      [first, (state) => trust(state).push(everyone)],
      [first, (state) => Object.assign(trust(state)[0], { Principal: { ...trust(state)[0].Principal, AWS: "*" } })],
      [first, (state) => delete trust(state)[0].Condition],
      [first, (state) => Object.assign(trust(state)[0].Condition, { StringLike: { "aws:x": "y" } })],
      [first, (state) => Object.assign(trust(state)[0], { Effect: "Deny" })],
      [first, (state) => trust(state).push({ ...trust(state)[0], Effect: "Deny" })],
      ["attached policy", (state) => role(state).attachedPolicies.push("arn:aws:iam::aws:policy/AdministratorAccess")],
      [
        "inline policy",
        (state) => Object.assign(role(state).inlinePolicies, { x: { Version: "2012-10-17", Statement: [] } }),
      ],
      [
        first,
        (state) => void Object.assign(role(state), { permissionsBoundary: "arn:aws:iam::aws:policy/ReadOnlyAccess" }),
      ],
      ["client ID", (state) => provider(state).clientIds.push("https://more.example")],
      ["role demo-lost", (state) => Object.assign(state.roles, { "demo-lost": structuredClone(role(state)) })],
      ["role elsewhere", (state) => Object.assign(state.roles, { elsewhere: structuredClone(role(state)) })],
    ];
    for (const [expected, change] of cases)
      expect(await statusAfter(change), `${expected}\n${change}`).toContainEqual(expect.stringContaining(expected));
  });

  it("what decides besides whether the documents can be read", async () => {
    const bucket = (state: State) => state.buckets["demo-oidc"] as State["buckets"][string];
    const object = (state: State, key = "keys.json") => bucket(state).objects[key] as Value;
    const everyone = { Effect: "Allow", Principal: "*", Action: "s3:*", Resource: "arn:aws:s3:::demo-oidc/*" };
    const policy = (state: State, add: Value) => {
      const document = JSON.parse(bucket(state).policy ?? "{}");
      document.Statement = [...document.Statement, add];
      bucket(state).policy = JSON.stringify(document);
    };
    const config = (state: State) => Object.values(state.distributions)[0]?.config as Value;
    const kms = { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "key" };
    const key = { kid: "strange", kty: "RSA", n: "AQAB", e: "AQAB", use: "sig", alg: "RS256" };
    const ofBucket: [string, (state: State) => void][] = [
      ["keys.json", (state) => void Object.assign(object(state), { encryption: kms })],
      ["keys.json", (state) => void Object.assign(object(state).headers, { ContentEncoding: "gzip" })],
      ["keys.json", (state) => void Object.assign(object(state).headers, { StorageClass: "GLACIER" })],
      ["demo-oidc", (state) => void Object.assign(bucket(state), { payer: "Requester" })],
      ["demo-oidc", (state) => policy(state, { ...everyone, Effect: "Deny", Action: "s3:GetObject" })],
      ["demo-oidc", (state) => policy(state, everyone)],
      ["keys.json", (state) => void Object.assign(object(state), { body: JSON.stringify({ keys: [key] }) })],
      [
        "strange",
        (state) =>
          void Object.assign(object(state), {
            body: JSON.stringify({ keys: [...JSON.parse(object(state).body).keys, key] }),
          }),
      ],
    ];
    const ofDistribution: [string, (state: State) => void][] = [
      [kinds.distribution, (state) => void Object.assign(config(state), { Enabled: false })],
      [kinds.distribution, (state) => void Object.assign(config(state), { WebACLId: "arn:aws:wafv2:x" })],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state), {
            Restrictions: { GeoRestriction: { RestrictionType: "whitelist", Quantity: 1, Items: ["CH"] } },
          }),
      ],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state), {
            CacheBehaviors: {
              Quantity: 1,
              Items: [{ ...config(state).DefaultCacheBehavior, PathPattern: "keys.json" }],
            },
          }),
      ],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state).DefaultCacheBehavior, {
            TrustedKeyGroups: { Enabled: true, Quantity: 1, Items: ["x"] },
          }),
      ],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state).DefaultCacheBehavior, {
            TrustedSigners: { Enabled: true, Quantity: 1, Items: ["self"] },
          }),
      ],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state).DefaultCacheBehavior, {
            FunctionAssociations: { Quantity: 1, Items: [{ FunctionARN: "f", EventType: "viewer-request" }] },
          }),
      ],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state).DefaultCacheBehavior, {
            LambdaFunctionAssociations: {
              Quantity: 1,
              Items: [{ LambdaFunctionARN: "f", EventType: "viewer-request", IncludeBody: false }],
            },
          }),
      ],
      [
        kinds.distribution,
        (state) => void Object.assign(config(state).Origins.Items[0], { OriginAccessControlId: "" }),
      ],
      [kinds.distribution, (state) => void Object.assign(config(state).Origins.Items[0], { OriginPath: "/x" })],
      [
        kinds.distribution,
        (state) =>
          void Object.assign(config(state), {
            CustomErrorResponses: {
              Quantity: 1,
              Items: [{ ErrorCode: 403, ResponsePagePath: "/x", ResponseCode: "200" }],
            },
          }),
      ],
    ];
    const cases = name === "External" ? [] : [...ofBucket, ...(name === "S3Public" ? [] : ofDistribution)];
    const missed: string[] = [];
    for (const [expected, change] of cases) {
      const said = await statusAfter(change);
      if (!said.some((line) => line.includes(expected))) missed.push(`${expected} ${change}\n${said.join("\n")}`);
    }
    expect(missed).toEqual([]);
  });

  it("nothing that is of no concern", async () => {
    expect(
      await statusAfter((state) => {
        tagEverything(state);
        reorderPolicies(state);
        for (const { objects } of Object.values(state.buckets))
          for (const one of Object.values(objects)) one.metadata = { by: "hand" };
        for (const { config } of Object.values(state.distributions)) {
          config.PriceClass = "PriceClass_100";
          config.Logging = { Enabled: true, IncludeCookies: false, Bucket: "b.s3.amazonaws.com", Prefix: "" };
        }
        const [role] = Object.values(state.roles) as [State["roles"][string]];
        state.roles["other"] = { ...structuredClone(role), tags: [] };
      }),
    ).toEqual([]);
  });

  it("foreign marks as refusals, not as drift that an apply mends", async () => {
    for (const { id, kind, name: called } of wanted.filter(
      ({ kind }) => kind === kinds.role || kind === kinds.provider,
    )) {
      const said = await statusAfter((state) => {
        const one = kind === kinds.role ? state.roles[called] : state.providers[id];
        if (one !== undefined) one.tags = [{ Key: `${ownerTag}-2`, Value: "owned" }];
      });
      expect(said).toContainEqual(expect.stringContaining(`refuse ${kind} ${called} another resource prefix owns it`));
    }
  });
});

it("a status fetches the documents that are published elsewhere, and compares them", async () => {
  const files = exportedFiles(external);
  cloud.reset();
  for (const [url, text] of awsResources(files).documents) cloud.elsewhere.set(url, text);
  await apply(cloud, files);
  expect([...awsResources(files).documents.keys()].sort()).toEqual([
    `${externalUrl}/.well-known/openid-configuration`,
    `${externalUrl}/keys.json`,
  ]);
});

it("of a statement with a policy variable, every part counts", async () => {
  const statement = {
    Effect: "Allow",
    Action: "s3:GetObject",
    Resource: ["arn:aws:s3:::demo/${aws:PrincipalTag/team}/*"],
    Condition: { StringEquals: { "aws:PrincipalTag/team": "a" } },
  };
  const document = (fields: object) => ({ Version: "2012-10-17", Statement: [{ ...statement, ...fields }] });
  const files = new Map(
    [...exportedFiles(external)].map(([path, text]) => [
      path,
      path.endsWith("/permissions-policy.json") ? JSON.stringify(document({})) : text,
    ]),
  );
  cloud.reset();
  expect(problems(await apply(cloud, files))).toBe("");
  expect(await differences(cloud, files)).toEqual([]);
  for (const fields of [
    { Action: "s3:*" },
    { Resource: "arn:aws:s3:::demo/${aws:PrincipalTag/other}/*" },
    { Resource: [...statement.Resource, "arn:aws:s3:::${aws:PrincipalTag/other}/*"] },
    { Condition: {} },
    { Effect: "Deny" },
  ]) {
    Object.assign(cloud.state.roles[roles[0]] as Role, { inlinePolicies: { [roles[0]]: document(fields) } });
    expect(await differences(cloud, files)).toEqual([expect.stringMatching(/^update inline policy/)]);
    expect(problems(await apply(cloud, files))).toBe("");
    expect(await differences(cloud, files)).toEqual([]);
  }
});
