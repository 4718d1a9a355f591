import { describe, expect, test } from "vitest";
import { applyEdits, insertLines } from "../../../src/yaml/edit.ts";
import { isProblem, parseSource } from "../../../src/yaml/source.ts";

/** A text with a line added at its end. */
function withLine(text: string): string {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return applyEdits(text, [insertLines(source, text.length, "b: c\n"), insertLines(source, text.length, "d: e\n")]);
}

describe("a line after a block scalar at the end of a text", () => {
  test.each<[what: string, before: string, after: string]>([
    ["clipped", "a: |\n  x", "a: |-\n  x\n"],
    ["with carriage returns", "a: |\r  x", "a: |-\r  x\n"],
    ["folded", "a: > # c\n  x\n  y", "a: >- # c\n  x\n  y\n"],
    ["kept", "a: |+\n  x", "a: |-\n  x\n"],
    ["stripped", "a: |-\n  x", "a: |-\n  x\n"],
    ["with its indentation", "a: |2\n   x", "a: |2-\n   x\n"],
    ["with a tag and an anchor", "a: !!str &x |\n  x", "a: !!str &x |-\n  x\n"],
    ["clipped, with white space behind it", "a: |\n  x\n ", "a: |\n  x\n \n"],
    ["kept, with white space behind it", "a: |+\n  x\n\n ", "a: |+\n  x\n\n"],
    ["kept, with white space that is content", "a: |+\n  x\n    ", "a: |-\n  x\n    \n"],
    ["without a line", "a: |+", "a: |+\n"],
    ["of white space alone", "a: |+\n   ", "a: |+\n"],
    ["of empty lines and white space", "a: |+\n\n\n   ", "a: |+\n\n\n"],
    ["that is quoted", 'a: "|"', 'a: "|"\n'],
    ["that ends with a line break", "a: |\n  x\n", "a: |\n  x\n"],
    ["that is none", "a: x", "a: x\n"],
  ])("%s: its value does not change", (_what, before, after) => {
    expect(withLine(before)).toBe(`${after}b: c\nd: e\n`);
  });

  test("does not matter if the scalar is replaced", () => {
    const source = parseSource("a: |\n  x");
    if (isProblem(source)) throw new Error(source.reason);
    const line = insertLines(source, source.text.length, "b: c\n");
    expect(applyEdits(source.text, [{ start: 3, stop: 8, text: "y" }, line])).toBe("a: y\nb: c\n");
  });
});
