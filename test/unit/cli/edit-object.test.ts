import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import {
  editObject,
  type FieldEdit,
  isSameValue,
  withField,
  withoutField,
} from "../../../src/cli/package/edit-object.ts";
import type { Value } from "../../../src/core/resource.ts";
import { type Item, readItem } from "../../../src/krm/item.ts";
import { documents, isProblem, parseSource } from "../../../src/yaml/source.ts";
import { runs } from "../../helpers/effort.ts";

function itemOf(text: string, index = 0): Item {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(`${source.reason}\n${text}`);
  return readItem(source, documents(source)[index] as number, { path: "c.yaml", index });
}

function edited(text: string, edits: readonly FieldEdit[], index = 0): string {
  return editObject(itemOf(text, index), edits).source.text;
}

const crlf = (text: string) => text.replaceAll("\n", "\r\n");
const set = (field: string, value: Value): FieldEdit => ({ path: field.split("."), value });
const unset = (field: string): FieldEdit => ({ path: field.split("."), value: undefined });

describe("a field that is set", () => {
  test.each<[what: string, before: string, edit: FieldEdit, after: string]>([
    ["a number", "spec:\n  a: 1 # c\n  b: 2\n", set("spec.a", 7), "spec:\n  a: 7 # c\n  b: 2\n"],
    ["text as a number", 'spec:\n  a: "1"\n', set("spec.a", 7), "spec:\n  a: 7\n"],
    ["a number as text", "spec:\n  a: 1\n", set("spec.a", "0123"), 'spec:\n  a: "0123"\n'],
    ["text in single quotes", "spec:\n  a: 'x'\n", set("spec.a", "it's"), "spec:\n  a: 'it''s'\n"],
    ["true", "spec:\n  a: false\n", set("spec.a", true), "spec:\n  a: true\n"],
    ["nothing", "spec:\n  a: # c\n", set("spec.a", 7), "spec:\n  a: 7 # c\n"],
    ["null", "spec:\n  a: ~ # c\n", set("spec.a", 7), "spec:\n  a: 7 # c\n"],
    ["block text", "spec:\n  a: | # c\n    x\n\n  b: 1\n", set("spec.a", 7), "spec:\n  a: 7 # c\n\n  b: 1\n"],
    ["an alias", "x: &a 1\nspec:\n  a: *a\n", set("spec.a", 7), "x: &a 1\nspec:\n  a: 7\n"],
    ["JSON", '{"spec": {"a": 1, "b": 2}}', set("spec.a", "7"), '{"spec": {"a": "7", "b": 2}}'],
    ["a list in brackets", "spec:\n  a: [x] # c\n", set("spec.a", ["x", "w"]), 'spec:\n  a: ["x", "w"] # c\n'],
    ["a list as lines", "spec:\n  a:\n  - x\n  b: 1\n", set("spec.a", ["w", 5]), "spec:\n  a:\n  - w\n  - 5\n  b: 1\n"],
    [
      "an indented list with a comment",
      "spec:\n  a:\n    # c\n    - x\n  b: 1\n",
      set("spec.a", ["w"]),
      "spec:\n  a:\n    # c\n    - w\n  b: 1\n",
    ],
    ["a list without entries", "spec:\n  a:\n  - x\n  b: 1\n", set("spec.a", []), "spec:\n  a: []\n  b: 1\n"],
    [
      "a list in a column of its own",
      "spec:\n  z:\n  - 1\n  a:\n    - x\n",
      set("spec.a", ["w"]),
      "spec:\n  z:\n  - 1\n  a:\n    - w\n",
    ],
    ["a list, the last text", "spec:\n  a:\n  - x", set("spec.a", ["w"]), "spec:\n  a:\n  - w"],
    ["a scalar as a list", "spec:\n  a: x # c\n  b: 1\n", set("spec.a", ["w"]), "spec:\n  a: # c\n  - w\n  b: 1\n"],
    [
      "block text as a mapping",
      "spec:\n  a: |\n    x\n  b: 1\n",
      set("spec.a", { c: "w" }),
      "spec:\n  a:\n    c: w\n  b: 1\n",
    ],
    [
      "a list as a mapping",
      "spec:\n  a:\n  - x\n  b: 1\n",
      set("spec.a", { c: "w" }),
      "spec:\n  a:\n    c: w\n  b: 1\n",
    ],
    ["a mapping as a list", "spec:\n  a:\n    c: w\n  b: 1\n", set("spec.a", ["x"]), "spec:\n  a:\n  - x\n  b: 1\n"],
    ["a mapping as a scalar", "spec:\n  a:\n    c: 1\n  b: 1\n", set("spec.a", "x"), "spec:\n  a: x\n  b: 1\n"],
    [
      "missing parents",
      "spec:\n  b: 1\n# end\n",
      set("spec.a.c.d", 7),
      "spec:\n  b: 1\n  a:\n    c:\n      d: 7\n# end\n",
    ],
    [
      "missing parents, four columns",
      "kind: C\nspec:\n    b:\n        c: 1\n",
      set("spec.b.d", { e: { f: ["x"] } }),
      "kind: C\nspec:\n    b:\n        c: 1\n        d:\n            e:\n                f:\n                - x\n",
    ],
    [
      "a list where lists are indented",
      "spec:\n  b:\n    - x\n",
      set("spec.a", ["w"]),
      "spec:\n  b:\n    - x\n  a:\n    - w\n",
    ],
    ["missing parents in brackets", "spec: {b: 1}\n", set("spec.a.c", "x"), 'spec: {b: 1, "a": {"c": "x"}}\n'],
    ["an empty mapping", "spec:\n  a: {}\n", set("spec.a.c", "x"), 'spec:\n  a: {"c": "x"}\n'],
    ["nothing as parent", "spec:\n  a: # c\n  b: 1\n", set("spec.a.c", 7), "spec:\n  a: # c\n    c: 7\n  b: 1\n"],
    ["no line break at the end", "spec:\n  b: 1", set("spec.a", 7), "spec:\n  b: 1\n  a: 7\n"],
    [
      "a key with a dot and a slash",
      "spec:\n  b: 1\n",
      { path: ["spec", "t", "a.b/c"], value: "x" },
      "spec:\n  b: 1\n  t:\n    a.b/c: x\n",
    ],
    ["a quoted key", 'spec:\n  "a": 1\n', set("spec.a", 7), 'spec:\n  "a": 7\n'],
    ["a merged value", "x: &m {a: 1}\nspec:\n  <<: *m\n", set("spec.a", 7), "x: &m {a: 1}\nspec:\n  <<: *m\n  a: 7\n"],
    [
      "a list with block text before it",
      "spec:\n  k: |\n    x\n",
      set("spec.a", ["w"]),
      "spec:\n  k: |\n    x\n  a:\n  - w\n",
    ],
  ])("%s", (_what, before, edit, after) => {
    expect(edited(before, [edit])).toBe(after);
    expect(edited(after, [edit])).toBe(after);
    if (before.includes("\n")) expect(edited(crlf(before), [edit])).toBe(crlf(after));
    // In a file with other documents, these keep their bytes.
    const around = (text: string) =>
      `# head\nkind: A\n---\n${text.endsWith("\n") ? text : `${text}\n`}---\nkind: B # b\n`;
    expect(edited(around(before), [edit], 1)).toBe(around(after));
  });
});

test("a list that is replaced keeps its line break before a last line without one", () => {
  const before = "spec:\n  a:\n  - x\n  b: 1";
  expect(edited(before, [set("spec.a", ["w"])])).toBe("spec:\n  a:\n  - w\n  b: 1");
});

describe("a field that is removed", () => {
  test.each<[what: string, before: string, edit: FieldEdit, after: string]>([
    ["with its line", "spec:\n  # c\n  a: 1 # d\n  b: 2\n", unset("spec.a"), "spec:\n  # c\n  b: 2\n"],
    ["with its lines", "spec:\n  a:\n    c: 1\n    d: 2\n\n  b: 2\n", unset("spec.a"), "spec:\n\n  b: 2\n"],
    ["the last of the text", "spec:\n  b: 2\n  a: 1", unset("spec.a"), "spec:\n  b: 2\n"],
    ["the only one", "spec:\n  a:\n    b: 1 # c\nz: 1\n", unset("spec.a.b"), "spec:\n  a: {}\nz: 1\n"],
    ["the first in brackets", "spec: {a: 1, b: 2}\n", unset("spec.a"), "spec: {b: 2}\n"],
    ["the last in brackets", "spec: {a: 1, b: 2}\n", unset("spec.b"), "spec: {a: 1}\n"],
    ["the only one in brackets", "spec: {a: 1}\n", unset("spec.a"), "spec: {}\n"],
    ["JSON", '{"spec": {\n  "a": 1,\n  "b": 2\n}}', unset("spec.b"), '{"spec": {\n  "a": 1\n}}'],
    ["a null", "spec:\n  a:\n  b: 1\n", unset("spec.a"), "spec:\n  b: 1\n"],
    ["one that is missing", "spec:\n  b: 1\n", unset("spec.a.c"), "spec:\n  b: 1\n"],
    ["an alias", "x: &a 1\nspec:\n  a: *a\n  b: 1\n", unset("spec.a"), "x: &a 1\nspec:\n  b: 1\n"],
  ])("%s", (_what, before, edit, after) => {
    expect(edited(before, [edit])).toBe(after);
    expect(edited(after, [edit])).toBe(after);
    if (before.includes("\n")) expect(edited(crlf(before), [edit])).toBe(crlf(after));
  });
});

test.each<[what: string, text: string, edit: FieldEdit, why: string]>([
  ["below an alias", "x: &a {b: 1}\nspec:\n  a: *a\n", set("spec.a.b", 2), '"spec.a" is an alias.'],
  ["below an anchor", "spec:\n  a: &a {b: 1}\nx: *a\n", set("spec.a.b", 2), '"spec.a" has an anchor that aliases'],
  ["with an anchor", "spec:\n  a: &a 1\nx: *a\n", set("spec.a", 2), '"spec.a" has an anchor that aliases'],
  [
    "with an anchor inside",
    "spec:\n  a:\n    b: &a 1\nx: *a\n",
    set("spec.a", 2),
    '"spec.a" has an anchor that aliases',
  ],
  ["below a scalar", "spec:\n  a: 1\n", set("spec.a.b", 2), '"spec.a" is not a mapping.'],
  ["in a list", "spec:\n  a: [x]\n", set("spec.a.0", 2), '"spec.a" is not a mapping.'],
  ["that an alias uses", "spec:\n  a: &a 1\n  b: *a\n", unset("spec.a"), '"spec.a" has an anchor that aliases'],
  [
    "that comes from a merge",
    "x: &m {a: 1}\nspec:\n  <<: *m\n",
    unset("spec.a"),
    '"spec.a" cannot be changed in place.',
  ],
  ["with a question mark", "spec:\n  ? a\n  : 1\n  b: 1\n", unset("spec.a"), '"spec.a" cannot be removed in place.'],
  [
    "before text that would become a part of it",
    "spec:\n  k: |+\n    x\n  a: 1\n\n",
    unset("spec.a"),
    '"spec.a" cannot be changed in place.',
  ],
  ["over a merged mapping", "x: &m {a: {c: 1}}\nspec:\n  <<: *m\n", set("spec.a.b", 2), '"spec.a.b" cannot be changed'],
])("refuses a field %s", (_what, text, edit, why) => {
  let said: unknown;
  try {
    edited(text, [edit]);
  } catch (error) {
    said = (error as { finding?: unknown }).finding;
  }
  expect(said).toMatchObject({
    severity: "error",
    code: "field-not-editable",
    message: expect.stringContaining(why),
  });
  expect((said as { message: string }).message).toMatch(/Write it out as a plain value, then run the command again\.$/);
});

const scalars = fc.constantFrom<Value>("x", "012", "yes", "a: b", "it's", "", "two\nlines\n", 7, 0, -1.5, true, false);
const values = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("k", "a.b", "l/m"), scalars, { maxKeys: 2 }),
);
const paths = fc.constantFrom("spec.a", "spec.b", "spec.c.d", "spec.c.e", "spec.n.o.p", "spec.l", "metadata.m");
const texts = fc
  .record({
    a: fc.constantFrom("", "  a: 1 # one\n", "  'a': 'x'\n", "  a: |\n    long\n    text\n", "  a:\n", "  a: [x, y]\n"),
    c: fc.constantFrom("", "  c:\n    d: 1\n    # e\n    e: 2\n", "  c: {d: 1, e: [2]}\n", "  c: {}\n"),
    l: fc.constantFrom("", "  l:\n  - x # x\n  - k: 1\n", "  l:\n    - x\n\n"),
    end: fc.constantFrom("", "# end\n", "z: |\n  end\n"),
    isCrlf: fc.boolean(),
  })
  .map(({ a, c, l, end, isCrlf }) => {
    const text = `kind: C\nmetadata: # m\n  name: x\nspec:\n  # first\n  y: 1\n${a}${c}${l}${end}`;
    return isCrlf ? crlf(text) : text;
  });

/** Whether those of the lines that are in a text before are in it after. */
function isKept(before: string, after: string, lines: readonly string[]): boolean {
  const now = new Set(after.split(/\r?\n/));
  return lines.every((line) => !before.split(/\r?\n/).includes(line) || now.has(line));
}

describe("any field of any object", () => {
  it("has the value, keeps comments and other fields, and does not change a second time", () => {
    fc.assert(
      fc.property(texts, paths, values, (text, field, value) => {
        const edit = set(field, value);
        const before = itemOf(text).value();
        const after = edited(text, [edit]);
        expect(isSameValue(parse(after), withField(before, edit.path, value)), after).toBe(true);
        expect(edited(after, [edit])).toBe(after);
        expect(isKept(text, after, ["metadata: # m", "  # first", "  y: 1", "# end", "z: |", "  end"])).toBe(true);
        const mixed = text.includes("\r\n") ? /[^\r]\n/ : /\r/;
        expect(after).not.toMatch(mixed);
      }),
      { numRuns: runs(300) },
    );
  });

  it("is as before when it is set and removed, if it was missing in a mapping with other fields", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom("spec.new", "metadata.new"), values, (text, field, value) => {
        expect(edited(text, [set(field, value), unset(field)])).toBe(text);
      }),
      { numRuns: runs(200) },
    );
  });

  it("is gone when it is removed, and nothing else", () => {
    fc.assert(
      fc.property(texts, paths, (text, field) => {
        const { path } = unset(field);
        const after = edited(text, [unset(field)]);
        expect(isSameValue(parse(after), withoutField(itemOf(text).value(), path)), after).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("an entry that is removed from a list", () => {
  const without = (index: number, ...entries: readonly Value[]): FieldEdit => ({
    path: ["spec", "a"],
    value: entries.filter((_, at) => at !== index),
    merge: { keeps: true },
  });

  test.each<[what: string, before: string, edit: FieldEdit, after: string]>([
    ["the first", "spec:\n  a:\n  - x # c\n  # d\n  - w\n", without(0, "x", "w"), "spec:\n  a:\n  # d\n  - w\n"],
    ["the last", "spec:\n  a:\n    - x\n    - w # c\n  b: 1\n", without(1, "x", "w"), "spec:\n  a:\n    - x\n  b: 1\n"],
    [
      "one with block text",
      "spec:\n  a:\n  - k: |\n      1\n      2\n  - k: |\n      3\n",
      without(0, { k: "1\n2\n" }, { k: "3\n" }),
      "spec:\n  a:\n  - k: |\n      3\n",
    ],
    [
      "one below its dash",
      "spec:\n  a:\n  - x\n  - # c\n    # - d\n    k: 1\n  - w\n",
      without(1, "x", { k: 1 }, "w"),
      "spec:\n  a:\n  - x\n  - w\n",
    ],
    [
      "the first in brackets",
      "spec: {a: [x, {k: 1}, w]}\n",
      without(0, "x", { k: 1 }, "w"),
      "spec: {a: [{k: 1}, w]}\n",
    ],
    ["the last in brackets", "spec: {a: [x, {k: 1}]}\n", without(1, "x", { k: 1 }), "spec: {a: [x]}\n"],
    ["one of two that are equal", "spec:\n  a: [x, x]\n", without(1, "x", "x"), "spec:\n  a: [x]\n"],
    ["with CRLF", crlf("spec:\n  a:\n  - x\n  - w\n"), without(1, "x", "w"), crlf("spec:\n  a:\n  - x\n")],
  ])("is removed with its lines: %s", (_what, before, edit, after) => {
    expect(edited(before, [edit])).toBe(after);
  });

  test.each<[what: string, before: string, edit: FieldEdit, message: string]>([
    ["an anchor", "spec:\n  a:\n  - &x 1\n  - 2\n  b: *x\n", without(0, 1, 2), '"spec.a[0]" has an anchor'],
    ["an alias", "x: &x [1, 2]\nspec:\n  a: *x\n", without(0, 1, 2), '"spec.a" is an alias'],
    ["a merge", "x: &x {a: [1, 2]}\nspec:\n  <<: *x\n", without(0, 1, 2), '"spec" cannot be changed in place'],
  ])("is not removed because of %s", (_what, before, edit, message) => {
    expect(() => edited(before, [edit])).toThrow(message);
  });

  it("leaves the text as it was before the entry was added", () => {
    const text = fc.stringMatching(/^[a-z]{1,3}(\n[a-z]{1,3}){0,2}\n$/);
    const entries = fc.array(fc.record({ k: text }), { minLength: 1, maxLength: 4 });
    const indent = fc.constantFrom("", "  ");
    fc.assert(
      fc.property(entries, text, indent, fc.boolean(), (before, k, column, isWindows) => {
        const lines = before.map((one) => `  ${column}- k: |\n${one.k.replace(/^(?=.)/gm, `      ${column}`)}`);
        const plain = `# c\nspec:\n  a: # d\n${lines.join("")}  # e\n  b: 1\n`;
        const start = isWindows ? crlf(plain) : plain;
        const path = ["spec", "a"];
        const more = edited(start, [{ path, value: [...before, { k }], merge: { keeps: true } }]);
        expect(more).not.toBe(start);
        expect(edited(more, [{ path, value: before, merge: { keeps: true } }])).toBe(start);
      }),
      { numRuns: runs(100) },
    );
  });
});
