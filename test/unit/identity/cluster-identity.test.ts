import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import {
  type Any,
  expectClean,
  expectFinding,
  identity,
  make,
  makeCredentials,
  request,
} from "../../helpers/cluster.ts";

const one = request("one");
const issuer = identity().spec.issuer;
const url = "https://oidc.example.com";

/** Sets a field, given its path in `spec`, to a value. */
function withField(path: string, value: Any): Any {
  const config = identity();
  const steps = path.split(".");
  let at = config.spec;
  for (const step of steps.slice(0, -1)) at = at[step] ??= {};
  at[steps.at(-1) ?? ""] = value;
  return config;
}

describe("a field of the ClusterIdentity", () => {
  it.each<[string, Any, string]>([
    ["resourcePrefix", "Upper", "must be up to 63 lowercase letters"],
    ["resourcePrefix", "a".repeat(64), "must be up to 63 lowercase letters"],
    ["resourcePrefix", "a/../b", "must be up to 63 lowercase letters"],
    ["release", [], "must be a mapping"],
    ["release.profile", "A b", "must be the name of a cluster profile"],
    ["release.excludeIdentifier", "a/b", "must be an identifier"],
    [
      "release.featureSet",
      "TechPreview",
      'must be one of "Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD" (did you mean',
    ],
    ["release.featureGates", "A", "must be a list"],
    ["release.capabilities", ["a", 5], "is 5, but must be"],
    ["issuer.url", "http://x.example.com", "must be an https:// URL with a lowercase host"],
    ["issuer.url", `${url}/`, "must be an https:// URL with a lowercase host"],
    ["issuer.url", `${url}:8443`, "without a port"],
    ["issuer.url", `${url}?a=b`, "query"],
    ["issuer.url", `https://${"a".repeat(250)}.com`, "at most 255 characters"],
    ["issuer.previous", ["x"], '"spec.issuer.previous[0]" is "x"'],
    ["issuer.audiences", [], "must contain 1 to 100 different audiences"],
    ["issuer.audiences", ["a", "a"], "must contain 1 to 100 different audiences"],
    ["issuer.audiences", ["a b"], "must be 1 to 255 printable characters"],
    ["issuer.signingKeys", [], "must contain at least one key, or be omitted"],
    ["issuer.signingKeys", [{}], "must have exactly one of 'publicKey' and 'from'"],
    [
      "issuer.signingKeys",
      [{ publicKey: "x", from: { configMapKeyRef: { name: "a", key: "b" } } }],
      "must have exactly one of",
    ],
    ["tokenPath", "relative", "must be an absolute path"],
    ["tokenPath", "/a\nb", "must be an absolute path"],
    ["platform.aws.accountID", 123456789012, "is 123456789012, but must be"],
    ["platform.aws.accountID", "12345678901", "must be 12 digits in quotes"],
    ["platform.aws.region", "us east", "must be an AWS region"],
    ["platform.aws.partition", "aws-gov", 'must be one of "aws", "aws-cn", "aws-us-gov"'],
    ["platform.aws.identityProviderARN", "arn:x", "must be an ARN of 20 to 2048 characters"],
    ["platform.aws.issuerHosting.type", "S3", 'must be one of "S3Public", "S3CloudFront", "External"'],
    [
      "platform.aws.issuerHosting.distributionDomain",
      "x.example.com",
      "must be the domain name that CloudFront assigned",
    ],
    ["platform.aws.issuerHosting.domain", "not_a_domain", "must be a lowercase domain name"],
    ["platform.aws.roles.path", "a/b", "must begin and end with '/'"],
    ["platform.aws.roles.path", "/a b/", "must begin and end with '/'"],
    ["platform.aws.roles.nameOverflow", "Cut", 'must be one of "Truncate", "Hash", "Fail"'],
    ["platform.aws.roles.maxSessionDuration", 3599, "must be 3600 to 43200 seconds"],
    ["platform.aws.roles.maxSessionDuration", 43201, "must be 3600 to 43200 seconds"],
    ["platform.aws.roles.maxSessionDuration", 3600.5, "must be 3600 to 43200 seconds"],
    ["platform.aws.roles.requireAudience", "yes", "must be true or false"],
    ["platform.aws.thumbprints", ["abc"], "must be 40 hexadecimal digits"],
    [
      "platform.aws.thumbprints",
      Array.from({ length: 6 }, (_, index) => String(index).repeat(40)),
      "must contain at most 5",
    ],
    ["platform.aws.tags", { a: 5 }, '"spec.platform.aws.tags.a" is 5, but must be a string'],
    ["secret.encoding", "base64", 'must be one of "stringData", "data"'],
    ["overrides", { "no-slash": { skip: true } }, 'the name "no-slash" must be <secret namespace>/<secret name>'],
    [
      "platform.aws.overrides",
      { "no-slash": { roleName: "a" } },
      'the name "no-slash" must be <secret namespace>/<secret name>',
    ],
    ["overrides", { "ns-one/credentials": {} }, "must have at least one field"],
    ["platform.aws.overrides", { "ns-one/credentials": {} }, "must have at least one field"],
    [
      "platform.aws.overrides",
      { "ns-one/credentials": { roleName: "a/b" } },
      "must be 1 to 64 letters, digits, or any",
    ],
    ["platform.aws.overrides", { "ns-one/credentials": { roleName: "x".repeat(65) } }, "must be 1 to 64 letters"],
    ["overrides", { "ns-one/credentials": { serviceAccountNames: [] } }, "must contain at least one name"],
    [
      "overrides",
      { "ns-one/credentials": { serviceAccountNames: ["a/b/c"] } },
      "must be the name of a service account",
    ],
    ["operators.installPlanApproval", "Sometimes", 'must be one of "Manual", "Automatic"'],
  ])("%s must not be %j", (path, value, message) => {
    expect(expectFinding(makeCredentials(withField(path, value), [one]), "error", "config-invalid-field")).toContain(
      message,
    );
  });

  it.each<[string, Any]>([
    ["resourcePrefix", "a1-b"],
    ["issuer.previous", ["https://old.example.com/a/b"]],
    ["issuer.audiences", ["a"]],
    ["tokenPath", "/é/a b"],
    ["platform.aws.roles", { path: "/a/b/", nameOverflow: "Hash", maxSessionDuration: 43200, requireAudience: true }],
    ["platform.aws.thumbprints", ["A".repeat(40)]],
    ["platform.aws.tags", {}],
    ["platform.aws.includeRegionInSecret", true],
    ["secret", { encoding: "data" }],
    ["overrides", { "ns-one/credentials": { serviceAccountNames: ["a.b"] } }],
    ["platform.aws.overrides", { "ns-one/credentials": { roleName: "a+=,.@-_Z9" } }],
    ["operators", { installPlanApproval: "Automatic", emitSecrets: true }],
  ])("%s may be %j", (path, value) => {
    expectClean(makeCredentials(withField(path, value), [one]));
  });

  it("release.featureGates accepts every character that the name of a gate can contain", () => {
    const made = makeCredentials(withField("release.featureGates", ["A.b_c-1"]), [one]);
    expect(made.results.map(({ tags }) => tags.code)).toEqual(["release-name-unknown"]);
  });

  it.each([
    ["spec.platfrom", (config: Any) => (config.spec.platfrom = {}), 'did you mean "platform"?'],
    [
      "spec.platform.aws.accontID",
      (config: Any) => (config.spec.platform.aws.accontID = "x"),
      'did you mean "accountID"?',
    ],
    [
      "spec.platform.aws.roles.permissionBoundaryARN",
      (config: Any) => (config.spec.platform.aws.roles = { permissionBoundaryARN: "x" }),
      'did you mean "permissionsBoundaryARN"?',
    ],
    ["spec.secret.zzz", (config: Any) => (config.spec.secret = { zzz: 1 }), "unknown field "],
    ["status", (config: Any) => (config.status = {}), "unknown field "],
  ])("that is unknown is reported with the nearest known field: %s", (field, change, hint) => {
    const config = identity();
    change(config);
    const message = expectFinding(makeCredentials(config, [one]), "error", "config-unknown-field");
    expect(message).toContain(`unknown field "${field}"`);
    expect(message).toContain(hint);
  });

  it.each([
    ["spec", (config: Any) => delete config.spec],
    ["spec.platform", (config: Any) => delete config.spec.platform],
    ["spec.platform.aws.accountID", (config: Any) => delete config.spec.platform.aws.accountID],
    ["metadata.name", (config: Any) => delete config.metadata.name],
  ])("that is required is reported: %s", (field, change) => {
    const config = identity();
    change(config);
    expect(expectFinding(makeCredentials(config, [one]), "error", "config-missing-field")).toBe(
      `"${field}" is required.`,
    );
  });

  it.each([
    ["no cloud", {}],
    ["two clouds", { aws: { accountID: "123456789012", region: "us-east-2" }, awz: {} }],
  ])("spec.platform has exactly one cloud, and not %s", (_, platform) => {
    const config = { ...identity(), spec: { ...identity().spec, platform } };
    expect(expectFinding(makeCredentials(config, [one]), "error", "config-invalid-field")).toBe(
      `"spec.platform" is a mapping, but must have exactly one key: the cloud: 'aws', 'azure', or 'gcp'.`,
    );
  });

  it("suggests the nearest known cloud", () => {
    const config = { ...identity(), spec: { ...identity().spec, platform: { asw: {} } } };
    expect(expectFinding(makeCredentials(config, [one]), "error", "config-unknown-field")).toBe(
      'unknown field "spec.platform.asw" (did you mean "aws"?).',
    );
  });

  it("is reported together with all other invalid fields", () => {
    const config = identity({ aws: { region: "u s", accountID: "1", bogus: 1 } });
    const codes = makeCredentials(config, [one]).results.map((result) => [result.tags.code, result.field.path]);
    expect(codes).toEqual([
      ["config-invalid-field", "spec.platform.aws.accountID"],
      ["config-invalid-field", "spec.platform.aws.region"],
      ["config-unknown-field", "spec.platform.aws.bogus"],
    ]);
  });

  it.each(["Bad Name", "a.b", "", "a".repeat(64), "../x"])("metadata.name must be a label: %j", (name) => {
    expect(
      expectFinding(makeCredentials(identity({ metadata: { name } }), [one]), "error", "config-invalid-field"),
    ).toContain("must be a DNS label");
  });
});

describe("the ClusterIdentity of a run", () => {
  it("may be among the items, with no functionConfig or with a ConfigMap as one", () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "function-input" } };
    for (const config of [undefined, null, map, { ...map, data: { a: "b" } }]) {
      const made = make(generators, config, [identity(), one]);
      expectClean(made);
      expect(Object.keys(made.objects)).toHaveLength(4);
    }
  });

  it("is the functionConfig, whatever is among the items", () => {
    const made = makeCredentials(identity({ spec: { resourcePrefix: "given", issuer } }), [
      identity(),
      identity({ metadata: { name: "other" } }),
      one,
    ]);
    expectClean(made);
    expect(made.stdout).toContain("role/given-ns-one-credentials");
  });

  it("is one", () => {
    expect(expectFinding(makeCredentials(undefined, [one]), "error", "config-missing")).toContain(
      "No ClusterIdentity was found",
    );
    const same = { ...identity(), metadata: { name: "demo", annotations: { "config.kubernetes.io/path": "x.yaml" } } };
    expectClean(makeCredentials(undefined, [identity(), same, one]));
    expect(
      expectFinding(
        makeCredentials(undefined, [identity(), identity({ metadata: { name: "other" } }), one]),
        "error",
        "config-ambiguous",
      ),
    ).toContain("Found 2 ClusterIdentities that differ");
  });

  it("is of its kind", () => {
    const config = { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } };
    expect(expectFinding(makeCredentials(config, [identity(), one]), "error", "config-wrong-kind")).toContain(
      'functionConfig is of kind "Secret"',
    );
    const version = { ...identity(), apiVersion: "fn.cloudcredential.dev/v2" };
    expect(expectFinding(makeCredentials(version, [one]), "error", "config-invalid-field")).toContain(
      'must be "fn.cloudcredential.dev/v1alpha1"',
    );
  });

  it("restricts a run to the items of its own package", () => {
    const at = (name: string, path: string) =>
      request(name, { annotations: { "internal.config.kubernetes.io/package-path": path } });
    const config = identity({
      metadata: { name: "demo", annotations: { "internal.config.kubernetes.io/package-path": "/p" } },
    });
    const made = makeCredentials(config, [at("one", "/p"), at("two", "/p/sub"), request("three")]);
    expectClean(made);
    expect(Object.keys(made.objects).filter((path) => path.startsWith("aws/"))).toEqual([
      "aws/roles/ns-one-credentials.yaml",
      "aws/roles/ns-three-credentials.yaml",
    ]);
  });
});
