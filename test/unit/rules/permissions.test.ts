import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ways } from "../../../src/clouds/aws/permissions/steps.ts";
import { type Any, request, statements } from "../../helpers/cluster.ts";
import { codesOf, validated } from "../../helpers/validated.ts";

/** What is found in a request with these statements: `[actions, resource, more]`. */
function found(...list: readonly [actions: readonly string[], resource: string, more?: Any][]) {
  const entries = list.map(([action, resource, more = {}]) => ({ effect: "Allow", action, resource, ...more }));
  const secretRef = { namespace: "openshift-one", name: "credentials" };
  return validated([request("one", { spec: { secretRef, ...statements(...entries) } })]);
}

const role = "arn:aws:iam::123456789012:role/worker";
const deny = { effect: "Deny" };

describe("wildcards over actions", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["all of IAM", ["iam:Tag*"], ["iam-wildcard"]],
    ["of any case", ["IAM:tag*"], ["iam-wildcard"]],
    ["with a question mark", ["iam:TagRol?"], ["iam-wildcard"]],
    ["in the service, which is refused besides", ["ia?:TagRole"], ["iam-wildcard", "request-invalid-field"]],
    ["that read", ["iam:Get*", "iam:ListRole*", "iam:Simulate*"], []],
    ["that read, and more", ["iam:*Policy"], ["iam-wildcard", "privilege-escalation"]],
    ["of STS", ["sts:Get*"], ["sts-wildcard"]],
    ["of STS, to become a role", ["sts:Assume*"], ["sts-wildcard", "assume-role-any"]],
    ["of other services", ["ec2:*", "s3:Get*"], []],
    ["of a service whose name begins so", ["iamx:*", "stsx:*"], []],
    ["and none of them", ["iam:TagRole", "sts:GetCallerIdentity"], []],
  ])("%s", (_name, actions, codes) => {
    expect(codesOf(found([actions, "*"])).sort()).toEqual([...codes].sort());
  });

  it("over everything are all of it", () => {
    const codes = ["assume-role-any", "iam-wildcard", "pass-role-any", "privilege-escalation", "sts-wildcard"];
    for (const all of ["*", "*:*"]) expect(codesOf(found([[all], "*"]))).toEqual(expect.arrayContaining(codes));
  });

  it("that a denial takes back whole are none", () => {
    expect(codesOf(found([["iam:Tag*"], "*"], [["iam:*"], "*", deny]))).toEqual([]);
    expect(codesOf(found([["iam:Tag*"], "*"], [["iam:TagRole"], "*", deny]))).toEqual(["iam-wildcard"]);
    expect(codesOf(found([["iam:Tag*"], "*"], [["iam:*"], role, deny]))).toEqual(["iam-wildcard"]);
    const sometimes = { ...deny, policyCondition: { Bool: { "aws:SecureTransport": "false" } } };
    expect(codesOf(found([["iam:Tag*"], "*"], [["iam:*"], "*", sometimes]))).toEqual(["iam-wildcard"]);
    const same = { policyCondition: sometimes.policyCondition };
    expect(codesOf(found([["iam:Tag*"], "*", same], [["iam:*"], "*", sometimes]))).toEqual([]);
  });
});

describe("roles that are passed or assumed", () => {
  it.each([
    [role, []],
    ["*", ["pass-role-any"]],
    ["arn:aws:iam::123456789012:role/*", ["pass-role-any"]],
    ["arn:aws:iam::123456789012:role/worker-?", ["pass-role-any"]],
  ])("on %s", (resource, codes) => {
    expect(codesOf(found([["iam:PassRole"], resource]))).toEqual(codes);
    expect(codesOf(found([["sts:AssumeRole"], resource]))).toEqual(codes.map(() => "assume-role-any"));
    const secure = { policyCondition: { Bool: { "aws:SecureTransport": "true" } } };
    const denied: [string[], string, Any] = [["iam:*"], "*", { ...deny, ...secure }];
    expect(codesOf(found([["iam:PassRole"], resource, secure], denied))).toEqual([]);
    expect(codesOf(found([["iam:PassRole"], resource], denied))).toEqual(codes);
  });

  it("names the resource and the place", () => {
    const [one] = found([["ec2:RunInstances"], role], [["s3:GetObject", "IAM:passrole"], "*"]);
    expect(one).toMatchObject({
      message: 'can pass any role that matches "*" to a service (iam:PassRole); name the roles.',
      field: "spec.providerSpec.statementEntries[1].action[1]",
      resource: { name: "one" },
    });
  });

  it("are none where a denial takes them back", () => {
    expect(codesOf(found([["iam:PassRole"], "*"], [["iam:PassRole"], "*", deny]))).toEqual([]);
    expect(codesOf(found([["iam:PassRole"], "*"], [["iam:PassRole"], role, deny]))).toEqual(["pass-role-any"]);
  });
});

describe("privilege escalation", () => {
  it.each(ways.map((way) => [way.needs.join(" with "), way] as const))("%s", (_name, { needs, service, how }) => {
    const whole = found([needs, "*"]).filter(({ code }) => code === "privilege-escalation");
    expect(whole.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(whole[0]?.message).toContain(`${needs.join(" with ")} (${how})`);
    // Less than all of it is not this way.
    for (const left of needs) {
      const rest = needs.filter((action) => action !== left);
      const messages = rest.length === 0 ? [] : found([rest, "*"]).map(({ message }) => message);
      expect(messages.join()).not.toContain(`${needs.join(" with ")} (${how})`);
    }
    if (service === undefined) return;
    expect(service).not.toContain(".");
    const others = needs.filter((action) => action !== "iam:PassRole");
    const passing = (more: Any, resource = "*") =>
      codesOf(found([["iam:PassRole"], resource, more], [others, "*"])).includes("privilege-escalation");
    const when = (operator: string, value: string) => ({
      policyCondition: { [operator]: { "iam:PassedToService": value } },
    });
    expect(passing({})).toBe(true);
    for (const suffix of ["amazonaws.com", "amazonaws.com.cn", "c2s.ic.gov"])
      expect(passing(when("StringEquals", `${service}.${suffix}`))).toBe(true);
    expect(passing(when("StringEqualsIgnoreCase", `${service}.AmazonAWS.com`.toUpperCase()))).toBe(true);
    expect(passing(when("StringEquals", "${aws:PrincipalTag/service}"))).toBe(true);
    expect(passing(when("StringLike", "*.amazonaws.com"))).toBe(true);
    expect(passing(when("StringEquals", "nobody.amazonaws.com"))).toBe(false);
    expect(passing(when("StringNotEquals", "nobody.amazonaws.com"))).toBe(true);
    expect(passing({}, role)).toBe(false);
  });

  it("is possible with the trust policy of any role, and not of one that is named", () => {
    const messages = (resource: string) =>
      found([["iam:UpdateAssumeRolePolicy"], resource]).map((finding) => finding.message);
    const said = [
      "can extend its own permissions: iam:UpdateAssumeRolePolicy (any role can be made to trust the cluster); remove one action of each combination, or name the resources.",
    ];
    expect(messages("*")).toEqual(said);
    expect(messages("arn:aws:iam::123456789012:role/*")).toEqual(said);
    expect(messages(role)).toEqual([]);
  });

  it("is found whatever wildcard, case and order of statements it is written with", () => {
    const spellings = (action: string) => {
      const [service = "", name = ""] = action.split(":");
      return fc.constantFrom(
        action,
        action.toLowerCase(),
        action.toUpperCase(),
        `${service}:${name.slice(0, 3)}*`,
        `${service}:*`,
      );
    };
    fc.assert(
      fc.property(
        fc
          .constantFrom(...ways)
          .chain(({ needs }) =>
            fc.tuple(...needs.map(spellings)).chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
          ),
        (actions) => {
          const all = found(...actions.map((action) => [[action], "*"] as [string[], string]));
          expect(codesOf(all)).toContain("privilege-escalation");
        },
      ),
      { numRuns: 60 },
    );
  });

  it("of many wildcards is found, and in bounded time", () => {
    const hostile = `iam:${"*a?b".repeat(40)}*`;
    expect(codesOf(found([[hostile, "iam:PutRolePolicy"], "*".repeat(60)]))).toContain("privilege-escalation");
  });

  it("is not looked for in requests that do not count", () => {
    const off = request("off", {
      annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" },
      spec: statements({ effect: "Allow", action: ["*"], resource: "*" }),
    });
    expect(codesOf(validated([off]))).toEqual([]);
  });
});

describe("a statement that is not a set", () => {
  it("is refused, with or without a ClusterIdentity", () => {
    expect(codesOf(found([["ec2:RunInstances"], "*", { notAction: ["iam:*"] }]))).toContain("request-unknown-field");
  });
});

describe("condition keys", () => {
  it("with a scheme are found in requests", () => {
    const policyCondition = { StringEquals: { "https://oidc.example.com:sub": "system:serviceaccount:a:b" } };
    expect(found([["ec2:RunInstances"], "*", { policyCondition }])).toMatchObject([
      {
        severity: "error",
        code: "condition-key-scheme",
        message:
          'has a condition on a key with a scheme, "https://oidc.example.com:sub". No request contains such a key; remove "https://" from it.',
      },
    ]);
  });
});
