import { expect, it } from "vitest";
import type { Plan, Step } from "../../../src/apply/plan.ts";
import { flatten, planCommands, planJson, planMarkdown, planText } from "../../../src/apply/show.ts";
import { extraToy, ToyCloud } from "../../helpers/toy-cloud.ts";

function step(action: Step["action"], more: Partial<Step> = {}): Step {
  return { action, kind: "toy", id: action, name: action, changes: [], ...more };
}

const plan: Plan = {
  ...{ place: "Toy cloud", facts: {}, prefix: "demo", notes: ["it is a toy"] },
  options: { prune: false, adopt: [], allow: [] },
  steps: [
    step("create", { changes: [{ field: "color", wanted: "red" }] }),
    step("update", {
      changes: [
        { field: "colors", found: ["red", "blue"], wanted: ["dark red", "blue"] },
        { field: "order", found: ["red", "blue"], wanted: ["blue", "red"] },
        { field: "size", wanted: 1 },
        { field: "name", found: "old", wanted: "new" },
        { field: "more", found: { a: true } },
      ],
    }),
    step("adopt"),
    step("restore"),
    step("remove", { inside: [{ kind: "leaf", name: "x" }] as unknown as Step["inside"] & object }),
    step("remove", { held: true }),
    step("keep", { reason: "it stays" }),
    step("keep", { reason: "others added it", extra: extraToy("keep", { kept: "others added it" }) }),
    step("none"),
    step("refuse", { reason: "it is another's" }),
    step("refuse", { blocked: true }),
    step("refuse", { blocked: true }),
    step("unknown", { reason: "GET x: 503." }),
    step("unknown", { blocked: true }),
  ],
};
const digest = planJson(plan)["digest"];

it("a plan has a line for each resource and each field, and counts the rest", () => {
  expect(planText(plan, "demo")).toEqual([
    "demo  Toy cloud",
    "  + toy create",
    "  ~ toy update",
    '      colors  + "dark red"',
    "      colors  - red",
    '      order  ["red","blue"] -> ["blue","red"]',
    "      size  (none) -> 1",
    "      name  old -> new",
    '      more  {"a":true} -> (none)',
    "  ~ toy adopt (adopted)",
    "  + toy restore",
    "  - toy remove",
    "      contains leaf x",
    "  - toy remove (only with --prune)",
    "  = toy keep: it stays",
    "  ! toy keep: others added it",
    "  ! toy refuse: it is another's",
    "  ? toy unknown: GET x: 503.",
    "  ! and 2 resources that need one of these",
    "  ? and 1 resource that needs one of these",
    "  = 1 in sync",
    "  note: it is a toy",
    `2 to create, 2 to update, 1 to remove, 1 to remove only with --prune, 3 refused, 2 not known. Digest ${digest}`,
  ]);
  expect(planText({ ...plan, steps: [], notes: [] }, "demo")).toEqual([
    "demo  Toy cloud",
    expect.stringMatching(/^0 to create, 0 to update, 0 to remove\. Digest /),
  ]);
});

it("a plan in Markdown has the signs that are colored", () => {
  const lines = planMarkdown(plan, "demo");
  expect(lines.slice(0, 7)).toEqual([
    ...["### demo: 2 to create, 2 to update, 1 to remove", "", "Toy cloud", "", "```diff"],
    ...["+ toy create", "! toy update"],
  ]);
  expect(lines.slice(-4)).toEqual(["  note: it is a toy", "```", "", planText(plan, "").at(-1)]);
});

it("the fields of a body are flat", () => {
  const body = { a: { b: 1, c: { d: [2] } }, e: null, f: "x" };
  expect([...flatten(body)]).toEqual([
    ["a.b", 1],
    ["a.c.d", [2]],
    ["f", "x"],
  ]);
  expect(flatten(undefined).size).toBe(0);
});

it("a plan for programs has its notes, and one for readers a command for each change", () => {
  expect(planJson(plan)).toMatchObject({ place: "Toy cloud", prefix: "demo", inSync: 1, notes: ["it is a toy"] });
  const target = new ToyCloud().target([], { command: (action) => [`${action} it`] });
  const commands = ["create it", "update it", "update it", "update it", "remove it"];
  expect(planCommands(target, plan)).toEqual(commands);
});
