import { describe, expect, it } from "vitest";
import { validate } from "../../../functions/validate-credentials/function.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { Value } from "../../../src/core/resource.ts";
import { type Any, identity, request, statements } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { validated } from "../../helpers/validated.ts";

/** A request that may pass any role, with annotations. */
function passer(annotations: Readonly<Record<string, string>>): Any {
  return request("passer", {
    annotations,
    spec: {
      secretRef: { namespace: "openshift-passer", name: "credentials" },
      ...statements({ effect: "Allow", action: ["iam:PassRole"], resource: "*" }),
    },
  });
}

const said = ({ severity, code, message, accepted }: Finding) => ({ severity, code, message, accepted });
const accept = "fn.cloudcredential.dev/accept";
const why = "fn.cloudcredential.dev/accept-reason";
const violation = 'can pass any role that matches "*" to a service (iam:PassRole); name the roles.';

describe("what a rule finds", () => {
  it("is a note with the reason where the object accepts it", () => {
    const found = validated([passer({ [accept]: "pass-role-any", [why]: " the account has a boundary " })]);
    expect(found.map(said)).toEqual([
      {
        severity: "info",
        code: "pass-role-any",
        message: `${violation} Accepted: "the account has a boundary".`,
        accepted: '"the account has a boundary"',
      },
    ]);
  });

  it.each([
    ["no reason", {}],
    ["an empty reason", { [why]: "" }],
    ["a reason of white space", { [why]: " \n" }],
    ["a reason of no width", { [why]: "\u200b" }],
    ["a reason of letters that are not seen", { [why]: "\u3164\u115f" }],
    ["a reason without a letter or a digit", { [why]: "--- \u2800!" }],
  ])("stays what it is with %s, and that is an error", (_name, reason) => {
    const found = validated([passer({ [accept]: "pass-role-any", ...reason })]);
    expect(found.map(said)).toEqual([
      { severity: "warning", code: "pass-role-any", message: violation, accepted: undefined },
      {
        severity: "error",
        code: "accept-without-reason",
        message: `"${accept}" requires a reason in "${why}"; without a reason nothing is accepted.`,
        accepted: undefined,
      },
    ]);
  });

  it("is accepted by the object that it is about alone", () => {
    const other = request("other", { annotations: { [accept]: "pass-role-any", [why]: "reviewed" } });
    other.spec.secretRef.namespace = "openshift-other";
    const found = validated([passer({}), other]);
    expect(found.map(({ severity, code, resource }) => [severity, code, resource?.name])).toEqual([
      ["warning", "pass-role-any", "passer"],
      ["warning", "accept-unused", "other"],
    ]);
  });

  it.each(["4711", "siehe Pr\u00fcfung", "\u5be9\u67fb\u6e08\u307f"])("is accepted with the reason %s", (reason) => {
    const found = validated([passer({ [accept]: "pass-role-any", [why]: reason })]);
    expect(found.map(({ severity, accepted }) => [severity, accepted])).toEqual([["info", `"${reason}"`]]);
  });

  it("can be one of several that are accepted", () => {
    const value = passer({ [accept]: "pass-role-any,privilege-escalation", [why]: "reviewed" });
    value.spec.providerSpec.statementEntries[0].action.push("ec2:RunInstances");
    expect(validated([value]).map(({ severity, code }) => [severity, code])).toEqual([
      ["info", "pass-role-any"],
      ["info", "privilege-escalation"],
    ]);
  });
});

describe("what is not the package's own", () => {
  const refused =
    " The acceptance in the object itself has no effect: only objects of the package can accept findings.";
  const annotated = (code: string, kind: string, metadata: Any): Any => ({
    apiVersion: "v1",
    kind,
    metadata: { ...metadata, annotations: { [accept]: code, [why]: "reviewed" } },
  });

  it("accepts nothing where it was taken from a cluster", () => {
    const root = annotated("live-root-credentials", "Secret", { name: "aws-creds", namespace: "kube-system" });
    const message =
      "is still in the cluster. In manual mode nothing needs the administrator's access key; delete the Secret in the cluster and the key in AWS.";
    const expected = [
      { severity: "error", code: "live-root-credentials", message: message + refused, accepted: undefined },
    ];
    expect(validated([], [root]).map(said)).toEqual(expected);
    root.metadata.uid = "1";
    expect(validated([root]).map(said)).toEqual(expected);
    delete root.metadata.annotations[accept];
    expect(validated([root]).map(said)).toMatchObject([{ severity: "error", message }]);
  });

  it("accepts nothing where it was exported into a file", () => {
    const key = annotated("long-lived-key", "Secret", { name: "x", namespace: "openshift-x", uid: "1" });
    key.data = { aws_access_key_id: "YQ==" };
    expect(validated([key], [], ["secret.yaml"]).map(said)).toMatchObject([
      { severity: "error", code: "long-lived-key", message: expect.stringContaining(refused), accepted: undefined },
    ]);
  });

  it("accepts nothing where it is an install-config", () => {
    const config = annotated("install-config-mode", "InstallConfig", { name: "demo" });
    const installConfig = resourceOf(config);
    expect(validate({ items: [], functionConfig: undefined }, { installConfig }).map(said)).toEqual([
      {
        severity: "error",
        code: "install-config-mode",
        message: `"credentialsMode" is not set, but must be "Manual".${refused}`,
        accepted: undefined,
      },
    ]);
  });

  it("may say that it accepts what it likes", () => {
    const other = annotated("no-rule, pass-role-any", "Secret", { name: "x", namespace: "y", uid: "1" });
    delete other.metadata.annotations[why];
    expect(validated([other])).toEqual([]);
  });
});

describe("an acceptance", () => {
  it("of what does not occur anymore is to be removed", () => {
    const found = validated([passer({ [accept]: "pass-role-any, sts-wildcard", [why]: "reviewed" })]);
    expect(found.filter(({ severity }) => severity !== "info").map(said)).toEqual([
      {
        severity: "warning",
        code: "accept-unused",
        message: `accepts "sts-wildcard", but the rule no longer finds anything in it; remove the code from "${accept}".`,
        accepted: undefined,
      },
    ]);
  });

  it("of what was not looked for is left alone", () => {
    const config = identity({
      metadata: { annotations: { [accept]: "live-feature-gates", [why]: "the upgrade is next week" } },
    });
    const codes = (live: readonly Value[]) => validated([config, passer({})], live).map(({ code }) => code);
    expect(codes([])).not.toContain("accept-unused");
    const gates = {
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster" },
      spec: {},
    };
    expect(codes([gates])).toContain("accept-unused");
  });

  it("of an unknown rule names the nearest rule", () => {
    const found = validated([passer({ [accept]: "pass-roles-any", [why]: "reviewed" })]);
    expect(found.map(said)).toContainEqual({
      severity: "warning",
      code: "accept-unknown",
      message: `"${accept}" names the unknown rule "pass-roles-any" (did you mean "pass-role-any"?); correct it. Errors of a generator cannot be accepted.`,
      accepted: undefined,
    });
  });

  it("of what a generator refuses changes nothing", () => {
    const withoutAccounts = passer({ [accept]: "no-service-account", [why]: "reviewed" });
    withoutAccounts.spec.serviceAccountNames = [""];
    for (const objects of [[withoutAccounts], [identity(), withoutAccounts]]) {
      const found = validated(objects).filter(({ code }) => code !== "pass-role-any");
      expect(found.map(({ severity, code }) => [severity, code])).toEqual([
        ["error", "no-service-account"],
        ["warning", "accept-unknown"],
      ]);
    }
  });

  it("does not show a token in its reason", () => {
    const token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln";
    const found = validated([passer({ [accept]: "pass-role-any", [why]: `see ${token}` })]);
    expect(JSON.stringify(found)).not.toContain("c2ln");
    expect(found[0]?.accepted).toBe("(a value that is not shown)");
  });
});
