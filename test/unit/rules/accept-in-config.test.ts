import { describe, expect, it } from "vitest";
import { type ValidationOptions, validate } from "../../../functions/validate-credentials/function.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { type Any, identity, makeCredentials, request, statements } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";
import { codesOf } from "../../helpers/validated.ts";

/** A ClusterIdentity that accepts. */
const accepting = (...accept: Any[]): Any => identity({ spec: { accept } });
/** A request that may pass any role. */
const passer = (annotations: Any = {}): Any =>
  request("passer", {
    annotations,
    spec: {
      secretRef: { namespace: "openshift-passer", name: "credentials" },
      ...statements({ effect: "Allow", action: ["iam:PassRole"], resource: "*" }),
    },
  });
const entry: Any = {
  rule: "pass-role-any",
  object: "openshift-passer/credentials",
  reason: "the account has a boundary",
};
const violation = 'can pass any role that matches "*" to a service (iam:PassRole); name the roles.';

function found(objects: readonly Any[], beside: ValidationOptions = {}): readonly Finding[] {
  return validate({ items: objects.map((value) => resourceOf(value)), functionConfig: undefined }, beside);
}

const said = (all: readonly Finding[]) => all.map(({ severity, code, message }) => ({ severity, code, message }));

describe("what a rule finds, and the ClusterIdentity accepts", () => {
  it("is a note with the reason", () => {
    const all = found([accepting(entry), passer()]);
    expect(said(all)).toEqual([
      { severity: "info", code: "pass-role-any", message: `${violation} Accepted: "the account has a boundary".` },
    ]);
    expect(all[0]?.accepted).toBe('"the account has a boundary"');
  });

  it("may be named by kind, too", () => {
    const object = "CredentialsRequest/openshift-cloud-credential-operator/passer";
    expect(found([accepting({ ...entry, object }), passer()])).toMatchObject([{ severity: "info" }]);
  });

  it("is accepted in the role and the Secret of the request by one name", () => {
    const config = accepting({ ...entry, rule: "iam-wildcard" }, { ...entry, rule: "role-edited" });
    const asked = request("passer", { spec: { secretRef: { namespace: "openshift-passer", name: "credentials" } } });
    const made = makeCredentials(config, [asked]).objects;
    const role = made["aws/roles/openshift-passer-credentials.yaml"];
    role.data["permissions-policy.json"] = role.data["permissions-policy.json"].replace(
      "ec2:DescribeVolumes",
      "iam:T*",
    );
    expect(found([config, asked, role]).map(({ severity, code }) => [severity, code])).toEqual([
      ["info", "iam-wildcard"],
      ["info", "role-edited"],
    ]);
  });

  it("may be an install-config's or a cluster's: the ClusterIdentity is the package's own", () => {
    const config = accepting(
      { rule: "install-config-name", object: "InstallConfig/prod", reason: "one name for both" },
      { rule: "live-root-credentials", object: "kube-system/aws-creds", reason: "goes next week" },
    );
    const installConfig = resourceOf({
      apiVersion: "v1",
      kind: "InstallConfig",
      metadata: { name: "prod" },
      credentialsMode: "Manual",
    });
    const root = { apiVersion: "v1", kind: "Secret", metadata: { name: "aws-creds", namespace: "kube-system" } };
    const all = found([config], { installConfig, live: [resourceOf(root)] });
    expect(all.map(({ severity, code }) => [severity, code])).toEqual([
      ["warning", "no-requests"],
      ["info", "install-config-name"],
      ["info", "live-root-credentials"],
    ]);
    expect(codesOf(found([config]))).toEqual(["no-requests"]);
  });

  it("is accepted by the object's own annotations first", () => {
    const own = {
      "fn.cloudcredential.dev/accept": "pass-role-any",
      "fn.cloudcredential.dev/accept-reason": "reviewed",
    };
    expect(said(found([accepting(entry), passer(own)]))).toEqual([
      { severity: "info", code: "pass-role-any", message: `${violation} Accepted: "reviewed".` },
    ]);
  });

  it("is not accepted for another rule or another object", () => {
    const other = { ...entry, rule: "iam-wildcard" };
    expect(found([accepting(other), passer()])).toMatchObject([{ severity: "warning", message: violation }, {}]);
    const elsewhere = { ...entry, object: "openshift-passer/other" };
    expect(found([accepting(elsewhere), passer()])).toMatchObject([{ severity: "warning", message: violation }, {}]);
  });

  it("does not show a token in its reason", () => {
    const reason = "see eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln";
    expect(JSON.stringify(found([accepting({ ...entry, reason }), passer()]))).not.toContain("c2ln");
  });
});

describe("an acceptance with a last day", () => {
  const lasting = accepting({ ...entry, until: "2027-06-30" });
  const until = { severity: "info", message: `${violation} Accepted until 2027-06-30: "the account has a boundary".` };

  it("counts in a function, which has no clock, and says until when", () => {
    expect(found([lasting, passer()])).toMatchObject([until]);
  });

  it.each(["2026-11-22", "2027-06-30"])("counts on %s", (today) => {
    expect(found([lasting, passer()], { today })).toMatchObject([until]);
  });

  it("does not count on the day after, which is said", () => {
    const all = found([lasting, passer()], { today: "2027-07-01" });
    expect(said(all)).toEqual([
      {
        severity: "warning",
        code: "pass-role-any",
        message: `${violation} Its acceptance in "spec.accept[0]" expired on 2027-06-30.`,
      },
    ]);
    expect(all[0]?.accepted).toBeUndefined();
  });

  it("does not take away from another one", () => {
    const two = accepting({ ...entry, until: "2020-01-01" }, { ...entry, reason: "renewed", until: "2030-01-01" });
    expect(found([two, passer()], { today: "2027-07-01" })).toMatchObject([
      { severity: "info", message: expect.stringContaining('Accepted until 2030-01-01: "renewed".') },
    ]);
  });

  it.each(["2027-6-30", "2027-13-01", "tomorrow"])("must be a date, and not %s", (text) => {
    expect(found([accepting({ ...entry, until: text }), passer()])).toContainEqual(
      expect.objectContaining({ severity: "error", code: "config-invalid-field", field: "spec.accept[0].until" }),
    );
  });
});

describe("an entry of spec.accept", () => {
  it.each<[string, Any, Any]>([
    [
      "with a rule that does not exist names the nearest one",
      { ...entry, rule: "pass-roles-any" },
      {
        severity: "error",
        code: "accept-rule-unknown",
        field: "spec.accept[0].rule",
        message:
          'unknown rule "pass-roles-any" (did you mean "pass-role-any"?); correct it. Errors of a generator cannot be accepted.',
      },
    ],
    [
      "with an object that does not exist names the nearest one",
      { ...entry, object: "openshift-passers/credentials" },
      {
        severity: "warning",
        code: "accept-unmatched",
        field: "spec.accept[0].object",
        message:
          'no object is named "openshift-passers/credentials" (did you mean "openshift-passer/credentials"?); correct the name, or remove "spec.accept[0]".',
      },
    ],
    [
      "of a kind names the nearest of that form",
      { ...entry, object: "CredentialsRequest/openshift-cloud-credential-operator/passers" },
      {
        code: "accept-unmatched",
        message: expect.stringContaining(
          '(did you mean "CredentialsRequest/openshift-cloud-credential-operator/passer"?)',
        ),
      },
    ],
    [
      "whose rule finds nothing is to be removed",
      { ...entry, rule: "sts-wildcard" },
      {
        severity: "warning",
        code: "accept-unused",
        field: "spec.accept[0]",
        message:
          '"spec.accept[0]" accepts "sts-wildcard" in "openshift-passer/credentials", where the rule no longer finds anything; remove the entry.',
      },
    ],
    [
      "whose reason says nothing accepts nothing",
      { ...entry, reason: " \u3164-" },
      { severity: "error", code: "accept-without-reason", field: "spec.accept[0].reason" },
    ],
  ])("%s", (_name, value, expected) => {
    const all = found([accepting(value), passer()]).filter(({ code }) => code !== "pass-role-any");
    expect(all).toMatchObject([{ ...expected, resource: { kind: "ClusterIdentity" } }]);
  });

  it("for a live cluster is left alone where none is looked at", () => {
    const live = { rule: "live-feature-gates", object: "ClusterIdentity/demo", reason: "the upgrade is next week" };
    expect(codesOf(found([accepting(live), passer()]))).toEqual(["pass-role-any"]);
  });

  it.each(["credentials", "a/b/c", "Secret", "Secret/a/b/c", "../x"])("must not name %s", (object) => {
    expect(codesOf(found([accepting({ ...entry, object }), passer()]))).toContain("config-invalid-field");
  });
});

describe("many entries for objects that do not exist", () => {
  it("are all reported, and only the first ones with a hint", () => {
    const entries = Array.from({ length: 30 }, () => ({ ...entry, object: "openshift-passer/credential" }));
    const all = found([accepting(...entries), passer()]).filter(({ code }) => code === "accept-unmatched");
    expect(all).toHaveLength(30);
    expect(
      all.filter(({ message }) => message.includes('(did you mean "openshift-passer/credentials"?)')),
    ).toHaveLength(20);
  });
});
