import { expect, it } from "vitest";
import { planDigest, unexpected } from "../../../src/apply/approval.ts";
import { type Options, type Plan, planApply } from "../../../src/apply/plan.ts";
import type { Kind, Live, Reading } from "../../../src/apply/resource.ts";
import { planJson } from "../../../src/apply/show.ts";
import type { Difference } from "../../../src/core/difference.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { canonicalJson } from "../../../src/core/json.ts";
import type { Value, ValueMap } from "../../../src/core/resource.ts";
import type { WantedResource } from "../../../src/core/wanted-resource.ts";

/** An assignment, which the cloud cannot change. */
const differences = ({ body }: WantedResource, live: Live | undefined): Difference[] => {
  if (live === undefined) return Object.entries(body).map(([field, wanted]) => ({ field, wanted }));
  const { principal: found } = live.value;
  return found === body["principal"] ? [] : [{ field: "principal", found, wanted: body["principal"], replaces: true }];
};
const kinds = { assignment: { differences } as unknown as Kind, role: { differences } as unknown as Kind };
const assignment = {
  kind: "assignment",
  id: "a/1",
  name: "demo",
  needs: [],
  body: { role: "reader", scope: "/group", principal: "p" },
};
const usual: Options = { prune: false, adopt: [], allow: [] };
const absent: Reading = { state: "absent" };

function present(principal: string, owner: Live["owner"] = "own"): Reading {
  return { state: "present", live: { id: "a/1", owner, value: { principal } } };
}

function planOf(reading: Reading, changes: Partial<WantedResource> = {}, options = usual, more: WantedResource[] = []) {
  const wanted = [{ ...assignment, ...changes }, ...more];
  const facts = { cloud: "tiny", account: "1", region: "here" };
  const readings = new Map(wanted.map(({ id }, index) => [id, index === 0 ? reading : absent]));
  const state = { readings, extras: { found: [] }, notes: [] };
  return planApply({ place: "Tiny Cloud 1", facts, prefix: "demo", wanted, kinds }, state, options);
}

type Editable = Record<string, Value>;

/** A plan as a file has it, with the digest of what it then contains. */
function approved(plan: Plan, change: (steps: Editable[]) => void = () => undefined): ValueMap {
  const value = JSON.parse(JSON.stringify(planJson(plan))) as ValueMap;
  const { facts = {}, prefix = "", options = {}, steps = [] } = value;
  change(steps as Editable[]);
  const digest = sha256(canonicalJson({ facts, prefix, options, steps })).toString("hex");
  return { ...value, digest: `sha256:${digest}` };
}

const notContained = (what: string) => `it does not contain "${what}" with these values`;

it("of a replacement states what the creation states, and its digest covers that", () => {
  const plan = planOf(present("old"));
  expect(planJson(plan)["steps"]).toEqual([
    {
      ...{ action: "update", kind: "assignment", id: "a/1", name: "demo" },
      changes: [{ field: "principal", from: "old", to: "p", replaces: true }],
      creates: [
        { field: "role", to: "reader" },
        { field: "scope", to: "/group" },
        { field: "principal", to: "p" },
      ],
    },
  ]);
  expect(planDigest(plan)).not.toBe(
    planDigest(planOf(present("old"), { body: { ...assignment.body, role: "owner" } })),
  );
});

it.each<[string, Partial<WantedResource>, string | undefined]>([
  ["the same values", {}, undefined],
  ["another value", { body: { ...assignment.body, role: "owner" } }, notContained("create assignment demo")],
  ["a value more", { body: { ...assignment.body, more: "x" } }, notContained("create assignment demo")],
  ["a value less", { body: { role: "reader", principal: "p" } }, notContained("create assignment demo")],
  ["another name", { name: "other" }, notContained("create assignment other")],
  ["another kind", { kind: "role" }, notContained("create role demo")],
  ["another ID", { id: "a/2" }, notContained("create assignment demo")],
])("of a replacement permits its creation only with what was approved: %s", (_what, changes, expected) => {
  expect(unexpected(planOf(absent, changes), approved(planOf(present("old"))))).toBe(expected);
});

it("of a replacement permits its creation, too, if it is adopted", () => {
  const options = { ...usual, adopt: ["demo"] };
  const replaced = planOf(present("old", "none"), {}, options);
  expect(replaced.steps).toMatchObject([{ action: "adopt" }]);
  expect(unexpected(planOf(absent, {}, options), approved(replaced))).toBeUndefined();
});

it("of a change that is not a replacement, or of one that was refused, permits no creation", () => {
  const update = approved(planOf(present("old")), (steps) => {
    for (const step of steps) delete step["creates"];
  });
  expect(unexpected(planOf(absent), update)).toBe(notContained("create assignment demo"));
  const refused = planOf(present("old", "none"));
  expect(refused.steps[0]).toMatchObject({ action: "refuse" });
  expect(unexpected(planOf(absent), approved(refused))).toBe(notContained("create assignment demo"));
  for (const action of ["refuse", "remove", "keep", "create", "unknown"]) {
    const other = approved(planOf(present("old")), (steps) => {
      for (const step of steps) step["action"] = action;
    });
    expect(unexpected(planOf(absent), other), action).toBe(notContained("create assignment demo"));
  }
});

const role: WantedResource = { kind: "role", id: "r/1", name: "more", needs: [], body: { may: "read" } };

it("permits fewer steps, and no more", () => {
  const [one, two] = [planOf(absent), planOf(absent, {}, usual, [role])];
  expect(unexpected(one, approved(two))).toBeUndefined();
  expect(unexpected(two, approved(two))).toBeUndefined();
  expect(unexpected(planOf(present("p")), approved(one))).toBeUndefined();
  expect(unexpected(two, approved(one))).toBe(notContained("create role more"));
  expect(unexpected(planOf(present("other")), approved(planOf(present("old"))))).toBe(
    notContained("update assignment demo"),
  );
});

it("permits what the same options permit, in whatever form they name a resource", () => {
  const by = (...adopt: string[]) => planOf(present("p", "none"), {}, { ...usual, adopt });
  expect(unexpected(by("assignment/demo"), approved(by("demo")))).toBeUndefined();
  expect(planDigest(by("demo", "assignment/demo"))).toBe(planDigest(by("assignment/demo")));
  expect(unexpected(by("demo"), approved(by()))).toBe("its options differ");
  for (const options of [
    { ...usual, prune: true },
    { ...usual, allow: ["replace-key"] },
    { ...usual, includeForeign: ["role/more"] },
  ])
    expect(unexpected(planOf(absent, {}, options), approved(planOf(absent)))).toBe("its options differ");
});

it("adopts nothing by a name that two kinds have, and the reason names the kind", () => {
  const both = (adopt: string[]) =>
    planOf(present("p", "none"), { kind: "assignment" }, { ...usual, adopt }, [{ ...role, name: "demo" }]);
  expect(both(["demo"]).steps[0]).toMatchObject({
    action: "refuse",
    reason: expect.stringMatching(/use --adopt assignment\/demo$/),
  });
  expect(both(["assignment/demo"]).steps[0]).toMatchObject({ action: "adopt" });
  expect(both(["role/demo"]).steps[0]).toMatchObject({ action: "refuse" });
});

it.each<[string, (value: Editable) => void, RegExp]>([
  ["another account", (value) => Object.assign(value["facts"] as ValueMap, { account: "2" }), /another account/],
  ["no facts", (value) => delete value["facts"], /another account/],
  ["another prefix", (value) => Object.assign(value, { prefix: "demo2" }), /or prefix$/],
  ["no prefix", (value) => delete value["prefix"], /or prefix$/],
  ["no options", (value) => delete value["options"], /options differ/],
  ["options of another form", (value) => Object.assign(value, { options: [null] }), /options differ/],
  ["no steps", (value) => delete value["steps"], /no list of steps/],
  ["no list of steps", (value) => Object.assign(value, { steps: { length: 0 } }), /no list of steps/],
  ["steps that are null", (value) => Object.assign(value, { steps: null }), /no list of steps/],
  ["a step that is null", (value) => (value["steps"] as Value[]).push(null), /no list of steps/],
  ["a step that is a list", (value) => (value["steps"] as Value[]).push([]), /no list of steps/],
  ["a step more than its digest says", (value) => (value["steps"] as Value[]).push({}), /digest/],
  ["a step less than its digest says", (value) => (value["steps"] as Value[]).pop(), /digest/],
  ["no digest", (value) => delete value["digest"], /digest/],
  ["a digest of another form", (value) => Object.assign(value, { digest: {} }), /digest/],
])("does not permit even a plan without steps, if it has %s", (_what, change, expected) => {
  const value = JSON.parse(JSON.stringify(planJson(planOf(absent)))) as Editable;
  expect(unexpected(planOf(present("p")), value)).toBeUndefined();
  change(value);
  expect(unexpected(planOf(present("p")), value)).toMatch(expected);
});

it.each<[string, ValueMap]>([
  ["an action that is a mapping", { action: { toString: "x" }, creates: [] }],
  ["no action", { creates: [] }],
  ["creations of another form", { action: "update", creates: { field: "role" } }],
  ["creations that are null", { action: "update", creates: [null] }],
  ["changes of another form", { action: "update", changes: "x", creates: [] }],
])("of another form permits nothing and does not fail: %s", (_what, step) => {
  const odd = approved(planOf(absent), (steps) => {
    steps[0] = { ...step, kind: "assignment", id: "a/1", name: "demo" };
  });
  expect(unexpected(planOf(absent), odd)).toBe(notContained("create assignment demo"));
});
