import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedValues } from "../../../src/core/changed-values.ts";
import type { Value } from "../../../src/core/resource.ts";

describe("changedValues", () => {
  it.each<[string, Value, Value, readonly object[]]>([
    ["a field", { a: { b: 1 } }, { a: { b: 2 } }, [{ field: "a.b", old: 1, new: 2 }]],
    ["a field that is added", { a: 1 }, { a: 1, b: { c: 1 } }, [{ field: "b.c", new: 1 }]],
    ["a field that is removed", { a: 1, b: null }, { a: 1 }, [{ field: "b", old: null }]],
    ["the type of a value", { a: "1" }, { a: 1 }, [{ field: "a", old: "1", new: 1 }]],
    ["the order of keys and entries", { a: [1, 2], b: 1 }, { b: 1, a: [2, 1] }, []],
    ["an entry that appears once more", { a: [1] }, { a: [1, 1] }, [{ field: "a[]", new: 1 }]],
    [
      "an entry that is replaced",
      { a: ["x", "y"] },
      { a: ["z", "y"] },
      [
        { field: "a[]", old: "x" },
        { field: "a[]", new: "z" },
      ],
    ],
    [
      "an entry with a name",
      { keys: [{ kid: "k1", n: "a" }] },
      {
        keys: [
          { kid: "k2", n: "b" },
          { kid: "k1", n: "c" },
        ],
      },
      [
        { field: "keys[k1].n", old: "a", new: "c" },
        { field: "keys[k2]", new: { kid: "k2", n: "b" } },
      ],
    ],
    ["an entry without a name", [{ x: 1, y: 1 }], [{ x: 1, y: 2 }], [{ field: "[0].y", old: 1, new: 2 }]],
    ["JSON in a text", { a: '{"b":1}' }, { a: '{ "b": 2 }' }, [{ field: "a.b", old: 1, new: 2 }]],
    ["the layout of JSON in a text", { a: '{"b":1,"c":2}' }, { a: '{ "c": 2, "b": 1 }\n' }, []],
    [
      "a text with a duplicate key",
      { a: '{"b":1}' },
      { a: '{"b":1,"b":2}' },
      [{ field: "a", old: '{"b":1}', new: '{"b":1,"b":2}' }],
    ],
    ["a name that is not a word", { "a.b": 1 }, { "a.b": 2 }, [{ field: '"a.b"', old: 1, new: 2 }]],
    ["an inherited name", {}, { constructor: 1 }, [{ field: "constructor", new: 1 }]],
  ])("compares %s", (_, old, now, expected) => {
    expect(changedValues(old, now)).toEqual(expected);
  });

  it("finds each leaf that is changed, whatever it is in", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), (value, index) => {
        const leaves = leavesOf(value as Value);
        fc.pre(leaves.length > 0);
        const path = leaves[index % leaves.length] ?? [];
        const mutated = mutate(value as Value, path);
        expect(changedValues(value as Value, mutated)).not.toEqual([]);
        expect(changedValues(value as Value, value as Value)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

function leavesOf(value: Value, path: readonly (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((one: Value, index) => leavesOf(one, [...path, index]));
  if (value !== null && typeof value === "object")
    return Object.entries(value).flatMap(([name, one]) => leavesOf(one as Value, [...path, name]));
  return [[...path]];
}

function mutate(value: Value, [step, ...rest]: readonly (string | number)[]): Value {
  if (step === undefined) return `${JSON.stringify(value)} changed`;
  if (Array.isArray(value)) return value.map((one: Value, index) => (index === step ? mutate(one, rest) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, name === step ? mutate(one as Value, rest) : one]),
  );
}
