import { describe, expect, it } from "vitest";
import { generateCloudCredentials } from "../../../functions/generate-cloud-credentials/function.ts";
import { runOnList } from "../../../src/krm/run.ts";
import {
  type Any,
  identity,
  type Made,
  makeCredentials,
  makeIssuer,
  request,
  statements,
} from "../../helpers/cluster.ts";

const value = request("one");
const base = "spec.platform.aws";
const allow = { effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" };
const conditions = `spec.providerSpec.statementEntries[0].policyCondition.Bool.k`;

const withIssuer = (issuer: Any, aws: Any = {}) =>
  identity({ aws, spec: { issuer: { ...identity().spec.issuer, ...issuer } } });
const external = { issuerHosting: { type: "External" } };

function live(kind: string, object: Any): Any {
  return { apiVersion: "config.openshift.io/v1", kind, metadata: { name: "cluster" }, ...object };
}
const infrastructure = (region: string) =>
  live("Infrastructure", { status: { platformStatus: { type: "AWS", aws: { region } } } });
const authentication = (serviceAccountIssuer: string) => live("Authentication", { spec: { serviceAccountIssuer } });

/** Every error and warning of a run: code, field and message. */
const said = ({ results }: Made) =>
  results.filter((each) => each.severity !== "info").map((each) => [each.tags.code, each.field?.path, each.message]);

const warnings = ["region-unlisted"];

type Case = readonly [config: Any, items: readonly Any[], code: string, field: string | undefined, message: string];

const ofConfig: readonly Case[] = [
  [
    { region: "us-esat-2" },
    [],
    "region-unlisted",
    `${base}.region`,
    `"${base}.region" is "us-esat-2", a region unknown to this version (the most similar is "us-east-2"); check it for a typo.`,
  ],
  [
    { region: undefined },
    [],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the package contains the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: undefined },
    [infrastructure("us-east-1/x")],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the package contains the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: undefined },
    [infrastructure("X us-east-1")],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the package contains the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: "us-east-2" },
    [infrastructure("eu-west-1")],
    "region-contradiction",
    `${base}.region`,
    `"${base}.region" is "us-east-2", but the Infrastructure "cluster" says "eu-west-1"; correct the wrong one.`,
  ],
  [
    { region: "us-east-2", partition: "aws-cn" },
    [],
    "region-contradiction",
    `${base}.partition`,
    `"${base}.partition" is "aws-cn", but the region "us-east-2" is in "aws"; remove the partition.`,
  ],
  [
    { issuerHosting: { bucket: "abc-" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "abc-" must contain only lowercase letters, digits and '-', and start and end with a letter or digit; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { bucket: "ab" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "ab" has 2 characters, but must have 3 to 63; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { bucket: "abc--table-s3" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "abc--table-s3" contains "--table-s3", which AWS reserves; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { distributionDomain: "d111111abcdef8.cloudfront.net" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting.distributionDomain`,
    `"${base}.issuerHosting.distributionDomain" requires the type "S3CloudFront", but the type is "S3Public"; remove the field or change the type.`,
  ],
  [
    { issuerHosting: { certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/x" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting.certificateARN`,
    `"${base}.issuerHosting.certificateARN" requires the type "S3CloudFront", but the type is "S3Public"; remove the field or change the type.`,
  ],
  [
    { issuerHosting: { type: "S3CloudFront", domain: "oidc.example.com" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting`,
    `"${base}.issuerHosting": a custom domain requires both "domain" and "certificateARN".`,
  ],
  [
    external,
    [],
    "config-missing-field",
    "spec.issuer.url",
    '"spec.issuer.url" is required for the hosting type "External", unless the package contains the Authentication "cluster" with an issuer.',
  ],
  ...[
    "http://x.example.com",
    `https://${"x".repeat(248)}`,
    "see https://x.example.com",
    "https://x.example.com/",
    "https://x.example.com#a",
  ].map(
    (url): Case => [
      external,
      [authentication(url)],
      "config-invalid-field",
      "spec.issuer.url",
      `the Authentication "cluster" has the issuer "${url.length > 72 ? `${url.slice(0, 72)}…` : url}"; an issuer must be an https:// URL with a lowercase host and no port, query, fragment or trailing slash.`,
    ],
  ),
  [
    { roles: { permissionsBoundaryARN: "arn:aws:iam::999999999999:policy/boundary" } },
    [],
    "arn-mismatch",
    `${base}.roles.permissionsBoundaryARN`,
    `"${base}.roles.permissionsBoundaryARN" is "arn:aws:iam::999999999999:policy/boundary", but must begin with "arn:aws:iam::123456789012:policy/", the cluster's partition and account.`,
  ],
  [
    { overrides: { "ns-one/credentials": { managedPolicyARNs: ["arn:aws-cn:iam::aws:policy/x"] } } },
    [],
    "arn-mismatch",
    `${base}.overrides.ns-one/credentials.managedPolicyARNs`,
    `"${base}.overrides.ns-one/credentials.managedPolicyARNs" is "arn:aws-cn:iam::aws:policy/x", but must begin with "arn:aws:iam::123456789012:policy/", the cluster's partition and account.`,
  ],
  [
    { identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/other.example.com" },
    [],
    "arn-mismatch",
    `${base}.identityProviderARN`,
    `"${base}.identityProviderARN" is "arn:aws:iam::123456789012:oidc-provider/other.example.com", but the provider of the issuer "demo-oidc.s3.us-east-2.amazonaws.com" in this account is "arn:aws:iam::123456789012:oidc-provider/demo-oidc.s3.us-east-2.amazonaws.com". Correct the ARN, or remove it to have the provider created.`,
  ],
  [
    { tags: { "a;b": "x" } },
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "a;b" must contain only letters, digits, spaces and _.:/=+-@.',
  ],
  [{ tags: { "AWS:x": "x" } }, [], "tag-invalid", `${base}.tags`, 'the tag "AWS:x" must not begin with "aws:".'],
  [
    { tags: { NAME: "x" } },
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "NAME" is already set; tag keys are not case-sensitive.',
  ],
  [
    { tags: { k: "v".repeat(257) } },
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "k" must have a value of at most 256 characters.',
  ],
  [{ tags: { "": "" } }, [], "tag-invalid", `${base}.tags`, 'the tag "" must have a key of 1 to 128 characters.'],
  [
    { tags: Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, ""])) },
    [],
    "tag-invalid",
    `${base}.tags`,
    "there are 49 tags, but at most 48 are allowed: AWS allows 50, and ccf sets 2 itself. Remove some.",
  ],
  [
    { overrides: { "ns-two/credentials": { roleName: "own" } } },
    [],
    "override-unmatched",
    `${base}.overrides.ns-two/credentials`,
    'the override "ns-two/credentials" in "spec.platform.aws.overrides" matches no request that is included in this cluster. The name of an override is "<secret namespace>/<secret name>". Rename it to "ns-one/credentials", the Secret of CredentialsRequest "openshift-cloud-credential-operator/one", or remove it.',
  ],
];

describe("a problem in a config is reported in full, at its field, and only once", () => {
  it.each(ofConfig)("%j", (aws, items, code, field, message) => {
    const made = makeCredentials(identity({ aws }), [value, ...items]);
    const found = said(made);
    expect(found.map(([each, at]) => [each, at])).toEqual([[code, field]]);
    expect([made.results[0].severity, made.exitCode]).toEqual(warnings.includes(code) ? ["warning", 0] : ["error", 1]);
    expect(found[0]?.[2]).toBe(message);
  });

  it("for an override's service account in another namespace", () => {
    const overrides = { "ns-one/credentials": { serviceAccountNames: ["other/account"] } };
    const made = makeCredentials(identity({ spec: { overrides } }), [value]);
    expect(made.exitCode).toBe(0);
    expect(said(made)).toEqual([
      [
        "subject-in-other-namespace",
        "spec.serviceAccountNames",
        `allows the service account "other/account", which is in another namespace, to use its component identity, because its override says so; check that this is intended.`,
      ],
    ]);
  });

  it("for the prefix, if the bucket's name is derived from it", () => {
    const made = makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(59), issuer: identity().spec.issuer } }));
    expect(said(made)).toEqual([
      [
        "bucket-name-invalid",
        "spec.resourcePrefix",
        `the bucket's name "${"a".repeat(59)}-oidc" has 64 characters, but must have 3 to 63; set "${base}.issuerHosting.bucket" to another name.`,
      ],
    ]);
  });

  it("for a bucket that contradicts the hosting type", () => {
    const config = withIssuer(
      { url: "https://oidc.example.com" },
      { issuerHosting: { type: "External", bucket: "some-bucket" } },
    );
    expect(said(makeIssuer(config))).toEqual([
      [
        "hosting-contradiction",
        `${base}.issuerHosting.bucket`,
        `"${base}.issuerHosting.bucket" is set, but the type "External" has no bucket; remove the field or change the type.`,
      ],
    ]);
  });

  it("for an issuer that is not where the documents are published", () => {
    expect(said(makeIssuer(withIssuer({ url: "https://oidc.example.com" })))).toEqual([
      [
        "issuer-contradiction",
        "spec.issuer.url",
        '"spec.issuer.url" is "https://oidc.example.com", but with this hosting the issuer is "https://demo-oidc.s3.us-east-2.amazonaws.com". Remove the URL, or set the hosting type to "External".',
      ],
    ]);
  });

  it.each([
    ["https://oidc.example.com/../x", 'has "." or ".." in its path'],
    ["https://oidc.example.com/x/./y", 'has "." or ".." in its path'],
    ["https://oidc..example.com", "has an empty part in its host, or a dot at its end"],
    ["https://127.1/x", 'is read as "https://127.0.0.1/x"'],
  ])("for an issuer that a URL parser would change: %s", (url, problem) => {
    const code = "config-invalid-field";
    const isAt = (field: string, made: ReturnType<typeof makeIssuer>) =>
      expect(said(made)).toEqual([[code, field, `"${field}" is "${url}", which ${problem}.`]]);
    isAt("spec.issuer.url", makeIssuer(withIssuer({ url }, external)));
    isAt("spec.issuer.previous[1]", makeIssuer(withIssuer({ previous: ["https://oidc.example.com", url] })));
    expect(said(makeIssuer(identity({ aws: external }), [authentication(url)]))).toEqual([
      [code, "spec.issuer.url", `the Authentication "cluster" has the issuer "${url}", which ${problem}.`],
    ]);
  });

  it("for two Authentications with different issuers, if the issuer is read from them", () => {
    const two = ["https://b.example.com", "https://a.example.com"].map(authentication);
    expect(said(makeCredentials(identity({ aws: external }), [value, ...two]))).toEqual([
      [
        "authentication-repeated",
        "spec.issuer.url",
        'the Authentication "cluster" appears more than once in the package, with the issuers "https://a.example.com" and "https://b.example.com". Remove the wrong one, or set "spec.issuer.url".',
      ],
    ]);
  });

  it("for a name that is too long, only for its request", () => {
    const secretRef = { namespace: "n".repeat(40), name: "s".repeat(30) };
    const full = `demo-${"n".repeat(40)}-${"s".repeat(30)}`;
    const config = identity({ aws: { roles: { nameOverflow: "Fail" } } });
    expect(said(makeCredentials(config, [request("long", { spec: { secretRef } })]))).toEqual([
      [
        "role-name-too-long",
        undefined,
        `its role's name "${full.slice(0, 72)}…" has 76 characters; IAM allows at most 64. Set "spec.platform.aws.roles.nameOverflow" to "Hash", or set "roleName" in "spec.platform.aws.overrides" for "${"n".repeat(40)}/${"s".repeat(30)}".`,
      ],
    ]);
    const overrides = { [`${secretRef.namespace}/${secretRef.name}`]: { roleName: "short" } };
    const cured = identity({ aws: { roles: { nameOverflow: "Fail" }, overrides } });
    const made = makeCredentials(cured, [request("long", { spec: { secretRef } })]);
    expect(said(made)).toEqual([]);
    expect(made.bundle(`aws/roles/${secretRef.namespace}-${secretRef.name}.yaml`)["create-role.json"].RoleName).toBe(
      "short",
    );
  });

  it("for each of multiple problems", () => {
    const config = identity({ aws: { region: "xx-foo-1", tags: { "aws:a": "", "b;": "" } } });
    expect(
      said(makeCredentials(config, [value]))
        .map(([code]) => code)
        .sort(),
    ).toEqual(["region-unknown", "tag-invalid", "tag-invalid"]);
  });
});

const ofRequest: readonly (readonly [spec: Any, code: string, field: string | undefined, message: string])[] = [
  [
    { serviceAccountNames: [] },
    "no-service-account",
    "spec.serviceAccountNames",
    `does not name a service account in "spec.serviceAccountNames", so no pod could use its component identity. Add the service account of its pods there. To set it in the ClusterIdentity instead, replace NAME and add "ns-one/credentials": {"serviceAccountNames": ["NAME"]} to "spec.overrides".`,
  ],
  [
    { serviceAccountNames: ["fine", "a_b"] },
    "request-invalid-field",
    "spec.serviceAccountNames[1]",
    `"spec.serviceAccountNames[1]" is "a_b", but must be a DNS subdomain name: lowercase letters, digits, '-', and '.'.`,
  ],
  [
    { secretRef: { namespace: "n".repeat(60), name: "x".repeat(177) } },
    "request-invalid-field",
    "spec.secretRef",
    '"spec.secretRef": the namespace and the name together have 237 characters, but must have at most 236, because a file name contains both.',
  ],
  [
    statements({ ...allow, policyCondition: { Bool: { k: [] } } }),
    "request-invalid-field",
    conditions,
    `"${conditions}" must be a string, a number, true, false, or a list of these.`,
  ],
  [
    statements({ ...allow, policyCondition: { Bool: { k: [true, null] } } }),
    "request-invalid-field",
    conditions,
    `"${conditions}" must be a string, a number, true, false, or a list of these.`,
  ],
];

describe("a problem in a request is reported in full, at its field, and only once", () => {
  it.each(ofRequest)("%j", (spec, code, field, message) => {
    const made = makeCredentials(identity(), [request("one", { spec })]);
    expect(said(made)).toEqual([[code, field, message]]);
    expect(made.exitCode).toBe(1);
    expect(made.results[0].resourceRef).toEqual({
      apiVersion: "cloudcredential.openshift.io/v1",
      kind: "CredentialsRequest",
      name: "one",
      namespace: "openshift-cloud-credential-operator",
    });
  });

  it.each([".inf", "-.inf", ".nan"])("for a number that JSON cannot represent: %s", (number) => {
    const config = JSON.stringify(identity());
    const spec = statements({ ...allow, policyCondition: { Bool: { k: "NUMBER" } } });
    const item = JSON.stringify(request("one", { spec })).replace('"NUMBER"', number);
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\nfunctionConfig: ${config}\n`;
    const { exitCode, stderr } = runOnList([generateCloudCredentials], Buffer.from(list));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `"${conditions}" must be a string, a number, true, false, or a list of these. [request-invalid-field]`,
    );
  });

  it("only once, if a placeholder is also an invalid name", () => {
    const spec = { secretRef: { namespace: "$(NAMESPACE)", name: "../x" } };
    expect(said(makeCredentials(identity(), [request("one", { spec })])).map(([code, field]) => [code, field])).toEqual(
      [
        ["request-invalid-field", "spec.secretRef.name"],
        ["request-placeholder", "spec.secretRef.namespace"],
      ],
    );
  });

  it.each(["notAction", "notResource", "principal", "resources"])("%s could narrow or widen it", (name) => {
    const made = makeCredentials(identity(), [request("one", { spec: statements({ ...allow, [name]: ["ec2:*"] }) })]);
    const field = `spec.providerSpec.statementEntries[0].${name}`;
    expect(said(made).map(([code, at]) => [code, at])).toEqual([["request-unknown-field", field]]);
    expect(said(made)[0]?.[2]).toMatch(`unknown field "${field}"`);
  });

  it("and if no request is included", () => {
    const message =
      "No CredentialsRequest is included in this cluster, so no role and no Secret is generated. Add the release's requests for AWS to the package.";
    const other = request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
    const made = makeCredentials(identity(), [other]);
    expect(said(made)).toEqual([["no-requests", undefined, message]]);
    expect(made.results.map((each) => each.tags.code)).toContain("skipped-other-cloud");
    expect(made.objects).toEqual({});
  });
});
