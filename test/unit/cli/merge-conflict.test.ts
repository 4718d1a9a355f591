import { describe, expect, it } from "vitest";
import { readRequestDirectory } from "../../../src/cli/files/request-files.ts";
import { readPackage } from "../../../src/cli/package/package-files.ts";
import { FindingsError } from "../../../src/cli/terminal/errors.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

/** Two sides of a line, as Git leaves them. */
const sides = (indent: string, ours: string, theirs: string) =>
  ["<<<<<<< HEAD", ours, "||||||| base", ours, "=======", theirs, ">>>>>>> theirs"]
    .map((line) => indent + line)
    .join("\n");

const object = (kind: string, rest: string, annotations = "") =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: one\n${annotations}${rest}\n`;

const generated = "  annotations:\n    fn.cloudcredential.dev/generated-by: generate-cloud-credentials/v1\n";

function findingsOf(path: string, text: string): readonly Finding[] {
  const directory = temporary();
  writeTree(directory, { [path]: text });
  try {
    return readPackage(directory).findings;
  } catch (error) {
    if (error instanceof FindingsError) return error.findings;
    throw error;
  }
}

const resolve =
  "Resolve the conflict: keep what belongs in the file, and delete the lines that begin with <<<<<<<, |||||||, =======, and >>>>>>>.";
const render =
  "A render generates the file, so keep either side: delete the other one and the lines that begin with <<<<<<<, |||||||, =======, and >>>>>>>, and render again.";

describe("a merge conflict in a package", () => {
  it.each<[string, string, string, string, string]>([
    ["a request", "r.yaml", object("CredentialsRequest", sides("", "x: 1", "x: 2")), "error", `line 5. ${resolve}`],
    ["the Kptfile", "Kptfile", object("Kptfile", sides("", "x: 1", "x: 2")), "error", `line 5. ${resolve}`],
    [
      "the ClusterIdentity",
      "cluster-identity.yaml",
      object("ClusterIdentity", sides("", "spec: 1", "spec: 2")),
      "error",
      `line 5. ${resolve}`,
    ],
    [
      "a text of the ClusterIdentity",
      "cluster-identity.yaml",
      object("ClusterIdentity", `spec:\n  text: |\n${sides("    ", "a", "b")}`),
      "error",
      `line 7. ${resolve}`,
    ],
    [
      "a generated file",
      "aws/one.yaml",
      object("ConfigMap", sides("", "data: 1", "data: 2"), generated),
      "error",
      `line 7. ${render}`,
    ],
    [
      "a policy in a generated file",
      "aws/one.yaml",
      object("ConfigMap", `data:\n  role.json: |\n${sides("    ", "{}", "[]")}`, generated),
      "error",
      `line 9. ${render}`,
    ],
    [
      "whole documents",
      "r.yaml",
      `---\n${sides("", `---\n${object("CredentialsRequest", "")}`, `---\n${object("CredentialsRequest", "")}`)}\n`,
      "error",
      `line 2. ${resolve}`,
    ],
    [
      "a JSON file",
      "one.json",
      `{"kind": "CredentialsRequest",\n${sides("", '"a": 1', '"a": 2')}\n}`,
      "error",
      `line 2. ${resolve}`,
    ],
    [
      "a file of others",
      "theirs.yaml",
      object("Service", sides("", "x: 1", "x: 2")),
      "warning",
      `line 5. It is skipped, because it contains nothing that a function reads. ${resolve}`,
    ],
    [".krmignore", ".krmignore", sides("", "a", "b"), "error", `line 1. ${resolve}`],
  ])("in %s is named, with what to do", (_name, path, text, severity, message) => {
    const found = findingsOf(path, text);
    expect(found.map((one) => [one.severity, one.message])).toEqual([
      [severity, `"${path}" contains a merge conflict, ${message}`],
    ]);
  });

  it("of which a part is left does not suggest .krmignore", () => {
    const [found] = findingsOf("r.yaml", object("CredentialsRequest", "=======\nx: 2"));
    expect(found?.message).toBe(`"r.yaml" is not YAML: it contains a merge conflict, line 5. ${resolve}`);
  });

  it("is not a text of another object that looks like one", () => {
    expect(findingsOf("theirs.yaml", object("ConfigMap", `data:\n  help: |\n${sides("    ", "a", "b")}`))).toEqual([]);
  });

  it("in a directory of requests is named", () => {
    const directory = temporary();
    writeTree(directory, { "r.yaml": object("CredentialsRequest", sides("", "x: 1", "x: 2")) });
    expect(() => readRequestDirectory("--from x", directory)).toThrow(
      '--from x contains files that cannot be used: "r.yaml" contains a merge conflict (line 5); fix or remove them',
    );
  });
});

it("ccoctl's dry run is named in a package", () => {
  const [found] = findingsOf("manifests/one.yaml", object("Secret", "POPULATE ROLE ARN AND DELETE THIS LINE"));
  expect(found?.message).toBe(
    '"manifests/one.yaml" is not YAML: ccoctl wrote it with --dry-run, so it ends with the line "POPULATE ROLE ARN AND DELETE THIS LINE", line 5. Write the missing values into the file and delete that line, or get the Secret from the cluster.',
  );
});
