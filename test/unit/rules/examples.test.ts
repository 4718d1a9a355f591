import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { explanations } from "../../../src/cli/all-findings.ts";
import { compareClusters } from "../../../src/cli/fleet/compare-clusters.ts";
import type { Place } from "../../../src/cli/fleet/select-packages.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { rules } from "../../../src/rules/all.ts";
import { type RuleWithExamples, rulesWithExamples } from "../../helpers/rules.ts";
import { objectsOf } from "../../helpers/stream.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const names = readdirSync("testdata/rules").sort();
const files = rulesWithExamples;
const codes = new Set<string>(names);

describe("the rules", () => {
  it("are all listed, sorted by code, and have examples", () => {
    const lists = [rules, ...inspectors.map((inspector) => inspector.rules)].map((list) =>
      list.map(({ code }) => code),
    );
    for (const codes of lists) expect(codes).toEqual([...codes].sort());
    expect(lists.flat().sort()).toEqual(names);
    expect(files.map(({ rule }) => rule.code)).toEqual(names);
  });

  it("have codes that no other finding has", () => {
    expect(names.filter((name) => Object.hasOwn(explanations, name))).toEqual([]);
  });

  it.each(files)("$rule.code is explained", ({ rule }) => {
    expect(rule.code).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
    for (const text of [rule.summary, rule.why, rule.cure]) expect(text).toMatch(/^[A-Z][^\n]+\.$/);
    expect(rule.why.length).toBeGreaterThan(rule.summary.length);
  });
});

/** What all rules find in an example. */
function found({ rule }: RuleWithExamples, example: string) {
  if (rule.reads === "packages") return foundInPackages(example.split(/^---$/m));
  const [first, ...more] = objectsOf(example);
  if (first === undefined) throw new Error("an example is empty");
  const all =
    rule.reads === "install-config"
      ? validate({ items: more, functionConfig: undefined }, { installConfig: first })
      : validate({ items: [first, ...more], functionConfig: undefined });
  return all.filter(({ code }) => codes.has(code)).map(({ severity, code }) => ({ severity, code }));
}

/** What a comparison of packages finds, each of which is one document. */
function foundInPackages(texts: readonly string[]) {
  const all = texts.map((text, at): Place => {
    const directory = temporary();
    writeTree(directory, { "cluster-identity.yaml": text });
    return { directory, path: String(at), inside: [] };
  });
  const { of } = compareClusters({ places: all, all, limits: [], uncheckedFindings: [] });
  return all.flatMap((place) => of(place).map(({ severity, code }) => ({ severity, code })));
}

describe.each(files)("the example of $rule.code", (file) => {
  it("that is bad breaks this rule, once, and no other", () => {
    expect(found(file, file.bad)).toEqual([{ severity: file.rule.severity, code: file.rule.code }]);
  });

  it("that is good breaks none", () => {
    expect(found(file, file.good)).toEqual([]);
  });
});
