import { describe, expect, test } from "vitest";
import { type Files, type ValueMap, valueAt } from "../../../src/core/resource.ts";
import { type OwnedObject, ownedValue } from "../../../src/krm/write-list.ts";
import { emitYaml } from "../../../src/yaml/emit.ts";

const owner = "generated-by/x";

function owned(more: ValueMap = {}, files?: Files, namespace?: string): OwnedObject {
  const metadata = { name: "carried", ...(namespace === undefined ? {} : { namespace }) };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata, ...more };
  return { path: "a/b.yaml", owner, object, ...(files === undefined ? {} : { files }) };
}

describe("a written object names its owner", () => {
  test("and in a list its path, for newer and older tools", () => {
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

  test("and nothing more in its file", () => {
    const annotations = valueAt(ownedValue(owned(), "file"), ["metadata", "annotations"]);
    expect(annotations).toEqual({ "fn.cloudcredential.dev/generated-by": owner });
  });

  test("and stays out of the cluster if it is a bundle ConfigMap", () => {
    const annotationsIn = (place: "list" | "file") =>
      Object.keys(valueAt(ownedValue(owned({}, {}), place), ["metadata", "annotations"]) as ValueMap);
    const both = ["config.kubernetes.io/local-config", "fn.cloudcredential.dev/generated-by"];
    expect(annotationsIn("file")).toEqual(both);
    expect(annotationsIn("list")).toEqual([...annotationsIn("list")].sort());
    expect(annotationsIn("list")).toEqual(expect.arrayContaining(both));
    expect(valueAt(ownedValue(owned({}, {}), "file"), ["metadata", "annotations", both[0] as string])).toBe("true");
  });

  test("with the files of a bundle, sorted by name", () => {
    const { data } = ownedValue(owned({}, { b: "two\n", a: { json: { c: [1] } } }), "file") as ValueMap;
    expect(Object.entries(data as ValueMap)).toEqual([
      ["a", '{\n  "c": [\n    1\n  ]\n}\n'],
      ["b", "two\n"],
    ]);
  });
});

test("its lines have the same form in every place", () => {
  const object = owned({}, { "b.json": { json: { c: ["d"] } }, "a.sh": "e\n\n  f\n" });
  const lines = `apiVersion: v1
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
`;
  expect(emitYaml(ownedValue(object, "file"))).toBe(lines);
  expect(emitYaml(ownedValue(object, "file"), 2)).toBe(lines.replace(/^(?=.)/gm, "  ").trimStart());
});
