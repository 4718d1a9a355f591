import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import {
  cloudFront,
  cloudFrontOwnDomain,
  domainIn,
  exported,
  firstPhase,
  Operator,
} from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { expectToEndTheSame } from "./faults.ts";

let aws: StubAws;
let begun: State;
let domain: string;
beforeAll(async () => {
  aws = await StubAws.start();
  aws.reset(foreign);
  domain = domainIn(new Operator(aws, exported(firstPhase)).apply());
  begun = aws.state();
});
afterAll(() => aws?.stop());

// The calls of other services are those of a package with a public bucket, which has its own tests.
const services = ["cloudfront"];
/** At most two kinds of failure for each call. */
const none: string[] = [];

describe("a package with a distribution, interrupted anywhere", () => {
  it("is applied before AWS has assigned its domain", () => {
    const goal = expectToEndTheSame(aws, { out: exported(firstPhase), script: "apply.sh", seed: foreign, services });
    expect(goal).toEqual(begun);
  });

  it("is applied after AWS has assigned its domain", () => {
    expectToEndTheSame(aws, { out: exported(cloudFront(domain)), script: "apply.sh", seed: begun, services: none });
  });

  it("is applied with a custom domain", () => {
    const goal = expectToEndTheSame(aws, {
      out: exported(cloudFrontOwnDomain),
      script: "apply.sh",
      seed: foreign,
      services: none,
    });
    expect(goal).toMatchObject(foreign);
    expect(Object.keys(goal.distributions)).toHaveLength(Object.keys(foreign.distributions).length + 1);
  });
});
