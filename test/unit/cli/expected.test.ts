import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Plan } from "../../../src/apply/plan.ts";
import { planJson } from "../../../src/apply/show.ts";
import { expectPlans } from "../../../src/cli/cloud/expected.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import { temporary } from "../../helpers/temporary.ts";

const plan: Plan = {
  place: "Tiny Cloud 1",
  facts: { cloud: "tiny", account: "1", region: "here" },
  prefix: "demo",
  options: { prune: false, adopt: [], allow: [] },
  steps: [],
  notes: [],
};
const approved = JSON.stringify(planJson(plan));
const failure = '{"package":"b","error":{"code":"findings","message":"x"},"findings":[]}';

function messages(content: string): string[] {
  const file = join(temporary(), "plan.json");
  writeFileSync(file, content);
  try {
    return expectPlans(file, [plan]).map(({ message }) => message);
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error;
    return error.findings.map(({ message }) => message);
  }
}

it.each([
  ["a plan", approved],
  ["a plan, and the failure of another package", `${approved}\n${failure}\n`],
])("%s is accepted", (_what, content) => {
  expect(messages(content)).toEqual([]);
});

const other = /is not the output of --dry-run -o json/;
it.each([
  ["an empty file", "", /contains 0 plans for demo in /],
  ["a list of plans", `[${approved}]`, other],
  ["null", "null", other],
  ["a text", '"plan"', other],
  ["an empty object", "{}", other],
  ["an object of another form after a plan", `${approved}\n{"package":"b"}`, other],
  ["a line that was cut", `${approved}\n${approved.slice(0, 40)}`, other],
  ["a key that appears twice", '{"facts":{},"facts":{}}', other],
  ["only a failure", failure, /contains 0 plans for demo in Tiny Cloud 1/],
  ["the same plan twice", `${approved}\n${approved}`, /contains 2 plans for demo in Tiny Cloud 1/],
  ["facts of another form", '{"facts":null}', /contains 0 plans/],
  ["no list of steps", approved.replace('"steps":[]', '"steps":{}'), /it has no list of steps/],
])("%s is refused with a message", (_what, content, expected) => {
  expect(messages(content)).toEqual([expect.stringMatching(expected)]);
});

it("a directory needs exactly one plan for each package", () => {
  const directory = join(temporary(), "plans");
  mkdirSync(directory);
  const [first] = expectPlans(directory, [plan]);
  expect(first?.message).toMatch(/contains 0 plans .* Nothing was changed/);
  writeFileSync(join(directory, "a.json"), approved);
  expect(expectPlans(directory, [plan])).toEqual([]);
});
