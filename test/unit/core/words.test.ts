import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alternatives,
  counted,
  didYouMean,
  hintsAmong,
  listed,
  nearest,
  nearestOf,
  plural,
} from "../../../src/core/words.ts";
import { runs } from "../../helpers/effort.ts";

it.each<[readonly string[], number, string]>([
  [[], 2, ""],
  [["a"], 2, "a"],
  [["a", "b"], 2, "a, b"],
  [["a", "b", "c"], 2, "a, b and 1 more"],
  [["a", "b", "c", "d"], 2, "a, b and 2 more"],
])("%j, of which %i are shown", (texts, max, expected) => expect(listed(texts, max)).toBe(expected));

it.each<[readonly string[], string]>([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a or b"],
  [["a", "b", "c"], "a, b or c"],
])("alternatives of %j", (texts, expected) => {
  const before = [...texts];
  expect(alternatives(texts)).toBe(expected);
  expect(texts).toEqual(before);
});

it.each([
  ["key", "keys"],
  ["managed identity", "managed identities"],
  ["policy", "policies"],
  ["directory of a role", "directory of a roles"],
  ["package", "packages"],
])("plural of %s", (noun, expected) => {
  expect(plural(noun)).toBe(expected);
  expect([0, 1, 2].map((count) => counted(count, noun))).toEqual([`0 ${expected}`, `1 ${noun}`, `2 ${expected}`]);
});

describe("the nearest name", () => {
  it.each<[string, readonly string[], string | undefined]>([
    // A third of the characters, rounded up, and at least two.
    ["ab", ["cd"], "cd"],
    ["abc", ["def"], undefined],
    ["abcdefg", ["xyzdefg"], "xyzdefg"],
    ["abcdefg", ["xyzwefg"], undefined],
    // Insert, delete, replace, and swap of neighbors: one edit each. The nearest is found in any order.
    ["region", ["regio", "xxgion"], "regio"],
    ["region", ["xxgion", "regions"], "regions"],
    ["region", ["xxgion", "rexion"], "rexion"],
    ["region", ["xxgion", "rgeion"], "rgeion"],
    ["region", ["rgeoin", "rgeion"], "rgeion"],
    ["REGION", ["region"], "region"],
    // The start of a name is an abbreviation, but not of two characters.
    ["cap", ["capabilities"], "capabilities"],
    ["CAP", ["capabilities"], "capabilities"],
    ["ca", ["capabilities"], undefined],
    ["capabilities", ["cap"], undefined],
    ["abi", ["capabilities"], undefined],
    ["url", ["url2", "url"], "url"],
    ["x", ["a", "b"], "a"],
    ["abc", ["xbc", "ABCdefgh"], "xbc"],
    // Names of objects are similar: at most two edits.
    [
      "openshift-ingress/cloud-credentials",
      ["openshift-ingrexx/cloud-credentials"],
      "openshift-ingrexx/cloud-credentials",
    ],
    ["openshift-ingress/cloud-credentials", ["openshift-ingrxxx/cloud-credentials"], undefined],
    ["a_long_name_of_a_field", ["a_long_name_of_a_fiexx"], "a_long_name_of_a_fiexx"],
    ["a_long_name_of_a_field", ["a_long_name_of_a_fixxx"], undefined],
    ["x".repeat(100), [`${"x".repeat(99)}y`], `${"x".repeat(99)}y`],
    ["x".repeat(101), [`${"x".repeat(100)}y`], undefined],
    [`${"x".repeat(99)}y`, ["x".repeat(101)], undefined],
    ["abcdef", [], undefined],
  ])("to %s among %j", (name, known, expected) => {
    expect(nearest(name, known)).toBe(expected);
    expect(didYouMean(name, known)).toBe(expected === undefined ? "" : ` (did you mean "${expected}"?)`);
  });

  it("is the first name with the fewest edits; a swap of neighbors is one edit", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 3 }), (name, words) => {
        // The start of a name counts as one edit, however long the rest is.
        const known = words.filter((word) => name.length < 3 || !word.startsWith(name));
        const counts = known.map((text) => editsBetween(name, text));
        const least = Math.min(...counts);
        expect(nearest(name, known)).toBe(least > 2 ? undefined : known[counts.indexOf(least)]);
      }),
      { numRuns: runs(500) },
    );
  });

  it("is the name itself if it is known", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), {
          minLength: 1,
          selector: (text) => text.toLowerCase(),
        }),
        (names) => nearest(names[0] ?? "", names) === names[0],
      ),
    );
  });

  it("is one of several, the nearest first", () => {
    const known = ["regxxn", "region", "rexion", "other-name"];
    expect(nearestOf("region", known, 2)).toEqual(["region", "rexion"]);
    expect(nearestOf("region", known, 9)).toEqual(["region", "rexion", "regxxn"]);
    expect(nearestOf("region", known, 9, 1)).toEqual(["region", "rexion"]);
  });

  it("is named for the first twenty names only", () => {
    const hint = hintsAmong(new Set(["region"]));
    const hints = Array.from({ length: 22 }, () => hint("regin"));
    expect(hints.filter((one) => one !== "")).toHaveLength(20);
    expect(hints.slice(20)).toEqual(["", ""]);
  });
});

/** The definition, ignoring speed. */
function editsBetween(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const isSwap = a.length > 1 && a[0] === b[1] && a[1] === b[0];
  return Math.min(
    editsBetween(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    editsBetween(a.slice(1), b) + 1,
    editsBetween(a, b.slice(1)) + 1,
    isSwap ? editsBetween(a.slice(2), b.slice(2)) + 1 : Number.POSITIVE_INFINITY,
  );
}
