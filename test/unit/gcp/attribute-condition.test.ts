import { describe, expect, it } from "vitest";
import { conditionProblem, mayMeet } from "../../../src/clouds/gcp/cluster/attribute-condition.ts";
import { type Any, type Made, makeCredentials, makeIssuer, request } from "../../helpers/cluster.ts";
import { gcpConfig } from "../../helpers/gcp-cluster.ts";

const subject = "system:serviceaccount:openshift-one:operator";
const issuer = "https://oidc.example.com/demo";
const claim = `assertion["kubernetes.io"]`;

describe("an expression in CEL", () => {
  it.each([
    "assertion.sub.startsWith('system:serviceaccount:openshift-')",
    "'openshift' in assertion.aud && assertion.sub != ''",
    `google.subject == "${subject}" || !(google.subject in ['a', "b",])`,
    `${claim}.namespace.matches(r'^openshift-\\d+$') // a comment`,
    "assertion.exp - assertion.iat <= 3600 && has(assertion.jti) ? true : -1 < 2.5e3",
    "assertion.aud.exists(one, one == 'a' || one.startsWith('b'))",
    "size(assertion.aud) == 1u && {'a': 1}.a == 0x1F && b'x' != b\"y\"",
    `"""one "quoted" text""" != '''another'''`,
    "math.greatest(1, 2) > 1 && type(assertion.sub) == string",
    ".assertion['sub'] == 'x\\'y'",
    "!!true\n&& (((true)))",
  ])("%s is one", (condition) => {
    expect(conditionProblem(condition)).toBeUndefined();
  });

  it.each([
    ["assertion.sub == 'a", "a string is not closed (character 18)"],
    ["assertion.sub = 'a'", "a character is not expected (character 15)"],
    ["assertion.sub ==", "it ends too early (character 17)"],
    ["assertion.sub == 'a' 'b'", `"'b'" is not expected (character 22)`],
    ["assertion.sub == 'a' and true", `"and" is not expected (character 22)`],
    ["(assertion.sub == 'a'", "it ends too early (character 22)"],
    ["assertion.sub in ['a' 'b']", `"'b'" is not expected (character 23)`],
    ["assertion. == 'a'", `"==" is not expected (character 12)`],
    ["startsWith(,)", `"," is not expected (character 12)`],
    ["   ", "it ends too early (character 4)"],
  ])("%s is none", (condition, problem) => {
    expect(conditionProblem(condition)).toBe(`is not an expression in CEL: ${problem}`);
  });

  it.each(["(", "!", "[", "-", "a("])("nested too deeply in %s is none", (sign) => {
    expect(conditionProblem(sign.repeat(2000))).toContain("it is nested too deeply");
  });

  it.each([
    ["attribute.repository == 'a'", "attribute.repository"],
    ["attribute['repository'] == 'a'", "attribute.repository"],
    ["true || 'a' in google.groups", "google.groups"],
    ["subject == 'a'", "subject"],
    ["subject.startsWith('a')", "subject"],
    ["assertion.aud.exists(one, two == 'a')", "two"],
    ["attribute == google", "attribute"],
  ])("%s names %s, which the provider does not map", (condition, name) => {
    expect(conditionProblem(condition)).toBe(
      `names "${name}", but a condition knows only "assertion", with the claims of the token, and "google.subject": the provider maps no other attribute`,
    );
  });
});

describe("the token of a service account", () => {
  it.each([
    "assertion.sub.startsWith('system:serviceaccount:openshift-')",
    "assertion.sub.endsWith(':operator') && google.subject.contains('openshift-one')",
    `google.subject == '${subject}'`,
    `assertion['sub'] in ['a', '${subject}']`,
    `assertion.iss == '${issuer}'`,
    `${claim}.namespace == 'openshift-one' && ${claim}.serviceaccount.name == 'operator'`,
    "assertion.sub == 'system:serviceaccount:' + 'openshift-one' + ':operator'",
    "!(assertion.sub == 'a')",
    "assertion.repository == 'a' || assertion.sub != 'a'",
    "has(assertion.repository) ? false : true",
  ])("meets %s", (condition) => {
    expect(mayMeet(condition, subject, issuer)).toBe(true);
    expect(mayMeet(`!(${condition})`, subject, issuer)).toBe(false);
  });

  it.each([
    "assertion.sub.matches('^a')",
    "'other' in assertion.aud",
    "assertion.exp < 5",
    `${claim}.pod.name == 'a'`,
    `${claim}.future == 'a'`,
    "assertion.sub.lowerAscii() == 'a'",
    "assertion.sub == 'a\\u0062'",
    "assertion.aud.all(one, one == 'a')",
    "size(assertion.sub) == 1",
    "assertion.sub == 5",
  ])("may meet %s, or not", (condition) => {
    expect(mayMeet(condition, subject, issuer)).toBe(true);
    expect(mayMeet(`!(${condition})`, subject, issuer)).toBe(true);
  });

  it.each([
    "assertion.sub == 'system:serviceaccount:other:operator'",
    "assertion.repository == 'a'",
    "!(assertion.repository == 'a')",
    "'a' in [assertion.repository]",
    "assertion.repository.owner == 'a' && 'b' in assertion.aud && false",
    "assertion.sub == 'a' && assertion.sub.matches('b')",
    "assertion.iss == 'https://other.example.com'",
    "assertion.sub in []",
    "false",
  ])("does not meet %s", (condition) => {
    expect(mayMeet(condition, subject, issuer)).toBe(false);
  });
});

describe("a package", () => {
  const asking = (name: string): Any =>
    request(name, {
      spec: {
        secretRef: { namespace: `openshift-${name}`, name: "credentials" },
        serviceAccountNames: ["operator"],
        providerSpec: { kind: "GCPProviderSpec", predefinedRoles: ["roles/dns.admin"] },
      },
    });
  const rendered = (attributeCondition: string) =>
    makeCredentials(gcpConfig({ gcp: { attributeCondition } }), [asking("one"), asking("two")]);
  const said = ({ results, exitCode }: Made) => ({
    exitCode,
    messages: results
      .filter(({ severity }) => severity !== "info")
      .map(({ severity, tags, resourceRef, message }) => [severity, tags.code, resourceRef?.name, message]),
  });
  const field = "spec.platform.gcp.attributeCondition";

  it("with the example of the reference is rendered", () => {
    expect(said(rendered("assertion.sub.startsWith('system:serviceaccount:openshift-')"))).toEqual({
      exitCode: 0,
      messages: [],
    });
  });

  it("with a condition that cannot be evaluated is refused by each function", () => {
    const attributeCondition = "attribute.x == 'a'";
    for (const made of [rendered(attributeCondition), makeIssuer(gcpConfig({ gcp: { attributeCondition } }))])
      expect(said(made)).toEqual({
        exitCode: 1,
        messages: [
          [
            "error",
            "attribute-condition-invalid",
            "demo",
            `"${field}" names "attribute.x", but a condition knows only "assertion", with the claims of the token, and "google.subject": the provider maps no other attribute. Correct the condition, or remove the field.`,
          ],
        ],
      });
  });

  it("with a condition that no component can meet is refused", () => {
    expect(said(rendered("google.subject == 'other'"))).toEqual({
      exitCode: 1,
      messages: [
        [
          "error",
          "attribute-condition-excludes",
          "demo",
          `no token of "system:serviceaccount:openshift-one:operator", "system:serviceaccount:openshift-two:operator" meets the attribute condition "google.subject == 'other'", so no component would get credentials. Correct the condition, or remove the field.`,
        ],
      ],
    });
  });

  it("with a condition that one component cannot meet has a warning", () => {
    expect(said(rendered(`google.subject == '${subject}'`))).toEqual({
      exitCode: 0,
      messages: [
        [
          "warning",
          "attribute-condition-excludes",
          "two",
          `no token of "system:serviceaccount:openshift-two:operator" meets the attribute condition "google.subject == '${subject}'", so the component would get no credentials. Correct "${field}", or skip the request in "spec.overrides".`,
        ],
      ],
    });
  });
});
