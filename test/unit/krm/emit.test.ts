import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { ValueMap } from "../../../src/core/resource.ts";
import { emitYaml } from "../../../src/yaml/emit.ts";
import { emitFlow } from "../../../src/yaml/emit-flow.ts";
import { shell } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";
import { byJsYaml, byYaml } from "./readers.ts";

/** Strings that one reader or another takes for something else, and strings that a style could not hold. */
const awkward = [
  ..."2012-10-17,2012-10-17T08:09:10Z,yes,Yes,on,off,no,y,N,true,null,Null,~,0x1F,0o17,0b11,012,1e3,1E3,+1,-1,.5,1.,1.0".split(","),
  ..."1_000,12:30:00,190:20:30,.inf,-.INF,.nan,NaN,inf,=,<<,-,?,:,!,&,*,|,>,%,@,`,#,---,...,{},[],e3,_1,0".split(","),
  ..."a: b|a:|a #b|a# b|- a|? a|: a|!tag|&a|*a|[a|{a|a]|a}|a, b|'a'|\"a\"|it's|\\|\\n|%YAML|@a|---\na|...\na".split("|"),
  "", " ", "  ", " a", "a ", "a  b", "\t", "\ta", "a\t", "a\tb", "\n", "\n\n", "a\n", "a\n\n", "\na", "a\nb", "a\n\nb\n", "a \nb",
  "a\n b", " a\nb", "a\n\tb", "\ta\nb", "a\r\nb", "a\rb", "a\u0085b", "a\u2028b", "a\u2029b\n", "a\u0000b", "\u0007\u001b[31m",
  "\u007f", "\u0080", "\u00a0", "\u00adx", "\u200b", "\u202e", "\ufeff", "a\ufeffb\nc", "\ufffe", "\uffff", "\ue000", "\u{1f600}",
  "\u{1f600}\nx\n", "\u{10ffff}", "é", "日本語", "# a\nb", "- a\nb", "--- a\n---\n...\n", "a\n#b\n", "%a\nb\n", "x".repeat(3000),
  `${"word ".repeat(600)}end`, "k".repeat(100),
]; // biome-ignore format: one line a kind

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        ..." \t\n\r:#-?,[]{}'\"\\&*!|>%@`=<~0123456789abeEnoxyYN._+/\u0085\u00a0\u2028\ufeff\u{1f600}é",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
);
const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.boolean(), fc.constant(null), number);
// A key is read on one line of at most 1024 characters, its escapes included.
const key = text.map((one) => one.slice(0, 90).replace(/\p{Cs}/gu, ""));
const { tree } = fc.letrec<{ tree: unknown; map: unknown }>((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("tree"), { maxLength: 4 }), tie("map")),
  map: fc.dictionary(key, tie("tree"), { maxKeys: 5, noNullPrototype: true }),
}));
const document = fc.dictionary(key, tree, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<ValueMap>;

describe("emitYaml", () => {
  test.each(awkward)("the string %j means the same to every reader, as a value and as a key", (one) => {
    const map = { a: one, list: [one, [one], { b: one }], [`${one.slice(0, 200)}`]: { c: one } };
    expectSame(map, emitYaml(map));
    expectSame(map, `x:\n    ${emitYaml(map, 4)}`, (read) => (read as { x: unknown }).x);
  });

  test("any value means the same to every reader", () => {
    fc.assert(
      fc.property(document, (map) => expectSame(map, emitYaml(map))),
      { numRuns: 500 },
    );
  });

  test("an emitted text has no trailing white space outside quotes, no tab at the start of a line, no carriage return", () => {
    const holds = (map: ValueMap): void => {
      expect(emitYaml(map)).not.toMatch(/[ \t]+\n|^\t|\r/m);
    };
    fc.assert(fc.property(document, holds), { numRuns: 300 });
  });

  test("integers keep every digit, and numbers with an exponent are numbers to YAML 1.1 too", () => {
    const map = { long: 12345678901234567890n, big: 1e21, small: 1e-7, negative: -2.5e30 };
    expect(emitYaml(map)).toBe("long: 12345678901234567890\nbig: 1.0e+21\nsmall: 1.0e-7\nnegative: -2.5e+30\n");
  });

  test("numbers that JSON has not are numbers all the same", () => {
    const map = { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: Number.NEGATIVE_INFINITY, d: -0 };
    expect(byJsYaml(emitYaml(map))).toEqual(map);
    expect(byYaml(emitYaml(map), "1.1")).toEqual(map);
  });

  test("half of a surrogate pair, which no UTF-8 can hold, becomes the replacement character", () => {
    expect(emitYaml({ a: "x\ud800" })).toBe('a: "x\ufffd"\n');
    expect(emitFlow({ a: "x\udc00" })).toBe('{"a":"x\ufffd"}');
  });

  test("a mapping without keys is written as one", () => {
    expect(emitYaml({})).toBe("{}\n");
    expect(emitYaml({}, 4)).toBe("{}\n");
  });

  test("collections stand in one form, wherever they are", () => {
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
  ])("the text %j stands as %j", (text, expected) => {
    expect(emitYaml({ k: text })).toBe(`k: ${expected}`);
  });

  test("a text of several lines that stands further in has its empty lines empty", () => {
    expect(emitYaml({ a: { b: ["c\n\nd"] } })).toBe("a:\n  b:\n  - |-\n    c\n\n    d\n");
  });

  test("a text of several lines stands in lines where it has only what every writer leaves alone", () => {
    const kept = " ~\u00a0\u00ac\u00ae\u1fff\u2010\u2027\u2030\u205f\u2070\ud7ff\uf900\ufdcf\ufdf0\ufefe\uff01\uffef";
    for (const one of kept) expect(emitYaml({ k: `a\n${one}b` })).toBe(`k: |-\n  a\n  ${one}b\n`);
    const quoted =
      "\u0000\u0008\u000b\u000c\u000e\u001f\u007f\u009f\u00ad\u2000\u200f\u2028\u202f\u2060\u206f\ue000\uf8ff\ufdd0\ufdef\ufeff\uff00\ufff0\u{1f600}";
    for (const one of quoted) expect(emitYaml({ k: `a\n${one}b` })).toMatch(/^k: "a\\n.+b"\n$/);
  });

  test.each(
    "a|Z|/|/a/b.yaml|a b c|a:b|a:b:c d|a1_./@+=,-9|a-b|aws://x|y1|yesx|xyes|no-no|nulla|e|e+|ex1|e1x|infx|on:off|true false".split(
      "|",
    ),
  )("%j stands plain", (text) => {
    expect(emitYaml({ [text]: text })).toBe(`${text}: ${text}\n`);
  });

  test.each(
    "y|N|Yes|no|ON|off|True|FALSE|null|NULL|NaN|inf|e1|E-10|e+1_0|1|1a|-a|.a|a |a  b|a: b|a:|:a|a::b|a#b|a #b|é|a!|a%|[a]|{a|a?|~|=".split(
      "|",
    ),
  )("%j stands in quotes", (text) => {
    expect(emitYaml({ [text]: text })).toBe(`"${text}": "${text}"\n`);
  });

  test("a long string stands in quotes", () => {
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

  test("`__proto__` is a key like any other", () => {
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
    fc.assert(fc.property(document, holds), { numRuns: 500 });
  });

  test("characters beyond the basic plane are not escaped: to some readers a pair of escapes is no character", () => {
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

describeWith(["python3"], "PyYAML, which reads YAML 1.1 as the readers before Kubernetes' did", () => {
  test("reads every string and any value as they were written", () => {
    const maps = [
      ...awkward.map((one): ValueMap => ({ a: one, list: [[one], { b: one }] })),
      ...fc.sample(document, 400),
    ];
    const program =
      "import sys, json, yaml\nfor line in sys.stdin: print(json.dumps(yaml.load(json.loads(line), Loader=yaml.SafeLoader)))";
    const input = maps.flatMap((map) => [emitYaml(map), emitFlow(map)]).map((one) => JSON.stringify(one));
    const { stdout, stderr, status } = spawnSync("python3", ["-c", program], {
      input: `${input.join("\n")}\n`,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const read = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(read).toEqual(maps.flatMap((map) => [map, map]));
  });
});

function expectSame(value: unknown, written: string, inside = (read: unknown) => read): void {
  expect(inside(byJsYaml(written))).toEqual(value);
  expect(inside(smaller(byYaml(written)))).toEqual(value);
  expect(inside(smaller(byYaml(written, "1.1")))).toEqual(value);
}

// The `yaml` package was asked for every digit of an integer.
function smaller(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(smaller);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, smaller(one)]));
}

describe("the tools that carry emitted objects", () => {
  // Values alone: the keys that a function emits are names of fields, tags and files. kustomize writes some characters in
  // a form that it then refuses to read, or that others read as a line break, however they came; no value that a function emits can hold one, since fields
  // are checked and JSON texts hold escapes in their place.
  const refused = /[\u007f-\u009f\u2028\u2029\ufffe\uffff]/;
  const objects = [...awkward, ...fc.sample(scalar, 400)]
    .filter((one) => !refused.test(String(one)))
    .map((one): ValueMap => ({ a: one, list: [[one], { b: one }] }));
  const list = objects.map((spec, place): ValueMap & { kind: string } => ({
    apiVersion: "example.com/v1",
    kind: "Carried",
    metadata: { name: `n-${place}` },
    spec,
  }));

  function written(): string {
    const directory = temporary();
    writeTree(directory, {
      ...Object.fromEntries(list.map((one, place) => [`o-${place}.yaml`, emitYaml(one)])),
      "kustomization.yaml": emitYaml({ resources: list.map((_, place) => `o-${place}.yaml`) }),
    });
    return directory;
  }

  function specs(values: readonly unknown[]): unknown[] {
    const byName = new Map(
      (values as { kind?: string; metadata: { name: string }; spec: unknown }[])
        .filter(({ kind }) => kind === "Carried")
        .map(({ metadata, spec }) => [metadata.name, spec]),
    );
    return list.map((_, place) => byName.get(`n-${place}`));
  }

  describeWith(["kubectl"], "kustomize", () => {
    test("prints every value as it was", () => {
      const { status, stdout, stderr } = shell("kubectl kustomize .", written());
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(specs(loadAll(stdout))).toEqual(objects);
    });
  });

  describeWith(["kpt"], "kpt", () => {
    test("puts every value into its list as it was", () => {
      const { status, stdout, stderr } = shell("kpt fn source .", written());
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(specs((byJsYaml(stdout) as { items: unknown[] }).items)).toEqual(objects);
    });
  });
});
