import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type State, StubAws } from "../helpers/aws-stub/index.ts";
import { exported } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { expectToEndTheSame } from "./faults.ts";

let aws: StubAws;
let out: string;
let applied: State;
beforeAll(async () => {
  aws = await StubAws.start();
  out = exported();
});
afterAll(() => aws?.stop());

describe("a package with a public bucket, interrupted anywhere", () => {
  it("is applied", () => {
    applied = expectToEndTheSame(aws, { out, script: "apply.sh", seed: foreign });
    expect(applied).toMatchObject(foreign);
  });

  it("is deleted", () => {
    const goal = expectToEndTheSame(aws, { out, script: "destroy.sh", flags: ["--yes"], seed: applied });
    aws.reset(foreign);
    expect(goal).toEqual(aws.state());
  });
});
