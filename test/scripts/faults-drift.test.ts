import { afterAll, beforeAll, expect, it } from "vitest";
import { StubAws } from "../helpers/aws-stub/index.ts";
import { exported, Operator, roles } from "../helpers/exported-package.ts";
import { foreign } from "../helpers/foreign.ts";
import { drifted } from "./drift.ts";
import { expectToEndTheSame } from "./faults.ts";

let aws: StubAws;
beforeAll(async () => {
  aws = await StubAws.start();
});
afterAll(() => aws?.stop());

it("manual changes are repaired, interrupted anywhere", () => {
  const out = exported();
  aws.reset(foreign);
  expect(new Operator(aws, out).apply()).toMatchObject({ status: 0 });
  const applied = aws.state();
  const goal = expectToEndTheSame(aws, { out, script: "apply.sh", seed: drifted(applied), services: [] });
  expect(goal.roles[roles[1]]).toEqual(applied.roles[roles[1]]);
  expect(goal.roles[roles[0]]).toEqual({
    ...applied.roles[roles[0]],
    tags: [...(applied.roles[roles[0]]?.tags ?? []), { Key: "team", Value: "platform" }],
  });
  expect(goal).toMatchObject(foreign);
});
