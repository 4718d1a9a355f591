import fc from "fast-check";
import { EVENT_ID, type Event, getScalarValue, YAMLException } from "js-yaml";
import { describe, expect, test } from "vitest";
import * as KIND from "../../../src/yaml/kind.ts";
import { ENCODED } from "../../../src/yaml/nodes.ts";
import {
  describeProblem,
  documents,
  isEmpty,
  isProblem,
  parseSource,
  type Source,
  scalarText,
  startOf,
  syntaxProblem,
} from "../../../src/yaml/source.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceLists } from "./documents.ts";
import { hostile } from "./fakes.ts";

function parsed(text: string): Source {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return source;
}

/** The text of each node, in the order of the events; for an empty node, `@` and all text before its end. */
function texts(text: string): string[] {
  const source = parsed(text);
  return [...source.kinds.slice(0, source.length).entries()]
    .filter(([, kind]) => kind !== KIND.document && kind !== KIND.end)
    .map(([node]) => {
      const start = startOf(source, node);
      return start < 0 ? `@${text.slice(0, source.stop[node])}` : text.slice(start, source.stop[node]);
    });
}

describe("the text of a node", () => {
  test.each<[string, string[]]>([
    ["a: b\n", ["a: b", "a", "b"]],
    ["a: # c\n", ["a:", "a", "@a:"]],
    ["a:", ["a:", "a", "@a:"]],
    ["- a\n-\n- - b\n  -\n", ["- a\n-\n- - b\n  -", "a", "@- a\n-", "- b\n  -", "b", "@- a\n-\n- - b\n  -"]],
    ["-", ["-", "@-"]],
    ["a:\n  b: # c\n  # d\ne: f\n", ["a:\n  b: # c\n  # d\ne: f", "a", "b:", "b", "@a:\n  b:", "e", "f"]],
    ["a:\n- b\n\n# c\nd : e  \n", ["a:\n- b\n\n# c\nd : e", "a", "- b", "b", "d", "e"]],
    ["- a: |\n    b\n\n- 'c''d'\n", ["- a: |\n    b\n\n- 'c''d'", "a: |\n    b\n\n", "a", "|\n    b\n\n", "'c''d'"]],
    ["a: b\n?\n: c\n", ["a: b\n?\n: c", "a", "b", "@a: b\n?", "c"]],
    ["[: a, b]", ["[: a, b]", ": a", "@[", "a", "b"]],
    ["? a\n: b\n", ["? a\n: b", "a", "b"]],
    ["? a\n:x: 1\n", ["? a\n:x: 1", "a", "@? a", ":x", "1"]],
    ["?\n: b\n", ["?\n: b", "@?", "b"]],
    ["? \n", ["?", "@?", "@?"]],
    ["'a': \"b\" # c\n", ["'a': \"b\"", "'a'", '"b"']],
    ["a: |\n  b\n\nc: d\n", ["a: |\n  b\n\nc: d", "a", "|\n  b\n\n", "c", "d"]],
    ["a: >- # c\n  b\n", ["a: >- # c\n  b\n", "a", ">- # c\n  b\n"]],
    ["a|b: |\n  c\n", ["a|b: |\n  c\n", "a|b", "|\n  c\n"]],
    ["a: | \n  b\n", ["a: | \n  b\n", "a", "| \n  b\n"]],
    ["a: |2-\n   b\n", ["a: |2-\n   b\n", "a", "|2-\n   b\n"]],
    ["&x a: &y b\nc: *y\n", ["&x a: &y b\nc: *y", "&x a", "&y b", "c", "*y"]],
    [
      "a: &x !!str b\nc: !!str &y d\ne: &z\nf: !!null\n",
      [
        "a: &x !!str b\nc: !!str &y d\ne: &z\nf: !!null",
        "a",
        "&x !!str b",
        "c",
        "!!str &y d",
        "e",
        "&z",
        "f",
        "!!null",
      ],
    ],
    ["&x\na: b\n", ["&x\na: b", "a", "b"]],
    ["[a, 'b', [c], {d: e}]\n", ["[a, 'b', [c], {d: e}]", "a", "'b'", "[c]", "c", "{d: e}", "d", "e"]],
    ["[ ]", ["[ ]"]],
    ["{}", ["{}"]],
    ["{a, b: , c: d, e:}\n", ["{a, b: , c: d, e:}", "a", "@{a", "b", "@{a, b:", "c", "d", "e", "@{a, b: , c: d, e:"]],
    ["{\"a\":, 'b':c}", ["{\"a\":, 'b':c}", '"a"', '@{"a":', "'b'", "c"]],
    ["{a: b # }\n }\n", ["{a: b # }\n }", "a", "b"]],
    ["[{a: b}: c, d]", ["[{a: b}: c, d]", "{a: b}: c", "{a: b}", "a", "b", "c", "d"]],
    ["[[a]: b, c]", ["[[a]: b, c]", "[a]: b", "[a]", "a", "b", "c"]],
    ["[a: b, c]", ["[a: b, c]", "a: b", "a", "b", "c"]],
    ["{: a}", ["{: a}", "@{", "a"]],
    ["{a: b}: c\n", ["{a: b}: c", "{a: b}", "a", "b", "c"]],
    ["[a]: b\n", ["[a]: b", "[a]", "a", "b"]],
    ["- [a]: b\n", ["- [a]: b", "[a]: b", "[a]", "a", "b"]],
    ["[[[]]]", ["[[[]]]", "[[]]", "[]"]],
    ["[&x [a], !!seq [b]]", ["[&x [a], !!seq [b]]", "&x [a]", "a", "!!seq [b]", "b"]],
    ["--- a\n--- [b]\n...\n", ["a", "[b]", "b"]],
    ["[a, b,\n# ]\n]", ["[a, b,\n# ]\n]", "a", "b"]],
  ])("of %j: %j", (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});

test.each<[string, string[]]>([
  ["", []],
  ["# a\n", []],
  ["---\n---\n", []],
  ["a", ["a"]],
  ["--- ~\n--- [b]\n--- # c\n--- d\n", ["[b]", "d"]],
  ["--- !!str\n", ["!!str"]],
])("the documents of %j that are not empty are %j", (text, expected) => {
  const source = parsed(text);
  expect(documents(source).map((node) => text.slice(startOf(source, node), source.stop[node]))).toEqual(expected);
});

test.each([
  ["a:\n", true],
  ["a: ~\n", true],
  ["a: null\n", true],
  ["a: Null\n", true],
  ["a: NULL\n", true],
  ["a: nULL\n", false],
  ["a: nulls\n", false],
  ["a: ''\n", false],
  ["a: 'null'\n", false],
  ["a: |\n", false],
  ["a: !!str\n", false],
  ["a: &x\n", true],
  ["a: []\n", false],
])("the value of %j is empty: %s", (text, expected) => {
  expect(isEmpty(parsed(text), 3)).toBe(expected);
});

test("a tag or an anchor at the very start is not empty", () => {
  expect(isEmpty(parsed("!!str"), 1)).toBe(false);
  expect([startOf(parsed("&a"), 1), startOf(parsed("!!str"), 1), startOf(parsed("---"), 1)]).toEqual([0, 0, -1]);
});

test("a plain scalar of two lines at the very start is folded", () => {
  expect(scalarText(parsed("a\nb\n"), 1)).toBe("a b");
});

describe("a text that is not YAML", () => {
  test("has a reason and a line", () => {
    expect(parseSource("a: b\n\tc: d\n")).toEqual({ reason: expect.stringContaining("tab"), line: 2 });
    expect(parseSource("[".repeat(99) + "]".repeat(99))).toHaveProperty("text");
    expect(parseSource("[".repeat(100) + "]".repeat(100))).toEqual({
      reason: "nesting exceeded maxDepth (100)",
      line: 1,
    });
  });

  test.each([
    ["a: !x!secret b\n", "undeclared tag handle", 1],
    ["a: 1\nb: !<sec`ret> b\n", "tag name cannot contain such characters", 2],
    ["%TAG !s! tag:secret\n%TAG !s! tag:secret\n---\na\n", "there is a previously declared suffix for tag handle", 3],
  ])("has a reason without any of the text: %j", (text, reason, line) => {
    expect(parseSource(text)).toEqual({ reason, line });
  });

  test.each([
    ["a problem: of a secret", "a problem"],
    ['a name "of a secret" is wrong', "a name is wrong"],
    ['"of a secret" is no name', " is no name"],
    ["a tag !<of a secret> is wrong", "a tag is wrong"],
  ])("has a reason without any of the text, whatever the parser reports: %j", (said, reason) => {
    expect(syntaxProblem(new YAMLException(said))).toEqual({ reason, line: undefined });
  });

  test.each<[Parameters<typeof describeProblem>[0], string]>([
    [{ reason: "it ends", line: undefined }, "it ends"],
    [{ reason: "it ends", line: 3 }, "it ends, line 3"],
    [{ reason: "it ends", line: undefined, cure: "Write it" }, "it ends. Write it"],
    [{ reason: "it ends", line: 3, cure: "Write it" }, "it ends, line 3. Write it"],
  ])("%j is described", (problem, text) => expect(describeProblem(problem)).toBe(text));

  test("is distinguished from a bug", () => {
    expect(syntaxProblem(new YAMLException("why"))).toEqual({ reason: "why", line: undefined });
    expect(syntaxProblem(new RangeError("stack"))).toEqual({ reason: "nesting is too deep", line: undefined });
    const bug = new TypeError("a bug");
    expect(() => syntaxProblem(bug)).toThrow(bug);
  });
});

/** What the events of the parser say about the rows, without the text. */
function told(events: readonly Event[]) {
  const open: number[] = [];
  const rows = events.map((event) => ({ start: startIn(event), next: 0, isEnd: event.type === EVENT_ID.POP }));
  for (const [row, { type }] of events.entries()) {
    const isLeaf = type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS;
    if (!isLeaf && type !== EVENT_ID.POP) open.push(row);
    else Object.assign(rows[isLeaf ? row : (open.pop() as number)] as object, { next: row + 1 });
  }
  return rows;
}

function startIn(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return "start" in event ? event.start : -1;
}

describe("the table of nodes", () => {
  function follows(source: Source): void {
    const { text, kinds, starts, next } = source;
    const events = source.events();
    const rows = events.map((_event, row) => ({
      start: starts[row],
      next: next[row],
      isEnd: kinds[row] === KIND.end,
    }));
    expect(rows).toEqual(told(events));
    const values = events.map((event) => (event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : undefined));
    expect(values.map((_value, row) => scalarText(source, row))).toEqual(values);
    const encoded = events.flatMap((event, row) =>
      event.type === EVENT_ID.SCALAR && !event.fast && event.valueStart >= 0 ? [row] : [],
    );
    expect([...source.encoded.keys()]).toEqual(encoded);
    expect(events.flatMap((_event, row) => ((kinds[row] as number) > ENCODED ? [row] : []))).toEqual(encoded);
  }

  test.each(hostile)("follows the events: testdata/hostile/%s", (_name, text) => follows(parsed(text)));

  test("follows the events of a random ResourceList", () => {
    const readable = resourceLists.filter((text) => !isProblem(parseSource(text)));
    fc.assert(fc.property(readable.map(parsed), follows), { numRuns: runs(1000) });
  });

  test("comes with the events, which are parsed once", () => {
    const source = parsed("a: &x b\n");
    expect(source.events()).toHaveLength(source.length);
    expect(source.events()).toBe(source.events());
  });

  test("is in one buffer of its exact size", () => {
    const { length, kinds, starts, ends, next, stop } = parsed("metadata: {name: a,\n  labels: {x: y}}\n");
    const columns = [kinds, starts, ends, next, stop];
    expect(columns.map((column) => column.length)).toEqual(columns.map(() => length));
    expect(new Set(columns.map(({ buffer }) => buffer)).size).toBe(1);
    expect(kinds.buffer.byteLength).toBe(length * (4 * 4 + 1));
  });
});
