import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, answers, awks, type Call, File } from "../helpers/awk.ts";
import { describeWith } from "../helpers/need.ts";
import { bare, type Json, json, printed, space, written } from "./json-documents.ts";

const file = (value: unknown) => new File(JSON.stringify(value, null, 4));
const good = (...lines: string[]): Answer => ({ status: 0, lines });
const nothing = new File("");

const people = { a: { list: ["x", 'y"z', "é\n"], none: null, n: 3600, on: true, "k/k": 1 }, b: [{ Name: "1" }, {}] };
const tags = [
  { Key: "Name", Value: "a=b" },
  { Value: "", Key: "a=b" },
  { Key: "tab\t", Value: "\u001b[31m" },
];
const tagging = (...set: { Key: string; Value: string }[]) => ({ Bucket: "b", Tagging: { TagSet: set } });

const table: readonly [what: string, call: Call, expected: Answer][] = [
  ["a text", ["text", file(people), "b/1/Name"], good("1")],
  ["a number", ["text", file(people), "a/n"], good("3600")],
  ["a truth value", ["text", file(people), "a/on"], good("true")],
  ["a list of texts", ["text", file(people), "a/list"], good("x", 'y\\"z', "é\\n")],
  ["null", ["text", file(people), "a/none"], good()],
  ["what is not there", ["text", file(people), "a/other/more"], good()],
  ["what is behind the end of a list", ["text", file(people), "b/3/Name"], good()],
  ["what is below a text", ["text", file(people), "a/list/1/x"], good()],
  ["a key with a slash, which no path leads to", ["text", file(people), "a/k/k"], good()],
  ["a key that looks like the number of another", ["text", file({ "1.0": "x", "1": "y" }), "1"], good("y")],
  ["the whole, a text", ["text", file("x"), "."], good("x")],
  ["an empty file", ["text", nothing, "a"], good()],
  ["a file of white space", ["fields", new File(" \n\r\n\t"), "."], good("=null")],
  [
    "a long number",
    ["text", new File('{"a": 123456789012345678901234567890}'), "a"],
    good("123456789012345678901234567890"),
  ],
  ["a pair of surrogates", ["text", new File('"\\ud83d\\uDE00\\u00e9"'), "."], good("😀é")],
  ["half a pair", ["text", new File('"\\uD83D\\u0041\\udc00"'), "."], good("\\ud83dA\\udc00")],
  [
    "a backslash before what looks like an escape",
    ["text", new File('"\\\\n\\\\\\\\u0041\\\\"'), "."],
    good("\\\\n\\\\\\\\u0041\\\\"),
  ],

  ["tags", ["tags", file({ Tags: tags }), "Tags"], good("Name=a=b", "a\\u003db=", "tab\\t=\\u001b[31m")],
  [
    "tags in lower case",
    ["-v", "fold=1", "tags", file(tags), "."],
    good("name=a=b", "a\\u003db=", "tab\\t=\\u001b[31m"),
  ],
  ["no tags", ["tags", nothing, "Tags"], good()],

  [
    "fields",
    ["fields", file(people), "a"],
    good("list=x", 'list=y\\"z', "list=é\\n", "none=null", "n=3600", "on=true", "k/k=1"),
  ],
  ["fields of a list of objects", ["fields", file({ l: [{ a: [] }, { b: { c: 1 } }] }), "l"], good(".2.b.c=1")],
  ["fields of nothing", ["fields", file(people), "c"], good()],

  [
    "a value over another",
    ["overlay", file({ a: 1, b: [1] }), ".", file({ b: [2, 3], c: {} }), "."],
    good('{"a": 1, "b": [2, 3], "c": {}}'),
  ],
  [
    "a value over a part of it",
    ["overlay", file({ x: { a: { b: 1, c: 2 } } }), "x", file({ y: { a: { c: "3" } } }), "y"],
    good('{"a": {"b": 1, "c": "3"}}'),
  ],
  [
    "objects of a list, one by one",
    ["overlay", file([{ a: 1, b: 2 }]), ".", file([{ b: 3 }]), "."],
    good('[{"a": 1, "b": 3}]'),
  ],
  [
    "lists of different lengths",
    ["overlay", file([{ a: 1, b: 2 }]), ".", file([{ b: 3 }, {}]), "."],
    good('[{"b": 3}, {}]'),
  ],
  ["nothing over a value", ["overlay", file({ a: ["x"] }), "a", nothing, "no"], good('["x"]')],

  [
    "the tags of a bucket that has none",
    ["tagging", nothing, "TagSet", file(tagging({ Key: "a", Value: "1" }))],
    good('{"Bucket": "b", "Tagging": {"TagSet": [{"Key": "a", "Value": "1"}]}}'),
  ],
  [
    "the tags of others stay, ours count",
    [
      "tagging",
      file({
        TagSet: [
          { Key: "a", Value: "theirs" },
          { Key: 'q"', Value: "\\" },
        ],
      }),
      "TagSet",
      file(tagging({ Key: "a", Value: "1" })),
    ],
    good('{"Bucket": "b", "Tagging": {"TagSet": [{"Key": "a", "Value": "1"}, {"Key": "q\\"", "Value": "\\\\"}]}}'),
  ],
  [
    "a tag that goes",
    [
      "-v",
      "without=10",
      "tagging",
      file([
        { Key: "10", Value: "" },
        { Key: "10.0", Value: "" },
      ]),
      ".",
      file(tagging()),
    ],
    good('{"Bucket": "b", "Tagging": {"TagSet": [{"Key": "10.0", "Value": ""}]}}'),
  ],
];

const broken = [
  ...["{", "[", '"', '"a', "{]", "[}", "[1,]", "[,1]", "[1 2]", '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", "{'a':1}"],
  ...['{"a":1}{', "1 1", "[] x", "tru", "truest", "nul", "True", "+1", "01", "1.", ".5", "1e", "0x1", "NaN", "-"],
  ...['"\\x"', '"\\u12"', '"\\u12g4"', '"\\ud83d\\u00"', '"\\', '"\\"', '"a\nb"', '"a\tb"', '"\u001b"', "\u001b", "\\"],
  ...['{"a":1,"a":2}', '{"a":1,"\\u0061":1}', "An error occurred", "<html>", "{}\n{}", "[1,\n", '"\n"', "﻿{}"],
];

const ends = (calls: readonly Call[], awk: string) => answers(awk, calls).map(({ status }) => status !== 0);

describe.each(awks)("json.awk under %s", (awk, tool) => {
  describeWith([tool], "reads", () => {
    it("what each command prints", () => {
      const given = answers(
        awk,
        table.map(([, call]) => call),
      );
      const named = (list: readonly Answer[]) =>
        Object.fromEntries(list.map((answer, index) => [table[index]?.[0], answer]));
      expect(named(given)).toEqual(named(table.map(([, , expected]) => expected)));
    });

    it("every value of any document, in any notation", () => {
      const cases = fc.sample(fc.tuple(json, space), 150);
      const files = cases.map(([document, between]) => new File(written(document, between)));
      const given = answers(
        awk,
        files.flatMap((file) => [
          ["fields", file, "."],
          ["text", file, "."],
        ]),
      );
      const expected = cases.flatMap(([document]) => [good(...fields(document)), good(...texts(document))]);
      expect(given).toEqual(expected);
    });

    it("one document over another", () => {
      const cases = fc
        .sample(fc.tuple(json, json, space), 100)
        .flatMap(([a, b, between]) => [[a, b, between] as const, [a, changed(a), between] as const]);
      const calls = cases.map(
        ([under, over, between]) =>
          ["overlay", new File(written(under, between)), ".", new File(written(over, between)), "."] as const,
      );
      expect(answers(awk, calls)).toEqual(cases.map(([under, over]) => good(printed(laid(under, over)))));
    });
  });

  describeWith([tool], "refuses", () => {
    it("text that is not JSON", () => {
      const given = ends(
        broken.map((text) => ["fields", new File(text), "."]),
        awk,
      );
      expect(broken.filter((_, index) => given[index] === false)).toEqual([]);
    });

    it("truncated text", () => {
      const whole = JSON.stringify(people, null, 1);
      const cut = Array.from({ length: whole.length - 1 }, (_, index) => whole.slice(0, index + 1));
      expect(
        new Set(
          ends(
            cut.map((text) => ["text", new File(text), "."]),
            awk,
          ),
        ),
      ).toEqual(new Set([true]));
    });

    it("an unreadable file, and an unknown command", () => {
      expect(
        ends(
          [
            ["text", "/nowhere/at/all", "."],
            ["texts", nothing, "."],
            ["policy", file([]), "."],
            ["policy", file("%7B"), "."],
            ["policy", file("\b{}"), "."],
          ],
          awk,
        ),
      ).toEqual([true, true, true, true, true]);
    });
  });

  describeWith([tool], "terminates", () => {
    it("with deep nesting: read correctly, or refused", () => {
      const deep = (depth: number) => `${"[".repeat(depth)}"x"${"]".repeat(depth)}`;
      expect(answers(awk, [["text", new File(deep(50)), "."]])).toEqual([good("x")]);
      for (const { status, lines } of answers(
        awk,
        [200, 1000].map((depth) => ["text", new File(deep(depth)), "."]),
      )) {
        expect(lines).toEqual(status === 0 ? ["x"] : []);
      }
      expect(
        ends(
          [
            ["text", new File("[".repeat(1000)), "."],
            ["text", new File('{"a":'.repeat(1000)), "."],
          ],
          awk,
        ),
      ).toEqual([true, true]);
    });

    it("with long strings, with and without escapes", () => {
      const long = ["x".repeat(1 << 18), '\n"\\é'.repeat(1 << 15), "\\".repeat(1 << 17)];
      const given = answers(
        awk,
        long.map((value) => ["text", file({ a: value }), "a"]),
      );
      expect(given.map(({ lines }) => lines[0]?.length)).toEqual(long.map((value) => bare(value).length));
      expect(given.every(({ lines }, index) => lines[0] === bare(long[index] ?? ""))).toBe(true);
      expect(
        ends(
          long.map((value) => ["text", new File(JSON.stringify(value).slice(0, -1)), "."]),
          awk,
        ),
      ).toEqual([true, true, true]);
    });

    it("with thousands of values", () => {
      const names = Array.from({ length: 5000 }, (_, index) => `role-${index}`);
      expect(answers(awk, [["text", file(names), "."]])).toEqual([good(...names)]);
    });
  });
});

/** Every scalar below a document, as `fields` prints it. */
function fields(document: Json, name = ""): string[] {
  if ("plain" in document) return [`${name}=${document.plain}`];
  if ("string" in document) return [`${name}=${bare(document.string)}`];
  if ("object" in document) {
    return document.object.flatMap(([key, value]) => fields(value, `${name === "" ? "" : `${name}.`}${bare(key)}`));
  }
  return document.list.flatMap((json, index) => fields(json, "object" in json ? `${name}.${index + 1}` : name));
}

/** As `text` prints it: an object in a list is an empty line. */
function texts(document: Json): string[] {
  if ("plain" in document) return document.plain === "null" ? [] : [document.plain];
  if ("string" in document) return [bare(document.string)];
  return "object" in document ? [""] : document.list.flatMap(texts);
}

/** A document with the same keys and other values. */
function changed(document: Json): Json {
  if ("list" in document) return { list: document.list.map(changed) };
  if ("object" in document) return { object: document.object.slice(1).map(([key, value]) => [key, changed(value)]) };
  return { string: "changed", style: 0 };
}

function laid(under: Json, over: Json): Json {
  if ("object" in under && "object" in over) {
    const others = new Map(over.object);
    const own = under.object.map(([key, value]) => {
      const other = others.get(key);
      return [key, other === undefined ? value : laid(value, other)] as const;
    });
    const known = new Set(under.object.map(([key]) => key));
    return { object: [...own, ...over.object.filter(([key]) => !known.has(key))] };
  }
  if (!("list" in under && "list" in over) || under.list.length !== over.list.length) return over;
  const [first] = over.list;
  if (first === undefined || !("object" in first)) return over;
  return { list: over.list.map((json, index) => laid(under.list[index] ?? json, json)) };
}
