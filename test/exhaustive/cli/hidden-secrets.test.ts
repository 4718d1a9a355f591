import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { renderedPackage } from "../../helpers/cluster-package.ts";
import { type Form, forms, hiddenName, hide } from "../../helpers/hidden-secrets.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

describe("a Secret that a tool would apply, but that hides from a reader of files", () => {
  it.each(forms)("as $name, is an error of each command", (form: Form) => {
    const directory = renderedPackage();
    hide(form, directory);
    const before = readTree(directory);
    for (const args of [
      ["render", "--check"],
      ["render"],
      ["render", "--stdout"],
      ["export", "--output-dir", join(temporary(), "export")],
    ]) {
      const { status, stdout, stderr } = run([...args, directory]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      const line = stderr.split("\n").find((one) => one.endsWith(`[${form.code}]`));
      expect(line).toMatch(/^error: /);
      expect(line).toContain(form.path);
      expect(line).toContain(form.message);
    }
    const validated = run(["validate", directory]);
    expect(validated.status).not.toBe(0);
    expect(validated.stderr).toContain(form.path);
    expect(readTree(directory)).toEqual(before);
  });

  const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: ${hiddenName}, namespace: openshift-ingress-operator}\n`;

  it.each([
    [
      "a package inside manifests",
      { "manifests/sub/Kptfile": "", "manifests/sub/a.yaml": secret },
      "is a separate package",
    ],
    ["Jsonnet", { "manifests/a.jsonnet": "{}" }, "is Jsonnet"],
    ["a Helm chart", { "manifests/Chart.yaml": "name: a\n" }, "is the file of a Helm chart"],
    ["something without a name", { "manifests/a.yaml": "\nkind: Secret\n" }, "(line 2); tools apply every file"],
  ])("is refused in the form of %s", (_what, files, message) => {
    const directory = renderedPackage();
    writeTree(directory, files);
    const { status, stderr } = run(["render", "--check", directory]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: manifests\/.*\[file-skipped\]$/m);
    expect(stderr).toContain(message);
  });

  it.each(["own/", "own", "own/*.yaml", "own/deep"])("is an error outside manifests, if .krmignore has %s", (line) => {
    const directory = renderedPackage();
    writeTree(directory, {
      "own/deep/list.yaml": `kind: List\napiVersion: v1\nitems:\n- ${secret.replaceAll("\n", "\n  ")}\n`,
    });
    writeTree(directory, { "own/one.yaml": secret });
    appendFileSync(join(directory, ".krmignore"), `# a comment\n${line}\n`);
    const { stderr } = run(["render", "--check", directory]);
    const message = `contains an object of the kind "Secret", but .krmignore excludes it (line 4: "${line}"), so no command reads it.`;
    expect(stderr).toContain(message);
    expect(stderr).toContain("[object-hidden]");
  });

  it("may be ignored outside manifests if it is not an object: an install-config, a chart, a package of its own", () => {
    const directory = renderedPackage();
    writeTree(directory, {
      "install-config.yaml": "apiVersion: v1\npullSecret: x\n",
      "chart/templates/secret.yaml": `kind: Secret\ndata:\n{{- range .Values }}\n  {{ . }}: x\n{{- end }}\n`,
      "chart/values.yaml": "a: 1\n",
      "other/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: other}\n",
      "other/a.yaml": secret,
    });
    appendFileSync(join(directory, ".krmignore"), "chart\nother\n");
    expect(run(["render", "--check", directory])).toMatchObject({ status: 0, stderr: "" });
  });

  it("may have a kustomization at the root of the package, which names its inputs", () => {
    const directory = renderedPackage();
    const kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [manifests]\n";
    writeTree(directory, { "kustomization.yaml": kustomization });
    expect(run(["render", "--check", directory])).toMatchObject({ status: 0, stderr: "" });
  });

  it("is not ignored by the .krmignore of a new package", () => {
    expect(readFileSync(join(renderedPackage(), ".krmignore"), "utf8")).toMatch(/^\/install-config\.yaml$/m);
  });
});

describe("a function", () => {
  const list = (item: string) =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item.trimEnd().replaceAll("\n", "\n  ")}\n`;

  it.each([
    [
      "a list",
      "apiVersion: v1\nkind: SecretList\nitems: [{metadata: {name: a}}]\n",
      /is a list of objects that functions generate.*\[item-skipped\]/,
    ],
    [
      "a tag",
      "apiVersion: v1\nkind: !!binary U2VjcmV0\nmetadata: {name: a}\n",
      /has a tag on "kind",.*\[text-ambiguous\]/,
    ],
  ])("refuses %s, and prints its list unchanged", (_what, item, message) => {
    const input = list(item);
    const { status, stdout, stderr } = run(["generate-cloud-credentials"], { input });
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout.startsWith(input)).toBe(true);
  });
});
