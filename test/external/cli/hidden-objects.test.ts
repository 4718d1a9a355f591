import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readPackage } from "../../../src/cli/package/package-files.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import { hasError } from "../../../src/core/finding.ts";
import { applicable } from "../../helpers/applicable-texts.ts";
import { run as runCcf } from "../../helpers/ccf.ts";
import { renderedPackage } from "../../helpers/cluster-package.ts";
import { fuzzCases } from "../../helpers/effort.ts";
import { forms, hiddenName, hide } from "../../helpers/hidden-secrets.ts";
import { type Shown, shownByKubectl } from "../../helpers/kubectl.ts";
import { describeWith } from "../../helpers/need.ts";
import { run } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

/*
 * The law: whatever a tool finds in a file of manifests/, a command reads as the same object, or it refuses the file.
 */

describeWith(["kubectl"], "kubectl shows a hidden Secret, and ccf refuses it:", () => {
  const read = forms.filter(({ shownBy }) => shownBy !== "kustomize");
  it.each(read)("$name", (form) => {
    const [shown] = shownByKubectl([form.text]);
    expect(shown).toContainEqual(
      expect.objectContaining({ kind: "Secret", metadata: expect.objectContaining({ name: hiddenName }) }),
    );
    const directory = renderedPackage();
    hide(form, directory);
    expect(runCcf(["render", "--check", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`[${form.code}]`),
    });
  });
});

describeWith(["kubectl"], "kustomize makes something else of manifests/, and ccf refuses it:", () => {
  it.each(forms.filter(({ shownBy }) => shownBy === "kustomize"))("$name", (form) => {
    const directory = renderedPackage();
    hide(form, directory);
    const { status, stdout } = run("kubectl", ["kustomize", join(directory, "manifests")]);
    expect(status).toBe(0);
    // Of all the manifests, one.
    expect(stdout.match(/^kind:/gm)).toHaveLength(1);
    expect(runCcf(["render", "--check", directory]).status).toBe(1);
  });
});

/** What decides which object a tool creates, and whether a command takes it for one of the cluster. */
function keyOf({ apiVersion, kind, metadata: { name, namespace = "", annotations = {} } = {} }: Shown): string {
  const { "config.kubernetes.io/local-config": local } = annotations as Record<string, unknown>;
  return JSON.stringify([apiVersion, kind, namespace, name, local]);
}

/** What `ccf` reads of a text as a file of manifests/; undefined if it refuses the file. */
function readByCcf(text: string | Uint8Array): string[] | undefined {
  const directory = temporary();
  mkdirSync(join(directory, "manifests"));
  writeFileSync(join(directory, "manifests/a.yaml"), text);
  try {
    const { files, findings } = readPackage(directory);
    if (hasError(findings)) return undefined;
    return files
      .flatMap(({ items }) => items)
      .map(({ apiVersion, kind, name, namespace, annotations }) =>
        keyOf({ apiVersion, kind, metadata: { name, namespace, annotations: Object.fromEntries(annotations) } }),
      );
  } catch (error) {
    if (error instanceof FindingsError) return undefined;
    throw error;
  }
}

describeWith(["kubectl"], "any text that kubectl reads", () => {
  it("is read by ccf as the same objects, or is refused", () => {
    // Some thousand texts for each process of kubectl.
    const [cases, batch] = [fuzzCases(6000), 2000];
    const texts = fc.sample(applicable, cases);
    const compared: (readonly string[])[] = [];
    for (let start = 0; start < cases; start += batch) {
      const some = texts.slice(start, start + batch);
      for (const [index, shown] of shownByKubectl(some).entries()) {
        const text = some[index] as Buffer;
        const read = readByCcf(text);
        if (shown.length === 0 || read === undefined) continue;
        compared.push(read);
        expect(without(shown.map(keyOf), read), text.toString()).toEqual([]);
      }
    }
    // Most texts are refused; a tenth is enough to see a difference.
    expect(compared.length).toBeGreaterThan(cases / 10);
  });
});

/** The keys that are not among others, each counted as often as it occurs. */
function without(keys: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return keys.filter((key) => {
    const place = left.indexOf(key);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
