import { describe, expect, it } from "vitest";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  makeCredentials,
  request,
  statements,
} from "../../helpers/cluster.ts";

const entry = { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" };
const run = (spec: Any, aws: Any = {}) => makeCredentials(identity({ aws }), [request("one", { spec })]);
const first = "spec.providerSpec.statementEntries[0]";

describe("a request that lacks a field is an error that names it", () => {
  it.each<[string, Any]>([
    ["spec.secretRef", { secretRef: undefined }],
    ["spec.secretRef.name", { secretRef: { namespace: "ns" } }],
    ["spec.secretRef.namespace", { secretRef: { name: "x" } }],
    ["spec.providerSpec.statementEntries", { providerSpec: { kind: "AWSProviderSpec" } }],
    [`${first}.effect`, statements({ ...entry, effect: undefined })],
    [`${first}.action`, statements({ ...entry, action: undefined })],
    [`${first}.resource`, statements({ ...entry, resource: undefined })],
  ])("%s", (field, spec) => {
    const made = run(spec);
    expect(expectFinding(made, "error", "request-missing-field")).toBe(`"${field}" is required.`);
    expect(made.results[0]?.field).toEqual({ path: field });
  });
});

describe("a field of a request that breaks its rule is an error that names both", () => {
  const subdomain = "must be a DNS subdomain name: lowercase letters, digits, '-', and '.'.";
  const label = "must be a DNS label: up to 63 lowercase letters, digits, and '-'.";
  it.each<[string, string, Any, string]>([
    ["spec.secretRef", '"x"', { secretRef: "x" }, "must be a mapping."],
    ["spec.secretRef.name", '"a..b"', { secretRef: { namespace: "ns", name: "a..b" } }, subdomain],
    ["spec.secretRef.name", '"a.-b"', { secretRef: { namespace: "ns", name: "a.-b" } }, subdomain],
    ["spec.secretRef.name", '"A"', { secretRef: { namespace: "ns", name: "A" } }, subdomain],
    ["spec.secretRef.name", '""', { secretRef: { namespace: "ns", name: "" } }, subdomain],
    ["spec.secretRef.namespace", '"a.b"', { secretRef: { namespace: "a.b", name: "x" } }, label],
    ["spec.secretRef.namespace", "7", { secretRef: { namespace: 7, name: "x" } }, label],
    ["spec.serviceAccountNames", '"x"', { serviceAccountNames: "x" }, "must be a list."],
    ["spec.serviceAccountNames[0]", "7", { serviceAccountNames: [7] }, "must be a string."],
    ["spec.serviceAccountNames[1]", '""', { serviceAccountNames: ["a", ""] }, subdomain],
    ["spec.providerSpec.statementEntries", "a list of 0", statements(), "must contain at least one statement."],
    [first, '"x"', statements("x"), "must be a mapping."],
    [`${first}.action`, '"ec2:*"', statements({ ...entry, action: "ec2:*" }), "must contain at least one action."],
    [
      `${first}.action[0]`,
      '"ec2 :Run"',
      statements({ ...entry, action: ["ec2 :Run"] }),
      "must be an IAM action, such as 'ec2:DescribeInstances'.",
    ],
    [`${first}.resource`, "a list of 1", statements({ ...entry, resource: ["*"] }), "must be '*' or an ARN."],
    [`${first}.resource`, '"arn:a b"', statements({ ...entry, resource: "arn:a b" }), "must be '*' or an ARN."],
    [`${first}.policyCondition`, "a list of 0", statements({ ...entry, policyCondition: [] }), "must be a mapping."],
    [
      `${first}.policyCondition.Bool`,
      '"x"',
      statements({ ...entry, policyCondition: { Bool: "x" } }),
      "must be a mapping.",
    ],
  ])("%s: %s", (field, shown, spec, must) => {
    const made = run(spec);
    expect(expectFinding(made, "error", "request-invalid-field")).toBe(`"${field}" is ${shown}, but ${must}`);
    expect(made.results[0]?.field).toEqual({ path: field });
  });

  it("more than one at a time, and the Secret's file name is limited", () => {
    const made = run({ secretRef: { namespace: "A", name: "B" }, ...statements({ ...entry, effect: "x", extra: 1 }) });
    expect(made.results.map((result) => [result.tags.code, result.field.path])).toEqual([
      ["request-invalid-field", `${first}.effect`],
      ["request-invalid-field", "spec.secretRef.name"],
      ["request-invalid-field", "spec.secretRef.namespace"],
      ["request-unknown-field", `${first}.extra`],
    ]);
    const labels = (length: number) => `${`${"x".repeat(60)}.`.repeat(4)}`.slice(0, length - 1).concat("y");
    const withName = (length: number) =>
      run({ secretRef: { namespace: "ns", name: labels(length) } }, { roles: { nameOverflow: "Hash" } });
    expectClean(withName(234));
    expect(expectFinding(withName(235), "error", "request-invalid-field")).toBe(
      '"spec.secretRef": the namespace and the name together have 237 characters, but must have at most 236, because a file name contains both.',
    );
  });
});

describe("what a request may contain", () => {
  it.each<[string, Any]>([
    ["the largest names", { secretRef: { namespace: "n".repeat(63), name: "x.y-1.0z" } }],
    ["fields that change no permission", { cloudTokenPath: "/x", secretRef: { namespace: "ns", name: "x", extra: 1 } }],
    ["an empty token path", { cloudTokenPath: "" }],
    ["every form of action", statements({ ...entry, action: ["*", "ec2:*", "s3:Get*", "a4b-x:List?"] })],
    ["every form of resource", statements({ ...entry, resource: "arn:*:kms:*:*:key/*" }, { ...entry, effect: "Deny" })],
    [
      "conditions of every kind",
      statements({ ...entry, policyCondition: { "ForAnyValue:StringEquals": { "aws:TagKeys": ["a", 1, true] } } }),
    ],
  ])("%s", (_, spec) => expectClean(run(spec)));

  it("statements keep their order, even if some are equal", () => {
    const made = run(statements({ ...entry, effect: "Deny" }, entry, entry), {});
    const { Statement } = made.bundle("aws/roles/ns-one-credentials.yaml")["permissions-policy.json"];
    expect(Statement.map((each: Any) => each.Effect)).toEqual(["Deny", "Allow", "Allow"]);
  });
});
