import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Options } from "../../src/apply/plan.ts";
import { pace } from "../../src/apply/requests.ts";
import { installGroup, subscription, tenant } from "../helpers/azure-package.ts";
import { run } from "../helpers/ccf.ts";
import type { Any } from "../helpers/cluster.ts";
import { succeed } from "../helpers/cluster-package.ts";
import { readTree, temporary } from "../helpers/temporary.ts";
import { type CloudName, workloadObjects, writeWorkloadPackage } from "../helpers/workload-package.ts";
import { workload } from "../helpers/workloads.ts";
import { AwsCloud } from "./aws-cloud.ts";
import * as aws from "./aws-engine.ts";
import { AzureCloud } from "./azure-cloud.ts";
import * as azure from "./azure-engine.ts";
import { isSuccess } from "./carried-out.ts";
import { GcpCloud } from "./gcp-cloud.ts";
import * as gcp from "./gcp-engine.ts";

const prune: Options = { prune: true, adopt: [], allow: [] };

/** The files of an export of a package with a component and these workloads, by path. @param settings of the platform. */
function exportedFiles(cloud: CloudName, objects: readonly Any[], settings: Any = {}): Map<string, string> {
  const [pkg, out] = [join(temporary(), "package"), join(temporary(), "out")];
  const platform = cloud === "azure" ? { subscriptionID: subscription, tenantID: tenant, region: "eastus" } : settings;
  const scoped = JSON.parse(JSON.stringify(objects), (key, value) => (key === "scope" ? installGroup : value));
  writeWorkloadPackage(pkg, cloud, {
    objects: scoped,
    platform,
    isFirst: true,
    rails: cloud === "azure" ? { allowedScopes: ["*"] } : {},
  });
  succeed(run(["render", pkg]));
  succeed(run(["export", pkg, "--output-dir", out]));
  return new Map(Object.entries(readTree(out)).filter(([path]) => path.startsWith(`${cloud}/`)));
}

const others = workloadObjects.slice(1);

/** A cloud with what the tests do to it. */
interface Engine<Cloud> {
  readonly apply: (cloud: Cloud, files: ReadonlyMap<string, string>, options?: Options) => Promise<Any>;
  readonly destroy: (cloud: Cloud, files: ReadonlyMap<string, string>) => Promise<Any>;
  readonly differences: (cloud: Cloud, files: ReadonlyMap<string, string>) => Promise<string[]>;
}

/** The life of workloads. @param identities how many identities the cloud has. */
async function live<Cloud>(
  name: CloudName,
  cloud: Cloud,
  { apply, destroy, differences }: Engine<Cloud>,
  identities: () => number,
): Promise<void> {
  const [all, fewer] = [exportedFiles(name, workloadObjects), exportedFiles(name, others)];
  const done = async (ended: Promise<Any>) => expect((await ended).failed).toEqual([]);
  await done(apply(cloud, all));
  expect(identities()).toBe(4);
  expect(await differences(cloud, all)).toEqual([]);
  expect((await apply(cloud, all)).done).toEqual([]);
  // Without --prune, it stays.
  await done(apply(cloud, fewer));
  expect(identities()).toBe(4);
  expect((await differences(cloud, fewer)).join("\n")).toContain("shop");
  await done(apply(cloud, fewer, prune));
  expect(identities()).toBe(3);
  expect(await differences(cloud, fewer)).toEqual([]);
  await done(destroy(cloud, fewer));
  expect(identities()).toBe(0);
}

beforeAll(() => {
  pace.second = 0;
});

describe("workloads", () => {
  it("on AWS are applied, in sync, pruned, and destroyed", async () => {
    const cloud = new AwsCloud();
    await live("aws", cloud, aws, () => Object.keys(cloud.state.roles).length);
  });

  it("on Azure are applied, in sync, pruned, and destroyed", async () => {
    const cloud = await AzureCloud.start();
    cloud.world.settings.pending = 0;
    try {
      await live("azure", cloud, azure, () => Object.keys(cloud.state.identities).length);
    } finally {
      await cloud.stop();
    }
  });

  it("on GCP are applied, in sync, pruned, and destroyed", async () => {
    const cloud = await GcpCloud.start();
    cloud.reset({ buckets: { "shop-data": {} } });
    try {
      await live("gcp", cloud, gcp, () => Object.keys(cloud.state.accounts).length);
    } finally {
      await cloud.stop();
    }
  });
});

it("the role that an application has already is kept by its name, and adopted on purpose", async () => {
  const cloud = new AwsCloud();
  const names = { overrides: { "shop/cart": { roleName: "old-cart" } } };
  const files = exportedFiles("aws", [workload("cart")], names);
  await aws.apply(cloud, files);
  const role = cloud.state.roles["old-cart"];
  if (role === undefined) throw new Error("no role has the name of the override");
  role.tags = [{ Key: "team", Value: "shop" }];
  expect(await aws.differences(cloud, files)).toContainEqual(
    expect.stringMatching(/refuse .*old-cart it exists without the owner mark/),
  );
  expect(aws.problems(await aws.apply(cloud, files, { ...aws.usual, adopt: ["old-cart"] }))).toBe("");
  expect(await aws.differences(cloud, files)).toEqual([]);
  expect(role.tags).toContainEqual({ Key: "team", Value: "shop" });
});

describe("a role on a bucket of someone else", () => {
  let cloud: GcpCloud;
  const filesOf = (...roles: string[]) =>
    exportedFiles("gcp", [workload("cart", { spec: { gcp: { resources: [{ bucket: "shop-data", roles }] } } })]);
  const [one, two] = ["roles/storage.objectViewer", "roles/storage.objectCreator"] as const;
  let files: ReadonlyMap<string, string>;
  let both: ReadonlyMap<string, string>;
  beforeAll(async () => {
    cloud = await GcpCloud.start();
    [files, both] = [filesOf(one), filesOf(one, two)];
  });
  afterAll(() => cloud.stop());
  const theirs = [
    { role: one, members: ["user:someone@example.com"] },
    { role: "roles/storage.admin", members: ["group:admins@example.com"] },
  ];
  beforeEach(() => {
    const policy = { bindings: structuredClone(theirs), changes: 0 };
    cloud.reset({ buckets: { "shop-data": { projectNumber: "999999999999", policy } } });
  });
  const entries = () =>
    cloud.state.buckets["shop-data"]?.policy.bindings
      .flatMap(({ role, members }) => members.map((member) => `${role} ${member.replace(/@.*/, "")}`))
      .sort();
  const foreign = ["roles/storage.admin group:admins", `${one} user:someone`];
  const member = expect.stringMatching(/^roles\/storage\.objectViewer serviceAccount:demo-shop-/);

  it("is created beside the entries of others, is in sync, and is removed alone", async () => {
    expect(gcp.problems(await gcp.apply(cloud, both))).toBe("");
    expect(entries()).toHaveLength(4);
    expect(await gcp.differences(cloud, both)).toEqual([]);
    expect((await gcp.differences(cloud, files)).join()).toContain("remove bucket role");
    expect(gcp.problems(await gcp.apply(cloud, files, prune))).toBe("");
    expect(entries()).toEqual([foreign[0], member, foreign[1]]);
    expect(await gcp.differences(cloud, files)).toEqual([]);
    expect(gcp.problems(await gcp.destroy(cloud, files))).toBe("");
    expect(entries()).toEqual(foreign);
  });

  it("that others removed is a difference", async () => {
    await gcp.apply(cloud, files);
    Object.assign(cloud.state.buckets["shop-data"]?.policy ?? {}, { bindings: structuredClone(theirs) });
    expect((await gcp.differences(cloud, files)).join()).toMatch(/^create bucket role .*shop-data/);
  });

  it.each([
    ["missing", () => void delete cloud.state.buckets["shop-data"]],
    ["not readable", () => void Object.assign(cloud.state.buckets["shop-data"] ?? {}, { closed: true })],
  ])("is never in sync if the bucket is %s", async (_, change) => {
    await gcp.apply(cloud, files);
    change();
    expect((await gcp.differences(cloud, files)).join()).toMatch(/^unknown bucket role .*shop-data/);
    expect(isSuccess(await gcp.apply(cloud, files))).toBe(false);
  });

  it("is not created if the bucket does not exist, and everything else is", async () => {
    cloud.reset();
    const ended = await gcp.apply(cloud, files);
    expect(ended.failed.map(({ step }) => step.kind)).toEqual(["bucket role"]);
    expect(gcp.problems(ended)).toContain("The specified bucket does not exist");
    expect(Object.keys(cloud.state.accounts)).toHaveLength(2);
  });
});
