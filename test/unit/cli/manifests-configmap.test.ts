import { describe, expect, it } from "vitest";
import { installerManifests, manifestsConfigMap } from "../../../src/cli/export/print-configmap.ts";

const name = { name: "demo-manifests", namespace: undefined };
const file = (path: string, text = "") => ({ path, text, mode: 0o644 });

describe("the manifests for the installer", () => {
  it("are the files in manifests/, by name, whatever their order", () => {
    const files = [
      file("manifests/b.yaml", "b"),
      file("operators/c.yaml"),
      file("aws/d.json"),
      file("manifests/a.yaml", "a"),
    ];
    expect([...installerManifests(files)]).toEqual([
      ["a.yaml", "a"],
      ["b.yaml", "b"],
    ]);
  });
});

describe("the ConfigMap with the manifests", () => {
  it("holds 1 MiB of text in UTF-8, and not one byte more", () => {
    const text = "ö".repeat(1 << 19);
    expect(manifestsConfigMap(new Map([["a.yaml", text]]), name)).toMatch(/^---\napiVersion: v1\n/);
    const more = new Map([
      ["b.yaml", "x"],
      ["a.yaml", text],
    ]);
    expect(manifestsConfigMap(more, name)).toMatchObject({
      severity: "error",
      code: "manifests-too-large",
      message: expect.stringContaining(
        'have 1048577 bytes, but a ConfigMap holds at most 1048576 (1 MiB). The largest is "a.yaml" (1048576 bytes)',
      ),
    });
  });
});
