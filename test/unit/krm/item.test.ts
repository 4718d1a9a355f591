import { describe, expect, test } from "vitest";
import { exactly } from "../../../src/core/generated-object.ts";
import { failedOutput } from "../../../src/krm/function.ts";
import { type Item, readItem } from "../../../src/krm/item.ts";
import { documents, isProblem, parseSource } from "../../../src/yaml/source.ts";

/** The object in the last document of a text. */
function itemOf(text: string, place?: { path: string; index: number }): Item {
  const source = parseSource(text);
  if (isProblem(source)) throw new Error(source.reason);
  return readItem(source, documents(source).at(-1) as number, place);
}

const nothing = {
  apiVersion: "",
  kind: "",
  name: "",
  namespace: "",
  annotations: new Map(),
  path: undefined,
  index: 0,
  packagePath: undefined,
};

/** The identifying fields of an object, without its text. */
function read(text: string, place?: { path: string; index: number }) {
  const { source: _, node: __, value: ___, ...rest } = itemOf(text, place);
  return rest;
}

describe("the identifying fields of an object", () => {
  test.each<[string, string, object]>([
    ["nothing", "{}", {}],
    ["no mapping", "[kind, a]", {}],
    ["a kind", "kind: a\n", { kind: "a" }],
    [
      "all of it",
      "apiVersion: a/v1\nkind: B\nmetadata: {name: c, namespace: d}\n",
      { apiVersion: "a/v1", kind: "B", name: "c", namespace: "d" },
    ],
    [
      "any order",
      "metadata: {namespace: d, name: c}\nkind: B\napiVersion: a/v1\n",
      { apiVersion: "a/v1", kind: "B", name: "c", namespace: "d" },
    ],
    ["other keys", "name: x\nspec: {kind: y, name: z, annotations: {a: b}}\nkind: B\n", { kind: "B" }],
    [
      "any quotes",
      "kind: 'a'\napiVersion: \"b\"\nmetadata:\n  name: >-\n    c\n",
      { kind: "a", apiVersion: "b", name: "c" },
    ],
    ["values that are not scalars", "kind: [a]\napiVersion: {b: c}\nmetadata: [name]\n", {}],
    ["metadata that is nothing", "kind: a\nmetadata:\n", { kind: "a" }],
    ["a number", "metadata: {name: 5}\n", { name: "5" }],
    ["an alias", "x: &x a\nkind: *x\n", { kind: "a" }],
    ["an alias of metadata", "x: &x {name: a}\nmetadata: *x\n", { name: "a" }],
    ["an alias without its anchor", "kind: *x\nmetadata: {name: a}\n", { name: "a" }],
    ["the nearest anchor before an alias", "a: &x a\nb: &x b\nkind: *x\nc: &x c\n", { kind: "b" }],
    ["a key that is an alias, which is none", "x: &x kind\n*x : a\n", {}],
    ["a key that is a list", "? [kind]\n: a\nkind: b\n", { kind: "b" }],
    ["a merge", "x: &x {kind: a, apiVersion: b}\n<<: *x\n", { kind: "a", apiVersion: "b" }],
    ["a merge without an alias", "<<: {kind: a}\n", { kind: "a" }],
    [
      "a merge that yields to what is written before it",
      "kind: a\n<<: {kind: b, apiVersion: c}\n",
      { kind: "a", apiVersion: "c" },
    ],
    [
      "a merge of several, of which the first wins",
      "<<: [{kind: a}, {kind: b, apiVersion: c}]\n",
      { kind: "a", apiVersion: "c" },
    ],
    ["a merge of merges", "<<: {<<: {kind: a, apiVersion: b}, kind: c}\n", { kind: "c", apiVersion: "b" }],
    ["a merge of an alias of a list", "x: &x [{kind: a}, {kind: b}]\n<<: *x\n", { kind: "a" }],
    [
      "a merge in metadata",
      "metadata: {<<: {name: a, annotations: {k: v}}, namespace: b}\n",
      { name: "a", namespace: "b", annotations: new Map([["k", "v"]]) },
    ],
    ["a merge of a text", "<<: kind\nkind: a\n", { kind: "a" }],
    ["a merge in quotes, which is none", "'<<': {kind: a}\n", {}],
    [
      "an annotation in the place of a merge",
      "metadata: {annotations: {'<<': a}}\n",
      { annotations: new Map([["<<", "a"]]) },
    ],
    ["a key as long as a merge, beside one", "ab: {kind: c}\n<<: {apiVersion: d}\n", { apiVersion: "d" }],
    ["a key that starts like a merge", "<<<: {kind: a}\n", {}],
    ["a key that ends like a merge", "x<<: {kind: a}\n", {}],
    ["an anchor that was used before", "a: &x A\nkind: &x B\nb: *x\n", { kind: "B" }],
    [
      "annotations that merge others, and one whose key is a list",
      "metadata: {annotations: {<<: {a: b}, ? [c] : d}}\n",
      { annotations: new Map([["a", "b"]]) },
    ],
    ["a key of two letters", "ab: {kind: a}\n", {}],
    ["labels, which are not annotations", "metadata: {labels: {a: b}}\n", {}],
    ["a key that is half a merge", "<: {kind: a}\n", {}],
    [
      "annotations",
      "metadata: {annotations: {a: b, c: [d], e: 1, f: }}\n",
      {
        annotations: new Map([
          ["a", "b"],
          ["c", ""],
          ["e", "1"],
          ["f", ""],
        ]),
      },
    ],
  ])("are read from %s", (_what, text, expected) => {
    expect(read(text)).toEqual({ ...nothing, ...expected });
  });

  // The object itself and a hundred more.
  test.each([
    [100, "deep"],
    [101, ""],
  ])("are searched for in a hundred merges: in %d the name is %j", (count, name) => {
    const merges = Array.from({ length: count }, (_, level) => `m${level + 1}: &m${level + 1} {<<: *m${level}}\n`);
    expect(itemOf(`m0: &m0 {name: deep}\n${merges.slice(0, -1).join("")}metadata: {<<: *m${count - 1}}\n`).name).toBe(
      name,
    );
    const many = Array.from({ length: count - 1 }, () => ", {}").join("");
    expect(itemOf(`metadata: {<<: [{name: deep}${many}]}\n`).name).toBe(name);
  });
});

describe("the location of an object", () => {
  const annotated = (lines: Record<string, string>) => read(JSON.stringify({ metadata: { annotations: lines } }));

  test("is read from the annotations of newer and older tools, with the newer first", () => {
    const old = { "config.kubernetes.io/path": "old.yaml", "config.kubernetes.io/index": "1" };
    const now = { "internal.config.kubernetes.io/path": "now.yaml", "internal.config.kubernetes.io/index": "2" };
    expect(annotated(old)).toMatchObject({ path: "old.yaml", index: 1, packagePath: undefined });
    expect(annotated({ ...old, ...now })).toMatchObject({ path: "now.yaml", index: 2 });
    expect(annotated({ ...now, ...old })).toMatchObject({ path: "now.yaml", index: 2 });
    expect(annotated({ "internal.config.kubernetes.io/package-path": "p" })).toMatchObject({ packagePath: "p" });
  });

  test.each([
    ["0", 0],
    ["7", 7],
    ["010", 10],
    ["0x10", 0],
    ["", 0],
    ["x", 0],
  ])("has the index %j as %d", (text, index) => {
    expect(annotated({ "config.kubernetes.io/index": text })).toMatchObject({ path: undefined, index });
  });

  test("is the one that the caller gives, despite annotations", () => {
    const text = "metadata: {annotations: {config.kubernetes.io/path: a, config.kubernetes.io/index: '1'}}\n";
    expect(read(text, { path: "b", index: 0 })).toMatchObject({ path: "b", index: 0 });
    expect(read("{}", { path: "b", index: 3 })).toMatchObject({ path: "b", index: 3 });
  });
});

test("an object's value is the same on every call", () => {
  const item = itemOf("a: [1]\n");
  expect(item.value()).toEqual({ a: [1] });
  expect(item.value()).toEqual({ a: [1] });
});

test("a failed output contains only findings", () => {
  const findings = [{ severity: "error", code: "config-missing", message: "is missing." }] as const;
  expect(failedOutput(findings)).toEqual({
    identity: undefined,
    packagePath: undefined,
    objects: [],
    changes: [],
    preserved: [],
    findings,
  });
});

test("a form of one file matches only that path", () => {
  const path = exactly("a/b.c.yaml");
  expect(
    ["a/b.c.yaml", "a/b.cxyaml", "a/bxc.yaml", "x/a/b.c.yaml", "a/b.c.yaml.x"].map((text) => path.test(text)),
  ).toEqual([true, false, false, false, false]);
});
