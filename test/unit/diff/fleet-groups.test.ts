import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DescribedDiff } from "../../../src/diff/described-diff.ts";
import { type ComparedPackage, changeGroups, fleetMarkdown, fleetText } from "../../../src/diff/fleet-differences.ts";

const parts = { change: "changed", verdict: "broadened", actions: [], denials: [], limits: [] } as const;

/** A package in which service accounts may newly use an identity. */
function pkg(path: string, accounts: Readonly<Record<string, readonly string[]>>, names: [string, string][] = []) {
  const identities = Object.entries(accounts).map(([identity, added]) => ({
    ...{ cloud: "AWS", identity, request: "", ...parts },
    serviceAccounts: { added, removed: [] },
    trust: { added: [], removed: [] },
    steps: { before: [], with: [], after: [] },
  }));
  const diff: DescribedDiff = {
    verdict: "broadened",
    identities,
    upgrade: { before: [], with: [], after: [] },
  };
  return { package: path, side: "both", notRendered: false, diff, names: new Map(names) } satisfies ComparedPackage;
}

const fleetOf = (packages: readonly ComparedPackage[]) =>
  ({ verdict: "broadened", certain: "broadened", packages, failed: [] }) as const;

describe("changes of a fleet", () => {
  it("are grouped by the packages that have them, the largest group first", () => {
    const all = [pkg("a", { "n/s": ["x", "y"] }), pkg("b", { "n/s": ["y"], "n/t": ["z"] }), pkg("c", { "n/s": ["y"] })];
    expect(changeGroups(all).map(({ packages, identities }) => [packages, identities])).toEqual([
      [["a", "b", "c"], [{ name: "n/s", kind: "", lines: ["+ y can use it"] }]],
      [["a"], [{ name: "n/s", kind: "", lines: ["+ x can use it"] }]],
      [["b"], [{ name: "n/t", kind: "", lines: ["+ z can use it"] }]],
    ]);
    expect(fleetText(fleetOf(all))).toEqual([
      "3 clusters (a, b, c): n/s + y can use it",
      "1 cluster (a): n/s + x can use it",
      "1 cluster (b): n/t + z can use it",
      "Verdict: broadened.",
    ]);
  });

  it("are the same if they differ only in what is the cluster's own, as whole words", () => {
    const all = ["one", "two"].map((name) =>
      pkg(name, { "n/s": [`${name}-a in ${name}s`, `at ${name}`] }, [["name", name]]),
    );
    const groups = changeGroups(all);
    expect(groups[0]?.identities[0]?.lines).toEqual(["+ at {name} can use it"]);
    expect(groups.slice(1).map(({ identities }) => identities[0]?.lines)).toEqual([
      ["+ one-a in ones can use it"],
      ["+ two-a in twos can use it"],
    ]);
  });

  it("keep their own text in a group of one package", () => {
    expect(fleetText(fleetOf([pkg("a", { "n/s": ["at one"] }, [["name", "one"]])]))[0]).toBe(
      "1 cluster (a): n/s + at one can use it",
    );
  });

  it("are each in exactly one group, with exactly their packages", () => {
    const accounts = fc.uniqueArray(fc.constantFrom("u", "v", "w", "x"), { maxLength: 4 });
    const fleet = fc.array(fc.dictionary(fc.constantFrom("n/s", "n/t", "n/u"), accounts), { maxLength: 8 });
    fc.assert(
      fc.property(fleet, fc.boolean(), (all, isReversed) => {
        const packages = all.map((one, index) => pkg(`p${index}`, one));
        const groups = changeGroups(isReversed ? packages.toReversed() : packages);
        const found = groups.flatMap(({ packages, identities }) =>
          identities.flatMap(({ name, lines }) =>
            name.split(", ").flatMap((one) => lines.map((line) => [`${one} ${line}`, packages] as const)),
          ),
        );
        expect(new Set(found.map(([change]) => change)).size).toBe(found.length);
        for (const [change, paths] of found)
          expect(paths).toEqual(
            packages
              .filter(({ diff }) =>
                diff.identities.some(({ identity, serviceAccounts }) =>
                  serviceAccounts.added.some((account) => `${identity} + ${account} can use it` === change),
                ),
              )
              .map((one) => one.package),
          );
        const wanted = packages.flatMap(({ diff }) => diff.identities.flatMap((one) => one.serviceAccounts.added));
        expect(found.flatMap(([, paths]) => paths).length).toBe(wanted.length);
        const sets = groups.map(({ packages: paths }) => JSON.stringify(paths));
        expect(new Set(sets).size).toBe(sets.length);
      }),
    );
  });

  it("fit into a comment, and what does not fit is counted", () => {
    const long = "x".repeat(250);
    const many = Array.from({ length: 400 }, (_, index) => pkg(`p${index}`, { "n/s": [`${index} ${long}`] }));
    const lines = fleetMarkdown(fleetOf(many));
    const text = lines.join("\n");
    expect(text.length).toBeLessThan(62_000);
    const shown = text.match(/^### /gm)?.length ?? 0;
    expect(lines.at(-1)).toBe(`**Too long for a comment:** ${400 - shown} of 400 groups of changes are not shown.`);
  });

  it("cannot leave the code of Markdown", () => {
    const text = fleetMarkdown(fleetOf([pkg("`a`@team", { "n/s": ["``` @team"] }), pkg("b", { "n/t": ["x"] })])).join(
      "\n",
    );
    expect(text).toContain("### `` `a`@team ``");
    expect(text).toContain("````diff\n@@ n/s @@\n+ ``` @team can use it\n````");
  });
});
