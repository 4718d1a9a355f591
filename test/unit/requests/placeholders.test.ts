import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { awsPlaceholders } from "../../../src/clouds/aws/identities/request.ts";
import { keysInAnnotations, placeholders } from "../../../src/requests/credentials-request.ts";
import { type Any, request, statements } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

function told(object: Any) {
  return placeholders(resourceOf(object, { path: "one.yaml" }), object, awsPlaceholders);
}

function template(field: string, shown: string) {
  return {
    severity: "error",
    code: "request-placeholder",
    message: `"${field}" is ${shown}, a placeholder that was not filled in. Replace it with the value.`,
    field,
    resource: expect.objectContaining({ kind: "CredentialsRequest" }),
    file: { path: "one.yaml", index: 0 },
  };
}

describe("placeholders", () => {
  it.each([
    "${NAMESPACE}",
    "a-${X",
    "$(id)",
    "$(",
    "{{ .Values.x }}",
    "{{",
    "CRED-REQ-NAME",
    "my-CRED-REQ-NAME-1",
    "<role>",
    "a<>b",
    "<a b>",
  ])("%s is a placeholder", (text) => {
    expect(told(request("one", { spec: { serviceAccountNames: ["ok", text] } }))).toEqual([
      template("spec.serviceAccountNames[1]", `"${text}"`),
    ]);
  });

  it.each([
    "$NAMESPACE",
    "$",
    "{x}",
    "}}",
    "cred-req-name",
    "CRED-REQ",
    "a<b",
    "a>b",
    "><",
    "<<",
    "",
    "*",
    "arn:aws:s3:::*",
  ])("%j is not a placeholder", (text) => {
    expect(told(request("one", { spec: { serviceAccountNames: [text] } }))).toEqual([]);
  });

  it.each([
    "arn:aws:s3:::BUCKET",
    "arn:aws:s3:::BUCKET/*",
    "arn:aws-us-gov:s3:::MY_BUCKET/logs/*",
    "arn:aws-cn:s3:::EXAMPLE-BUCKET-1",
    "arn:aws:s3:::A.B/",
  ])("%s, a bucket in upper case, is a placeholder", (text) => {
    expect(told(request("one", { spec: statements({ resource: text }) }))).toEqual([
      template("spec.providerSpec.statementEntries[0].resource", `"${text}"`),
    ]);
  });

  it.each([
    "BUCKET",
    "arn:aws:s3:::bucket",
    "arn:aws:s3:::bucket/BUCKET",
    "arn:aws:s3:::bucket/arn:aws:s3:::BUCKET",
    "arn:aws:s3:::Bucket",
    "arn:aws:s3:::BUCKET-of-2017",
    "arn:aws:s3:::BUCKET*",
    "arn:aws:s3:::1-2",
    "arn:aws:s3:us-east-1:123456789012:accesspoint/POINT",
    "arn:aws:s3-outposts:::BUCKET",
    "arn:aws:dynamodb:::TABLE",
    "arn:aws:iam::123456789012:role/ROLE",
    "arn:aws:kms:us-east-1:123456789012:alias/KEY",
  ])("%s is not a placeholder", (text) => {
    expect(told(request("one", { spec: statements({ resource: text }) }))).toEqual([]);
  });

  it.each<[string, Any]>([
    ["metadata.name", request("one", { metadata: { name: "<x>" } })],
    ["metadata.namespace", request("one", { metadata: { namespace: "<x>" } })],
    ["spec.secretRef.name", request("one", { spec: { secretRef: { namespace: "n", name: "<x>" } } })],
    ["spec.cloudTokenPath", request("one", { spec: { cloudTokenPath: "<x>" } })],
    [
      "spec.providerSpec.statementEntries[1].resource",
      request("one", { spec: statements({ resource: "*" }, { resource: "<x>" }) }),
    ],
    [
      "spec.providerSpec.statementEntries[0].policyCondition.StringEquals.aws:x[1]",
      request("one", { spec: statements({ policyCondition: { StringEquals: { "aws:x": ["a", "<x>"] } } }) }),
    ],
  ])("are found in %s", (field, object) => {
    expect(told(object)).toEqual([template(field, '"<x>"')]);
  });

  it("are searched for in the name, namespace and spec, not in other metadata", () => {
    const beside = request("one", { annotations: { note: "<x>" }, metadata: { name: "one", labels: { a: "<x>" } } });
    expect(told({ ...beside, status: { note: "${X}" } })).toEqual([]);
  });

  it("are all reported, each with its field", () => {
    const object = request("one", { metadata: { name: "$(a)" }, spec: { serviceAccountNames: ["<b>", "{{c}}"] } });
    expect(told(object)).toEqual([
      template("metadata.name", '"$(a)"'),
      template("spec.serviceAccountNames[0]", '"<b>"'),
      template("spec.serviceAccountNames[1]", '"{{c}}"'),
    ]);
  });

  it("are shortened, without anything that controls a terminal", () => {
    expect(told(request("one", { spec: { cloudTokenPath: `<\u001b[31m>${"x".repeat(100)}` } }))).toEqual([
      template("spec.cloudTokenPath", `"<\\u001b[31m>${"x".repeat(65)}…"`),
    ]);
  });
});

describe("a private key", () => {
  const pems = [
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "sec1", format: "pem" }),
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }),
    generateKeyPairSync("ed25519").privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-128-cbc",
      passphrase: "x",
    }),
  ].map(String);

  it.each(["", "x", "xy", "xyz"])("is refused plain and in base64, after %j, and no part of it is shown", (before) => {
    for (const pem of pems) {
      const base64 = Buffer.from(before + pem).toString("base64");
      for (const text of [before + pem, base64, `${base64.slice(0, 76)}\n${base64.slice(76)}`]) {
        const findings = told(request("one", { spec: { cloudTokenPath: text } }));
        expect(findings).toEqual([
          {
            ...template("spec.cloudTokenPath", ""),
            code: "private-key",
            message:
              '"spec.cloudTokenPath" contains a private key. Remove it, treat it as compromised, and create a new key pair.',
          },
        ]);
      }
    }
  });

  it("is refused in an annotation and as the name of a field", () => {
    const pem = pems[0] ?? "";
    const inAnnotations = (annotations: Any) => keysInAnnotations(resourceOf(request("one", { annotations })));
    expect(inAnnotations({ note: pem })).toMatchObject([{ code: "private-key", field: "metadata.annotations.note" }]);
    expect(inAnnotations({ [pem]: "x" })).toMatchObject([{ code: "private-key", field: "metadata.annotations" }]);
    expect(inAnnotations({ note: "x" })).toEqual([]);
    expect(told(request("one", { spec: { [pem]: "x" } }))).toMatchObject([{ code: "private-key", field: "spec" }]);
  });

  it("is not shown in a placeholder either", () => {
    for (const pem of pems) {
      expect(told(request("one", { spec: { cloudTokenPath: `<x>${pem}` } }))).toEqual([
        template("spec.cloudTokenPath", "(a value that is not shown)"),
      ]);
    }
  });

  it("is not a public one", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    for (const text of [pem, Buffer.from(pem).toString("base64")]) {
      expect(told(request("one", { spec: { cloudTokenPath: text } }))).toEqual([]);
    }
  });
});

it.each([[null], ["text"], [[]], [{}], [{ metadata: "<x>", spec: 5 }]])("%j has no texts to check", (object) => {
  expect(told(object)).toEqual([]);
});
