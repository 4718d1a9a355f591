import { beforeAll, describe, expect, it, vi } from "vitest";
import { planOfPrevious } from "../../src/cli/cloud/hosted-documents.ts";
import { settled } from "../helpers/amazon/state.mjs";
import type { State } from "../helpers/amazon/types.ts";
import { all, firstPhase, ownDomain, providerArn, publicHost, withAws } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { type Applied, applied, bucketOf, otherKey, ownKey, previous, prune, withIssuer } from "./aws-applied.ts";
import { AwsCloud } from "./aws-cloud.ts";
import {
  apply,
  destroy,
  destroyPlan,
  destroyPrevious,
  differences,
  exportedFiles,
  open,
  problems,
  said,
} from "./aws-engine.ts";

vi.setConfig({ testTimeout: 600_000 });

const cloud = new AwsCloud();
let of: Applied["of"];
let start: Applied["start"];
beforeAll(async () => {
  ({ of, start } = await applied(cloud));
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
    // The key that was published before goes when the package's own is there.
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

  it("stay while everyone who reads the package's documents gets something else", async () => {
    cloud.reset();
    expect(problems(await apply(cloud, exportedFiles(first)))).toBe("");
    const moved = exportedFiles(previous(url));
    expect(problems(await apply(cloud, moved))).toBe("");
    cloud.elsewhere.set(`https://${publicHost}/keys.json`, "another document");
    expect(await differences(cloud, moved)).toEqual([expect.stringContaining("keep document keys.json everyone who")]);
    cloud.received.length = 0;
    expect(await destroyPrevious(cloud, moved)).toBeUndefined();
    expect(cloud.changing()).toEqual([]);
  });

  it("keep their bucket while a provider without the owner mark trusts it", async () => {
    cloud.reset();
    expect(problems(await apply(cloud, exportedFiles(first)))).toBe("");
    const moved = exportedFiles(previous(url));
    expect(problems(await apply(cloud, moved))).toBe("");
    const provider = cloud.state.providers[providerArn("demo-first.s3.us-east-2.amazonaws.com")] as { tags: object[] };
    provider.tags = [];
    const before = structuredClone(settled(cloud.state));
    const outcome = await destroyPrevious(cloud, moved);
    expect(outcome && problems(outcome)).toBe("");
    expect(settled(cloud.state)).toEqual(before);
    expect(said(await destroyPlan(open(cloud, moved)))).toContainEqual(
      expect.stringMatching(/keep bucket demo-first the provider demo-first.*trusts what it publishes/),
    );
  });

  it("stay while the package does not have the domain of its distribution", async () => {
    cloud.reset({}, { deployment: 0 });
    expect(problems(await apply(cloud, exportedFiles(first)))).toBe("");
    const moved = exportedFiles(all(firstPhase, previous(url)));
    expect(problems(await apply(cloud, moved))).toBe("");
    cloud.received.length = 0;
    expect(await destroyPrevious(cloud, moved)).toBeUndefined();
    const target = open(cloud, moved);
    const state = await target.read({ fetch: true, progress: () => undefined });
    await expect(planOfPrevious(target, state, true)).rejects.toMatchObject({
      findings: [
        { message: expect.stringMatching(/does not name the domain of its own issuer yet.* Nothing was removed/) },
      ],
    });
    expect(cloud.changing()).toEqual([]);
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
