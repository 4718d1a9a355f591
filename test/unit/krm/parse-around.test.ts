import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { namesWhatIsRead } from "../../../src/krm/resource-list.ts";
import { parseDocuments } from "../../../src/yaml/documents.ts";
import { isProblem, parseSource, type Source, type SyntaxProblem } from "../../../src/yaml/source.ts";
import { construct } from "../../../src/yaml/values.ts";
import "../../helpers/seed.ts";
import { emitter, noop, runText } from "./fakes.ts";

function unreadOf(source: Source | SyntaxProblem): unknown {
  if (isProblem(source)) return source;
  return [...source.unread].map(([node, { line }]) => [
    source.text.slice(source.starts[node], source.stop[node]),
    line,
  ]);
}

const deficient = expect.stringContaining("deficient indentation");

describe("in a text with more than one document", () => {
  test.each<[string, string, unknown]>([
    ["everything readable is kept", "a: 1\n---\nb: 2\n", []],
    ["one is skipped", "a: 1\n---\nb: [\n]\n---\nc: 3\n", [["b: [\n]", 4]]],
    ["the first", "# c\nb: [\n]\n---\nc: 3\n", [["b: [\n]", 3]]],
    ["the last, behind a line of dots", "a: 1\n... # c\n# c\nb: [\n]", [["b: [\n]", 5]]],
    [
      "several",
      "b: [\n]\n---\nc: 3\n--- # c\nd: {\n}\n\n",
      [
        ["b: [\n]", 2],
        ["d: {\n}", 7],
      ],
    ],
    ["with its directive", "a: 1\n...\n%YAML 1.2\n---\nb: [\n]\n", [["b: [\n]", 6]]],
    ["with its directive below a comment", "a: 1\n...\n# c\n%YAML 1.2\n---\nb: [\n]\n", [["b: [\n]", 7]]],
    ["with its directive below an empty line", "a: 1\n...\n \n%YAML 1.2\n---\nb: [\n]\n", [["b: [\n]", 7]]],
    ["behind carriage returns", "a: 1\r---\rb: [\r]\r---\rc: 3\r", [["b: [\r]", 4]]],
    [
      "with dashes that are none of its own",
      "a: 1\n---\nb: 'x\n ---\n '\nc: [\n]\n",
      [["b: 'x\n ---\n '\nc: [\n]", 7]],
    ],
    ["beside one with a directive", "%TAG !e! tag:x\n---\na: !e!b 1\n---\nb: [\n]\n", [["b: [\n]", 6]]],
    ["of two characters", "a: 1\n---\n[[\n---\nb: 2\n", [["[[", 4]]],
    ["a text of one is refused", "b: [\n]\n", { reason: "deficient indentation", line: 2 }],
    [
      "a text of one beside what is empty is refused",
      "---\n---\nb: [\n]\n",
      { reason: "deficient indentation", line: 4 },
    ],
    ["a wrong directive is refused", "a: 1\n...\n%YAML x\n---\nb: 2\n", { reason: expect.any(String), line: 4 }],
    ["what has no end is refused", "a: 1\n---\n}\n---\nb: 2\n", { reason: expect.any(String), line: 3 }],
  ])("%s", (_what, text, expected) => {
    expect(unreadOf(parseDocuments(text))).toEqual(expected);
  });
});

test("the line number is that of the whole text", () => {
  expect(unreadOf(parseDocuments("a: 1\n---\n\nb: [\n]\n---\r\nc: {\r\n}\n"))).toEqual([
    ["b: [\n]", 5],
    ["c: {\r\n}", 8],
  ]);
});

describe("in a list", () => {
  const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
  const good = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: good\n";
  // As kpt writes a list in brackets that contains a comment.
  const broken = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: x\n  data: [\n    # c\n    a,\n  ]\n";

  test.each([
    ["in the middle", `${head}items:\n${good}${broken}${good}functionConfig:\n  a: 1\n`],
    ["at the end", `${head}items: # c\n# c\n${good}${broken}`],
    ["at the start, further in", `${head}items:\n${(broken + good).replace(/^/gm, "  ").trimEnd()}\nresults: []\n`],
    ["below an empty line", `${head}items:\n\n${good}${broken}`],
    ["below a comment with a dash", `${head}items:\n  # c - d\n${good}${broken}`],
    ["with carriage returns", `${head}items:\n${good}${broken}`.replaceAll("\n", "\r\n")],
  ])("only the item itself is unread: %s", (_what, text) => {
    const result = runText(noop, text);
    const items = text.includes("  - ") ? 0 : text.indexOf(good.slice(0, 20)) < text.indexOf("data: [") ? 1 : 0;
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toMatch(
      new RegExp(
        `^warning: items\\[${items}\\] of standard input cannot be read: deficient indentation \\(line \\d+\\)\\. It contains nothing that a function reads, and is passed through unchanged\\. \\[item-skipped\\]\\n$`,
      ),
    );
    const before = text.slice(text.indexOf("items:"), text.search(/functionConfig|results/) >>> 0);
    expect(result.stdout).toContain(before.trimEnd());
    const emitted = runText(emitter, text);
    expect(emitted.exitCode).toBe(0);
    expect(emitted.stdout).toContain(before.trimEnd());
    expect(emitted.stdout).toContain("generated/a.yaml");
    // The rest of the list is written as without the item.
    const second = runText(emitter, emitted.stdout);
    expect(second.stdout).toBe(emitted.stdout);
  });

  test.each([
    "kind: CredentialsRequest",
    'kind: "Credentials\\u0052equest"',
    'kind: "Credentials\\\n    Request"',
    "kind: ClusterIdentity",
    "kind: Authentication",
    "apiVersion: operators.coreos.com/v1alpha1",
    "x: {fn.cloudcredential.dev/generated-by: a/b}",
    "x: -----BEGIN PUBLIC KEY-----",
  ])("but an item that names %s is refused", (line) => {
    const text = `${head}items:\n${good}${broken}  ${line}\n`;
    const result = runText(noop, text);
    expect(result).toMatchObject({ exitCode: 1, stdout: "", stderr: deficient });
    expect(result.stderr).toContain("[not-a-resource-list]");
  });

  test.each([
    ["the function's configuration", `${head}items:\n${good}${good}functionConfig:\n  a: [\n  ]\n`],
    ["what is beside a list in brackets", `${head}items: [{a: 1}]\nfunctionConfig:\n  a: [\n  ]\n`],
    ["a list without a dash, beside one that has some", `${head}items:\nx:\n- a: 1\n- b: [\n  ]\n`],
    ["one item alone", `${head}items:\n${broken}`],
    ["an item that is wrong in another way", `${head}items:\n${good}${broken}  x: @\n`],
    [
      "an item of more brackets than anyone writes",
      `${head}items:\n${good}- a: ${"[\n".repeat(60)}${"]\n".repeat(60)}`,
    ],
    ["an item that goes on behind a bracket", `${head}items:\n${good}- a: [\n  ]\n  b: "x\n- c: 1\n  d: 2"\n`],
    ["an item that goes on as another", `${head}items:\n${good}- a: "x\n- b: 1\n  c: 2\n`],
  ])("refused is %s", (_what, text) => {
    expect(runText(noop, text)).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

test("text next to an unreadable unit is read as without that unit", () => {
  const arbitrary = fc.constantFrom(
    "a: 1",
    "- x\n- y",
    "b: |+\n  x\n\n",
    "{c: [1, 2]}",
    "d: [\n]",
    "e: {a: 1,\n}",
    "? f",
  );
  fc.assert(
    fc.property(fc.array(arbitrary, { minLength: 2, maxLength: 6 }), (documents) => {
      const text = documents.map((document) => `---\n${document}\n`).join("");
      const source = parseDocuments(text);
      if (isProblem(source)) throw new Error(source.reason);
      const expected = documents.map((document) => {
        const alone = parseSource(document);
        return isProblem(alone) ? "unread" : load(`${document}\n`);
      });
      const actual: unknown[] = [];
      for (let row = 0; row < source.length; row = source.next[row] as number) {
        const built = construct(source, row + 1);
        actual.push(source.unread.has(row + 1) ? "unread" : "value" in built ? built.value : built);
      }
      expect(actual).toEqual(expected);
      expect(source.text).toBe(text);
      expect(source.readable.length).toBe(text.length);
    }),
  );
});

test.each([
  ["kind: Service", false],
  ['a: "\\U0010ffff \\UFFFFFFFF \\x41"', false],
  ["kind: FeatureGate", true],
  ['kind: "\\x43lusterIdentity"', true],
  ['kind: "Cluster\\U00000049dentity"', true],
])("whether %j names what a function reads: %s", (text, expected) => {
  expect(namesWhatIsRead(text)).toBe(expected);
});
