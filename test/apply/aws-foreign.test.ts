import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { kindAndName } from "../../src/apply/named.ts";
import { pace } from "../../src/apply/requests.ts";
import { awsResources, kinds } from "../../src/clouds/aws/resources.ts";
import { settled } from "../helpers/amazon/state.mjs";
import type { Seed, State, Tag, Value } from "../helpers/amazon/types.ts";
import { runs } from "../helpers/effort.ts";
import { account, cloudFrontOwnDomain, ownerTag, providerArn, publicHost, roles } from "../helpers/exported-package.ts";
import { distribution, foreign } from "../helpers/foreign.ts";
import { AwsCloud } from "./aws-cloud.ts";
import { apply, destroy, exportedFiles, usual } from "./aws-engine.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
const files = new Map<string, Map<string, string>>();
beforeAll(() => {
  pace.second = 0;
  files.set("S3Public", exportedFiles());
  files.set("S3CloudFront", exportedFiles(cloudFrontOwnDomain));
});

const trustPolicy = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { AWS: `arn:aws:iam::${account}:root` } }],
};
/** Marks that are not the package's, some of them nearly. */
const tags = fc.constantFrom<Tag[]>(
  [],
  [{ Key: "team", Value: "a" }],
  [{ Key: `${ownerTag}-2`, Value: "owned" }],
  [{ Key: ownerTag, Value: "shared" }],
  [{ Key: ownerTag.toUpperCase(), Value: "owned" }],
  [{ Key: "Name", Value: "demo" }],
);

/** An account with things of others, some under the names that the package wants. */
const accounts = fc.record({
  taken: fc.subarray(["bucket", "provider", "role", "accessControl", "distribution"] as const),
  isOpen: fc.boolean(),
  bucketOwner: fc.constantFrom(account, "999999999999"),
  tags,
  description: fc.constantFrom("", "by hand", `${ownerTag}-2`),
});
const commands = fc.array(fc.constantFrom("apply", "prune", "adopt other names", "destroy"), {
  minLength: 1,
  maxLength: 4,
});
type Account = typeof accounts extends fc.Arbitrary<infer T> ? T : never;

function seedOf({ taken, isOpen, bucketOwner, tags: own, description }: Account, hosting: string): Seed {
  const has = <T extends object>(is: boolean, value: T): Partial<T> => (is ? value : {});
  const [role] = roles;
  const host = hosting === "S3Public" ? publicHost : "oidc.example.com";
  const objects = { "keys.json": { body: "{}", headers: {}, metadata: {} } };
  const access = { Name: "demo-oidc", Description: description, SigningProtocol: "sigv4" };
  const control = { ...access, SigningBehavior: "always", OriginAccessControlOriginType: "s3" };
  return {
    buckets: {
      ...foreign.buckets,
      ...has(taken.includes("bucket"), { "demo-oidc": { owner: bucketOwner, open: isOpen, tags: own, objects } }),
    },
    providers: {
      ...foreign.providers,
      ...has(taken.includes("provider"), { [providerArn(host)]: { url: host, clientIds: ["a"], tags: own } }),
    },
    roles: {
      ...foreign.roles,
      ...has(taken.includes("role"), {
        [role]: { trustPolicy, tags: own, attachedPolicies: ["arn:aws:iam::aws:policy/A"] },
      }),
    },
    originAccessControls: {
      ...foreign.originAccessControls,
      ...has(taken.includes("accessControl"), { EHAND: { config: control } }),
    },
    distributions: {
      ...foreign.distributions,
      ...has(taken.includes("distribution"), { EHAND: { ...distribution("demo-oidc"), tags: own } }),
    },
  };
}

/** The things of a state that were there at the beginning. */
function remaining(before: State, now: State): Value {
  const parts = ["buckets", "providers", "roles", "originAccessControls", "distributions"] as const;
  const [then, later] = [settled(before), settled(now)];
  return Object.fromEntries(
    parts.map((part) => [part, Object.fromEntries(Object.keys(then[part]).map((key) => [key, later[part][key]]))]),
  );
}

it.each(["S3Public", "S3CloudFront"])("nothing foreign changes, whatever is run: %s", async (hosting) => {
  const of = files.get(hosting) ?? new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(accounts, commands, async (world, sequence) => {
      cloud.reset(seedOf(world, hosting), { deployment: 0 });
      const before = structuredClone(cloud.state);
      for (const one of sequence) {
        if (one === "destroy") await destroy(cloud, of);
        else if (one === "adopt other names")
          await apply(cloud, of, { ...usual, prune: true, adopt: ["demo-by-hand", "other-oidc", "EHAND", "demo"] });
        else await apply(cloud, of, { ...usual, prune: one === "prune" });
      }
      expect(remaining(before, cloud.state)).toEqual(remaining(before, before));
    }),
    { numRuns: runs(200, 25) },
  );
});

it("what another prefix owns is not touched, even if it is adopted by name", async () => {
  const of = files.get("S3CloudFront") ?? new Map<string, string>();
  const names = awsResources(of)
    .wanted.filter(({ part }) => part === undefined)
    .map(kindAndName);
  const others = [{ Key: `${ownerTag}-2`, Value: "owned" }];
  cloud.reset({}, { deployment: 0 });
  await apply(cloud, of);
  const state = cloud.state;
  for (const part of [state.buckets, state.providers, state.roles, state.distributions])
    for (const one of Object.values(part as Record<string, { tags: Tag[] }>)) one.tags = others;
  for (const { config } of Object.values(state.originAccessControls)) config.Description = `${ownerTag}-2`;
  const before = structuredClone(state);
  cloud.received.length = 0;
  await apply(cloud, of, { ...usual, prune: true, adopt: names });
  await destroy(cloud, of);
  expect(cloud.changing()).toEqual([]);
  expect(settled(cloud.state)).toEqual(settled(before));
  expect(awsResources(of).wanted.filter(({ kind }) => kind === kinds.role)).toHaveLength(2);
});
