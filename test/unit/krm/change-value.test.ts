import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { FindingError } from "../../../src/core/finding.ts";
import type { Value } from "../../../src/core/resource.ts";
import { readItem } from "../../../src/krm/item.ts";
import { extendList, removePairs, unsetValue } from "../../../src/yaml/change-value.ts";
import { applyEdits } from "../../../src/yaml/edit.ts";
import { setField } from "../../../src/yaml/set-field.ts";
import { documents, isProblem, parseSource } from "../../../src/yaml/source.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

function itemOf(text: string) {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  const item = readItem(source, documents(source)[0] as number);
  return { source, node: item.node, resource: item };
}

/** The text after a list at a path became another one. */
function extended(text: string, path: string, after: readonly Value[], before?: readonly Value[]): string {
  const keys = path.split(".");
  const list = keys.reduce((value, key) => (value as Record<string, Value>)[key] as Value, load(text) as Value);
  return applyEdits(text, extendList(itemOf(text), keys, before ?? (list as Value[]), after));
}

/** The finding that a function throws. */
function findingOf(edit: () => unknown): unknown {
  try {
    edit();
  } catch (error) {
    if (error instanceof FindingError) return error.finding;
    throw error;
  }
  return undefined;
}

/** The text without some pairs of `data`, and with others. */
function changed(text: string, names: readonly string[], added: Readonly<Record<string, string>> = {}): string {
  const { resource: item } = itemOf(text);
  const edits = Object.keys(added).length === 0 ? [] : setField(item, { resource: item, path: ["data"], value: added });
  return applyEdits(text, [...edits, ...removePairs(item, item, "data", names)]);
}

describe("removing pairs", () => {
  it.each<[what: string, before: string, after: string]>([
    ["a plain value and its comment", "data:\n  a: 1\n  b: 2 # c\n  x: 3\n", "data:\n  a: 1\n  x: 3\n"],
    ["the first", "data:\n  b: 2\n  a: 1\n", "data:\n  a: 1\n"],
    ["the last, at the end of the text", "data:\n  a: 1\n  b: 2", "data:\n  a: 1\n"],
    ["one before another field", "data:\n  a: 1\n  'b': 2\nkind: X\n", "data:\n  a: 1\nkind: X\n"],
    ["a text of several lines", "data:\n  b: |\n    x\n\n    y\n  a: 1\n", "data:\n  a: 1\n"],
    ["one with other line breaks", "data:\r\n  a: 1\r\n  b: 2\r\n  x: 3\r\n", "data:\r\n  a: 1\r\n  x: 3\r\n"],
    ["no pair of that name", "data:\n  a: 1\n", "data:\n  a: 1\n"],
    ["none without the mapping", "kind: X\n", "kind: X\n"],
    ["one but not the comment above it", "data:\n  # c\n  b: 2\n  a: 1\n", "data:\n  # c\n  a: 1\n"],
  ])("removes %s", (_, before, after) => {
    expect(changed(before, ["b"])).toBe(after);
  });

  it.each([
    ["in brackets", "data: {a: 1, b: 2}\n"],
    ["after a question mark", "data:\n  ? b\n  : 2\n  a: 1\n"],
    ["with an anchor that an alias uses", "data:\n  a: 1\n  b: &b 2\nx: *b\n"],
    ["in a mapping with such an anchor", "data: &d\n  a: 1\n  b: 2\nx: *d\n"],
    ["in an alias", "x: &d\n  a: 1\n  b: 2\ndata: *d\n"],
  ])("refuses a pair %s", (_, text) => {
    expect(findingOf(() => changed(text, ["b"]))).toMatchObject({
      severity: "error",
      code: "field-not-editable",
      field: "data.b",
      message: '"data.b" cannot be removed in place. Remove it by hand, then run the command again.',
    });
  });

  const value = fc.constantFrom("1", "'one'", '"two" # c', "|\n    x\n    y", ">-\n    x", "# c\n    one", "");
  const pairs = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), value, fc.boolean()), {
    minLength: 1,
    selector: ([name]) => name,
  });
  it("leaves every other pair as it is, also with new ones", () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom("", "kind: X\n"), (all, rest) => {
        const lines = all.map(([name, text]) => `  ${name}: ${text}\n`);
        const gone = all.filter(([, , isGone]) => isGone).map(([name]) => name);
        const after = changed(`data:\n${lines.join("")}${rest}`, gone, { "new-one": "text" });
        const kept = lines.filter((_, index) => all[index]?.[2] !== true).join("");
        expect(after).toBe(`data:\n${kept}  new-one: text\n${rest}`);
        expect(load(after)).toEqual(load(`data:\n${kept}  new-one: text\n${rest}`));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("extending a list", () => {
  const list = "spec:\n  l:\n  # one\n  - name: a # the name\n    v: 1\n    w: 2 # kept\n  - name: b\n  z: 1\n";

  it.each<[what: string, before: string, after: readonly Value[], expected: string]>([
    ["changes the last text", "spec:\n  l:\n  - a: 1", [{ a: 2 }], "spec:\n  l:\n  - a: 2"],
    ["changes nothing that is the same", list, [{ name: "a", v: 1, w: 2 }, { name: "b" }], list],
    ["changes one value of one entry", list, [{ name: "a", v: 3, w: 2 }, { name: "b" }], list.replace("v: 1", "v: 3")],
    ["removes one field of one entry", list, [{ name: "a", w: 2 }, { name: "b" }], list.replace("    v: 1\n", "")],
    [
      "adds a field to an entry",
      list,
      [
        { name: "a", v: 1, w: 2 },
        { name: "b", x: "k" },
      ],
      list.replace("- name: b\n", "- name: b\n    x: k\n"),
    ],
    [
      "adds an entry at the end, in the style of the list",
      list,
      [{ name: "a", v: 1, w: 2 }, { name: "b" }, { name: "c", v: 1 }],
      list.replace("- name: b\n", "- name: b\n  - name: c\n    v: 1\n"),
    ],
    [
      "removes, changes and adds at once",
      list,
      [{ name: "d", w: 2 }, { name: "b", x: 1 }, { name: "c" }],
      list
        .replace("name: a #", "name: d #")
        .replace("    v: 1\n", "")
        .replace("- name: b\n", "- name: b\n    x: 1\n  - name: c\n"),
    ],
    [
      "leaves entries that are not mappings",
      "spec:\n  l:\n    - x # x\n    - 5\n",
      ["x", 5, "k"],
      "spec:\n  l:\n    - x # x\n    - 5\n    - k\n",
    ],
    [
      "in brackets",
      "spec:\n  l: [{name: a, v: 1}] # c\n",
      [{ name: "a", v: 2 }, { name: "b" }],
      'spec:\n  l: [{name: a, v: 2}, {"name": "b"}] # c\n',
    ],
    [
      "without a line break at the end",
      "spec:\n  l:\n  - a: 1",
      [{ a: 1 }, { a: 2 }],
      "spec:\n  l:\n  - a: 1\n  - a: 2\n",
    ],
  ])("%s", (_what, before, after, expected) => {
    expect(extended(before, "spec.l", after)).toBe(expected);
    expect(extended(before.replaceAll("\n", "\r\n"), "spec.l", after)).toBe(expected.replaceAll("\n", "\r\n"));
  });

  it("does not replace an entry by what is not a mapping", () => {
    expect(extended("l:\n- a: 1\n- x\n", "l", ["y", "z"])).toBe("l:\n- a: 1\n- x\n");
  });

  it.each<[what: string, text: string, after: readonly Value[], field: string, why: string]>([
    ["in an alias", "x: &l\n- a: 1\nl: *l\n", [{ a: 2 }], "l", '"l" is an alias.'],
    ["with an anchor", "l: &l\n- a: 1\nx: *l\n", [{ a: 2 }], "l", '"l" has an anchor that aliases may refer to.'],
    ["whose entry is an alias", "x: &l\n  a: 1\nl:\n- *l\n", [{ a: 2 }], "l[0]", '"l[0]" is an alias.'],
    ["whose entry has an anchor", "l:\n- &l\n  a: 1\nx: *l\n", [{ a: 2 }], "l[0]", '"l[0]" has an anchor'],
    ["whose field has an anchor", "l:\n- a: &a 1\nx: *a\n", [{ b: 2 }], "l[0].a", '"l[0].a" has an anchor'],
    ["that is none", "l: 5\n", [{ a: 2 }], "l", '"l" is not a list.'],
    [
      "that a merge contains",
      "x: &m {l: [{a: 1}]}\n<<: *m\n",
      [{ a: 2 }],
      "",
      "the object cannot be changed in place.",
    ],
  ])("is refused for one %s", (_what, text, after, field, why) => {
    const found = findingOf(() => extended(text, "l", after, [{ a: 1 }]));
    expect(found).toMatchObject({ severity: "error", code: "field-not-editable", field });
    expect((found as { message: string }).message).toContain(why);
  });

  it("is refused below what is not a mapping", () => {
    const found = findingOf(() => extended("a:\n  b: 5\n", "a.b.l", [{ a: 2 }], []));
    expect(found).toMatchObject({ field: "a.b", message: expect.stringContaining('"a.b" is not a mapping.') });
    const missing = findingOf(() => extended("a:\n  b: {}\n", "a.b.l", [{ a: 2 }], []));
    expect(missing).toMatchObject({
      field: "a.b",
      message: expect.stringContaining('"a.b" cannot be changed in place.'),
    });
  });
});

describe("removing a field", () => {
  const removed = (text: string, path: string) => applyEdits(text, unsetValue(itemOf(text), path.split(".")));

  it.each<[what: string, before: string, path: string, after: string]>([
    ["in the middle of brackets", "a: {b: 1, c: 2, d: 3}\n", "a.c", "a: {b: 1, d: 3}\n"],
    ["text with empty lines after it", "a:\n  b: |\n    x\n\n\n  c: 1\n", "a.b", "a:\n\n\n  c: 1\n"],
    ["text without a line break at its end", "a:\n  c: 1\n  b: |\n    x", "a.b", "a:\n  c: 1\n"],
    ["that is at the top", "a: 1\nb: 2\n", "b", "a: 1\n"],
    ["after a byte order mark", "\ufeffa: 1\nb: 2\n", "a", "b: 2\n"],
    ["below one that is missing", "a: {b: 1}\n", "c.d.e", "a: {b: 1}\n"],
  ])("%s", (_what, before, path, after) => expect(removed(before, path)).toBe(after));
});
