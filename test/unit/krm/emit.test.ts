import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ValueMap } from "../../../src/core/resource.ts";
import { emitFlow, emitYaml } from "../../../src/yaml/emit.ts";
import { runs } from "../../helpers/effort.ts";
import { awkward, document } from "./any-value.ts";
import { byJsYaml, byYaml } from "./readers.ts";

describe("emitYaml", () => {
  test.each(awkward)("the string %j means the same to every reader, as a value and as a key", (text) => {
    const map = { a: text, list: [text, [text], { b: text }], [`${text.slice(0, 200)}`]: { c: text } };
    expectSame(map, emitYaml(map));
    expectSame(map, `x:\n    ${emitYaml(map, 4)}`, (read) => (read as { x: unknown }).x);
  });

  test("any value means the same to every reader", () => {
    fc.assert(
      fc.property(document, (map) => expectSame(map, emitYaml(map))),
      { numRuns: runs(500) },
    );
  });

  test("an emitted text has no trailing white space outside quotes, no tab at the start of a line, no carriage return", () => {
    const holds = (map: ValueMap): void => {
      expect(emitYaml(map)).not.toMatch(/[ \t]+\n|^\t|\r/m);
    };
    fc.assert(fc.property(document, holds), { numRuns: runs(300) });
  });

  test("integers keep every digit, and numbers with an exponent are numbers to YAML 1.1 too", () => {
    const map = { long: 12345678901234567890n, big: 1e21, small: 1e-7, negative: -2.5e30 };
    expect(emitYaml(map)).toBe("long: 12345678901234567890\nbig: 1.0e+21\nsmall: 1.0e-7\nnegative: -2.5e+30\n");
  });

  test("numbers that JSON does not support are still numbers", () => {
    const map = { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: Number.NEGATIVE_INFINITY, d: -0 };
    expect(byJsYaml(emitYaml(map))).toEqual(map);
    expect(byYaml(emitYaml(map), "1.1")).toEqual(map);
  });

  test("half of a surrogate pair, which UTF-8 cannot encode, becomes the replacement character", () => {
    expect(emitYaml({ a: "x\ud800" })).toBe('a: "x\ufffd"\n');
    expect(emitFlow({ a: "x\udc00" })).toBe('{"a":"x\ufffd"}');
  });

  test("an empty mapping is written as a mapping", () => {
    expect(emitYaml({})).toBe("{}\n");
    expect(emitYaml({}, 4)).toBe("{}\n");
  });

  test("collections have the same form in every place", () => {
    const value = {
      a: {},
      b: [],
      c: [[], {}, [[]], [{}], { d: [] }, [1, [2]], { e: { f: "g" }, h: null }],
      i: { j: true },
    };
    expect(emitYaml(value)).toBe(
      `a: {}
b: []
c:
- []
- {}
- - []
- - {}
- d: []
- - 1
  - - 2
- e:
    f: g
  h: null
i:
  j: true
`,
    );
  });

  test.each([
    ["a\nb", "|-\n  a\n  b\n"],
    ["a\nb\n", "|\n  a\n  b\n"],
    ["a\n", "|\n  a\n"],
    ["a\n\nb", "|-\n  a\n\n  b\n"],
    ["a\n\n\nb\n", "|\n  a\n\n\n  b\n"],
    ["a\n b\n", "|\n  a\n   b\n"],
    ["a\n\tb\tc\n", "|\n  a\n  \tb\tc\n"],
    ["a b\nc: d # e", "|-\n  a b\n  c: d # e\n"],
    ["a\nb\n\n", '"a\\nb\\n\\n"\n'],
    ["a \nb", '"a \\nb"\n'],
    ["a\t\nb", '"a\\t\\nb"\n'],
    ["a\nb ", '"a\\nb "\n'],
    ["a\nb\t", '"a\\nb\\t"\n'],
    [" a\nb", '" a\\nb"\n'],
    ["\ta\nb", '"\\ta\\nb"\n'],
    ["\na", '"\\na"\n'],
    ["\n", '"\\n"\n'],
    ["a\r\nb", '"a\\r\\nb"\n'],
  ])("the text %j is written as %j", (text, expected) => {
    expect(emitYaml({ k: text })).toBe(`k: ${expected}`);
  });

  test("the empty lines of an indented text of several lines stay empty", () => {
    expect(emitYaml({ a: { b: ["c\n\nd"] } })).toBe("a:\n  b:\n  - |-\n    c\n\n    d\n");
  });

  test("a text of several lines is a block scalar if no writer would change it", () => {
    const kept = " ~\u00a0\u00ac\u00ae\u1fff\u2010\u2027\u2030\u205f\u2070\ud7ff\uf900\ufdcf\ufdf0\ufefe\uff01\uffef";
    for (const text of kept) expect(emitYaml({ k: `a\n${text}b` })).toBe(`k: |-\n  a\n  ${text}b\n`);
    const quoted =
      "\u0000\u0008\u000b\u000c\u000e\u001f\u007f\u009f\u00ad\u2000\u200f\u2028\u202f\u2060\u206f\ue000\uf8ff\ufdd0\ufdef\ufeff\uff00\ufff0\u{1f600}";
    for (const text of quoted) expect(emitYaml({ k: `a\n${text}b` })).toMatch(/^k: "a\\n.+b"\n$/);
  });

  test.each(
    "a|Z|/|/a/b.yaml|a b c|a:b|a:b:c d|a1_./@+=,-9|a-b|aws://x|y1|yesx|xyes|no-no|nulla|e|e+|ex1|e1x|infx|on:off|true false".split(
      "|",
    ),
  )("%j is written plain", (text) => {
    expect(emitYaml({ [text]: text })).toBe(`${text}: ${text}\n`);
  });

  test.each(
    "y|N|Yes|no|ON|off|True|FALSE|null|NULL|NaN|inf|e1|E-10|e+1_0|1|1a|-a|.a|a |a  b|a: b|a:|:a|a::b|a#b|a #b|é|a!|a%|[a]|{a|a?|~|=".split(
      "|",
    ),
  )("%j is written in quotes", (text) => {
    expect(emitYaml({ [text]: text })).toBe(`"${text}": "${text}"\n`);
  });

  test("a long string is quoted", () => {
    const long = "x".repeat(1999);
    expect(emitYaml({ a: long, b: `${long}x` })).toBe(`a: ${long}\nb: "${long}x"\n`);
  });

  test.each([
    ["\0\x07\b\t\n\v\f\r\x1b", "\\0\\a\\b\\t\\n\\v\\f\\r\\e"],
    ["\"\\'", "\\\"\\\\'"],
    ["\x85\u2028\u2029", "\\N\\L\\P"],
    ["\x01\x1f ~\x7f\x80\x9f\xa0\xff", "\\x01\\x1F ~\\x7F\\x80\\x9F\xa0\xff"],
    [
      "\u0100\ud7ff\ue000\ufefe\ufeff\uff00\ufffd\ufffe\uffff",
      "\u0100\ud7ff\ue000\ufefe\\uFEFF\uff00\ufffd\\uFFFE\\uFFFF",
    ],
    ["\u{10000}\u{1f600}\u{10ffff}", "\\U00010000\\U0001F600\\U0010FFFF"],
    ["a\ud800b\udc00", "a\ufffdb\ufffd"],
  ])("%j is escaped as %j", (text, expected) => {
    expect(emitYaml({ k: `-${text}` })).toBe(`k: "-${expected}"\n`);
  });

  test("`__proto__` is an ordinary key", () => {
    const map = JSON.parse('{"__proto__": {"a": 1}}') as ValueMap;
    expect(emitYaml(map)).toContain("__proto__");
    expect(Object.keys(byJsYaml(emitYaml(map)) as object)).toEqual(["__proto__"]);
  });
});

describe("emitFlow", () => {
  test("any value means the same to every reader of YAML and to every reader of JSON", () => {
    const holds = (map: ValueMap) => {
      expectSame(map, emitFlow(map));
      expect(JSON.parse(emitFlow(map))).toEqual(map);
    };
    fc.assert(fc.property(document, holds), { numRuns: runs(500) });
  });

  test("characters beyond the basic plane are not escaped, because some readers cannot combine a pair of escapes", () => {
    expect(emitFlow(["\u{1f600}", 1e21, 12345678901234567890n])).toBe('["\u{1f600}",1.0e+21,12345678901234567890]');
  });
});

describe("emitFlow, exactly:", () => {
  test.each<[ValueMap, string]>([
    [{}, "{}"],
    [{ b: [], a: [{}, [1, "x"]] }, '{"b":[],"a":[{},[1,"x"]]}'],
    [{ a: null, b: true, c: false, d: 5n, e: -2.5 }, '{"a":null,"b":true,"c":false,"d":5,"e":-2.5}'],
    [{ 'a"b': "\\\n" }, '{"a\\"b":"\\\\\\n"}'],
    [
      { a: "~\u007f\u009f\u00a0\u2027\u2028\u2029\u202a\ufefe\ufeff\uff00\ufffd\ufffe\uffff" },
      '{"a":"~\\u007f\\u009f\u00a0\u2027\\u2028\\u2029\u202a\ufefe\\ufeff\uff00\ufffd\\ufffe\\uffff"}',
    ],
  ])("%#: %s", (value, expected) => {
    expect(emitFlow(value)).toBe(expected);
  });
});

function expectSame(value: unknown, written: string, inside = (read: unknown) => read): void {
  expect(inside(byJsYaml(written))).toEqual(value);
  expect(inside(smaller(byYaml(written)))).toEqual(value);
  expect(inside(smaller(byYaml(written, "1.1")))).toEqual(value);
}

// The `yaml` package is configured to keep every digit of an integer.
function smaller(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(smaller);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, smaller(one)]));
}
