import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isIdentity, readIdentity } from "../../../src/clouds/index.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { FindingError, finding } from "../../../src/core/finding.ts";
import type { Identity } from "../../../src/identity/cluster-identity.ts";
import { type Any, identity, publicKey } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

function read(object: Any): Identity {
  const result = readIdentity([], resourceOf(object));
  if (!isIdentity(result)) throw new Error(JSON.stringify(result));
  return result;
}

function refused(object: Any): readonly Finding[] {
  const result = readIdentity([], resourceOf(object));
  if (isIdentity(result)) throw new Error("it was taken");
  return result;
}

const aws = { accountID: "123456789012" };
const arn = "arn:aws:iam::123456789012:policy/boundary";
const key = { publicKey };

describe("defaults", () => {
  it("replace missing fields", () => {
    const config = { ...identity(), spec: { platform: { aws } } };
    expect({ ...read(config), resource: undefined }).toEqual({
      resource: undefined,
      name: "demo",
      prefix: "demo",
      allowed: new Set(),
      release: {
        profile: "self-managed-high-availability",
        excludeIdentifier: "",
        featureSet: "Default",
        featureGates: [],
      },
      issuer: { url: undefined, previous: [], audiences: undefined, signingKeys: [] },
      tokenPath: "/var/run/secrets/openshift/serviceaccount/token",
      secretEncoding: "stringData",
      operators: { installPlanApproval: "Manual" },
      workloads: undefined,
      facts: undefined,
      mark: "owned",
      overrides: {},
      optionalRules: [],
      applier: "Ccf",
      accept: [],
      platform: { name: "aws", spec: aws },
    });
  });

  it("do not include capabilities: a missing list is not an empty list", () => {
    expect("capabilities" in read(identity()).release).toBe(false);
    expect(read(identity({ spec: { release: { capabilities: [] } } })).release.capabilities).toEqual([]);
  });

  it("do not replace fields that are set", () => {
    const release = {
      profile: "ibm-cloud-managed",
      excludeIdentifier: "internal-openshift-hosted",
      featureSet: "TechPreviewNoUpgrade",
      featureGates: ["A"],
      capabilities: ["Storage"],
    };
    const issuer = {
      url: "https://oidc.example.com/a",
      previous: ["https://old.example.com"],
      audiences: ["x"],
      signingKeys: [key],
    };
    const operators = { installPlanApproval: "Automatic", emitSecrets: false };
    const overrides = { "a/b": { skip: true, serviceAccountNames: ["c"] } };
    const same = { tokenPath: "/token", release, issuer, operators, overrides };
    const config = identity({ spec: { resourcePrefix: "prefix", secret: { encoding: "data" }, ...same } });
    expect(read(config)).toMatchObject({ name: "demo", prefix: "prefix", secretEncoding: "data", ...same });
  });
});

// Each rule at its limit: a value that is just allowed, a value that is not, and the rule in words.
type Edge = [field: string, good: Any, bad: Any, message: string];
const label = "must be up to 63 lowercase letters, digits, and '-', starting and ending with a letter or digit";
const url =
  "must be an https:// URL with a lowercase host, of at most 255 characters, without a port, query, fragment, or trailing slash";
const word = "must be a name of letters, digits, '-', '_', and '.'";
const arnRule = "must be an ARN of 20 to 2048 characters";
const path = "must begin and end with '/' and have at most 512 printable characters";
const filePath = "must be an absolute path without control characters, line separators, or invisible characters";
const unseen = (text: string): Edge => ["tokenPath", "/a", `/a${text}`, filePath];
const domain = "must be a lowercase domain name, such as 'oidc.example.com'";

describe("rules at their edges", () => {
  it.each<Edge>([
    ["resourcePrefix", "a".repeat(63), "a-", label],
    ["resourcePrefix", "9", "", label],
    ["resourcePrefix", "a", "a\n", label],
    ["release.profile", "x-1", "-x", "must be the name of a cluster profile, such as 'self-managed-high-availability'"],
    ["release.excludeIdentifier", "", "X", "must be an identifier of lowercase letters, digits, and '-'"],
    [
      "release.featureSet",
      "CustomNoUpgrade",
      "default",
      'must be one of "Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD" (did you mean "Default"?)',
    ],
    [
      "release.featureGates[0]",
      "-A",
      "--A",
      "must be the name of a feature gate: letters, digits, '-', '_', and '.'; a leading '-' disables the gate",
    ],
    ["release.capabilities[0]", "a_b.c-d", "a+b", word],
    ["issuer.url", "https://a", "https://-a", url],
    ["issuer.url", `https://${"a".repeat(247)}`, `https://${"a".repeat(248)}`, url],
    ["issuer.url", "https://a.example/~X/_y.z", "https://A.example", url],
    ["issuer.previous[0]", "https://a.example", "https://a.example#b", url],
    [
      "issuer.audiences[0]",
      "!".repeat(255),
      "!".repeat(256),
      "must be 1 to 255 printable characters without white space",
    ],
    ["issuer.audiences[0]", "~", "", "must be 1 to 255 printable characters without white space"],
    [
      "issuer.audiences",
      Array.from({ length: 100 }, (_, index) => `a${index}`),
      Array.from({ length: 101 }, (_, index) => `a${index}`),
      "must contain 1 to 100 different audiences",
    ],
    ["issuer.signingKeys[0].publicKey", "anything", 5, "must be a string"],
    ["issuer.signingKeys[0].from.configMapKeyRef", { name: "a", key: "b", namespace: "" }, [], "must be a mapping"],
    ["tokenPath", "/", "", filePath],
    ["tokenPath", `/${"a".repeat(4095)}`, `/${"a".repeat(4096)}`, filePath],
    ["tokenPath", "/\u00a1", "/\u009f", filePath],
    // kustomize cannot pass these on to another reader of YAML, in any notation.
    ["tokenPath", "/\u2027", "/\u2028", filePath],
    ["tokenPath", "/\u2030", "/\u2029", filePath],
    // Characters that are invisible in an INI file, or that reverse the text around them.
    ...[
      "\u00ad",
      "\u034f",
      "\u061c",
      "\u180e",
      "\u200b",
      "\u200f",
      "\u202a",
      "\u202e",
      "\u2060",
      "\u2069",
      "\u3164",
    ].map(unseen),
    ...["\ufe0f", "\ufeff", "\ufff9", "\u{1d173}", "\u{e0001}", "\u{e0061}", "\u{e01ef}"].map(unseen),
    ["tokenPath", "/\u{1f600}", "/\ud800", filePath],
    ["tokenPath", "/\ufffd", "/\ufffe", filePath],
    ["tokenPath", "/\ufdcf", "/\uffff", filePath],
    ["platform.aws.accountID", "000000000000", "1234567890123", "must be 12 digits in quotes"],
    ["platform.aws.region", "a".repeat(32), "a".repeat(33), "must be an AWS region, such as 'us-east-2'"],
    ["platform.aws.region", "eu-isoe-west-1", "EU-WEST-1", "must be an AWS region, such as 'us-east-2'"],
    [
      "platform.aws.partition",
      "aws-iso-f",
      "aws-is",
      'must be one of "aws", "aws-cn", "aws-us-gov", "aws-eusc", "aws-iso", "aws-iso-b", "aws-iso-e", "aws-iso-f" (did you mean "aws-iso"?)',
    ],
    ["platform.aws.identityProviderARN", "arn:aws:iam:::123456", "arn:aws:iam:::12345", arnRule],
    [
      "platform.aws.identityProviderARN",
      `arn:aws:iam:::${"x".repeat(2034)}`,
      `arn:aws:iam:::${"x".repeat(2035)}`,
      arnRule,
    ],
    [
      "platform.aws.issuerHosting.type",
      "S3CloudFront",
      "external",
      'must be one of "S3Public", "S3CloudFront", "External" (did you mean "External"?)',
    ],
    ["platform.aws.issuerHosting.bucket", "any text", 5, "must be a string"],
    [
      "platform.aws.issuerHosting.distributionDomain",
      "d1.cloudfront.cn",
      "d1.cloudfront.com",
      "must be the domain name that CloudFront assigned, such as 'd111111abcdef8.cloudfront.net'",
    ],
    ["platform.aws.issuerHosting.domain", "a.b", "a", domain],
    ["platform.aws.issuerHosting.domain", `${"a".repeat(63)}.example`, `${"a".repeat(64)}.example`, domain],
    [
      "platform.aws.issuerHosting.certificateARN",
      "arn:aws:acm:us-east-1:123456789012:certificate/x",
      "certificate",
      arnRule,
    ],
    ["platform.aws.roles.path", "/", "/a", path],
    ["platform.aws.roles.path", `/${"a".repeat(510)}/`, `/${"a".repeat(511)}/`, path],
    ["platform.aws.roles.path", "/a/b/", "//", path],
    [
      "platform.aws.roles.nameOverflow",
      "Fail",
      "fail",
      'must be one of "Truncate", "Hash", "Fail" (did you mean "Fail"?)',
    ],
    ["platform.aws.roles.permissionsBoundaryARN", arn, "arn:aws:iam::12345678901:policy/x", arnRule],
    ["platform.aws.roles.maxSessionDuration", 3600, 3599, "must be 3600 to 43200 seconds"],
    ["platform.aws.roles.maxSessionDuration", 43200, 43201, "must be 3600 to 43200 seconds"],
    ["platform.aws.roles.requireAudience", false, "false", "must be true or false"],
    ["platform.aws.thumbprints[0]", "aF0".padEnd(40, "9"), "g".repeat(40), "must be 40 hexadecimal digits"],
    [
      "platform.aws.thumbprints",
      ["1", "2", "3", "4", "5"].map((text) => text.repeat(40)),
      ["a".repeat(40), "a".repeat(40)],
      "must contain at most 5 different thumbprints",
    ],
    ["platform.aws.tags.team", "", true, "must be a string"],
    ["secret.encoding", "data", "Data", 'must be one of "stringData", "data" (did you mean "data"?)'],
    ["platform.aws.includeRegionInSecret", true, 1, "must be true or false"],
    ["platform.aws.overrides.a/b.roleName", "x".repeat(64), "", "must be 1 to 64 letters, digits, or any of '+=,.@-_'"],
    ["overrides.a/b.serviceAccountNames", ["ns/a.b"], ["a", "a"], "must contain at least one name, and each name once"],
    [
      "overrides.a/b.serviceAccountNames[0]",
      "a",
      "a.b/c",
      "must be the name of a service account, or <namespace>/<name>",
    ],
    [
      "platform.aws.overrides.a/b.managedPolicyARNs",
      Array.from({ length: 20 }, (_, index) => `${arn}${index}`),
      Array.from({ length: 21 }, (_, index) => `${arn}${index}`),
      "must contain at most 20 different ARNs",
    ],
    ["platform.aws.overrides.a/b.managedPolicyARNs[0]", arn, "ReadOnlyAccess", arnRule],
    ["overrides.a/b.skip", true, "yes", "must be true or false"],
    [
      "operators.installPlanApproval",
      "Automatic",
      "manual",
      'must be one of "Manual", "Automatic" (did you mean "Manual"?)',
    ],
    ["operators.emitSecrets", false, null, "must be true or false"],
  ])("spec.%s", (field, good, bad, message) => {
    expect(read(withField(field, good)).name).toBe("demo");
    expect(refused(withField(field, bad))).toMatchObject([
      {
        severity: "error",
        code: "config-invalid-field",
        message: expect.stringMatching(new RegExp(`^"spec\\.${escaped(field)}" is .+, but ${escaped(message)}\\.$`)),
        field: `spec.${field}`,
      },
    ]);
  });

  it.each([
    ["a/b", true],
    ["a-1/b.c", true],
    ["a.b/c", false],
    ["A/b", false],
    ["a", false],
    ["a/b/c", false],
    ["/b", false],
  ])("an override of %j: %s", (name, good) => {
    const config = identity({ spec: { overrides: { [name]: { skip: true } } } });
    if (good) expect(read(config).overrides).toEqual({ [name]: { skip: true } });
    else {
      expect(refused(config)).toMatchObject([
        {
          code: "config-invalid-field",
          message: `the name "${name}" must be <secret namespace>/<secret name>.`,
          field: `spec.overrides.${name}`,
        },
      ]);
    }
  });

  it.each([
    ["apiVersion", "fn.cloudcredential.dev/v1", "fn.cloudcredential.dev/v1alpha1"],
    ["apiVersion", "fn.cloudcredential.dev/v1alpha2", "fn.cloudcredential.dev/v1alpha1"],
  ])("%s is not %s", (field, value, must) => {
    expect(refused({ ...identity(), [field]: value })).toMatchObject([
      { code: "config-invalid-field", message: `"${field}" is "${value}", but must be "${must}".`, field },
    ]);
  });
});

describe("required fields inside", () => {
  it.each<[Any, string]>([
    [{ from: {} }, "from.configMapKeyRef"],
    [{ from: { configMapKeyRef: { key: "a" } } }, "from.configMapKeyRef.name"],
    [{ from: { configMapKeyRef: { name: "a" } } }, "from.configMapKeyRef.key"],
  ])("of a signing key %j", (signingKey, missing) => {
    const field = `spec.issuer.signingKeys[0].${missing}`;
    expect(refused(identity({ spec: { issuer: { signingKeys: [signingKey] } } }))).toMatchObject([
      { severity: "error", code: "config-missing-field", message: `"${field}" is required.`, field },
    ]);
  });
});

describe("unknown fields", () => {
  it.each([
    ["release.capabilitys", "capabilities"],
    ["issuer.URL", "url"],
    ["issuer.audience", "audiences"],
    ["issuer.signingKeys[0].publickey", "publicKey"],
    ["platform.AWS", "aws"],
    ["platform.aws.issuerHosting.buckt", "bucket"],
    ["platform.aws.roles.nameOverflw", "nameOverflow"],
    ["secret.encodin", "encoding"],
    ["platform.aws.includeRegion", "includeRegionInSecret"],
    ["platform.aws.overrides.a/b.rolename", "roleName"],
    ["overrides.a/b.serviceAccountName", "serviceAccountNames"],
    ["operators.emitSecret", "emitSecrets"],
  ])("spec.%s: did you mean %s", (field, nearest) => {
    expect(refused(withField(field, "x"))).toContainEqual(
      expect.objectContaining({
        severity: "error",
        code: "config-unknown-field",
        message: `unknown field "spec.${field}" (did you mean "${nearest}"?).`,
        field: `spec.${field}`,
      }),
    );
  });

  it("are allowed where Kubernetes defines the fields", () => {
    const metadata = { name: "demo", labels: { a: "b" }, annotations: { c: "d" }, finalizers: ["e"] };
    expect(read(identity({ metadata })).name).toBe("demo");
  });
});

describe("a private key", () => {
  const pem = String(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
  );
  const forms = { plain: pem, base64: Buffer.from(pem).toString("base64"), "base64 behind": btoa(`x${pem}`) };

  it.each<[string, (text: string) => Any]>([
    [
      "spec.issuer.signingKeys[0].publicKey",
      (text) => identity({ spec: { issuer: { signingKeys: [{ publicKey: text }] } } }),
    ],
    [
      "spec.issuer.signingKeys[1].publicKey",
      (text) => identity({ spec: { issuer: { signingKeys: [key, { publicKey: text }] } } }),
    ],
    ["metadata.annotations.note", (text) => identity({ metadata: { annotations: { note: text } } })],
    ["metadata.labels.note", (text) => identity({ metadata: { labels: { note: text } } })],
    ["metadata.name", (text) => identity({ metadata: { name: text } })],
    ["spec.platform.aws.tags.note", (text) => identity({ aws: { tags: { note: text } } })],
    ["spec.platform.gcp.key", (text) => ({ ...identity(), spec: { platform: { gcp: { key: text } } } })],
    ["spec.bogus.deep[0].er", (text) => identity({ spec: { bogus: { deep: [{ er: text }] } } })],
    ["status", (text) => ({ ...identity(), status: text })],
  ])("in %s is refused, and no part of it is shown", (field, config) => {
    for (const text of Object.values(forms)) {
      const findings = refused(config(text));
      expect(findings).toMatchObject([
        {
          severity: "error",
          code: "private-key",
          message: `"${field}" contains a private key. Remove it, treat it as compromised, and create a new key pair. Only the public key belongs in a package.`,
          field,
        },
      ]);
      const said = JSON.stringify(findings);
      for (const part of [text.slice(0, 26), pem.split("\n")[1] ?? ""]) expect(said).not.toContain(part);
    }
  });

  it("is reported for each field, before any other problem", () => {
    const config = identity({ aws: { accountID: 5, tags: { a: pem, b: "x", c: forms.base64 } } });
    expect(refused(config).map(({ code, field }) => [code, field])).toEqual([
      ["private-key", "spec.platform.aws.tags.a"],
      ["private-key", "spec.platform.aws.tags.c"],
    ]);
  });
});

describe("the one ClusterIdentity", () => {
  const resource = resourceOf(identity(), { path: "one.yaml" });
  const other = resourceOf(identity({ metadata: { name: "other" } }), { path: "other.yaml" });
  const map = resourceOf({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "input" } });

  it("is functionConfig before any among the items", () => {
    expect(readIdentity([resource], other)).toMatchObject({ name: "other", resource: other });
  });

  it("is the one among the items if functionConfig is a ConfigMap or missing", () => {
    for (const config of [map, undefined]) expect(readIdentity([map, other], config)).toMatchObject({ name: "other" });
  });

  it.each([undefined, map])("is reported as missing if there is none", (config) => {
    expect(readIdentity([map, resourceOf({ ...identity(), apiVersion: "x/v1alpha1" })], config)).toEqual([
      {
        severity: "error",
        code: "config-missing",
        message:
          "No ClusterIdentity was found. Pass one as functionConfig (configPath in a Kptfile), or add one to the resources.",
      },
    ]);
  });

  it("cannot be chosen from several that differ in name or spec; other metadata may differ", () => {
    const moved = resourceOf(identity({ metadata: { annotations: { a: "b" } } }), { path: "moved.yaml" });
    const changed = resourceOf(identity({ aws: { region: "eu-west-1" } }), { path: "changed.yaml" });
    expect(readIdentity([resource, moved], undefined)).toMatchObject({ resource: resource });
    for (const different of [other, changed]) {
      expect(readIdentity([different, moved, resource], undefined)).toEqual(
        readIdentity([resource, moved, different], undefined),
      );
      expect(readIdentity([resource, moved, different], undefined)).toMatchObject([
        {
          severity: "error",
          code: "config-ambiguous",
          message: expect.stringMatching(
            /^Found 3 ClusterIdentities that differ: "\w+" in "\w+\.yaml", .*\. Pass the right one as functionConfig \(configPath in a Kptfile\), or remove the others\.$/,
          ),
        },
      ]);
    }
  });

  it.each([
    ["Secret", "v1"],
    ["CredentialsRequest", "cloudcredential.openshift.io/v1"],
    ["ClusterIdentity", "example.com/v1alpha1"],
  ])("cannot be a %s of %s as functionConfig, even if one is among the items", (kind, apiVersion) => {
    expect(readIdentity([resource], resourceOf({ apiVersion, kind, metadata: { name: "x" } }))).toMatchObject([
      {
        severity: "error",
        code: "config-wrong-kind",
        message: `functionConfig is of kind "${kind}", not ClusterIdentity. Use a ClusterIdentity of fn.cloudcredential.dev, or omit functionConfig.`,
        resource: { apiVersion, kind, name: "x" },
      },
    ]);
  });

  it("without an unambiguous value is a finding, and any other failure is thrown", () => {
    const bad = finding("error", "yaml-value", "cannot be read.");
    const throwing = (error: Error) => ({
      ...resource,
      value: () => {
        throw error;
      },
    });
    expect(readIdentity([], throwing(new FindingError(bad)))).toEqual([bad]);
    expect(() => readIdentity([], throwing(new TypeError("a bug")))).toThrow("a bug");
  });
});

/** Sets a field, given its path in `spec`; a step in brackets is an index in a list. */
function withField(field: string, value: Any): Any {
  const config = identity({ aws: { overrides: {} } });
  const steps = field.split(/\.|(?=\[)/);
  let at = config.spec;
  for (const [index, step] of steps.entries()) {
    const name = step.startsWith("[") ? Number(step.slice(1, -1)) : step;
    if (index === steps.length - 1) at[name] = value;
    else {
      // Each signing key is replaced, because it may have only one field.
      if (step === "signingKeys") at[name] = undefined;
      at[name] ??= steps[index + 1]?.startsWith("[") ? [] : {};
      at = at[name];
    }
  }
  return config;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
