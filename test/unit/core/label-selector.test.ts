import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLabelSelector } from "../../../src/cli/fleet/labels.ts";

const objects = {
  none: {},
  dev: { env: "dev", wave: "1" },
  stage: { env: "stage", wave: "2", "example.com/owner": "ads" },
  empty: { env: "" },
} as const;

function selected(text: string): string[] {
  const selector = readLabelSelector(text);
  if ("problem" in selector) throw new Error(selector.problem);
  return Object.entries(objects).flatMap(([name, labels]) =>
    selector.matches(new Map(Object.entries(labels))) ? [name] : [],
  );
}

describe("a selector", () => {
  // As labels.Parse of k8s.io/apimachinery reads them.
  it.each([
    ["env", ["dev", "stage", "empty"]],
    ["!env", ["none"]],
    ["! env", ["none"]],
    ["env=dev", ["dev"]],
    ["env == dev", ["dev"]],
    ["env!=dev", ["none", "stage", "empty"]],
    ["env=", ["empty"]],
    ["env in (dev,stage)", ["dev", "stage"]],
    ["env in(dev)", ["dev"]],
    ["env in ( dev , )", ["dev", "empty"]],
    ["env notin (dev,stage)", ["none", "empty"]],
    ["env in (dev,stage),wave!=1", ["stage"]],
    [" env , wave = 2 ", ["stage"]],
    ["example.com/owner=ads", ["stage"]],
    ["in in (in)", []],
    ["in", []],
  ])("%j", (text, names) => {
    expect(selected(text)).toEqual(names);
  });

  it.each([
    ["", "is empty"],
    [" \n", "is empty"],
    [",", "is not a label selector"],
    ["env=dev,", "is not a label selector"],
    ["env,,wave", "is not a label selector"],
    ["env>5", "is not a label selector"],
    ["env dev", "is not a label selector"],
    ["env in dev", "is not a label selector"],
    ["env in (dev", "is not a label selector"],
    ["env in (dev) wave", "is not a label selector"],
    ["!env=dev", "is not a label selector"],
    ["env in ()", 'has an empty list for "env"'],
    ["-env", 'names "-env", which cannot be the key'],
    ["a/b/c", 'names "a/b/c", which cannot be the key'],
    [`${"a".repeat(64)}`, "which cannot be the key"],
    ["env=-dev", 'names "-dev", which cannot be the value'],
    ["env in (dev,!)", 'names "!", which cannot be the value'],
  ])("is refused: %j", (text, problem) => {
    const read = readLabelSelector(text);
    expect("problem" in read && read.problem).toContain(problem);
  });

  it("is read or refused, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aB1=!,() in.-/_>:") }), (text) => {
        const read = readLabelSelector(text);
        return "problem" in read || typeof read.matches(new Map()) === "boolean";
      }),
    );
  });
});
