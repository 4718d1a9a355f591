import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortFindings } from "../../../src/krm/results.ts";
import { selectRequests } from "../../../src/requests/select.ts";
import { type Any, request } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import "../../helpers/seed.ts";

const rules = {
  profile: "self-managed-high-availability",
  excludeIdentifier: "",
  featureSet: "Default",
  featureGates: [],
} as const;

const name = 'CredentialsRequest "openshift-cloud-credential-operator/one"';

function told(...files: [path: string | undefined, object: Any][]): string[] {
  const items = files.map(([path, object], index) =>
    resourceOf(object, path === undefined ? {} : { path, index: path === "both.yaml" ? index : 0 }),
  );
  const { findings } = selectRequests(items, rules, String(files[0]?.[1].spec.providerSpec.kind));
  return sortFindings(findings).flatMap(({ code, message, file }) =>
    code === "secret-shared" ? [`${file?.path ?? ""}: ${message}`] : [],
  );
}

const spec = (changes: Any) => request("one", { spec: changes });
const statement = (action: readonly string[], more: Any = {}) => ({ effect: "Allow", action, resource: "*", ...more });
const asking = (...statementEntries: Any[]) => spec({ providerSpec: { kind: "AWSProviderSpec", statementEntries } });
const azure = (more: Any) => spec({ providerSpec: { kind: "AzureProviderSpec", ...more } });
const gcp = (more: Any) => spec({ providerSpec: { kind: "GCPProviderSpec", ...more } });

describe("the same request in two files", () => {
  it.each<[string, Any, Any, string]>([
    [
      "with a permission more in the first",
      asking(statement(["s3:GetObject", "s3:ListBucket", "ec2:RunInstances"])),
      asking(statement(["s3:GetObject"])),
      "with different permissions (only the first: ec2:RunInstances, s3:ListBucket)",
    ],
    [
      "with permissions that each has alone, and more than a message holds",
      asking(statement(["a:1"])),
      asking(statement(["b:1", "b:2", "b:3", "b:4", "b:5", "b:6", "b:7"])),
      "with different permissions (only the first: a:1; only the second: b:1, b:2, b:3, b:4, b:5 and 2 more)",
    ],
    [
      "on other resources",
      asking(statement(["s3:GetObject"], { resource: "arn:aws:s3:::a" })),
      asking(statement(["s3:GetObject"], { resource: "arn:aws:s3:::b" })),
      "with different permissions (on other resources or conditions: s3:GetObject)",
    ],
    [
      "under another condition",
      asking(statement(["a:1"], { policyCondition: { Bool: { x: "true" } } })),
      asking(statement(["a:1"])),
      "with different permissions (on other resources or conditions: a:1)",
    ],
    [
      "with a denial",
      asking(statement(["a:1"]), statement(["a:2"], { effect: "Deny" })),
      asking(statement(["a:1"])),
      "with different permissions (only the first: Deny a:2)",
    ],
    [
      "with other permissions, accounts and paths",
      spec({ serviceAccountNames: ["a", "b"], cloudTokenPath: "/a" }),
      spec({ serviceAccountNames: ["b", "c"], cloudTokenPath: "/b" }),
      'with different service accounts (only the first: "a"; only the second: "c") and token paths ("/a" and "/b")',
    ],
    [
      "with three differences",
      request("one", { annotations: { note: "x" }, spec: { serviceAccountNames: ["a"], cloudTokenPath: "/a" } }),
      spec({ serviceAccountNames: ["b"], cloudTokenPath: "/b" }),
      'with different service accounts (only the first: "a"; only the second: "b"), token paths ("/a" and "/b") and fields ("metadata.annotations.note")',
    ],
    [
      "with other annotations",
      request("one", { annotations: { note: "x" } }),
      request("one"),
      'with different fields ("metadata.annotations.note")',
    ],
    [
      "with another field of its providerSpec",
      spec({ providerSpec: { kind: "AWSProviderSpec", statementEntries: [], stsIAMRoleARN: "x" } }),
      spec({ providerSpec: { kind: "AWSProviderSpec", statementEntries: [] } }),
      'with different fields ("spec.providerSpec.stsIAMRoleARN")',
    ],
    [
      "in another order, and other case",
      asking(statement(["a:1", "a:B"]), statement(["a:3"])),
      asking(statement(["a:3"]), statement(["a:b", "a:1"])),
      ", formatted differently",
    ],
    [
      "for Azure",
      azure({ roleBindings: [{ role: "Contributor" }], permissions: ["a/read"] }),
      azure({ permissions: ["a/read", "b/write"] }),
      "with different permissions (only the first: Contributor; only the second: b/write)",
    ],
    [
      "for Google Cloud",
      gcp({ predefinedRoles: ["roles/x"], skipServiceCheck: true }),
      gcp({ permissions: ["y.z"] }),
      'with different permissions (only the first: roles/x; only the second: y.z) and fields ("spec.providerSpec.skipServiceCheck")',
    ],
  ])("%s", (_, first, second, how) => {
    const sentence = `"a.yaml" and "b.yaml" contain the same ${name}${how.startsWith(",") ? "" : " "}${how}. Keep one.`;
    expect(told(["a.yaml", first], ["b.yaml", second])).toEqual([`b.yaml: ${sentence}`]);
    expect(told(["b.yaml", second], ["a.yaml", first])).toEqual([`b.yaml: ${sentence}`]);
  });

  it("is reported for one file, and for unknown files", () => {
    const [one, two] = [asking(statement(["a:1"])), asking(statement(["a:1", "a:2"]))];
    const how = "more than once with different permissions (only the second: a:2). Keep one.";
    expect(told(["both.yaml", one], ["both.yaml", two])).toEqual([
      `both.yaml: "both.yaml" contains the same ${name} ${how}`,
    ]);
    expect(told([undefined, one], [undefined, two])).toHaveLength(1);
    expect(told([undefined, one], [undefined, two])[0]).toContain(
      `: the package contains the same ${name} more than once`,
    );
  });

  it("also names the file of a copy", () => {
    const [one, two] = [asking(statement(["a:1"])), asking(statement(["a:1", "a:2"]))];
    expect(told(["a.yaml", one], ["b.yaml", two], ["c.yaml", one])).toEqual([
      `b.yaml: "a.yaml" (and "c.yaml") and "b.yaml" contain the same ${name} with different permissions (only the second: a:2). Keep one.`,
    ]);
  });

  it("shows no key and nothing that controls a terminal", () => {
    const [message] = told(
      ["a.yaml", asking(statement(["a:\u001b[31m", "-----BEGIN PRIVATE KEY-----"]))],
      ["b.yaml", asking(statement(["a:1"]))],
    );
    expect(message).toContain('"a:\\u001b[31m"');
    expect(message).not.toContain("BEGIN");
  });

  it("does not depend on the order of the files", () => {
    const files: [string, Any][] = [
      ["d.yaml", asking(statement(["a:1"]))],
      ["a.yaml", asking(statement(["a:2"]))],
      ["c.yaml", asking(statement(["a:3"]))],
      ["b.yaml", request("two", { spec: { secretRef: { namespace: "ns-one", name: "credentials" } } })],
      ["e.yaml", asking(statement(["a:1"]))],
    ];
    const expected = told(...files);
    expect(expected.map((line) => line.slice(0, 23))).toEqual([
      "b.yaml: names the same ",
      'c.yaml: "a.yaml" and "c',
      'd.yaml: "a.yaml" and "d',
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (shuffled) => {
        expect(told(...shuffled)).toEqual(expected);
      }),
    );
  });
});

it("a request that appears twice with different Secrets is a warning", () => {
  const moved = request("one", { spec: { secretRef: { namespace: "ns-one", name: "moved" } } });
  const files: [string, Any][] = [
    ["a.yaml", request("one")],
    ["b.yaml", moved],
    ["c.yaml", request("one", { metadata: { namespace: "elsewhere" }, spec: { secretRef: moved.spec.secretRef } })],
  ];
  for (const some of [files.slice(0, 2), files.slice(0, 2).reverse()]) {
    const items = some.map(([path, object]) => resourceOf(object, { path }));
    expect(selectRequests(items, rules, "AWSProviderSpec").findings).toMatchObject([
      {
        severity: "warning",
        code: "request-repeated",
        message: `"a.yaml" and "b.yaml" contain the same ${name} with different Secrets ("ns-one/credentials" and "ns-one/moved"). Keep one.`,
        field: "spec.secretRef",
        file: { path: "b.yaml" },
      },
    ]);
  }
  const apart = [files[0], files[2]].map((file) => resourceOf(file?.[1], { path: file?.[0] ?? "" }));
  expect(selectRequests(apart, rules, "AWSProviderSpec").findings.map(({ code }) => code)).toEqual([
    "request-namespace",
  ]);
});

it("requests with different names that share a Secret have another message", () => {
  const two = request("two", { spec: { secretRef: { namespace: "ns-one", name: "credentials" } } });
  expect(told(["a.yaml", request("one")], ["b.yaml", two])).toEqual([
    `b.yaml: names the same Secret "ns-one/credentials" in "spec.secretRef" as ${name} in "a.yaml". Each request needs its own Secret. Remove the request that this cluster does not need, or correct the wrong "spec.secretRef".`,
  ]);
});
