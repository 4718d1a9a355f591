import fc from "fast-check";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { Value } from "../../../src/core/resource.ts";
import { notOrdinary, ordinaryValue } from "../../../src/yaml/build.ts";
import { emitFlow, emitYaml } from "../../../src/yaml/emit.ts";
import { documents, elements, isProblem, parseSource, type Source } from "../../../src/yaml/source.ts";
import { construct } from "../../../src/yaml/values.ts";
import { runs } from "../../helpers/effort.ts";

function parsed(text: string): Source {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return source;
}

/** The value of the last document of a text, as the short path builds it; undefined if it needs the long path. */
function ordinary(text: string): Value | undefined {
  const source = parsed(text);
  return ordinaryAt(source, documents(source).at(-1) as number);
}

function ordinaryAt(source: Source, at: number): Value | undefined {
  try {
    return ordinaryValue({ source, schema: CORE_SCHEMA, at });
  } catch (error) {
    if (error === notOrdinary) return undefined;
    throw error;
  }
}

describe("ordinaryValue", () => {
  test.each<[string, Value]>([
    ["a", "a"],
    ["a: b\n", { a: "b" }],
    ["- a\n- - b\n  - c\n- d\n", ["a", ["b", "c"], "d"]],
    ["{a: {b: []}, c: [{}], d: e}", { a: { b: [] }, c: [{}], d: "e" }],
    ["--- a\n--- [b, c]\n", ["b", "c"]],
    ["a: |\n  b\n  c\n", { a: "b\nc\n" }],
    ["a:\n", { a: null }],
    ["[~, null, Null, NULL, nULL]", [null, null, null, null, "nULL"]],
    ["[true, True, TRUE, tRUE]", [true, true, true, "tRUE"]],
    ["[false, False, FALSE, fALSE]", [false, false, false, "fALSE"]],
    ["[yes, no, on, off, y, n]", ["yes", "no", "on", "off", "y", "n"]],
    ["['', '~', \"null\", 'true', \"1\", '.5']", ["", "~", "null", "true", "1", ".5"]],
    ["- |-\n  1\n- >-\n  true\n", ["1", "true"]],
    ["[1, -2, +3, 0x10, 0o17, 012, 1e3, .5, 2.5]", [1, -2, 3, 16, 15, 12, 1000, 0.5, 2.5]],
    ["[.inf, -.inf, .nan]", [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]],
    ["[2012-10-17, 1.2.3, -a, +, ., a1, x-1]", ["2012-10-17", "1.2.3", "-a", "+", ".", "a1", "x-1"]],
    ["{'': a, 'null': b, toString: c}", { "": "a", null: "b", toString: "c" }],
  ])("builds %j", (text, expected) => {
    expect(ordinary(text)).toEqual(expected);
  });

  test.each([
    ["an anchor", "a: &x b\n"],
    ["an anchor at the start", "&x a: b\n"],
    ["an alias", "- a\n- *x\n"],
    ["a tag", "a: !!str 1\n"],
    ["a tag at the start", "!!map {a: b}"],
    ["a merge", "<<: {a: b}\n"],
    ["a merge in quotes", "'<<': {a: b}\n"],
    ["a key twice", "a: 1\nb: 2\na: 3\n"],
    ["a key that is a number", "1: a\n"],
    ["a key that is nothing", "~: a\n"],
    ["a key that is a word", "true: a\n"],
    ["a key that is a list", "? [a]\n: b\n"],
    ["a key that is a prototype", "__proto__: a\n"],
  ])("does not build %s", (_what, text) => {
    expect(ordinary(text)).toBeUndefined();
  });

  test("reads the same texts as numbers as js-yaml, with the same value", () => {
    const text = fc.string({ unit: fc.constantFrom(..."0123456789-+.eExob_:"), minLength: 1, maxLength: 18 });
    fc.assert(
      fc.property(text, (written) => {
        const text = `- ${written}\n`;
        fc.pre(!/^[-:]$|:$/.test(written));
        expect(ordinary(text)).toStrictEqual(load(text, { schema: CORE_SCHEMA }));
      }),
      { numRuns: runs(2000) },
    );
    const long = "- 999999999999999\n- 1000000000000000\n- 0\n- 00\n";
    expect(ordinary(long)).toStrictEqual(load(long, { schema: CORE_SCHEMA }));
  });

  test("builds nothing from an offset where no node starts", () => {
    const source = parsed("a: b\n");
    expect(ordinaryAt(source, 0)).toBeUndefined();
    expect(ordinaryAt(source, source.length - 1)).toBeUndefined();
  });

  test("throws other errors", () => {
    const broken = { ...parsed("a: b\n"), text: undefined as unknown as string };
    expect(() => ordinaryAt(broken, 1)).toThrow(TypeError);
  });

  test("reads what is emitted", () => {
    const key = fc.string().filter((text) => text !== "<<" && text !== "__proto__");
    const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), fc.string());
    const { value } = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        scalar,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Value>,
      ),
    }));
    fc.assert(
      fc.property(value, (value) => {
        expect(ordinary(emitYaml({ a: value }))).toEqual({ a: value });
        expect(ordinary(emitFlow({ a: value }))).toEqual({ a: value });
      }),
    );
  });
});

/** The values of the entries of a list, the last document of a text; for entries without a value, the reason. */
function entries(text: string): unknown[] {
  const source = parsed(text);
  return elements(source, documents(source).at(-1) as number).map((node) => {
    const built = construct(source, node);
    return "reason" in built ? built.reason : built.value;
  });
}

describe("construct", () => {
  const twice = "duplicated mapping key";
  test.each<[string, string, unknown[]]>([
    [
      "integers with every digit, whatever their sign and base",
      "[12345678901234567890, +12345678901234567890, -12345678901234567890, 0x1FFFFFFFFFFFFFF, 0o777777777777777777777, 9007199254740991, 9007199254740992]",
      [
        12345678901234567890n,
        12345678901234567890n,
        -12345678901234567890n,
        0x1ffffffffffffffn,
        0o777777777777777777777n,
        9007199254740991,
        9007199254740992n,
      ],
    ],
    [
      "merges",
      "- &x {a: 1, b: 2}\n- {<<: *x, b: 3}\n",
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
    ],
    ["tags", "- !!str 1\n- {a: !!str 2}\n", ["1", { a: "2" }]],
    [
      "tags with a prefix of its document",
      "%TAG !e! tag:example.com,2000:\n--- []\n...\n%TAG !e! tag:yaml.org,2002:\n---\n- !e!str 5\n",
      ["5"],
    ],
    [
      "an alias of what is inside, beside what has no value",
      "- {a: &x 1, b: *x}\n- {k: 1, k: 2}\n",
      [{ a: 1, b: 1 }, twice],
    ],
    ["a tag, beside what has no value", "- {k: 1, k: 2}\n- {a: !!str 1}\n", [twice, { a: "1" }]],
    [
      "a tag, before an alias of what has no value",
      "- &x {k: 1, k: 2}\n- {a: !!str 1}\n- *x\n",
      [twice, { a: "1" }, twice],
    ],
    [
      "an alias of what is outside, in a second document",
      "--- [a]\n---\n- &x [1]\n- {b: {c: [0, *x]}}\n",
      [[1], { b: { c: [0, [1]] } }],
    ],
    ["an alias below keys that are not strings", "- &x 1\n- {2: {true: {~: *x}}}\n", [1, { 2: { true: { null: 1 } } }]],
  ])("builds %s", (_what, text, expected) => {
    expect(entries(text)).toEqual(expected);
  });

  test("builds as many repeated values as a legitimate object needs, and no more", () => {
    // 1 and 1000 for the first, 198 times the same, and single nodes.
    const text = (more: number) => `[[&x [${"a,".repeat(999)}],${"*x,".repeat(198)}${"b,".repeat(999 + more)}]]`;
    expect((entries(text(0))[0] as unknown[]).length).toBe(1198);
    expect(entries(text(1))).toEqual(["aliases repeat too many values"]);
  });
});
