import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import {
  all,
  bucket,
  cloudFrontOwnDomain,
  exported,
  Operator,
  ownDomain,
  withAws,
} from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { expectToEndTheSame } from "./faults.ts";

let aws: StubAws;
let out: string;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  out = exported(cloudFrontOwnDomain);
  aws.reset(foreign);
  expect(new Operator(aws, out).apply()).toMatchObject({ status: 0 });
  applied = aws.state();
});
afterAll(() => aws?.stop());

// The others are those of a package with a public bucket, which has its own tests.
const services = ["cloudfront"];

describe("a package with a distribution, interrupted anywhere", () => {
  it("is deleted", () => {
    const { callerReferences, ...goal } = expectToEndTheSame(aws, {
      out,
      script: "destroy.sh",
      flags: ["--yes"],
      seed: applied,
      services,
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
    const goal = expectToEndTheSame(aws, {
      out: moved,
      script: "destroy.sh",
      flags: ["--previous", "--yes"],
      seed: both,
      services,
    });
    expect(Object.keys(goal.buckets)).not.toContain(bucket);
    expect(goal).toMatchObject({
      ...foreign,
      roles: both.roles,
      buckets: { "demo-public": both.buckets["demo-public"] },
    });
  });
});
