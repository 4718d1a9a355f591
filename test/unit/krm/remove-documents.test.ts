import fc from "fast-check";
import { CORE_SCHEMA, loadAll, mergeTag } from "js-yaml";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { documentParts, documentText, removeDocuments } from "../../../src/yaml/documents.ts";
import { applyEdits } from "../../../src/yaml/edit.ts";
import { documents, isEmpty, isProblem, parseSource, type Source } from "../../../src/yaml/source.ts";
import "../../helpers/seed.ts";
import { runs } from "../../helpers/effort.ts";
import { multiDocument } from "./multi-document.ts";

const numRuns = runs(500);
const schema = CORE_SCHEMA.withTags(mergeTag);

function parsed(text: string): Source {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(`${source.reason}, line ${source.line}: ${JSON.stringify(text)}`);
  return source;
}

/** The values of the documents of a text that are not empty. */
function byJsYaml(text: string): unknown[] {
  return loadAll(text, { schema }).filter((value) => value !== null && value !== undefined);
}

function byYaml(text: string): unknown[] {
  const all = parseAllDocuments(text, { uniqueKeys: false, logLevel: "error" });
  if (!Array.isArray(all)) return [];
  for (const { errors } of all) if (errors[0] !== undefined) throw errors[0];
  return all.map((document) => document.toJS()).filter((value) => value !== null);
}

function without(text: string, isRemoved: (index: number) => boolean): string | undefined {
  const source = parsed(text);
  const edits = removeDocuments(source, new Set(documents(source).filter((_node, index) => isRemoved(index))));
  return edits === undefined ? undefined : applyEdits(text, edits);
}

function streamOf(text: string, isWanted: (index: number) => boolean): string {
  const source = parsed(text);
  return documentParts(source)
    .filter(({ node }) => !isEmpty(source, node))
    .filter((_part, index) => isWanted(index))
    .map((part) => documentText(source, part))
    .join("");
}

function wordsOf(text: string): string[] {
  return text.match(/w\d+w/g) ?? [];
}

test("every text with several documents is split into parts that make up the whole, one document in each", () => {
  fc.assert(
    fc.property(multiDocument, ({ text }) => {
      const source = parsed(text);
      const parts = documentParts(source);
      let at = 0;
      for (const { start, head, body, end, stop } of parts) {
        expect(start).toBe(at);
        expect([start, head, body, end, stop]).toEqual([start, head, body, end, stop].sort((a, b) => a - b));
        at = stop;
      }
      expect(text.slice(at)).toMatch(/^(?:\s|#.*|\.\.\.)*$/);
    }),
    { numRuns },
  );
});

test("without some documents, the others remain with their values, words and comments", () => {
  const seen = { removed: 0, all: 0 };
  fc.assert(
    fc.property(multiDocument, ({ text, removed, kept, gone, forAllReaders }) => {
      const left = without(text, (index) => removed[index] === true);
      const isKept = (_value: unknown, index: number) => removed[index] !== true;
      if (left === undefined) {
        expect(removed).not.toContain(false);
        seen.all += 1;
        return;
      }
      if (removed.includes(true)) seen.removed += 1;
      expect(byJsYaml(left)).toEqual(byJsYaml(text).filter(isKept));
      expect(wordsOf(left)).toEqual(kept);
      for (const word of gone) expect(left).not.toContain(word);
      if (forAllReaders) expect(byYaml(left)).toEqual(byYaml(text).filter(isKept));
      expect(without(left, () => false)).toBe(left);
    }),
    { numRuns },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(numRuns / 50);
});

test("a stream of some documents has their values, words and comments, and no directives", () => {
  fc.assert(
    fc.property(multiDocument, ({ text, removed, kept, forAllReaders }) => {
      const isWanted = (index: number) => removed[index] !== true;
      const stream = streamOf(text, isWanted);
      const wanted = byJsYaml(text).filter((_value, index) => isWanted(index));
      expect(byJsYaml(stream)).toEqual(wanted);
      if (forAllReaders) expect(byYaml(stream)).toEqual(byYaml(text).filter((_value, index) => isWanted(index)));
      // Splits as kubectl and kustomize do before they parse.
      const cut = stream.split(/^---\n/m).slice(1);
      expect(cut.map((text) => byJsYaml(text)[0])).toEqual(wanted);
      // Comments next to empty documents, and after the last end mark, belong to no document.
      expect(kept.join()).toContain(
        wordsOf(stream)
          .filter((word) => !kept.includes(word))
          .join(),
      );
      expect(streamOf(stream, () => true)).toBe(stream);
    }),
    { numRuns },
  );
});

describe("the remaining text", () => {
  test.each<[string, string, number[], string | undefined]>([
    ["between two lines of dots", "a: 1\n...\nb: 2\n...\nc: 3\n", [1], "a: 1\n...\nc: 3\n"],
    ["below empty lines", "\n\n---\na: 1\n---\nb: 2\n", [0], "---\nb: 2\n"],
    ["beside a key that begins with dashes", "a: 1\n---\n---b: 2\n", [0], "---\n---b: 2\n"],
    ["behind a line of dots", "a: 1\n...\nb: 2\n", [1], "a: 1\n...\n"],
    ["before a line of dots", "a: 1\n...\nb: 2\n", [0], "b: 2\n"],
    ["with carriage returns", "a: 1\r---\rb: 2\r---\rc: 3\r", [1], "a: 1\r---\rc: 3\r"],
    ["the first with carriage returns", "a: 1\r---\rb: 2\r", [0], "---\rb: 2\r"],
    ["between dashes and dots", "a: 1\n---\nb: 2\n...\nc: 3\n", [1], "a: 1\n...\nc: 3\n"],
    ["between dashes and dots, before dashes", "a: 1\n---\nb: 2\n...\n---\nc: 3\n", [1], "a: 1\n---\nc: 3\n"],
    [
      "before directives",
      "a: 1\n---\nb: 2\n... # c\n%TAG !e! tag:x\n---\nc: !e!y 3\n",
      [1],
      "a: 1\n... # c\n%TAG !e! tag:x\n---\nc: !e!y 3\n",
    ],
    ["with its directives", "a: 1\n...\n%YAML 1.2\n---\nb: 2\n", [1], "a: 1\n...\n"],
    ["the first with its directives", "%YAML 1.2\n---\na: 1\n---\nb: 2\n", [0], "---\nb: 2\n"],
    ["below a license", "# license\n---\na: 1\n---\nb: 2\n", [0], "# license\n---\nb: 2\n"],
    ["with comments of its own", "# mine\na: 1\n# mine\n---\nb: 2\n", [0], "---\nb: 2\n"],
    ["of nothing", "a: 1\n---\nb: 2\n---\n# c\n", [0, 1], undefined],
    ["behind a byte order mark", "\ufeffa: 1\n---\nb: 2\n", [0], "\ufeff---\nb: 2\n"],
    ["of two byte order marks", "\ufeffa: 1\n...\n\ufeffb: 2\n", [0], "\ufeffb: 2\n"],
    ["at a later byte order mark", "a: 1\n\ufeff# c\n%YAML 1.2\n---\nb: 2\n", [1], "a: 1\n"],
    [
      "before a comment in the column of a text",
      "a: |\n  x\n---\nb: 2\n...\n   # c\n",
      [1],
      "a: |\n  x\n...\n   # c\n",
    ],
    ["in every place", "a: 1\n---\nb: 2\n---\nc: 3\n---\nd: 4\n", [0, 2, 3], "---\nb: 2\n"],
    ["beside dashes inside a text", "a: |\n  x\n  ---\n  y\n---\nb: 2\n", [1], "a: |\n  x\n  ---\n  y\n"],
  ])("%s", (_what, text, removed, left) => {
    expect(without(text, (index) => removed.includes(index))).toBe(left);
  });
});

describe("in a stream", () => {
  test.each([
    ["a document keeps its comments", "# a\na: 1 # b\n# c\n\n", "---\n# a\na: 1 # b\n# c\n"],
    ["a license is the first document's", "# license\n---\n# a\na: 1\n", "---\n# license\n# a\na: 1\n"],
    ["text next to the marker gets its own line", "--- {a: 1,\n b: 2}\n", "---\n{a: 1,\n b: 2}\n"],
    ["a comment beside the mark has its own line", "--- # c\na: 1\n", "---\n# c\na: 1\n"],
    ["empty lines around it go", "---\n\n\n  a: 1\n\n\n---\n# c\n", "---\n  a: 1\n"],
    ["the columns of a document stay", "  a: 1\n  b: 2\n", "---\n  a: 1\n  b: 2\n"],
    ["the columns behind a comment stay", "# c\n  a: 1\n  b: 2\n", "---\n# c\n  a: 1\n  b: 2\n"],
    ["a key that begins with dashes is none", "---a: 1\n---\n---b: 2\n", "---\n---a: 1\n---\n---b: 2\n"],
    ["empty lines after a text stay", "a: |\n  x\n\n\n---\nb: 1\n", "---\na: |\n  x\n\n\n---\nb: 1\n"],
    ["empty lines of carriage returns around it go", "---\r\r\r  a: 1\r", "---\n  a: 1\r"],
    ["empty lines that are a value's stay", "a: |+\n  x\n\n", "---\na: |+\n  x\n\n"],
    ["a byte order mark goes", "\ufeffa: 1\n", "---\na: 1\n"],
    ["line breaks stay as they are", "a: 1\r\nb: 2\r\n", "---\na: 1\r\nb: 2\r\n"],
    ["a missing line break comes", "a: 1\n---\nb: 2", "---\na: 1\n---\nb: 2\n"],
    ["a text without line break does not get one", "a: 1\n---\nb: |\n  x", "---\na: 1\n---\nb: |-\n  x\n"],
    [
      "tags are written in full where a directive is needed",
      "%TAG !e! tag:x,2000:\n%TAG !! !y-\n%YAML 1.2\n# c\n---\na: [!e!b 1, !!c 2, !d 3, ! 4, !<e> 5, &f !e!g {}]\n",
      "---\n# c\na: [!<tag:x,2000:b> 1, !<!y-c> 2, !d 3, ! 4, !<e> 5, &f !<tag:x,2000:g> {}]\n",
    ],
    [
      "a primary handle is written in full",
      "%TAG ! tag:x,2000:\n---\na: [!!b 1, !d 3, ! 4]\n",
      "---\na: [!!b 1, !<tag:x,2000:d> 3, ! 4]\n",
    ],
  ])("%s", (_what, text, stream) => {
    expect(streamOf(text, () => true)).toBe(stream);
  });
});
