import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { exported, roles } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { drifted } from "./drift.ts";
import { expectTheSameEnd } from "./faults.ts";
import { faultyAws } from "./faults-aws.ts";

let aws: StubAws;
let cloud: ReturnType<typeof faultyAws>;
let out: string;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  cloud = faultyAws(aws);
  out = exported();
});
afterAll(() => aws?.stop());

describe("a package with a public bucket, interrupted anywhere", () => {
  it("is applied", () => {
    applied = expectTheSameEnd(cloud, { out, script: "apply.sh", seed: foreign });
    expect(applied).toMatchObject(foreign);
  });

  it("repairs manual changes", () => {
    const goal = expectTheSameEnd(cloud, { out, script: "apply.sh", seed: drifted(applied) });
    expect(goal.roles[roles[1]]).toEqual(applied.roles[roles[1]]);
    expect(goal.roles[roles[0]]).toEqual({
      ...applied.roles[roles[0]],
      tags: [...(applied.roles[roles[0]]?.tags ?? []), { Key: "team", Value: "platform" }],
    });
    expect(goal).toMatchObject(foreign);
  });

  it("is deleted", () => {
    const goal = expectTheSameEnd(cloud, { out, script: "destroy.sh", flags: ["--yes"], seed: applied });
    aws.reset(foreign);
    expect(goal).toEqual(aws.state());
  });
});
