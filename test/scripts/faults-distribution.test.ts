import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import {
  all,
  bucket,
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  firstPhase,
  Operator,
  ownDomain,
  withAws,
} from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { expectTheSameEnd } from "./faults.ts";
import { faultyAws } from "./faults-aws.ts";

let aws: StubAws;
let cloud: ReturnType<typeof faultyAws>;
let out: string;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  cloud = faultyAws(aws);
  out = exported(cloudFrontOwnDomain);
});
afterAll(() => aws?.stop());

describe("a package with a distribution, interrupted anywhere", () => {
  it("is applied before and after AWS has assigned its domain", () => {
    const first = exported(firstPhase);
    aws.reset(foreign);
    const domain = domainIn(new Operator(aws, first).apply());
    const begun = aws.state();
    expect(expectTheSameEnd(cloud, { out: first, script: "apply.sh", seed: foreign })).toEqual(begun);
    expectTheSameEnd(cloud, { out: exported(cloudFront(domain)), script: "apply.sh", seed: begun });
  });

  it("is applied with a custom domain", () => {
    applied = expectTheSameEnd(cloud, { out, script: "apply.sh", seed: foreign });
    expect(applied).toMatchObject(foreign);
    expect(Object.keys(applied.distributions)).toHaveLength(Object.keys(foreign.distributions).length + 1);
  });

  it("is deleted", () => {
    const seed = applied;
    const { callerReferences, ...goal } = expectTheSameEnd(cloud, {
      out,
      script: "destroy.sh",
      flags: ["--yes"],
      seed,
    });
    aws.reset(foreign);
    const { callerReferences: before, ...rest } = aws.state();
    expect(goal).toEqual(rest);
    expect(Object.keys(callerReferences)).toEqual([...Object.keys(before), bucket].sort());
  });

  it("is deleted as the previous issuer", () => {
    const moved = exported(
      all(withAws({ issuerHosting: { type: "S3Public", bucket: "demo-public" } }), (spec) => {
        spec["issuer"] = { ...(spec["issuer"] as object), previous: [`https://${ownDomain}`] };
      }),
    );
    aws.reset(applied);
    expect(new Operator(aws, moved).apply()).toMatchObject({ status: 0 });
    const both = aws.state();
    const flags = ["--previous", "--yes"];
    const goal = expectTheSameEnd(cloud, { out: moved, script: "destroy.sh", flags, seed: both });
    expect(Object.keys(goal.buckets)).not.toContain(bucket);
    expect(goal).toMatchObject({
      ...foreign,
      roles: both.roles,
      buckets: { "demo-public": both.buckets["demo-public"] },
    });
  });
});
