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

/** Every error and warning of a run, whole: code, field and message. */
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
    `"${base}.region" is "us-esat-2", which is on no list known here (the nearest is "us-east-2"); check it for a typing error.`,
  ],
  [
    { region: undefined },
    [],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the list holds the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: undefined },
    [infrastructure("us-east-1/x")],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the list holds the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: undefined },
    [infrastructure("X us-east-1")],
    "config-missing-field",
    `${base}.region`,
    `"${base}.region" is required, unless the list holds the Infrastructure "cluster" with the region in its status.`,
  ],
  [
    { region: "us-east-2" },
    [infrastructure("eu-west-1")],
    "region-contradiction",
    `${base}.region`,
    `"${base}.region" is "us-east-2", but the Infrastructure "cluster" says "eu-west-1"; correct the one that is wrong.`,
  ],
  [
    { region: "us-east-2", partition: "aws-cn" },
    [],
    "region-contradiction",
    `${base}.partition`,
    `"${base}.partition" is "aws-cn", but the region "us-east-2" is of "aws"; leave the partition out.`,
  ],
  [
    { issuerHosting: { bucket: "abc-" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "abc-" must hold lower case letters, digits and '-' alone, and start and end with a letter or digit; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { bucket: "ab" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "ab" has 2 characters, and must have 3 to 63; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { bucket: "abc--table-s3" } },
    [],
    "bucket-name-invalid",
    `${base}.issuerHosting.bucket`,
    `the bucket's name "abc--table-s3" holds "--table-s3", which is reserved by AWS; set "${base}.issuerHosting.bucket" to another name.`,
  ],
  [
    { issuerHosting: { distributionDomain: "d111111abcdef8.cloudfront.net" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting.distributionDomain`,
    `"${base}.issuerHosting.distributionDomain" is for the type "S3CloudFront", and the type is "S3Public"; remove one of them.`,
  ],
  [
    { issuerHosting: { certificateARN: "arn:aws:acm:us-east-1:123456789012:certificate/x" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting.certificateARN`,
    `"${base}.issuerHosting.certificateARN" is for the type "S3CloudFront", and the type is "S3Public"; remove one of them.`,
  ],
  [
    { issuerHosting: { type: "S3CloudFront", domain: "oidc.example.com" } },
    [],
    "hosting-contradiction",
    `${base}.issuerHosting`,
    `"${base}.issuerHosting": a domain of your own needs "domain" and "certificateARN" together.`,
  ],
  [
    external,
    [],
    "config-missing-field",
    "spec.issuer.url",
    '"spec.issuer.url" is required for the hosting type "External", unless the list holds the Authentication "cluster" with an issuer.',
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
      `the Authentication "cluster" has the issuer "${url.length > 72 ? `${url.slice(0, 72)}…` : url}", and an issuer must be an https:// URL in lower case without port, query, fragment or slash at the end.`,
    ],
  ),
  [
    { roles: { permissionsBoundaryARN: "arn:aws:iam::999999999999:policy/boundary" } },
    [],
    "arn-mismatch",
    `${base}.roles.permissionsBoundaryARN`,
    `"${base}.roles.permissionsBoundaryARN" is "arn:aws:iam::999999999999:policy/boundary", and must begin with "arn:aws:iam::123456789012:policy/", the cluster's partition and account.`,
  ],
  [
    { overrides: { "ns-one/credentials": { managedPolicyARNs: ["arn:aws-cn:iam::aws:policy/x"] } } },
    [],
    "arn-mismatch",
    `${base}.overrides.ns-one/credentials.managedPolicyARNs`,
    `"${base}.overrides.ns-one/credentials.managedPolicyARNs" is "arn:aws-cn:iam::aws:policy/x", and must begin with "arn:aws:iam::123456789012:policy/", the cluster's partition and account.`,
  ],
  [
    { identityProviderARN: "arn:aws:iam::123456789012:oidc-provider/other.example.com" },
    [],
    "arn-mismatch",
    `${base}.identityProviderARN`,
    `"${base}.identityProviderARN" is "arn:aws:iam::123456789012:oidc-provider/other.example.com", but the provider of the issuer "demo-oidc.s3.us-east-2.amazonaws.com" in this account is "arn:aws:iam::123456789012:oidc-provider/demo-oidc.s3.us-east-2.amazonaws.com"; roles that trust another would trust nobody.`,
  ],
  [
    { tags: { "a;b": "x" } },
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "a;b" must hold letters, digits, spaces and _.:/=+-@ alone.',
  ],
  [{ tags: { "AWS:x": "x" } }, [], "tag-invalid", `${base}.tags`, 'the tag "AWS:x" must not begin with "aws:".'],
  [
    { tags: { NAME: "x" } },
    [],
    "tag-invalid",
    `${base}.tags`,
    'the tag "NAME" is there already; keys are not told apart by case.',
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
    "there are 49 tags, and with the owner's two at most 50 are allowed.",
  ],
  [
    { overrides: { "ns-two/credentials": { roleName: "own" } } },
    [],
    "override-unmatched",
    `${base}.overrides.ns-two/credentials`,
    'the override "ns-two/credentials" in "spec.platform.aws.overrides" matches no request that counts for this cluster; overrides are named "<secret namespace>/<secret name>". Rename it to "ns-one/credentials", the Secret of CredentialsRequest "openshift-cloud-credential-operator/one", or remove it.',
  ],
];

describe("what is wrong with a config is said whole, at its field, and alone", () => {
  it.each(ofConfig)("%j", (aws, items, code, field, message) => {
    const made = makeCredentials(identity({ aws }), [value, ...items]);
    const found = said(made);
    expect(found.map(([each, at]) => [each, at])).toEqual([[code, field]]);
    expect([made.results[0].severity, made.exitCode]).toEqual(warnings.includes(code) ? ["warning", 0] : ["error", 1]);
    expect(found[0]?.[2]).toBe(message);
  });

  it("of an override's service account in another namespace", () => {
    const overrides = { "ns-one/credentials": { serviceAccountNames: ["other/account"] } };
    const made = makeCredentials(identity({ spec: { overrides } }), [value]);
    expect(made.exitCode).toBe(0);
    expect(said(made)).toEqual([
      [
        "subject-in-other-namespace",
        "spec.serviceAccountNames",
        `lets the service account "other/account" of another namespace assume the role, as the config's override says.`,
      ],
    ]);
  });

  it("of the prefix, where the bucket follows from it", () => {
    const made = makeIssuer(identity({ spec: { resourcePrefix: "a".repeat(59), issuer: identity().spec.issuer } }));
    expect(said(made)).toEqual([
      [
        "bucket-name-invalid",
        "spec.resourcePrefix",
        `the bucket's name "${"a".repeat(59)}-oidc" has 64 characters, and must have 3 to 63; set "${base}.issuerHosting.bucket" to another name.`,
      ],
    ]);
  });

  it("of a bucket that has no place in the hosting", () => {
    const config = withIssuer(
      { url: "https://oidc.example.com" },
      { issuerHosting: { type: "External", bucket: "some-bucket" } },
    );
    expect(said(makeIssuer(config))).toEqual([
      [
        "hosting-contradiction",
        `${base}.issuerHosting.bucket`,
        `"${base}.issuerHosting.bucket" is for a bucket of this cluster, and the type is "External"; remove one of them.`,
      ],
    ]);
  });

  it("of an issuer that is not where the documents are", () => {
    expect(said(makeIssuer(withIssuer({ url: "https://oidc.example.com" })))).toEqual([
      [
        "issuer-contradiction",
        "spec.issuer.url",
        '"spec.issuer.url" is "https://oidc.example.com", but documents that are hosted this way make the issuer "https://demo-oidc.s3.us-east-2.amazonaws.com"; leave the URL out, or set the hosting type to "External".',
      ],
    ]);
  });

  it.each([
    ["https://oidc.example.com/../x", 'has "." or ".." in its path'],
    ["https://oidc.example.com/x/./y", 'has "." or ".." in its path'],
    ["https://oidc..example.com", "has an empty part in its host, or a dot at the end of it"],
    ["https://127.1/x", 'is read as "https://127.0.0.1/x"'],
  ])("of an issuer that a reader of URLs repairs: %s", (url, problem) => {
    const code = "config-invalid-field";
    const isAt = (field: string, made: ReturnType<typeof makeIssuer>) =>
      expect(said(made)).toEqual([[code, field, `"${field}" is "${url}", which ${problem}.`]]);
    isAt("spec.issuer.url", makeIssuer(withIssuer({ url }, external)));
    isAt("spec.issuer.previous[1]", makeIssuer(withIssuer({ previous: ["https://oidc.example.com", url] })));
    expect(said(makeIssuer(identity({ aws: external }), [authentication(url)]))).toEqual([
      [code, "spec.issuer.url", `the Authentication "cluster" has the issuer "${url}", which ${problem}.`],
    ]);
  });

  it("of two Authentications with issuers of their own, where the issuer is theirs to say", () => {
    const two = ["https://b.example.com", "https://a.example.com"].map(authentication);
    expect(said(makeCredentials(identity({ aws: external }), [value, ...two]))).toEqual([
      [
        "authentication-repeated",
        "spec.issuer.url",
        'the Authentication "cluster" stands more than once in the package, with the issuers "https://a.example.com" and "https://b.example.com"; remove the one that is wrong, or set "spec.issuer.url".',
      ],
    ]);
  });

  it("of a name that is too long, and the request alone", () => {
    const secretRef = { namespace: "n".repeat(40), name: "s".repeat(30) };
    const full = `demo-${"n".repeat(40)}-${"s".repeat(30)}`;
    const config = identity({ aws: { roles: { nameOverflow: "Fail" } } });
    expect(said(makeCredentials(config, [request("long", { spec: { secretRef } })]))).toEqual([
      [
        "role-name-too-long",
        undefined,
        `its role's name "${full.slice(0, 72)}…" has 76 characters, and IAM allows 64. Set "spec.platform.aws.roles.nameOverflow" to "Hash", or give it a name: "roleName" in "spec.platform.aws.overrides" for "${"n".repeat(40)}/${"s".repeat(30)}".`,
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

  it("each of several things at once", () => {
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
    `names no service account in "spec.serviceAccountNames", so that no pod could use its role. Write the service account of its pods there, or, as NAME, into the ClusterIdentity: add "ns-one/credentials": {"serviceAccountNames": ["NAME"]} to "spec.overrides".`,
  ],
  [
    { serviceAccountNames: ["fine", "a_b"] },
    "request-invalid-field",
    "spec.serviceAccountNames[1]",
    `"spec.serviceAccountNames[1]" is "a_b", and must be a DNS subdomain name: lower case letters, digits, '-' and '.'.`,
  ],
  [
    { secretRef: { namespace: "n".repeat(60), name: "x".repeat(177) } },
    "request-invalid-field",
    "spec.secretRef",
    '"spec.secretRef": namespace and name have 237 characters together, and must have at most 236; a file is named after them.',
  ],
  [
    statements({ ...allow, policyCondition: { Bool: { k: [] } } }),
    "request-invalid-field",
    conditions,
    `"${conditions}" must be a text, a number, true or false, or a list of these.`,
  ],
  [
    statements({ ...allow, policyCondition: { Bool: { k: [true, null] } } }),
    "request-invalid-field",
    conditions,
    `"${conditions}" must be a text, a number, true or false, or a list of these.`,
  ],
];

describe("what is wrong with a request is said whole, at its field, and alone", () => {
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

  it.each([".inf", "-.inf", ".nan"])("of a number that JSON does not have: %s", (number) => {
    const config = JSON.stringify(identity());
    const spec = statements({ ...allow, policyCondition: { Bool: { k: "NUMBER" } } });
    const item = JSON.stringify(request("one", { spec })).replace('"NUMBER"', number);
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\nfunctionConfig: ${config}\n`;
    const { exitCode, stderr } = runOnList([generateCloudCredentials], Buffer.from(list));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `"${conditions}" must be a text, a number, true or false, or a list of these. [request-invalid-field]`,
    );
  });

  it("once, where a template is also no name", () => {
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
    expect(said(made)[0]?.[2]).toMatch(`"${field}" is not a field that is known here`);
  });

  it("and where none counts", () => {
    const message =
      "No CredentialsRequest counts for this cluster, so no role and no Secret is emitted. Put the release's requests for AWS into the package.";
    const other = request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } });
    const made = makeCredentials(identity(), [other]);
    expect(said(made)).toEqual([["no-requests", undefined, message]]);
    expect(made.results.map((each) => each.tags.code)).toContain("skipped-other-cloud");
    expect(made.objects).toEqual({});
  });
});
