import { describe, expect, test } from "vitest";
import { fake, issuer, issuerChange, runText, setter } from "./fakes.ts";
import { settingChangesOneField } from "./laws.ts";

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const plain = issuer;

/** The text of a list with one Authentication, given the lines after its name. */
function list(lines: string): string {
  return `${head}items:\n- kind: Authentication\n  apiVersion: v1\n${lines.replace(/^(?=.)/gm, "  ")}`;
}

/** Before and after, without the surrounding text. */
const styles: readonly (readonly [style: string, before: string, after: string])[] = [
  ["plain", "spec:\n  serviceAccountIssuer: a\n", `spec:\n  serviceAccountIssuer: ${plain}\n`],
  ["plain, comment after", "spec:\n  serviceAccountIssuer: a # c\n", `spec:\n  serviceAccountIssuer: ${plain} # c\n`],
  ["single quotes", "spec:\n  serviceAccountIssuer: 'a'\n", `spec:\n  serviceAccountIssuer: '${plain}'\n`],
  ["double quotes", 'spec:\n  serviceAccountIssuer: "a"   # c\n', `spec:\n  serviceAccountIssuer: "${plain}"   # c\n`],
  [
    "several lines",
    "spec:\n  serviceAccountIssuer: a\n    b\n  x: 1\n",
    `spec:\n  serviceAccountIssuer: ${plain}\n  x: 1\n`,
  ],
  [
    "literal",
    "spec:\n  serviceAccountIssuer: |\n    a\n\n  x: 1\n",
    `spec:\n  serviceAccountIssuer: ${plain}\n\n  x: 1\n`,
  ],
  [
    "folded",
    "spec:\n  serviceAccountIssuer: >-  # c\n    a\n    b\n",
    `spec:\n  serviceAccountIssuer: ${plain}  # c\n`,
  ],
  ["tag", "spec:\n  serviceAccountIssuer: !!str 5\n", `spec:\n  serviceAccountIssuer: ${plain}\n`],
  ["empty tag", "spec:\n  serviceAccountIssuer: !!null\n", `spec:\n  serviceAccountIssuer: ${plain}\n`],
  ["nothing", "spec:\n  serviceAccountIssuer:\n  x: 1\n", `spec:\n  serviceAccountIssuer: ${plain}\n  x: 1\n`],
  ["nothing, comment after", "spec:\n  serviceAccountIssuer: # c\n", `spec:\n  serviceAccountIssuer: ${plain} # c\n`],
  ["tilde", "spec:\n  serviceAccountIssuer: ~ # c\n", `spec:\n  serviceAccountIssuer: ${plain} # c\n`],
  ["null", "spec:\n  serviceAccountIssuer: null\n", `spec:\n  serviceAccountIssuer: ${plain}\n`],
  ["anchor without an alias", "spec:\n  serviceAccountIssuer: &a b\n", `spec:\n  serviceAccountIssuer: ${plain}\n`],
  ["empty string", "spec:\n  serviceAccountIssuer: ''\n", `spec:\n  serviceAccountIssuer: '${plain}'\n`],
  ["quoted keys", "'spec':\n  \"serviceAccountIssuer\" : a\n", `'spec':\n  "serviceAccountIssuer" : ${plain}\n`],
  ["explicit key", "spec:\n  ? serviceAccountIssuer\n  : a\n", `spec:\n  ? serviceAccountIssuer\n  : ${plain}\n`],
  [
    "explicit key, nothing",
    "spec:\n  ? serviceAccountIssuer\n  :\n",
    `spec:\n  ? serviceAccountIssuer\n  : ${plain}\n`,
  ],
  ["other explicit key", "spec:\n  ? x\n  : y\n", `spec:\n  ? x\n  : y\n  serviceAccountIssuer: ${plain}\n`],
  ["missing", "spec:\n  type: ''\nz: 1\n", `spec:\n  type: ''\n  serviceAccountIssuer: ${plain}\nz: 1\n`],
  [
    "missing, deep",
    "spec:\n      type: ''\nz: 1\n",
    `spec:\n      type: ''\n      serviceAccountIssuer: ${plain}\nz: 1\n`,
  ],
  [
    "missing after a literal",
    "spec:\n  a: |+\n    x\n\nz: 1\n",
    `spec:\n  a: |+\n    x\n\n  serviceAccountIssuer: ${plain}\nz: 1\n`,
  ],
  [
    "missing after an empty entry",
    "spec:\n  a:\n  - x\n  -\nz: 1\n",
    `spec:\n  a:\n  - x\n  -\n  serviceAccountIssuer: ${plain}\nz: 1\n`,
  ],
  [
    "missing after a comment",
    "spec:\n  a: 1 # c\n  # d\nz: 1\n",
    `spec:\n  a: 1 # c\n  serviceAccountIssuer: ${plain}\n  # d\nz: 1\n`,
  ],
  [
    "missing in a merge",
    "y: &y {a: 1}\nspec:\n  <<: *y\n",
    `y: &y {a: 1}\nspec:\n  <<: *y\n  serviceAccountIssuer: ${plain}\n`,
  ],
  [
    "parent missing",
    "metadata: {name: cluster}\n",
    `metadata: {name: cluster}\nspec:\n  serviceAccountIssuer: ${plain}\n`,
  ],
  ["parent empty", "spec: # c\nz: 1\n", `spec: # c\n  serviceAccountIssuer: ${plain}\nz: 1\n`],
  ["parent tilde on its line", "spec:\n  ~\nz: 1\n", `spec:\n\n  serviceAccountIssuer: ${plain}\nz: 1\n`],
  ["parent tilde", "spec: ~\nz: 1\n", `spec:\n  serviceAccountIssuer: ${plain}\nz: 1\n`],
  ["explicit parent, empty", "? spec\n:\nz: 1\n", `? spec\n:\n    serviceAccountIssuer: ${plain}\nz: 1\n`],
  ["parent {}", "spec: {} # c\n", `spec: {"serviceAccountIssuer": "${plain}"} # c\n`],
  ["parent in brackets", "spec: {type: ''}\n", `spec: {type: '', "serviceAccountIssuer": "${plain}"}\n`],
  ["brackets, comma at the end", "spec: {type: '', }\n", `spec: {type: '', "serviceAccountIssuer": "${plain}", }\n`],
  ["brackets, comment", "spec: {a: 1 # c }\n  }\n", `spec: {a: 1, "serviceAccountIssuer": "${plain}" # c }\n  }\n`],
  ["brackets, last one empty", "spec: {type: }\n", `spec: {type:, "serviceAccountIssuer": "${plain}" }\n`],
  ["brackets, last one bare", "spec: {type}\n", `spec: {type, "serviceAccountIssuer": "${plain}"}\n`],
  ["brackets, plain", "spec: {serviceAccountIssuer: a, b: c}\n", `spec: {serviceAccountIssuer: "${plain}", b: c}\n`],
  ["brackets, nothing", "spec: {serviceAccountIssuer: , b: c}\n", `spec: {serviceAccountIssuer: "${plain}" , b: c}\n`],
  ["brackets, null", "spec: {serviceAccountIssuer: ~}\n", `spec: {serviceAccountIssuer: "${plain}"}\n`],
];

describe("setField", () => {
  test.each(styles)("%s", (_style, before, after) => {
    const changed = runText(setter, list(before));
    expect(changed).toEqual({ stdout: list(after), stderr: "", exitCode: 0 });
    settingChangesOneField(list(before));
  });

  test.each(styles)("%s, if every line ends with CRLF", (_style, before, after) => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    expect(runText(setter, crlf(list(before))).stdout).toBe(crlf(list(after)));
    settingChangesOneField(crlf(list(before)));
  });

  test.each(styles)("%s, if the list continues", (_style, before, after) => {
    const rest = "- kind: Other\nfunctionConfig: {kind: ConfigMap}\n";
    expect(runText(setter, list(before) + rest).stdout).toBe(list(after) + rest);
  });

  test.each(styles)("%s, if the text has no newline at its end", (_style, before) => {
    settingChangesOneField(list(before).replace(/\n+$/, ""));
  });

  test.each([
    ["alias", "a: &a b\nspec:\n  serviceAccountIssuer: *a\n", `a: &a b\nspec:\n  serviceAccountIssuer: ${plain}\n`],
  ])("%s: the alias is removed, its anchor stays", (_style, before, after) => {
    expect(runText(setter, list(before)).stdout).toBe(list(after));
    settingChangesOneField(list(before));
  });

  test.each([
    ["a shared value", "spec:\n  serviceAccountIssuer: &a b\nz: *a\n", "spec.serviceAccountIssuer", "has an anchor"],
    [
      "a shared empty value",
      "spec:\n  serviceAccountIssuer: &a\nz: *a\n",
      "spec.serviceAccountIssuer",
      "has an anchor",
    ],
    ["a shared empty parent", "spec: &a\nz: *a\n", "spec", "has an anchor"],
    ["a shared parent", "spec: &a {b: c}\nz: *a\n", "spec", "has an anchor"],
    ["an alias as parent", "z: &a {b: c}\nspec: *a\n", "spec", "is an alias"],
    ["a list as parent", "spec: [a]\n", "spec", "is not a mapping"],
    ["a text as parent", "spec: a\n", "spec", "is not a mapping"],
    ["a list as value", "spec:\n  serviceAccountIssuer: [a]\n", "spec.serviceAccountIssuer", "is not a single value"],
    ["a mapping as value", "spec:\n  serviceAccountIssuer: {}\n", "spec.serviceAccountIssuer", "is not a single value"],
    ["a key without a colon", "spec: {serviceAccountIssuer}\n", "spec", "cannot be changed"],
    ["a key without a colon, one with it after", "spec: {serviceAccountIssuer, b: c}\n", "spec", "cannot be changed"],
  ])("refuses %s", (_what, lines, field, why) => {
    const { stdout, stderr, exitCode } = runText(setter, list(lines));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`"${field}" ${why}`);
    expect(stderr).toContain("Write it out as a plain value, then run the command again. [field-not-editable]\n");
    expect(stdout.startsWith(list(lines))).toBe(true);
    expect(stdout).toContain("code: field-not-editable");
  });

  test("refuses a pair in a list, because it does not have its own brackets", () => {
    const text = `${head}items: [kind: Authentication]\n`;
    const { stderr, exitCode } = runText(setter, text);
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 1 });
    expect(stderr).toContain("[field-not-editable]");
  });

  test("refuses an item that is not a mapping", () => {
    const fn = fake(({ items }) => ({ changes: items.map((resource) => issuerChange(resource)) }));
    const { stderr, exitCode } = runText({ ...fn, emits: [] }, `${head}items:\n- a\n`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "the object is not a mapping. Write it out as a plain value, then run the command again. [field-not-editable]\n",
    );
  });

  test("sets the one field of a pair in a list", () => {
    const fn = fake(({ items }) => ({ changes: items.map((resource) => issuerChange(resource, ["kind"])) }));
    const { stdout } = runText({ ...fn, emits: [] }, `${head}items: [kind: A]\n`);
    expect(stdout).toBe(`${head}items: [kind: "${plain}"]\n`);
  });

  test("creates every mapping on the path", () => {
    const fn = fake(({ items }) => ({ changes: items.map((resource) => issuerChange(resource, ["spec", "a", "b"])) }));
    const set = (lines: string) => runText({ ...fn, emits: [] }, list(lines)).stdout;
    const made = list(`spec:\n  a:\n    b: ${plain}\n`);
    expect(set("")).toBe(made);
    expect(set("spec:\n")).toBe(made);
    expect(set("spec:\n  a:\n")).toBe(made);
    expect(set("spec: {}\n")).toBe(list(`spec: {"a": {"b": "${plain}"}}\n`));
    expect(set("spec: {a: }\n")).toBe(list(`spec: {a: {"b": "${plain}"} }\n`));
  });

  test("doubles a quote in single quotes", () => {
    const fn = fake(({ items }) => ({
      changes: items.map((resource) => ({ ...issuerChange(resource), value: "it's" })),
    }));
    const { stdout } = runText({ ...fn, emits: [] }, list("spec:\n  serviceAccountIssuer: 'a'\n"));
    expect(stdout).toBe(list("spec:\n  serviceAccountIssuer: 'it''s'\n"));
  });

  test("quotes a value that a style cannot express", () => {
    const value = "a\u0085'\u{1f600}\n\u2028b";
    const change = fake(({ items }) => ({
      changes: items.map((resource) => ({ ...issuerChange(resource), value })),
    }));
    for (const before of ["'a'", '"a"', "a", "|\n    a", "~"]) {
      const { stdout } = runText({ ...change, emits: [] }, list(`spec:\n  serviceAccountIssuer: ${before}\n`));
      expect(stdout).toMatch(/serviceAccountIssuer: "a(\\N|\\u0085)'/);
    }
    const { stdout } = runText({ ...change, emits: [] }, list("spec: {serviceAccountIssuer: a}\n"));
    expect(stdout).toContain('{serviceAccountIssuer: "a\\u0085\'\u{1f600}\\n\\u2028b"}');
  });
});
