import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { FindingError } from "../../../src/core/finding.ts";
import { readItem } from "../../../src/krm/item.ts";
import { removePairs } from "../../../src/yaml/change-value.ts";
import { applyEdits } from "../../../src/yaml/edit.ts";
import { setField } from "../../../src/yaml/set-field.ts";
import { documents, isProblem, parseSource } from "../../../src/yaml/source.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";

/** The text without some pairs of `data`, and with others. */
function changed(text: string, names: readonly string[], added: Readonly<Record<string, string>> = {}): string {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  const item = readItem(source, documents(source)[0] as number);
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
    const remove = () => changed(text, ["b"]);
    expect(remove).toThrow(FindingError);
    expect(remove).toThrow('"data.b" cannot be removed in place. Remove it by hand, then run the command again.');
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
