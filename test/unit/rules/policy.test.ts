import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import { inspectors, rulesFor } from "../../../src/clouds/inspectors.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { type Policy, readPolicy } from "../../../src/rules/policy.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { rulesWithExamples } from "../../helpers/rules.ts";
import { objectsOf } from "../../helpers/stream.ts";

const codes = rulesFor(...inspectors).map(({ code }) => code);
const today = "2027-01-01";

function read(spec: ValueMap): Policy | Finding[] {
  const object = {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ReviewPolicy",
    metadata: { name: "company" },
    spec,
  };
  return readPolicy(resourceOf(object), codes, (field) => `review-policy.yaml:${field}`);
}

function policyOf(spec: ValueMap): Policy {
  const policy = read(spec);
  if (Array.isArray(policy)) throw new Error(policy.map(({ message }) => message).join("\n"));
  return policy as Policy;
}

function judged(text: string, spec?: ValueMap, ignoresAccept = false): Finding[] {
  const review = { policy: spec === undefined ? undefined : policyOf(spec), ignoresAccept };
  return [...validate({ items: objectsOf(text), functionConfig: undefined }, { today, review })];
}

const example = (code: string, kind = "bad") => readFileSync(`testdata/rules/${code}/${kind}.yaml`, "utf8");

describe("an invalid policy", () => {
  it.each<[ValueMap, string]>([
    [{ severity: {} }, 'unknown field "spec.severity"; did you mean "severities"?'],
    [{ severities: { "pass-role-an": "error" } }, 'unknown rule "pass-role-an"'],
    [{ severities: { "secret-shared": "off" } }, 'unknown rule "secret-shared"'],
    [{ severities: { "policy-forbidden": "off" } }, 'unknown rule "policy-forbidden"'],
    [{ severities: { "pass-role-any": "info" } }, 'must be one of "error", "warning", "off"'],
    [{ accept: { from: "Nobody" } }, 'must be one of "Package", "Policy"'],
    [{ accept: { rules: { "pass-role": "Never" } } }, 'unknown rule "pass-role"'],
    [{ accept: { rules: { "pass-role-any": "Sometimes" } } }, 'must be one of "Never"'],
    [{ accept: { maxDays: 0 } }, "must be a number of days from 1 to 36500"],
    [{ accepted: [{ rule: "x", object: "a/b", reason: "text" }] }, 'unknown rule "x"'],
    [{ accepted: [{ rule: "pass-role-any", object: "a/b", reason: "-" }] }, "must give the reason in words"],
    [{ accepted: [{ rule: "pass-role-any", object: "a/b" }] }, '"spec.accepted[0].reason" is required'],
    [{ platform: { aws: { path: "/openshift/" } } }, 'unknown field "spec.platform.aws.path"'],
    [{ platform: { aws: { roles: { permissionsBoundaryARN: "Optional" } } } }, 'must be one of "Required"'],
    [{ platform: { aws: { roles: { requireAudience: false } } } }, 'must be one of "true"'],
    [{ platform: { aws: { forbiddenActions: ["iam"] } } }, "must be an action such as"],
    [{ platform: { gcp: { forbiddenRoles: [] } } }, "must contain at least one entry"],
  ])("%j is refused", (spec, message) => {
    const findings = read(spec) as Finding[];
    expect(findings.map(({ code }) => code)).toEqual(["policy-invalid"]);
    expect(findings[0]?.message).toContain(message.split(";")[0]);
  });

  it("has the entries of a ClusterIdentity's spec.accept, and clusters", () => {
    const definitions = (name: string) => JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")).definitions;
    const { clusters, ...ours } = definitions("review-policy").accepted.properties;
    expect(clusters).toBeDefined();
    const rule = ours.rule.description;
    expect({ ...ours, rule: { ...ours.rule, description: "" } }).toEqual({
      ...definitions("cluster-identity").acceptance.properties,
      rule: { ...definitions("cluster-identity").acceptance.properties.rule, description: "" },
    });
    expect(rule).toContain("policy-forbidden");
  });
});

describe("severities", () => {
  const optional = example("reaches-other-clusters");
  const off = optional.replace("  optionalRules: [reaches-other-clusters]\n", "");
  it.each<[string, string, ValueMap | undefined, string[]]>([
    ["the default", example("pass-role-any"), undefined, ["warning"]],
    ["the policy over the default", example("pass-role-any"), { severities: { "pass-role-any": "error" } }, ["error"]],
    ["off over the default", example("pass-role-any"), { severities: { "pass-role-any": "off" } }, []],
    ["optionalRules over the default", optional, undefined, ["warning"]],
    ["the policy over optionalRules", optional, { severities: { "reaches-other-clusters": "error" } }, ["error"]],
    ["off over optionalRules", optional, { severities: { "reaches-other-clusters": "off" } }, []],
    ["an optional rule that is off", off, undefined, []],
    ["the policy turns an optional rule on", off, { severities: { "reaches-other-clusters": "warning" } }, ["warning"]],
  ])("%s", (_, text, spec, expected) => {
    const code = text === optional || text === off ? "reaches-other-clusters" : "pass-role-any";
    const found = judged(text, spec).filter((one) => one.code === code);
    expect(found.map(({ severity }) => severity)).toEqual(expected);
  });
});

const platform = "  platform:\n";

/** A cluster with a request that may pass any role, and an acceptance of that. */
function accepting(until?: string, { annotation = false } = {}): string {
  const [entry = ""] = [until === undefined ? "" : `, until: "${until}"`];
  const accept = `  accept:\n  - {rule: pass-role-any, object: openshift-sample/cloud-credentials, reason: reviewed${entry}}\n`;
  const text = cluster(annotation ? "" : accept);
  return annotation
    ? text.replace(
        "kind: CredentialsRequest\nmetadata:\n",
        "kind: CredentialsRequest\nmetadata:\n  annotations: {fn.cloudcredential.dev/accept: pass-role-any, fn.cloudcredential.dev/accept-reason: reviewed}\n",
      )
    : text;
}

function cluster(accept = "", aws = "", statement = "action: [iam:PassRole], effect: Allow, resource: '*'"): string {
  return `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata: {name: prod-1}
spec:
${accept}${platform}    aws:
      accountID: "123456789012"
      region: us-east-2
${aws}---
apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: sample
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-sample, name: cloud-credentials}
  serviceAccountNames: [sample]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - {${statement}}
`;
}

describe("acceptances", () => {
  const never = { accept: { rules: { "pass-role-any": "Never" } } };
  const open = "warning";
  it.each<[string, string, ValueMap | undefined, boolean, string, string]>([
    ["a package accepts", accepting(), undefined, false, "info", "Accepted: "],
    ["a package accepts under a policy", accepting(), {}, false, "info", "Accepted: "],
    [
      "--ignore-accept",
      accepting(),
      undefined,
      true,
      open,
      '"spec.accept[0]" does not count: --ignore-accept was given.',
    ],
    [
      "from Policy",
      accepting(),
      { accept: { from: "Policy" } },
      false,
      open,
      "review-policy.yaml:spec.accept.from lets only",
    ],
    ["Never", accepting(), never, false, open, "review-policy.yaml:spec.accept.rules.pass-role-any does not let"],
    [
      "no day under maxDays",
      accepting(),
      { accept: { maxDays: 90 } },
      false,
      open,
      '"until" with 2027-04-01 or an earlier day',
    ],
    ["the last day of maxDays", accepting("2027-04-01"), { accept: { maxDays: 90 } }, false, "info", "Accepted until"],
    ["a day later", accepting("2027-04-02"), { accept: { maxDays: 90 } }, false, open, "spec.accept.maxDays requires"],
    ["expired, whatever the policy says", accepting("2026-12-31"), never, false, open, "expired on 2026-12-31"],
    ["an annotation", accepting(undefined, { annotation: true }), {}, false, "info", "Accepted: "],
    [
      "an annotation, from Policy",
      accepting(undefined, { annotation: true }),
      { accept: { from: "Policy" } },
      false,
      open,
      "in the object does not count",
    ],
    [
      "an annotation, maxDays",
      accepting(undefined, { annotation: true }),
      { accept: { maxDays: 90 } },
      false,
      open,
      "in the object does not count",
    ],
    [
      "an annotation, Never",
      accepting(undefined, { annotation: true }),
      never,
      false,
      open,
      "in the object does not count",
    ],
  ])("%s", (_, text, spec, ignores, severity, message) => {
    const found = judged(text, spec, ignores).filter(({ code }) => code === "pass-role-any");
    expect(found).toHaveLength(1);
    expect(found[0]?.severity).toBe(severity);
    expect(found[0]?.message).toContain(message);
  });

  const entry = { rule: "pass-role-any", object: "openshift-sample/cloud-credentials", reason: "reviewed" };
  it.each<[string, ValueMap, string]>([
    ["the policy accepts", entry, "info"],
    ["for a matching cluster", { ...entry, clusters: "prod-*" }, "info"],
    ["not for another cluster", { ...entry, clusters: "test-*" }, "warning"],
    ["not another object", { ...entry, object: "openshift-sample/other" }, "warning"],
    ["not another rule", { ...entry, rule: "privilege-escalation" }, "warning"],
    ["until its last day", { ...entry, until: today }, "info"],
    ["not later", { ...entry, until: "2026-12-31" }, "warning"],
  ])("%s", (_, accepted, severity) => {
    const spec = { ...never, accept: { ...never.accept, from: "Policy" }, accepted: [accepted] };
    const found = judged(cluster(), spec).filter(({ code }) => code === "pass-role-any");
    expect(found.map((one) => one.severity)).toEqual([severity]);
    if (severity === "info") expect(found[0]?.message).toContain(" by review-policy.yaml:spec.accepted[0]: ");
  });

  it("of a rule that the policy turns off is not out of date", () => {
    const found = judged(accepting(), { severities: { "pass-role-any": "off" } });
    expect(found.map(({ code }) => code)).not.toContain("accept-unused");
  });

  it("in a package never count for the policy's own findings", () => {
    const text = accepting().replace("rule: pass-role-any", "rule: policy-forbidden");
    const found = judged(text, { platform: { aws: { forbiddenActions: ["iam:*"] } } });
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(["policy-forbidden", "accept-rule-unknown"]));
  });
});

/** The findings of the policy: their codes and messages. */
function ofPolicy(text: string, aws: ValueMap, more: ValueMap = {}): string[] {
  const found = judged(text, { platform: { aws }, ...more });
  return found.filter(({ code }) => code.startsWith("policy-")).map(({ code, message }) => `${code}: ${message}`);
}

describe("requirements for AWS", () => {
  const settings = (lines: string) => cluster("", lines, "action: [s3:GetObject], effect: Allow, resource: '*'");
  it.each<[string, ValueMap, string, string[]]>([
    ["boundary", { roles: { permissionsBoundaryARN: "Required" } }, "", ["policy-required"]],
    [
      "boundary set",
      { roles: { permissionsBoundaryARN: "Required" } },
      "      roles: {permissionsBoundaryARN: 'arn:aws:iam::123456789012:policy/b'}\n",
      [],
    ],
    ["path", { roles: { path: "/openshift/" } }, "", ["policy-required"]],
    ["path like it", { roles: { path: "/openshift/" } }, "      roles: {path: /openshift2/}\n", ["policy-required"]],
    ["path below", { roles: { path: "/openshift/" } }, "      roles: {path: /openshift/prod/}\n", []],
    ["audience", { roles: { requireAudience: true } }, "", ["policy-required"]],
    ["audience set", { roles: { requireAudience: true } }, "      roles: {requireAudience: true}\n", []],
    ["tags", { tags: ["owner", "team"] }, "      tags: {team: a}\n", ["policy-required"]],
    ["tags set", { tags: ["owner"] }, "      tags: {owner: a}\n", []],
    ["hosting by default", { issuerHosting: ["S3CloudFront"] }, "", ["policy-required"]],
    ["hosting allowed", { issuerHosting: ["S3Public"] }, "", []],
  ])("%s", (_, aws, lines, expected) => {
    const found = ofPolicy(settings(lines), aws);
    expect(found.map((one) => one.split(":")[0])).toEqual(expected);
    for (const one of found) expect(one).toMatch(/ review-policy\.yaml:spec\.platform\.aws\.\S+ requires it\.$/);
  });

  const entries = "action: [ACTION], effect: Allow, resource: '*'";
  it.each<[string, string, string[]]>([
    ["iam:*", "iam:GetRole", ["policy-forbidden"]],
    ["iam:*", "IAM:getrole", ["policy-forbidden"]],
    ["iam:*", "'*'", ["policy-forbidden"]],
    ["iam:*", "'i*:Get*'", ["policy-forbidden"]],
    ["iam:Create*", "'iam:*User'", ["policy-forbidden"]],
    ["iam:Create*", "'iam:Delete*'", []],
    ["iam:*", "s3:GetObject", []],
    ["*", "s3:GetObject", ["policy-forbidden"]],
    ["iam:PassRole", "'iam:Pass?ole'", ["policy-forbidden"]],
  ])("forbidden %s meets %s", (forbidden, action, expected) => {
    const found = ofPolicy(cluster("", "", entries.replace("ACTION", action)), { forbiddenActions: [forbidden] });
    expect(found.map((one) => one.split(":")[0])).toEqual(expected);
  });

  it("finds no action that a denial removes", () => {
    const deny =
      "action: ['iam:*'], effect: Allow, resource: '*'}\n    - {action: ['iam:*'], effect: Deny, resource: '*'";
    expect(ofPolicy(cluster("", "", deny), { forbiddenActions: ["iam:*"] })).toEqual([]);
    const part = deny.replace("['iam:*'], effect: Deny", "['iam:Create*'], effect: Deny");
    expect(ofPolicy(cluster("", "", part), { forbiddenActions: ["iam:*"] })).toHaveLength(1);
    expect(ofPolicy(cluster("", "", part), { forbiddenActions: ["iam:CreateUser"] })).toEqual([]);
  });

  it("cannot decide what an attached managed policy allows, and says so", () => {
    const overrides =
      "      overrides: {openshift-sample/cloud-credentials: {managedPolicyARNs: ['arn:aws:iam::aws:policy/Own']}}\n";
    const text = cluster("", overrides, "action: [s3:GetObject], effect: Allow, resource: '*'");
    const [found, ...more] = ofPolicy(text, { forbiddenActions: ["iam:*"] });
    expect(more).toEqual([]);
    expect(found).toMatch(/^policy-undecided: .*"arn:aws:iam::aws:policy\/Own".* spec|^policy-undecided: /);
    const accepted = {
      accepted: [{ rule: "policy-undecided", object: "ClusterIdentity/prod-1", reason: "read by hand" }],
    };
    const [note] = judged(text, { platform: { aws: { forbiddenActions: ["iam:*"] } }, ...accepted }).filter(
      ({ code }) => code === "policy-undecided",
    );
    expect(note).toMatchObject({ severity: "info", accepted: '"read by hand"' });
  });

  const edited = example("reaches-other-clusters");
  it.each<[string, ValueMap, string, string, string[]]>([
    [
      "NotAction",
      { forbiddenActions: ["iam:*"] },
      '"Action": "ec2:DeleteVolume"',
      '"NotAction": "s3:*"',
      ["policy-undecided"],
    ],
    ["a role without boundary", { roles: { permissionsBoundaryARN: "Required" } }, "", "", ["policy-required"]],
    ["a trust without audience", { roles: { requireAudience: true } }, "", "", ["policy-required"]],
    ["an input that cannot be read", { tags: ["owner"] }, '"RoleName"', "RoleName", ["policy-undecided"]],
  ])("judges files as they are: %s", (_, aws, from, to, expected) => {
    const fits =
      "      roles: {permissionsBoundaryARN: 'arn:aws:iam::123456789012:policy/b', requireAudience: true}\n      tags: {owner: a}\n";
    const text = edited.replace(from, to).replace(/( +)accountID: .*\n/, (line) => `${line}${fits}`);
    expect(text).toContain("requireAudience: true");
    const found = ofPolicy(text, aws);
    expect([...new Set(found.map((one) => one.split(":")[0]))]).toEqual(expected);
  });
});

describe("a policy", () => {
  const strict = {
    accept: { from: "Policy" },
    platform: {
      aws: {
        roles: { permissionsBoundaryARN: "Required", path: "/openshift/", requireAudience: true },
        tags: ["owner"],
        issuerHosting: ["S3CloudFront"],
        forbiddenActions: ["iam:*"],
      },
      gcp: { attributeCondition: "Required", forbiddenRoles: ["roles/owner"] },
      azure: { forbiddenRoles: ["Owner", "Contributor"] },
    },
  };
  const key = ({ code, resource, field }: Finding) => JSON.stringify([code, resource, field]);

  it.each(
    rulesWithExamples.flatMap(({ rule, good, bad }) => [
      [`${rule.code} bad`, bad] as const,
      [`${rule.code} good`, good] as const,
    ]),
  )("never makes fewer findings: %s", (_, text) => {
    if (text.startsWith("apiVersion: v1\nbaseDomain") || text.includes("\nbaseDomain:")) return;
    const without = judged(text);
    for (const spec of [{}, strict, { accept: { maxDays: 1 } }]) {
      const left = judged(text, spec).map(key);
      for (const one of without) expect(left.splice(left.indexOf(key(one)), 1)).toEqual([key(one)]);
    }
  });
});

/** The codes of the policy's findings in an example of a rule, after an edit. */
function ofExample(code: string, spec: ValueMap, edit: (text: string) => string = (text) => text): string[] {
  const found = judged(edit(example(code)), { platform: spec });
  return found.filter((one) => one.code.startsWith("policy-")).map((one) => one.code);
}

describe("requirements for Google Cloud", () => {
  const roles = (...forbiddenRoles: string[]) => ({ gcp: { forbiddenRoles } });
  const request = (text: string) => text.slice(text.indexOf("---\n") + 4);
  it("forbid a role in a request, by its name or a pattern", () => {
    for (const one of ["roles/dns.admin", "ROLES/DNS.admin", "roles/*", "*", "roles/dns.?dmin"])
      expect(ofExample("basic-role-bound", roles(one), request)).toEqual(["policy-forbidden"]);
    expect(ofExample("basic-role-bound", roles("roles/dns", "dns.admin", "roles/dns.admins"), request)).toEqual([]);
  });

  it("forbid a role in an edited file, and an unreadable one is an error", () => {
    expect(ofExample("basic-role-bound", roles("roles/editor"))).toEqual(["policy-forbidden"]);
    // A file that cannot be read is an error, whatever the policy says.
    const broken = example("basic-role-bound").replace('"roles/dns.admin",', '"roles/dns.admin"');
    expect(judged(broken).map(({ code }) => code)).toContain("service-account-unreadable");
  });

  it("require a condition of the provider that limits something", () => {
    const spec = { gcp: { attributeCondition: "Required" } };
    const config = (condition: string) => `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata: {name: demo}
spec: {platform: {gcp: {projectID: my-project, projectNumber: "123456789012"${condition}}}}
`;
    const codesIn = (text: string) =>
      judged(text, { platform: spec })
        .filter((one) => one.code.startsWith("policy-"))
        .map((one) => one.code);
    expect(codesIn(config(""))).toEqual(["policy-required"]);
    expect(codesIn(config(', attributeCondition: " "'))).toEqual(["policy-required"]);
    expect(codesIn(config(', attributeCondition: "true"'))).toEqual(["policy-required"]);
    expect(codesIn(config(", attributeCondition: \"assertion.sub == 'a'\""))).toEqual([]);
    const provider = (text: string) => `${config(", attributeCondition: \"assertion.sub == 'a'\"")}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: gcp-issuer
  annotations:
    config.kubernetes.io/local-config: "true"
    config.kubernetes.io/path: gcp/issuer.yaml
    fn.cloudcredential.dev/generated-by: generate-oidc-issuer/demo
data: {provider.json: '${text}'}
`;
    expect(codesIn(provider("{}"))).toEqual(["policy-required"]);
    expect(codesIn(provider("{"))).toEqual(["policy-undecided"]);
    expect(codesIn(provider('{"attributeCondition": "a == b"}'))).toEqual([]);
  });
});

describe("requirements for Azure", () => {
  const roles = (...forbiddenRoles: string[]) => ({ azure: { forbiddenRoles } });
  it("forbid a role in a request, whatever its case", () => {
    const request = (role: string) => (text: string) =>
      text.replace(/permissions:[\s\S]*$/, `roleBindings: [{role: "${role}"}]\n`);
    const found = (role: string, ...forbidden: string[]) =>
      ofExample("assign-role-any", roles(...forbidden), request(role));
    expect(found("Contributor", "contributor")).toEqual(["policy-forbidden"]);
    expect(found("Contributor", "Contrib*")).toEqual(["policy-forbidden"]);
    expect(found("Contributor", "Owner", "Contrib")).toEqual([]);
    expect(found("01234567-89ab-cdef-0123-456789abcdef", "Owner")).toEqual(["policy-undecided"]);
  });
});
