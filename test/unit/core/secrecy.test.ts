import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { finding } from "../../../src/core/finding.ts";
import { describe as describeResource } from "../../../src/core/resource.ts";
import { notShown, quoteWhole } from "../../../src/core/text.ts";
import {
  type Any,
  identity,
  type Made,
  makeCredentials,
  makeIssuer,
  request,
  statements,
} from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

const pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const forms = [
  ["plain", pem],
  ["in base64", Buffer.from(pem).toString("base64")],
] as const;

/** Expects neither the results nor standard error to contain any part of the key's body, in either form. */
function expectSilent({ results, stderr }: Made, secret: string): void {
  const told = stderr + JSON.stringify(results);
  const body = [pem.split("\n")[1] ?? "", pem.split("\n")[2] ?? "", secret.slice(60, 90)];
  for (const part of body) expect(told).not.toContain(part);
}

const entry = (more: Any) => ({
  spec: statements({ effect: "Allow", action: ["s3:GetObject"], resource: "*", ...more }),
});
const credentials = (config: Any, item: Any = request("one")) => makeCredentials(config, [item]);

describe.each(forms)("a private key, %s,", (_, secret) => {
  it.each<[string, string | undefined, () => Made]>([
    ["the name of a field", "spec", () => credentials(identity({ spec: { [secret]: 1 } }))],
    ["a field at the top", undefined, () => credentials({ ...identity(), [secret]: 1 })],
    ["the key of a tag", "spec.platform.aws.tags", () => credentials(identity({ aws: { tags: { [secret]: "x" } } }))],
    [
      "the value of a tag",
      "spec.platform.aws.tags.k",
      () => credentials(identity({ aws: { tags: { k: `x${secret}` } } })),
    ],
    [
      "the name of an override",
      "spec.overrides",
      () => credentials(identity({ spec: { overrides: { [secret]: { skip: true } } } })),
    ],
    ["the identity's name", "metadata.name", () => credentials(identity({ metadata: { name: secret } }))],
    [
      "an annotation",
      "metadata.annotations.k",
      () => credentials(identity({ metadata: { annotations: { k: secret } } })),
    ],
    [
      "an annotation's key",
      "metadata.annotations",
      () => credentials(identity({ metadata: { annotations: { [secret]: "" } } })),
    ],
    ["a label", "metadata.labels.k", () => credentials(identity({ metadata: { labels: { k: secret } } }))],
    [
      "a public key",
      "spec.issuer.signingKeys[0].publicKey",
      () => makeIssuer(identity({ spec: { issuer: { signingKeys: [{ publicKey: secret }] } } })),
    ],
    [
      "a feature set",
      "metadata.annotations.release.openshift.io/feature-set",
      () => credentials(identity(), request("one", { annotations: { "release.openshift.io/feature-set": secret } })),
    ],
    [
      "a capability",
      "metadata.annotations.capability.openshift.io/name",
      () =>
        credentials(
          identity({ spec: { release: { capabilities: [] } } }),
          request("one", { annotations: { "capability.openshift.io/name": secret } }),
        ),
    ],
    [
      "the key of a request's annotation",
      "metadata.annotations",
      () => credentials(identity(), request("one", { annotations: { [secret]: "x" } })),
    ],
    [
      "a request's namespace",
      "metadata.namespace",
      () => credentials(identity(), request("one", { metadata: { namespace: secret } })),
    ],
    [
      "the operator of a condition",
      "spec.providerSpec.statementEntries[0].policyCondition",
      () => credentials(identity(), request("one", entry({ policyCondition: { [secret]: {} } }))),
    ],
    [
      "the key of a condition",
      "spec.providerSpec.statementEntries[0].policyCondition.Bool",
      () => credentials(identity(), request("one", entry({ policyCondition: { Bool: { [secret]: null } } }))),
    ],
    [
      "the value of a condition",
      "spec.providerSpec.statementEntries[0].policyCondition.Bool.k[1]",
      () => credentials(identity(), request("one", entry({ policyCondition: { Bool: { k: ["x", secret] } } }))),
    ],
    [
      "a field of a statement",
      "spec.providerSpec.statementEntries[0]",
      () => credentials(identity(), request("one", entry({ [secret]: 1 }))),
    ],
    ["a field of a request's spec", "spec", () => credentials(identity(), request("one", { spec: { [secret]: 1 } }))],
    [
      "the token's path",
      "spec.cloudTokenPath",
      () => credentials(identity(), request("one", { spec: { cloudTokenPath: secret } })),
    ],
  ])("as %s is refused and not shown", (_place, field, run) => {
    const made = run();
    expect(made.exitCode).toBe(1);
    const found = made.results.filter((result) => result.tags.code === "private-key");
    expect(found.map((result) => [result.severity, result.field?.path])).toEqual([["error", field]]);
    expect(found[0].message).toMatch(
      field === undefined ? /^it contains a private key\. / : /^".+" (?:contains|is) a private key\. /,
    );
    expectSilent(made, secret);
  });

  it.each<[string, string, () => Made]>([
    ["a request's name", "private-key", () => credentials(identity(), request(secret))],
    [
      "another kind of configuration",
      "config-wrong-kind",
      () => credentials({ apiVersion: "v1", kind: secret, metadata: { name: "x" } }),
    ],
    [
      "a cloud",
      "provider-unknown",
      () => credentials(identity(), request("one", { spec: { providerSpec: { kind: secret } } })),
    ],
    [
      "a tombstone's name",
      "skipped-deletion",
      () =>
        credentials(
          identity(),
          request("one", { metadata: { name: secret, annotations: { "release.openshift.io/delete": "true" } } }),
        ),
    ],
    [
      "a file's path",
      "request-missing-field",
      () =>
        credentials(
          identity(),
          request("one", { spec: { providerSpec: null }, annotations: { "config.kubernetes.io/path": secret } }),
        ),
    ],
    [
      "the cluster's issuer",
      "issuer-replaced",
      () =>
        makeIssuer(identity(), [
          {
            apiVersion: "config.openshift.io/v1",
            kind: "Authentication",
            metadata: { name: "cluster" },
            spec: { serviceAccountIssuer: secret },
          },
        ]),
    ],
    [
      "the cluster's region",
      "region-contradiction",
      () =>
        makeIssuer(identity(), [
          {
            apiVersion: "config.openshift.io/v1",
            kind: "Infrastructure",
            metadata: { name: "cluster" },
            status: { platformStatus: { aws: { region: secret } } },
          },
        ]),
    ],
  ])("as %s is not shown in the finding about it: %s", (_place, code, run) => {
    const made = run();
    expect(made.results.map((result) => result.tags.code)).toContain(code);
    expectSilent(made, secret);
  });

  it("never appears in a finding, whatever part of the finding contains it", () => {
    const resource = resourceOf(
      { apiVersion: secret, kind: secret, metadata: { name: secret, namespace: secret } },
      { path: secret },
    );
    expect(finding("error", "private-key", `x ${secret}`, { resource, field: secret })).toEqual({
      severity: "error",
      code: "private-key",
      message: notShown,
      resource: { apiVersion: notShown, kind: notShown, name: notShown, namespace: notShown },
      field: notShown,
      file: { path: notShown, index: 0 },
    });
    expect(describeResource({ apiVersion: "", kind: secret, name: secret })).toBe(`${notShown} ${notShown}`);
    expect(quoteWhole(secret)).toBe(notShown);
  });
});

describe("names in messages", () => {
  it.each<[string, string, string | undefined, string]>([
    ["Secret", "a", "b", 'Secret "b/a"'],
    ["Secret", "a", undefined, 'Secret "a"'],
    ["Secret", "a", "", 'Secret "a"'],
    ["Secret", 'a"\u001b[31m\n', "b", 'Secret "b/a\\"\\u001b[31m\\u000a"'],
    ["Se\ncret", "a", "b", '"Se\\u000acret" "b/a"'],
    ["Secret", "n".repeat(253), "m".repeat(63), `Secret "${"m".repeat(63)}/${"n".repeat(253)}"`],
    ["Secret", "n".repeat(400), undefined, `Secret "${"n".repeat(320)}…"`],
  ])("%s %j in %j", (kind, name, namespace, expected) => {
    const ref = { apiVersion: "v1", kind, name, ...(namespace === undefined ? {} : { namespace }) };
    expect(describeResource(ref)).toBe(expected);
  });

  it("contain nothing that controls a terminal, whatever object is used as configuration", () => {
    const made = makeCredentials({ apiVersion: "v1", kind: "A\u001b[31m\nB", metadata: { name: "x\u009b1m" } }, []);
    expect(made.stderr).toBe(
      'error: A\\u001b[31m\\u000aB x\\u009b1m: functionConfig is of kind "A\\u001b[31m\\u000aB", not ClusterIdentity. Use a ClusterIdentity of fn.cloudcredential.dev, or omit functionConfig. [config-wrong-kind]\n',
    );
  });

  it("and fields contain nothing that controls a terminal, wherever a placeholder is left", () => {
    const made = makeCredentials(identity(), [request("one", { spec: { "a\u001b[31m\n": "${X}" } })]);
    expect(made.stderr).toBe(
      'error: CredentialsRequest openshift-cloud-credential-operator/one: "spec.a\\u001b[31m\\u000a" is "${X}", a placeholder that was not filled in. Replace it with the value. [request-placeholder]\n',
    );
  });
});

describe("the name of a workload identity pool", () => {
  const pool = "projects/123456789012/locations/global/workloadIdentityPools/demo";

  it("separates what is before it from what is after it", () => {
    const [one, other] = ["aB3".repeat(15), "cD4".repeat(15)];
    const text = `${one}/locations/global/workloadIdentityPools/${other}`;
    expect(quoteWhole(text)).toBe(`"${text}"`);
    expect(quoteWhole(one + other)).toBe(notShown);
  });

  it.each([`//iam.googleapis.com/${pool}/providers/demo`, `principal://iam.googleapis.com/${pool}/subject/x`])(
    "is shown, although it looks like a key: %s",
    (name) => expect(quoteWhole(name)).toBe(`"${name}"`),
  );

  it("does not hide a key beside it", () => {
    const body = pem.split("\n")[1] ?? "";
    expect(quoteWhole(`${pool}/${body}`)).toBe(notShown);
  });
});
