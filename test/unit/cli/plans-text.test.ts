import { expect, it } from "vitest";
import { driftText } from "../../../src/apply/drift.ts";
import type { Plan, Step } from "../../../src/apply/plan.ts";
import { asPlan } from "../../../src/apply/show.ts";
import { plansText } from "../../../src/cli/cloud/plans-text.ts";

function plan(prefix: string, account: string, ...steps: readonly (readonly [Step["action"], string])[]): Plan {
  return {
    place: `AWS ${account}`,
    facts: { cloud: "aws", account },
    prefix,
    options: { prune: false, adopt: [], allow: [] },
    steps: steps.map(([action, name]) => ({ action, kind: "role", id: name, name, changes: [] })),
    notes: [],
  };
}

const plans = [
  { directory: "a", plan: plan("demo", "111", ["create", "demo-ingress"], ["none", "demo-csi"]) },
  { directory: "same", plan: plan("x", "222", ["none", "x-ingress"]) },
  { directory: "b", plan: plan("test", "333", ["create", "test-ingress"], ["none", "test-csi"]) },
  { directory: "same-2", plan: plan("y", "444", ["none", "y-ingress"]) },
  { directory: "other", plan: plan("z", "555", ["create", "z-csi"]) },
];

it("plans that differ only in what is each cluster's own appear once, below the titles of all", () => {
  expect(plansText(plans, asPlan, false)).toEqual([
    "a  AWS 111",
    "b  AWS 333",
    "  + role {prefix}-ingress",
    "  = 1 in sync",
    "  What is in braces is each cluster's own.",
    "2 packages, each: 1 to create.",
    "same  AWS 222",
    "same-2  AWS 444",
    "  = 1 in sync",
    "No changes.",
    "other  AWS 555",
    "  + role z-csi",
    "1 to create.",
  ]);
});

it("the digest of all plans is the last line, and that of a single plan is in its last line", () => {
  expect(plansText(plans, asPlan, true).at(-1)).toMatch(/^Digest of all 5 plans: sha256:[0-9a-f]{64}$/);
  expect(plansText(plans.slice(0, 1), asPlan, true).at(-1)).toMatch(/^1 to create\. Digest sha256:[0-9a-f]{64}$/);
  expect(plansText([], asPlan, true)).toEqual([]);
});

it("states that are the same appear once, too", () => {
  expect(
    plansText(
      [plans[0], plans[2]].flatMap((one) => one ?? []),
      driftText(false),
      false,
    ),
  ).toEqual([
    "a  AWS 111",
    "b  AWS 333",
    "  ! missing: role {prefix}-ingress",
    "  = 1 in sync",
    "  What is in braces is each cluster's own.",
    "2 packages, each: 1 missing.",
  ]);
});
