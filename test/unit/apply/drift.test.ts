import { expect, it } from "vitest";
import { asDrift, driftJson, driftText } from "../../../src/apply/drift.ts";
import type { Plan, Step } from "../../../src/apply/plan.ts";
import { planDiff, planMarkdown, planText } from "../../../src/apply/show.ts";
import { extraToy } from "../../helpers/toy-cloud.ts";

function step(action: Step["action"], more: Partial<Step> = {}): Step {
  return { action, kind: "toy", id: action, name: action, changes: [], ...more };
}

const grants = ["allows * on *", "denies a on b"];
const plan: Plan = {
  ...{ place: "Toy cloud", facts: {}, prefix: "demo", notes: ["it is a toy"] },
  options: { prune: true, adopt: [], allow: [] },
  steps: [
    step("create", { changes: [{ field: "color", wanted: "red" }] }),
    step("restore"),
    step("update", {
      changes: [
        { field: "colors", found: ["red", "blue"], wanted: ["dark red", "blue"] },
        { field: "order", found: ["red", "blue"], wanted: ["blue", "red"] },
        { field: "size", wanted: 1 },
        { field: "name", found: "old", wanted: "new" },
        { field: "more", found: { a: true } },
      ],
    }),
    step("remove", { extra: extraToy("remove", { grants }), inside: [{ kind: "leaf", name: "x", isForeign: true }] }),
    step("remove", { extra: extraToy("remove", { grants, foreign: true }) }),
    step("keep", {
      reason: "remove it yourself",
      extra: extraToy("keep", { kept: "remove it yourself", foreign: true }),
    }),
    step("keep", { reason: "it has no audience", extra: extraToy("keep", { breaksIssuer: true }) }),
    step("none"),
    step("refuse", { reason: "it is another's" }),
    step("refuse", { blocked: true }),
    step("unknown", { reason: "GET x: 503." }),
    step("unknown", { reason: "not listed.", extra: extraToy("unknown") }),
  ],
};

it("a status says what is missing, what differs, and what is there besides, with what it grants", () => {
  expect(planText(plan, "demo", asDrift)).toEqual([
    "demo  Toy cloud",
    "  ! missing: toy create",
    "  ! deleted, but can be restored: toy restore",
    "  ! differs: toy update",
    '      colors  missing: "dark red"',
    "      colors  not in the package: red",
    '      order  ["red","blue"]; in the package: ["blue","red"]',
    "      size  missing: 1",
    "      name  old; in the package: new",
    '      more  not in the package: {"a":true}',
    "  ! not in the package: toy remove",
    "      allows * on *",
    "      denies a on b",
    "      contains leaf x",
    "  ! added by others: toy remove",
    "      allows * on *",
    "      denies a on b",
    "  ! added by others: toy keep: remove it yourself",
    "  ! differs: toy keep: it has no audience",
    "  ! refused: toy refuse: it is another's",
    "  ? not known: toy unknown: GET x: 503.",
    "  ? not known: toy unknown: not listed.",
    "  ! and 1 resource that needs one of these",
    "  = 1 in sync",
    "  note: it is a toy",
    "2 missing, 2 different, 3 not in the package, 2 refused, 2 not known.",
  ]);
});

it("a status in Markdown colors every difference", () => {
  expect(planDiff(plan, asDrift).slice(0, 3)).toEqual([
    "! missing: toy create",
    "! deleted, but can be restored: toy restore",
    "! differs: toy update",
  ]);
  expect(planMarkdown(plan, "demo", asDrift)[0]).toBe("### demo: 2 missing, 2 different, 3 not in the package");
});

it("a status for programs has the same, and everything that is granted", () => {
  const toy = (name: string, is: string, more = {}) => ({ kind: "toy", id: name, name, is, ...more });
  expect(driftJson(plan)).toEqual([
    toy("create", "missing"),
    toy("restore", "deleted"),
    toy("update", "differs"),
    toy("remove", "extra", { grants }),
    toy("remove", "extra", { grants, by: "others" }),
    toy("keep", "extra", { by: "others" }),
    toy("keep", "differs"),
    toy("refuse", "refused"),
    toy("refuse", "refused"),
    toy("unknown", "unknown"),
    toy("unknown", "unknown"),
  ]);
});

it("long statements are cut, and many are counted", () => {
  const many = Array.from({ length: 12 }, (_, index) => `allows ${index}`);
  const long = {
    ...plan,
    notes: [],
    steps: [step("remove", { extra: extraToy("x", { grants: ["a".repeat(1003), ...many] }) })],
  };
  const lines = planText(long, "demo", asDrift);
  expect(lines[2]).toBe(`      ${"a".repeat(1000)}… (3 more characters; -o json has all of them)`);
  expect(lines.slice(11, 13)).toEqual(["      allows 8", "      3 more (in -o json)"]);
  expect(driftJson(long)[0]?.["grants"]).toHaveLength(13);
});

it("on a terminal, long lists are cut, but not what needs a person", () => {
  const of = (action: Step["action"], count: number, more: Partial<Step> = {}) =>
    Array.from({ length: count }, (_, index) => step(action, { id: `${action}${index}`, ...more }));
  const changes = Array.from({ length: 13 }, (_, index) => ({ field: `f${index}`, wanted: index }));
  const long = {
    ...{ ...plan, notes: [] },
    steps: [
      ...of("create", 35),
      ...of("update", 1, { changes }),
      ...of("refuse", 30, { reason: "no" }),
      ...of("unknown", 30, { reason: "503" }),
      ...of("remove", 30, { extra: extraToy("x", { foreign: true }) }),
    ],
  };
  const lines = planText(long, "demo", driftText(false));
  const count = (start: string) => lines.filter((line) => line.startsWith(`  ${start}`)).length;
  expect(["! missing: toy", "! refused:", "? not known:", "! added by others:"].map(count)).toEqual([10, 30, 30, 30]);
  expect(lines).toContain("  ! missing: 25 more (--verbose)");
  expect(lines).toContain("      3 more (--verbose)");
  expect(lines.at(-1)).toBe("35 missing, 1 different, 30 not in the package, 30 refused, 30 not known.");
  const all = planText(long, "demo", driftText(true));
  expect(all.filter((line) => line.startsWith("  ! missing: toy"))).toHaveLength(35);
  expect(all.join("\n")).not.toContain("more (");
});
