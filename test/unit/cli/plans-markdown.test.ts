import { expect, it } from "vitest";
import type { Plan, Step } from "../../../src/apply/plan.ts";
import { plansMarkdown } from "../../../src/cli/cloud/plans-markdown.ts";

function step(action: Step["action"], name: string, wanted: string): Step {
  return {
    action,
    kind: "role",
    id: name,
    name,
    changes: action === "create" ? [] : [{ field: "description", found: "old", wanted }],
  } as unknown as Step;
}

function plan(prefix: string, account: string, steps: readonly Step[], cloud = "aws"): Plan {
  return {
    place: `AWS account ${account}`,
    facts: { cloud, partition: "aws", account, region: "us-east-2" },
    prefix,
    options: { prune: false, adopt: [], allow: [] },
    steps,
    notes: [],
  };
}

const alike = (prefix: string, account: string) =>
  plan(prefix, account, [
    step("create", `${prefix}-ingress`, ""),
    step("update", `${prefix}-registry`, `of ${account} in us-east-2`),
  ]);

it("shows plans once that differ only in what is each cluster's own, the largest group first", () => {
  const plans = [
    { directory: "clusters/z", plan: plan("z", "1", [step("create", "z-ingress", "")]) },
    { directory: "clusters/a", plan: alike("a", "111111111111") },
    { directory: "clusters/b", plan: alike("b", "222222222222") },
  ];
  const lines = plansMarkdown(plans).map((line) => line.replace(/sha256:[0-9a-f]+/, "sha256:…"));
  expect(lines).toEqual([
    "### 2 packages, each: 1 to create, 1 to update, 0 to remove",
    "",
    "```diff",
    "+ role {prefix}-ingress",
    "! role {prefix}-registry",
    '      description  old -> "of {account} in us-east-2"',
    "```",
    "",
    "<details><summary>2 packages</summary>",
    "",
    "- `clusters/a`: AWS account 111111111111. Digest sha256:…",
    "- `clusters/b`: AWS account 222222222222. Digest sha256:…",
    "",
    "</details>",
    "",
    "`clusters/a`, `clusters/b`: what is in braces is each cluster's own.",
    "",
    "### clusters/z: 1 to create, 0 to update, 0 to remove",
    "",
    "AWS account 1",
    "",
    "```diff",
    "+ role z-ingress",
    "```",
    "",
    expect.stringContaining("1 to create, 0 to update, 0 to remove. Digest sha256:…"),
  ]);
});

it("keeps plans apart that differ in anything else, and those of two clouds", () => {
  const one = (cloud: string, wanted: string) => plan("a", "1", [step("update", "a-x", wanted)], cloud);
  const plans = [one("aws", "new"), one("gcp", "new"), one("aws", "newer")].map((each, index) => ({
    directory: `clusters/${index}`,
    plan: each,
  }));
  expect(plansMarkdown(plans).filter((line) => line.startsWith("###"))).toEqual(
    plans.map(({ directory }) => `### ${directory}: 0 to create, 1 to update, 0 to remove`),
  );
});

it("shows plans once that differ in names that are computed from the prefix", () => {
  const of = (prefix: string, hash: string) => ({
    directory: prefix,
    plan: {
      ...plan(prefix, "1", [step("update", `${prefix}_registry_${hash}`, `of ${prefix}-reg-${hash}`)], "gcp"),
      ownNames: new Map([
        ["role registry", `${prefix}_registry_${hash}`],
        ["account registry", `${prefix}-reg-${hash}`],
      ]),
    },
  });
  const lines = plansMarkdown([of("a", "xyz"), of("b", "uvw")]);
  expect(lines.slice(0, 5)).toEqual([
    "### 2 packages, each: 0 to create, 1 to update, 0 to remove",
    "",
    "```diff",
    "! role {role registry}",
    '      description  old -> "of {account registry}"',
  ]);
});

it("fences a plan whose names contain a fence with another one", () => {
  const lines = plansMarkdown([{ directory: "a", plan: plan("a", "1", [step("create", "a```", "")]) }]);
  expect(lines.slice(4, 7)).toEqual(["~~~~diff", "+ role a```", "~~~~"]);
});
