import { describe, expect, test } from "vitest";
import {
  applyEdits,
  blockAfter,
  columnOf,
  type Edit,
  insertLines,
  lineAfter,
  lineBreak,
  styleOf,
} from "../../../src/yaml/edit.ts";
import { documents, isProblem, parseSource, type Source } from "../../../src/yaml/source.ts";

function parsed(text: string): Source {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return source;
}

const put = (start: number, stop: number, text: string): Edit => ({ start, stop, text });
const line = (at: number, text: string): Edit => ({ ...put(at, at, text), ownLine: "\n" });

describe("applyEdits", () => {
  test.each<[string, string, Edit[], string]>([
    ["nothing", "abc", [], "abc"],
    ["a replacement", "abc", [put(1, 2, "x")], "axc"],
    ["edits in any order", "abc", [put(2, 3, "z"), put(0, 1, "x")], "xbz"],
    ["edits that touch", "abc", [put(1, 2, "y"), put(0, 1, "x"), put(2, 2, "-")], "xy-c"],
    ["an insertion before what is replaced at its offset", "abc", [put(1, 2, "x"), put(1, 1, "-")], "a-xc"],
    ["insertions at one offset, in the order given", "ab", [put(1, 1, "2"), put(1, 1, "1")], "a21b"],
    ["a line after a line", "a\n", [line(2, "b\n")], "a\nb\n"],
    ["a line after a carriage return", "a\r", [line(2, "b\n")], "a\rb\n"],
    ["a line after a text without line break", "a", [line(1, "b\n")], "a\nb\n"],
    ["a line in an empty text", "", [line(0, "b\n")], "b\n"],
    ["a line after a byte order mark", "\ufeff", [line(1, "b\n")], "\ufeffb\n"],
    ["a line after a later byte order mark", "a\n\ufeff", [line(3, "b\n")], "a\n\ufeffb\n"],
    ["a line after what was removed", "ab", [put(1, 2, ""), line(2, "c\n")], "a\nc\n"],
    ["lines, of which the first is ended already", "a", [line(1, "b\n"), line(1, "c\n")], "a\nb\nc\n"],
    ["lines, of which none is ended", "a", [line(1, "b"), line(1, "c")], "a\nb\nc"],
  ])("%s", (_what, text, edits, expected) => {
    expect(applyEdits(text, edits)).toBe(expected);
  });

  test("refuses edits that overlap", () => {
    expect(() => applyEdits("abc", [put(0, 2, "x"), put(1, 3, "y")])).toThrow(new RangeError("edits overlap"));
    expect(() => applyEdits("abc", [put(0, 2, "x"), put(1, 1, "y")])).toThrow(new RangeError("edits overlap"));
  });
});

describe("a line that is inserted", () => {
  const inserted = (text: string, offset: number, ...more: Edit[]) =>
    applyEdits(text, [insertLines(parsed(text), offset, "b: 1\n"), ...more]);

  test.each<[string, string, number, string]>([
    ["at the start", "a: 1\n", 0, "b: 1\na: 1\n"],
    ["at the end", "a: 1\n", 5, "a: 1\nb: 1\n"],
    ["at an end without a line break", "a: 1", 4, "a: 1\nb: 1\n"],
    ["at an end without a line break, where others have CRLF", "c: 1\r\na: 1", 10, "c: 1\r\na: 1\r\nb: 1\n"],
    // The text would get a line break if its line were only ended (YAML 1.2.2, section 8.1.1.2).
    ["after a text without a line break", "a: |\n  x", 8, "a: |-\n  x\nb: 1\n"],
    ["after a text that keeps line breaks, without one", "a: |+\n  x", 9, "a: |-\n  x\nb: 1\n"],
    ["after a text with a column, without a line break", "a: >1\n x", 8, "a: >1-\n x\nb: 1\n"],
    ["after a text that strips line breaks", "a: |-\n  x", 9, "a: |-\n  x\nb: 1\n"],
    ["after a text with a line break", "a: |\n  x\n", 9, "a: |\n  x\nb: 1\n"],
    ["before a text without a line break", "a: |\n  x", 0, "b: 1\na: |\n  x"],
  ])("%s", (_what, text, offset, expected) => expect(inserted(text, offset)).toBe(expected));

  test("after a text without a line break that is replaced or removed does not change that", () => {
    expect(inserted("a: |\n  x", 8, put(3, 8, "y"))).toBe("a: y\nb: 1\n");
    expect(inserted("c: 1\na: |\n  x", 13, put(5, 13, ""))).toBe("c: 1\nb: 1\n");
  });
});

describe("the style of an object", () => {
  test.each<[what: string, text: string, path: string, mapping: number, list: number]>([
    ["of the mapping on the path", "a:\n    b: 1\n", "a", 4, 0],
    ["of the nearest mapping on the path", "a:\n   b:\n     c: 1\n", "a.b", 2, 0],
    ["not of what is inside it", "spec:\n  a:\n      b: 1\n", "spec", 2, 0],
    ["of the first mapping beside the path", "spec:\n  z: 1\n  a:\n      b: 1\n  c:\n   d: 1\n", "spec.x", 4, 0],
    ["of a mapping beside the path at the top", "y: [1]\nz:\n   y: 1\n", "new", 3, 0],
    ["of lines, not of brackets", "y: {a: {b: 1}}\nz:\n   y: 1\n", "new", 3, 0],
    ["of a mapping, not of a list", "y:\n     - 1\nz:\n   y: 1\n", "new", 3, 5],
    ["of nothing, in brackets", "spec: {a: {b: 1}}\nz:\n   y: 1\n", "spec.x", 2, 0],
    ["of the last known, where the path goes on", "a:\n   b: 1\n", "a.x.y.z", 3, 0],
    ["of the first list in lines", "a: [x]\nb:\n  c:\n    - x\nd:\n- y\n", "a", 2, 2],
    ["of a list that is not indented", "a:\n- x\nb:\n  - y\n", "a", 2, 0],
    ["of a list in a list", "a:\n  - - x\n", "a", 2, 2],
    ["of what is not a mapping", "- x\n", "a", 2, 0],
  ])("is that %s", (_what, text, path, mapping, list) => {
    const source = parsed(text);
    const style = styleOf({ source, node: documents(source)[0] as number }, path.split("."));
    expect(style).toEqual({ mapping: " ".repeat(mapping), list: " ".repeat(list) });
  });
});

describe("blockAfter", () => {
  test.each([
    ["the end of the text", "", 0, ""],
    ["text", "a: b\n", 0, "a: b\n"],
    ["text further to the right", "  a: b\n", 0, "  a: b\n"],
    ["empty lines", "\n\n  \n \t\na\n", 0, "a\n"],
    ["empty lines that end with CRLF", "\r\n  \r\na\n", 0, "a\n"],
    ["lines that end with a carriage return", "\r  \r  # c\ra\r", 0, "a\r"],
    ["a comment further to the right", "   # c\na\n", 2, "a\n"],
    ["a comment in the same column", "  # c\na\n", 2, "  # c\na\n"],
    ["a comment further to the left", "\n # c\na\n", 2, " # c\na\n"],
    ["a comment after a tab, which is not indentation", " \t # c\na\n", 2, " \t # c\na\n"],
    ["nothing but what could be text", "   # c\n\n", 2, ""],
    ["a comment without line break", "   # c", 2, ""],
  ])("stops at %s", (_what, text, column, rest) => {
    expect(text.slice(blockAfter({ ...parsed(""), text }, 0, column))).toBe(rest);
    const behind = `x: 1\n${text}`;
    expect(behind.slice(blockAfter({ ...parsed(""), text: behind }, 5, column))).toBe(rest);
  });
});

describe("lineAfter", () => {
  test.each([
    ["a: b", ""],
    ["a: b\n", ""],
    ["a: b # c\nd: e\n", "d: e\n"],
    ["a: b\r\nd: e\r\n", "d: e\r\n"],
    ["a: b\rd: e\r", "d: e\r"],
    ["a: |\n  b\nd: e\n", "d: e\n"],
    ["a: 'b\n  c' # c\nd: e\n", "d: e\n"],
  ])("of the value in %j leaves %j", (text, rest) => {
    expect(text.slice(lineAfter(parsed(text), 3))).toBe(rest);
  });
});

test.each([
  ["a", 0, 0],
  ["  a", 2, 2],
  ["a\n b", 3, 1],
  ["a\r b", 3, 1],
  ["\ufeffa", 1, 0],
  ["\ufeffa", 0, 0],
  ["\ufeff  a", 3, 2],
  ["a\n\ufeff b", 4, 1],
])("in %j the offset %d has the column %d", (text, offset, column) => {
  expect(columnOf({ ...parsed(""), text }, offset)).toBe(column);
});

test.each([
  ["", "\n"],
  ["a", "\n"],
  ["a\nb\r\n", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["\r\n", "\r\n"],
  ["\na\r\n", "\n"],
  ["a\rb\r", "\n"],
])("the line break of %j is %j", (text, expected) => {
  expect(lineBreak({ ...parsed(""), text })).toBe(expected);
});
