import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { packageWithBoundary } from "../../helpers/cluster-package.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const request = (
  kind = "CredentialsRequest",
  apiVersion = "cloudcredential.openshift.io/v1",
) => `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: app, namespace: openshift-cloud-credential-operator}
spec:
  secretRef: {namespace: app, name: aws}
  serviceAccountNames: [app]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {effect: Allow, action: ["s3:GetObject"], resource: "*"}
`;

const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by).replace(by, `${by.slice(2)}- `);

const list = `apiVersion: v1\nkind: List\nitems:\n${indented(request(), "  ")}`;
const sops = `${request()}sops: {version: 3.8.1}\n`;
const repeated = request().replace("    statementEntries:", "    statementEntries: []\n    statementEntries:");

type Case = [what: string, text: string, message: string];
const cases: Case[] = [
  [
    "a list",
    list,
    'is a list with a CredentialsRequest, which is not read ("items[0]"). Write each as a separate document, without its "status" and without the fields of "metadata" that the API server sets. [request-misplaced]',
  ],
  [
    "a misspelled kind",
    request("CredentialRequest"),
    'has the kind "CredentialRequest", which does not exist in "cloudcredential.openshift.io", so it is not read. Write "kind: CredentialsRequest". [request-misplaced]',
  ],
  [
    "a misspelled group",
    request(undefined, "cloudcredentials.openshift.io/v1"),
    'has the apiVersion "cloudcredentials.openshift.io/v1", but a CredentialsRequest has "cloudcredential.openshift.io/v1", so it is not read. Correct it. [request-misplaced]',
  ],
  [
    "a request that SOPS encrypted",
    sops,
    'is encrypted with SOPS, so it cannot be read. A request contains nothing secret: decrypt the file, for example with "sops decrypt --in-place FILE", and exclude requests from encryption in ".sops.yaml". [request-encrypted]',
  ],
  [
    "a request with a key that appears twice",
    repeated,
    'cannot be read: the key "spec.providerSpec.statementEntries" appears twice, the second time in line 11. Merge the two, or remove one. [yaml-value]',
  ],
];

describe("requests that are not read", () => {
  it.each(cases)("are an error of every command that reads a package: %s", (_, text, message) => {
    const directory = packageWithBoundary();
    writeTree(directory, { "credentials-requests/app.yaml": text });
    const statuses = { render: 1, validate: message.includes("yaml-value") ? 1 : 2 };
    for (const [command, expected] of Object.entries(statuses)) {
      const { status, stdout, stderr } = run([command, directory]);
      expect(status, command).toBe(expected);
      const line = `${stdout}${stderr}`.split("\n").find((line) => line.includes(message));
      expect(line, `${command}: ${stdout}${stderr}`).toMatch(/^error: credentials-requests\/app\.yaml: /);
    }
  });

  it.each(cases)("are an error of commands that read a directory of requests: %s", (_, text, message) => {
    const from = temporary();
    writeTree(from, { "app.yaml": text, "other.yaml": request().replaceAll("app", "other") });
    const directory = packageWithBoundary();
    for (const args of [
      ["update-requests", directory, "--from", from],
      ["diff", directory, from],
    ]) {
      const { status, stdout, stderr } = run(args);
      expect(status, args[0]).toBe(1);
      expect(`${stdout}${stderr}`, args[0]).toContain(message);
    }
  });

  it.each([
    [
      "a Template",
      `apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: app}\nobjects:\n`,
      "objects[0]",
    ],
    [
      "a SelectorSyncSet",
      "apiVersion: hive.openshift.io/v1\nkind: SelectorSyncSet\nmetadata: {name: app}\nspec:\n  resources:\n",
      "spec.resources[0]",
    ],
  ])("are a warning in %s", (_, head, field) => {
    const directory = packageWithBoundary();
    writeTree(directory, { "app.yaml": `${head}${indented(request(), "    ")}` });
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(0);
    expect(stderr).toContain(
      `contains a CredentialsRequest, which is not read ("${field}"). If this cluster needs one, write it as a separate document, and replace its parameters with their values. [request-misplaced]`,
    );
  });
});

it("the metadata of a bundle causes no finding", () => {
  const directory = packageWithBoundary();
  writeTree(directory, {
    [join("operators", "shelf", "metadata", "annotations.yaml")]:
      "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n",
  });
  expect(run(["render", directory])).toMatchObject({ status: 0, stderr: "" });
});
