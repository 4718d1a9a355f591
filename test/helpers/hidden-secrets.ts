import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { writeTree } from "./temporary.ts";

/*
 * Forms of files in which tools that apply a directory find a Secret, but a program that reads files in its own way may not. The
 * Secret has the name of one that a function generates for the sample requests, so a tool would apply it after, or in place of,
 * the generated one.
 */

/** The Secret that each form hides. */
export const hiddenName = "cloud-credentials";
const namespace = "openshift-ingress-operator";

const lines = [
  "apiVersion: v1",
  "kind: Secret",
  `metadata: {name: ${hiddenName}, namespace: ${namespace}}`,
  "stringData: {credentials: by hand}",
];
const secret = `${lines.join("\n")}\n`;
const indented = lines.map((line) => `  ${line}\n`).join("");
const json = JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: hiddenName, namespace } });

const visible = `apiVersion: v1
kind: ConfigMap
metadata: {name: visible, namespace: default}
`;

/** Adds a form to a package. */
export function hide({ path, text, ignored }: Form, directory: string): void {
  writeTree(directory, { [path]: text });
  if (ignored !== undefined) appendFileSync(join(directory, ".krmignore"), `${ignored}\n`);
}

/** A form: what it adds to a package, and which tool shows the Secret. */
export interface Form {
  readonly name: string;
  /** The file with the Secret, relative to the package. */
  readonly path: string;
  readonly text: string;
  /** A line that it adds to .krmignore. */
  readonly ignored?: string;
  /** The command that shows it; only kustomize and what contains it read a kustomization. */
  readonly shownBy?: "kubectl" | "kustomize";
  /** The finding of a render that refuses it, and a part of its message. */
  readonly code: string;
  readonly message: string;
}

const extra = "manifests/extra.yaml";
const differs = "text-ambiguous";

/** The forms, each of which `ccf` once skipped without a finding. */
export const forms: readonly Form[] = [
  {
    name: "a file named install-config.yaml",
    path: "manifests/install-config.yaml",
    text: secret,
    code: "name-taken",
    message: "has the name of an object that generate-cloud-credentials generates",
  },
  {
    name: "a line in .krmignore",
    path: extra,
    text: secret,
    ignored: "extra.yaml",
    code: "object-hidden",
    message: '.krmignore excludes it (line 3: "extra.yaml")',
  },
  {
    name: "a separator that looks like the key of a text",
    path: extra,
    text: `${visible}---#x: |\n${indented}`,
    code: differs,
    message: "line 4",
  },
  {
    name: "a separator with a comment after it",
    path: extra,
    text: `${visible}---#x\n${secret}`,
    code: differs,
    message: "line 4",
  },
  ...["\u0085", "\u2028", "\u2029"].map((lineBreak) => ({
    name: `a comment with the line break ${lineBreak.codePointAt(0)?.toString(16)}`,
    path: extra,
    text: `${visible}---\n# a comment${lineBreak}${lines.join(lineBreak)}\n`,
    code: differs,
    message: "line 5",
  })),
  {
    name: "a kind in base64",
    path: extra,
    text: secret.replace("kind: Secret", "kind: !!binary U2VjcmV0"),
    code: differs,
    message: 'has a tag on "kind", line 2',
  },
  {
    name: "a List",
    path: extra,
    text: `apiVersion: v1\nkind: List\nitems:\n- ${indented.trimStart()}`,
    code: "file-skipped",
    message: "contains a list",
  },
  {
    name: "a SecretList",
    path: extra,
    text: `apiVersion: v1\nkind: SecretList\nitems:\n- ${indented.trimStart()}`,
    code: "file-skipped",
    message: "contains a list",
  },
  ...["kustomization.yaml", "kustomization.yml", "Kustomization"].map((name) => ({
    name: `a patch in ${name}`,
    path: `manifests/${name}`,
    text: `resources: [${namespace}-cloud-credentials-credentials.yaml]\nnamePrefix: ""\n`,
    shownBy: "kustomize" as const,
    code: "file-skipped",
    message: "is a kustomization",
  })),
  {
    name: "items in an object of another kind",
    path: extra,
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: visible}\nitems:\n- ${indented.trimStart()}`,
    code: "file-skipped",
    message: "contains a list (line 1)",
  },
  {
    name: "items that a merge adds",
    path: extra,
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: visible}\n<<:\n  items:\n  - ${indented.trimStart().replaceAll("\n", "\n  ")}`,
    code: "file-skipped",
    message: "contains a list (line 1)",
  },
  {
    name: "a second byte order mark",
    path: extra,
    text: `\ufeff\ufeffitems:\n- ${indented.trimStart()}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: visible}\n`,
    code: differs,
    message: "a byte order mark that is not at its start",
  },
  {
    name: "a key in base64",
    path: extra,
    text: secret.replace("kind: Secret", "!!binary a2luZA==: Secret"),
    code: differs,
    message: "has a key with a tag",
  },
  {
    name: "an alias in place of a key",
    path: extra,
    text: `metadata: {name: ${hiddenName}, namespace: ${namespace}, labels: {a: &kind kind}}\napiVersion: v1\n*kind : Secret\n`,
    code: differs,
    message: "an alias in place of a key",
  },
  {
    name: "a merge after the key that it replaces",
    path: extra,
    text: `apiVersion: v1\nkind: ConfigMap\n<<: {kind: Secret}\nmetadata: {name: ${hiddenName}, namespace: ${namespace}}\n`,
    code: differs,
    message: "merges another mapping (<<) after a key that both have, line 3",
  },
  {
    name: "a second metadata, without the annotations of the first",
    path: extra,
    text: `apiVersion: v1\nkind: Secret\nmetadata: {namespace: other}\n"metadata": {name: ${hiddenName}, namespace: ${namespace}}\n`,
    code: differs,
    message: 'has the key "metadata" twice, line 4',
  },
  {
    name: "two objects in JSON",
    path: "manifests/extra.json",
    text: `${json.replace(hiddenName, "visible")}\n${json}\n`,
    code: "file-unreadable",
    message: "is not YAML",
  },
  {
    name: "a tab after a colon",
    path: extra,
    text: secret.replace("metadata: {", "metadata:\t{"),
    code: "file-unreadable",
    message: "is not YAML",
  },
];
