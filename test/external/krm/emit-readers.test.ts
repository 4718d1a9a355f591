import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { ValueMap } from "../../../src/core/resource.ts";
import { emitFlow, emitYaml } from "../../../src/yaml/emit.ts";
import { shell } from "../../helpers/kpt.ts";
import { describeWith } from "../../helpers/need.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";
import { awkward, document, scalar } from "../../unit/krm/any-value.ts";
import { byJsYaml } from "../../unit/krm/readers.ts";

describeWith(["python3"], "PyYAML, which reads YAML 1.1 as the readers before Kubernetes' did", () => {
  test("reads every string and any value as they were written", () => {
    const maps = [
      ...awkward.map((text): ValueMap => ({ a: text, list: [[text], { b: text }] })),
      ...fc.sample(document, 400),
    ];
    const program =
      "import sys, json, yaml\nfor line in sys.stdin: print(json.dumps(yaml.load(json.loads(line), Loader=yaml.SafeLoader)))";
    const input = maps.flatMap((map) => [emitYaml(map), emitFlow(map)]).map((text) => JSON.stringify(text));
    const { stdout, stderr, status } = spawnSync("python3", ["-c", program], {
      input: `${input.join("\n")}\n`,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const read = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(read).toEqual(maps.flatMap((map) => [map, map]));
  });
});

describe("the tools that carry emitted objects", () => {
  // Values alone: the keys that a function emits are names of fields, tags and files. kustomize writes some characters in
  // a form that it then refuses to read, or that others read as a line break, however they came; no value that a function emits can hold one, since fields
  // are checked and JSON texts hold escapes in their place.
  const refused = /[\u007f-\u009f\u2028\u2029\ufffe\uffff]/;
  const objects = [...awkward, ...fc.sample(scalar, 400)]
    .filter((one) => !refused.test(String(one)))
    .map((one): ValueMap => ({ a: one, list: [[one], { b: one }] }));
  const list = objects.map((spec, index): ValueMap & { kind: string } => ({
    apiVersion: "example.com/v1",
    kind: "Carried",
    metadata: { name: `n-${index}` },
    spec,
  }));

  function written(): string {
    const directory = temporary();
    writeTree(directory, {
      ...Object.fromEntries(list.map((one, index) => [`o-${index}.yaml`, emitYaml(one)])),
      "kustomization.yaml": emitYaml({ resources: list.map((_, index) => `o-${index}.yaml`) }),
    });
    return directory;
  }

  function specs(values: readonly unknown[]): unknown[] {
    const byName = new Map(
      (values as { kind?: string; metadata: { name: string }; spec: unknown }[])
        .filter(({ kind }) => kind === "Carried")
        .map(({ metadata, spec }) => [metadata.name, spec]),
    );
    return list.map((_, index) => byName.get(`n-${index}`));
  }

  describeWith(["kubectl"], "kustomize", () => {
    test("prints every value as it was", () => {
      const { status, stdout, stderr } = shell("kubectl kustomize .", written());
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(specs(loadAll(stdout))).toEqual(objects);
    });
  });

  describeWith(["kpt"], "kpt", () => {
    test("puts every value into its list as it was", () => {
      const { status, stdout, stderr } = shell("kpt fn source .", written());
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(specs((byJsYaml(stdout) as { items: unknown[] }).items)).toEqual(objects);
    });
  });
});
