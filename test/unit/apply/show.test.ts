import { describe, expect, it } from "vitest";
import type { Plan, Step } from "../../../src/apply/plan.ts";
import { asPlan, flatten, planCommands, planJson, planMarkdown, planText } from "../../../src/apply/show.ts";
import { extraToy, ToyCloud, toy } from "../../helpers/toy-cloud.ts";

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
const last =
  "2 to create, 2 to update, 1 to remove, 1 to remove only with --prune, 2 left unchanged, 3 refused, 2 not known.";

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
    last,
  ]);
});

it("the last line of a plan counts what is there, and has the digest where it is used", () => {
  expect(planText(plan, "demo", asPlan, true).at(-1)).toBe(`${last} Digest ${digest}`);
  const lastOf = (...steps: Step[]) => planText({ ...plan, steps, notes: [] }, "demo").slice(1);
  expect(lastOf(step("none"))).toEqual(["  = 1 in sync", "No changes."]);
  // "No changes." is only said if everything was compared, and nothing differs.
  expect(lastOf(step("remove", { held: true })).at(-1)).toBe("1 to remove only with --prune.");
  expect(lastOf(step("keep")).at(-1)).toBe("1 left unchanged.");
  expect(lastOf(step("unknown")).at(-1)).toBe("1 not known.");
  expect(lastOf(step("refuse")).at(-1)).toBe("1 refused.");
});

describe("a part", () => {
  const whole = (action: Step["action"], more: Partial<Step> = {}) =>
    step(action, { name: "big", id: "big", wanted: toy("big", { detail: "trusts 1 friend" }), ...more });
  const part = (action: Step["action"], name: string, more: Partial<Step> = {}, detail?: string) =>
    step(action, {
      ...{ id: name, name, wanted: toy(name, { part: "big", ...(detail === undefined ? {} : { detail }) }), ...more },
      ...{ kind: "leaf" },
    });
  const linesOf = (...steps: Step[]) => planText({ ...plan, steps, notes: [] }, "demo").slice(1, -1);

  it("that is created with its whole is in the line of that, by what it says or its number", () => {
    expect(linesOf(whole("create"), step("create"), part("create", "big: x", {}, "6 leaves"))).toEqual([
      "  + toy big: trusts 1 friend, 6 leaves",
      "  + toy create",
    ]);
    expect(linesOf(part("create", "a"), part("create", "b"), whole("create"))).toEqual([
      "  + toy big: trusts 1 friend, 2 leafs",
    ]);
  });

  it("that is removed with its whole is in the line of that, by its number", () => {
    const extra = extraToy("big: y", { part: "big" });
    const other = step("remove", { id: "y", name: "big: y", held: true, extra });
    expect(linesOf(part("remove", "big: x", {}, "6 leaves"), whole("remove"), other)).toEqual([
      "  - toy big: 1 leaf",
      "  - toy big: y (only with --prune)",
    ]);
    const inside = [{ kind: "leaf", name: "z", isForeign: true }];
    expect(linesOf(whole("remove"), part("remove", "big: x", { inside }))).toEqual([
      "  - toy big",
      "  - leaf x of toy big",
      "      contains leaf z",
    ]);
  });

  it("that does something else is below its whole, which it names", () => {
    const refused = part("refuse", "big: x", { reason: "it is another's" });
    expect(
      linesOf(whole("create"), step("create"), part("unknown", "big", { id: "leaf", reason: "503" }), refused),
    ).toEqual([
      "  + toy big: trusts 1 friend",
      "  ? leaf of toy big: 503",
      "  ! leaf x of toy big: it is another's",
      "  + toy create",
    ]);
    expect(linesOf(whole("none"), part("create", "x.json", {}, "6 leaves"))).toEqual([
      "  + leaf x.json of toy big",
      "  = 1 in sync",
    ]);
  });

  it("is shown if its whole is counted with what needs something else", () => {
    expect(linesOf(whole("refuse", { blocked: true }), part("unknown", "x", { reason: "503" }))).toEqual([
      "  ? leaf x of toy big: 503",
      "  ! and 1 resource that needs one of these",
    ]);
  });

  it("that the package does not have names its whole, too", () => {
    const extra = extraToy("big: y", { part: "big" });
    expect(linesOf(whole("none"), step("remove", { id: "y", name: "big: y", kind: "leaf", extra }))).toEqual([
      "  - leaf y of toy big",
      "  = 1 in sync",
    ]);
  });
});

it("a plan in Markdown has the signs that are colored", () => {
  const lines = planMarkdown(plan, "demo");
  expect(lines.slice(0, 7)).toEqual([
    ...["### demo: 2 to create, 2 to update, 1 to remove", "", "Toy cloud", "", "```diff"],
    ...["+ toy create", "! toy update"],
  ]);
  expect(lines.slice(-4)).toEqual(["  note: it is a toy", "```", "", `${last} Digest ${digest}`]);
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
