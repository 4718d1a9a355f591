import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { all, any, not, type Truth } from "../../../src/clouds/tokens.ts";
import { readJson } from "../../../src/core/json.ts";
import "../../helpers/seed.ts";

describe("JSON from outside", () => {
  it("is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readJson(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it.each<[string, string]>([
    ["", "is not JSON"],
    ["{", "is not JSON"],
    ["{'a': 1}", "is not JSON"],
    ['{"a":1}x', "is not JSON"],
    ['{"a":1,"a":1}', "has a duplicate key"],
    ['{"a":1,"b":[{"c":1,"d":":","c":2}]}', "has a duplicate key"],
    ['{"a":1,"\\u0061":2}', "has a duplicate key"],
    ['{"__proto__":1,"__proto__":2}', "has a duplicate key"],
    ["[".repeat(65) + "]".repeat(65), "is nested deeper than 64 levels"],
    ["[".repeat(100_000) + "]".repeat(100_000), "is nested deeper than 64 levels"],
  ])("%j has no value", (text, problem) => {
    expect(readJson(text)).toEqual({ problem });
  });

  it.each([
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":"a"}}}',
    '{"a":"{\\"b\\":1,\\"b\\":2}"}',
    '{"a":1,"A":2}',
    "[".repeat(64) + "]".repeat(64),
    JSON.stringify({ a: "x".repeat(1 << 20), b: '\\"'.repeat(1 << 18) }),
  ])("%# has one value", (text) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text) });
  });
});

describe("answers that may be unknown", () => {
  const truths: readonly Truth[] = [true, false, "unknown"];
  /** The possible values of an answer. */
  const worlds = (answer: Truth) => (answer === "unknown" ? [true, false] : [answer]);
  const told = (possible: readonly boolean[]): Truth =>
    possible.every((one) => one === possible[0]) ? (possible[0] as boolean) : "unknown";

  it("are combined as if every unknown answer could be either", () => {
    for (const a of truths) {
      expect(not(a)).toBe(told(worlds(a).map((world) => !world)));
      for (const b of truths) {
        const both = worlds(a).flatMap((world) => worlds(b).map((other) => [world, other] as const));
        expect(all([a, b])).toBe(told(both.map(([one, other]) => one && other)));
        expect(any([a, b])).toBe(told(both.map(([one, other]) => one || other)));
      }
    }
    expect([all([]), any([])]).toEqual([true, false]);
  });
});
