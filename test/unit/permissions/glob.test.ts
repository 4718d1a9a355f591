import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manySteps, separator, TooComplex } from "../../../src/permissions/automaton.ts";
import { intersects, isCovered, matches, overlapFinder } from "../../../src/permissions/glob.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

/** Every text of a small alphabet, up to a length at which the globs below can tell no more texts apart. */
function texts(longest: number): string[] {
  let last = [""];
  const all = [""];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((text) => ["a", "b", "c"].map((one) => text + one));
    all.push(...last);
  }
  return all;
}

const universe = texts(7);
const globs = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 3 }).map((list) => list.join(""));

/** A glob as a regular expression, written without this project's code. */
const asRegExp = (glob: string) => new RegExp(`^${glob.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`);

describe("globs", () => {
  it.each([
    ["ec2:Describe*", "ec2:DescribeHosts", true],
    ["ec2:Describe*", "ec2:Describe", true],
    ["ec2:Describe*", "ec2:RunInstances", false],
    ["s3:?et*", "s3:GetObject", true],
    ["s3:?et*", "s3:et", false],
    ["*", "", true],
    ["**", "x", true],
    ["a.b", "axb", false],
    ["", "", true],
    ["", "a", false],
  ])("%s has %s: %s", (glob, text, expected) => expect(matches(glob, text)).toBe(expected));

  it.each([
    [["ec2:describehosts"], ["ec2:describe*"], true],
    [["ec2:describe*"], ["ec2:describehosts"], false],
    [["ec2:describe*"], ["ec2:*"], true],
    [["ec2:describe*"], ["ec2:desc*", "s3:*"], true],
    [["a*"], ["a", "a?*"], true],
    [["a*"], ["a", "ab*"], false],
    [["*"], ["?*", ""], true],
    [["*a*"], ["*a", "a*"], false],
    [["*a*", "?"], ["a"], true],
    [[`ec2:*${separator}*`], ["*"], false],
    [[`ec2:a${separator}arn:x`], [`ec2:*${separator}arn:*`], true],
    [[`ec2:a${separator}*`], [`ec2:*${separator}arn:*`, `ec2:a${separator}*`], true],
    [["a"], [], false],
    [["ab"], [{ set: "a*", except: ["ab"] }], false],
    [["ab"], [{ set: "a*", except: ["ac", "b"] }], true],
    [["b"], [{ set: "a*", except: ["ab"] }], false],
    [["a*"], [{ set: "a*", except: ["ab"] }], false],
    [["a*"], [{ set: "a*", except: ["ab"] }, "ab"], true],
    [["a*"], [{ set: "a*", except: ["ab"] }, "ac"], false],
    [["a*"], [{ set: "*", except: ["b*"] }], true],
    [["a*"], [{ set: "*", except: ["*b"] }], false],
    [
      ["*"],
      [
        { set: "*", except: ["a*", "c"] },
        { set: "*", except: ["b*"] },
      ],
      true,
    ],
    [
      ["*"],
      [
        { set: "*", except: ["a*"] },
        { set: "*", except: ["*a"] },
      ],
      false,
    ],
  ])("%j within %j: %s", (within, of, expected) => expect(isCovered(within, of)).toBe(expected));

  it("are compared as sets, like regular expressions over every short text", () => {
    fc.assert(
      fc.property(globs, fc.array(globs, { maxLength: 3 }), (inner, outer) => {
        const left = universe.filter((text) => asRegExp(inner).test(text));
        expect(left).toEqual(universe.filter((text) => matches(inner, text)));
        const isWithin = left.every((text) => outer.some((one) => asRegExp(one).test(text)));
        expect(isCovered([inner], outer)).toBe(isWithin);
      }),
      { numRuns: runs(300) },
    );
  });

  it("overlap if a text is in both", () => {
    fc.assert(
      fc.property(globs, globs, (a, b) => {
        const both = universe.some((text) => asRegExp(a).test(text) && asRegExp(b).test(text));
        expect(intersects(a, b)).toBe(both);
        expect(intersects(b, a)).toBe(both);
      }),
      { numRuns: runs(300) },
    );
  });

  it("are the same sets with any number of consecutive stars and repeated parts", () => {
    expect(isCovered([`s3:${"*".repeat(3000)}a`], ["s3:*a"])).toBe(true);
    expect(isCovered(["s3:??*a"], ["s3:*?*?**a"])).toBe(true);
    const repeated = `iam:${"*a".repeat(900)}`;
    expect(intersects(repeated, "iam:*b*a")).toBe(true);
    expect(isCovered([repeated], ["iam:*b", "iam:a*"])).toBe(false);
    expect(matches(`iam:${"*a".repeat(4000)}`, "iam:putrolepolicy")).toBe(false);
  });

  it("are too complex if a part is longer than a resource may be, unless it is one text or identical", () => {
    const long = `s3:${"*a".repeat(4000)}`;
    expect(() => intersects(long, "s3:*b*a")).toThrow(TooComplex);
    expect(isCovered([long], [long])).toBe(true);
    expect(intersects(long, "s3:b")).toBe(false);
  });

  it("are found among others if they overlap", () => {
    const find = overlapFinder(["?", "b", "a", "c*"], { steps: manySteps });
    expect(["*", "a", "cd"].map(find)).toEqual([["a", "b", "?", "c*"], ["a", "?"], ["c*"]]);
  });

  it("give up instead of running forever", () => {
    expect(() => isCovered([`*a${"?".repeat(18)}*c`], ["?*c", "x"])).toThrow(TooComplex);
  });
});
