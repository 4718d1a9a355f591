import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { manySteps, TooComplex } from "../../../src/permissions/automaton.ts";
import { comparePermissions, isIncomparable } from "../../../src/permissions/comparison.ts";
import { splitCondition } from "../../../src/permissions/condition.ts";
import { gains } from "../../../src/permissions/gains.ts";
import { intersects, isCovered } from "../../../src/permissions/glob.ts";
import { atomsOf, bounded } from "../../../src/permissions/permissions.ts";
import { nameComparison, roleEffect } from "../../../src/permissions/role-effect.ts";
import { namedGrants } from "../../../src/permissions/terms.ts";
import { allowing, findInGranted, wildcards } from "../../../src/rules/granted.ts";

const policy = (...statements: readonly ValueMap[]) => policyPermissions({ Statement: statements });
const allow = (Action: string[], Resource: string[], more: ValueMap = {}) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const deny = (Action: string, Resource: string) => ({ Effect: "Deny", Action, Resource });
const times = <T>(count: number, one: (index: number) => T) => Array.from({ length: count }, (_, index) => one(index));

/** The same set as one and as two: no example tells them apart, so the sets must be searched. */
const core = `a${"?".repeat(20)}b`;
const hard = { whole: allow(["s3:Get*"], [`*${core}*`]), split: allow(["s3:Get*"], [`?*${core}*`, `${core}*`]) };

describe("what a comparison costs", () => {
  it("depends on the length of what is compared", () => {
    const spent = (length: number) => {
      const budget = { steps: manySteps };
      isCovered([`a${"x".repeat(length)}`], ["b*"], budget);
      intersects(`a${"x".repeat(length)}`, "b*", budget);
      return manySteps - budget.steps;
    };
    expect(spent(2000)).toBeGreaterThan(20 * spent(20));
    expect(() =>
      isCovered(
        ["x"],
        times(100, () => "y*"),
        { steps: 5 },
      ),
    ).toThrow(TooComplex);
  });

  it("is limited for each identity, and is undecided beyond the limit", () => {
    const undecided = () => isIncomparable(comparePermissions(policy(hard.whole), policy(hard.split)));
    expect([undecided(), undecided()]).toEqual([true, true]);
    const easy = [policy(allow(["s3:Get*"], ["*"])), policy(allow(["s3:*"], ["*"]))] as const;
    expect(isIncomparable(comparePermissions(...easy))).toBe(false);
  });

  it("does not keep anything from being decided that needs no search", () => {
    const actions = times(200, (index) => `z:A${index}`);
    const other = [allow(["z:B*"], ["*"]), allow(actions, ["*"])];
    const old = policy(hard.whole, allow(["z:*C"], ["x", "y*"]), ...other);
    const now = policy(hard.split, allow(["z:*C", "z:B1", ...actions.slice(1)], ["*"]), allow(["z:B*", "z:D"], ["*"]));
    const { granted, taken } = comparePermissions(old, now);
    const said = (atoms: typeof granted) =>
      atoms.map(({ action, resource, undecided }) => [action, resource, undecided]);
    const undecided = "it has too many wildcards to compare";
    expect(said(granted)).toEqual([
      ["s3:Get*", `?*${core}*`, undecided],
      ["s3:Get*", `${core}*`, undecided],
      ["z:*C", "*", undefined],
      ["z:D", "*", undefined],
    ]);
    expect(said(taken)).toEqual([
      ["s3:Get*", `*${core}*`, undecided],
      ["z:A0", "*", undefined],
    ]);
  });

  it("does not grow for repeated statements", () => {
    const budget = { steps: manySteps };
    const twice = times(50, () => deny("s:*a*", "?"));
    expect(gains(policy(allow(["s:*"], ["*"]), ...twice), policy(allow(["s:*"], ["*"])), budget).allowed).toEqual([]);
    expect(manySteps - budget.steps).toBeLessThan(500);
  });

  it("is limited for conditions with many values, and for many names", () => {
    const parts = (count: number) => {
      const values = times(count, String);
      const Condition = { StringEquals: { "aws:x": values, "aws:y": values } };
      return splitCondition(policy(allow(["s3:*"], ["*"], { Condition }))[0]?.condition ?? []).length;
    };
    expect([parts(16), parts(17)]).toEqual([256, 17]);
    const named = (count: number) => namedGrants("permission", times(count, String));
    expect(nameComparison([], named(15_000))?.granted).toHaveLength(15_000);
    expect(nameComparison([], named(15_001))).toBeUndefined();
    const effect = (count: number) =>
      roleEffect([], [...namedGrants("role", ["roles/x"]), ...named(count)], comparePermissions([], []), new Map());
    expect(effect(14_999)?.comparison.granted).toHaveLength(15_000);
    expect(effect(15_000)).toMatchObject({
      comparison: { granted: [{ action: "*", undecided: "there are too many permissions to compare" }] },
      added: [],
    });
  });

  it("skips statements that are too large, by the length of all their parts", () => {
    const values = times(200, (index) => `*${"v".repeat(20)}${index}*`);
    const keys = Object.fromEntries(times(20, (index) => [`aws:k${index}`, values]));
    const wide = policy(allow(["s3:*"], ["*"], { Condition: { StringLike: keys } }), allow(["s3:Get*"], ["*"]));
    expect(atomsOf(bounded(wide), "Allow").map(({ action }) => action)).toEqual(["s3:Get*"]);
    expect(bounded(wide).flatMap(({ undecided = [] }) => undecided)).toEqual([
      "a statement has too many actions, resources and values to compare",
    ]);
  });
});

describe("what rules look for", () => {
  const long = `arn:aws:s3:::${"*a?".repeat(600)}`;
  const found = (permissions: ReturnType<typeof policy>) => {
    const spent: number[] = [];
    const copies = [{ said: "", permissions, placeOf: () => ({ field: "x" }) }] as never;
    findInGranted([{ copies }], (reading) => {
      const all = [...wildcards(reading, "iam", ["iam:get*"]), ...allowing(reading, "iam:passrole")];
      spent.push(manySteps - reading.budget.steps, all.length);
      return undefined;
    });
    return spent;
  };

  it("costs no more for a long resource where nothing is denied", () => {
    const [steps, parts] = found(policy(...times(200, () => allow(["iam:*", "s3:*"], [long]))));
    expect(parts).toBe(400);
    expect(steps).toBeLessThan(manySteps);
  });

  it("stays broad if it cannot be decided what a denial removes", () => {
    const denials = times(300, (index) => deny(`iam:*b${index}*`, `*c${index}*`));
    const [steps, parts] = found(policy(...times(200, (index) => allow(["iam:*"], [`*a${index}*`])), ...denials));
    expect(parts).toBe(400);
    expect(steps).toBeGreaterThan(manySteps);
  });
});
