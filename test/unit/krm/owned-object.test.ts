import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Files, type ValueMap, valueAt } from "../../../src/core/resource.ts";
import { layOutAt, type OwnedObject, ownedEmitter, ownedValue } from "../../../src/krm/owned-object.ts";
import { emitYaml } from "../../../src/yaml/emit.ts";
import { runs } from "../../helpers/effort.ts";

const owner = "generated-by/x";
const ref = { apiVersion: "v1", kind: "A", name: "a" };

function owned(more: ValueMap = {}, files?: Files, namespace?: string): OwnedObject {
  const metadata = { name: "carried", ...(namespace === undefined ? {} : { namespace }) };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata, ...more };
  return { path: "a/b.yaml", owner, object, ...(files === undefined ? {} : { files }) };
}

describe("an object that is written says who made it", () => {
  test("and in a list where it goes, for tools of both generations", () => {
    const value = ownedValue(owned({ type: "Opaque" }, undefined, "s"), "list");
    expect(JSON.stringify(value)).toBe(
      JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "carried",
          namespace: "s",
          annotations: {
            "config.kubernetes.io/index": "0",
            "config.kubernetes.io/path": "a/b.yaml",
            "fn.cloudcredential.dev/generated-by": owner,
            "internal.config.kubernetes.io/index": "0",
            "internal.config.kubernetes.io/path": "a/b.yaml",
          },
        },
        type: "Opaque",
      }),
    );
  });

  test("and in its file nothing more", () => {
    const annotations = valueAt(ownedValue(owned(), "file"), ["metadata", "annotations"]);
    expect(annotations).toEqual({ "fn.cloudcredential.dev/generated-by": owner });
  });

  test("and that it stays out of the cluster where it only carries files", () => {
    const annotationsIn = (place: "list" | "file") =>
      Object.keys(valueAt(ownedValue(owned({}, {}), place), ["metadata", "annotations"]) as ValueMap);
    const both = ["config.kubernetes.io/local-config", "fn.cloudcredential.dev/generated-by"];
    expect(annotationsIn("file")).toEqual(both);
    expect(annotationsIn("list")).toEqual([...annotationsIn("list")].sort());
    expect(annotationsIn("list")).toEqual(expect.arrayContaining(both));
    expect(valueAt(ownedValue(owned({}, {}), "file"), ["metadata", "annotations", both[0] as string])).toBe("true");
  });

  test("with the files that it carries, in the order of their names", () => {
    const { data } = ownedValue(owned({}, { b: "two\n", a: { json: { c: [1] } } }), "file") as ValueMap;
    expect(Object.entries(data as ValueMap)).toEqual([
      ["a", '{\n  "c": [\n    1\n  ]\n}\n'],
      ["b", "two\n"],
    ]);
  });
});

describe("an object that was laid out", () => {
  const whole = { ...owned({ type: "Opaque" }, { "a.json": { json: {} } }, "s"), origin: ref, shared: true };
  const { before: _, after: __, ...kept } = layOutAt(whole, 2) as typeof whole & Record<"before" | "after", string>;

  test("keeps what names it and what it was made from", () => {
    const { apiVersion, kind, metadata } = whole.object;
    expect(kept).toEqual({ ...whole, object: { apiVersion, kind, metadata }, files: {} });
  });

  test("has no value any more, and nobody gets half of it", () => {
    expect(() => ownedValue({ ...layOutAt(whole, 2), owner }, "file")).toThrow("what was laid out has no value");
  });
});

describe("its lines", () => {
  test("stand in one form", () => {
    const one = owned({}, { "b.json": { json: { c: ["d"] } }, "a.sh": "e\n\n  f\n" });
    expect(ownedEmitter("file")(one)).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: carried
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/generated-by: ${owner}
data:
  a.sh: |
    e

      f
  b.json: |
    {
      "c": [
        "d"
      ]
    }
`);
  });

  test("are those of its value: whatever it holds, however far in it stands, and one after another", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("a\nb", "yes", "1", "é\n", "a: b"),
    );
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ json: value as ValueMap }));
    const big = fc.bigInt().map((value) => ({ json: { value } }));
    // JavaScript puts keys that are numbers before all others, and has another use for the prototype's.
    const name = text.filter((one) => !/^\d+$|^__proto__$/.test(one));
    const files = fc.dictionary(name, fc.oneof(text, json, big), {
      maxKeys: 4,
      noNullPrototype: true,
    });
    const object = fc.record({
      path: text,
      owner: fc.constantFrom(owner, "another/y"),
      namespace: fc.option(text, { nil: undefined }),
      more: fc.dictionary(name, fc.oneof(text, fc.dictionary(name, text, { noNullPrototype: true })), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      files: fc.option(files, { nil: undefined }),
    });
    // One function writes many objects.
    const emitters = { list: new Map<number, (one: OwnedObject) => string>(), file: new Map() };
    fc.assert(
      fc.property(object, fc.constantFrom("list" as const, "file" as const), fc.nat(7), (made, place, indent) => {
        const emit = emitters[place].get(indent) ?? ownedEmitter(place, indent);
        emitters[place].set(indent, emit);
        const { __proto__: _, apiVersion: __, kind: ___, metadata: ____, ...more } = made.more as ValueMap;
        const one = {
          ...owned(more, made.files, made.namespace),
          path: made.path.replaceAll("\n", ""),
          owner: made.owner,
        };
        const lines = emit(one);
        expect(lines).toBe(emitYaml(ownedValue(one, place), indent));
        expect(emit({ ...layOutAt(one, indent), owner: one.owner })).toBe(lines);
      }),
      { numRuns: runs(500) },
    );
  });
});
