import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { readPolicyDocuments } from "../../../src/clouds/aws/permissions/terms.ts";
import type { Inspector } from "../../../src/clouds/inspector.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { askWhoMay, reachIn } from "../../../src/clouds/permissions.ts";
import type { RenderedCluster } from "../../../src/clouds/rendered.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import { matches } from "../../../src/permissions/glob.ts";
import { type PolicyDocuments, withDocuments } from "../../../src/permissions/policy-documents.ts";
import { runs } from "../../helpers/effort.ts";
import "../../helpers/seed.ts";

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string;
}

const allow = (Action: string | readonly string[], Resource = "*") => ({ Effect: "Allow", Action, Resource });
const deny = (Action: string, Resource = "*") => ({ Effect: "Deny", Action, Resource });
const policy = (Statement: readonly object[]) => policyPermissions({ Statement } as unknown as ValueMap);

const inspector = inspectors.find(({ name }) => name === "aws") as Inspector;

/** A package with one identity, which has a boundary and a managed policy. */
function packageOf(own: readonly object[], documents: PolicyDocuments, managedPolicies: readonly string[] = []) {
  const identity = {
    key: "ns/one",
    id: "id-one",
    permissions: policy(own),
    managedPolicies,
    boundary: "limit",
    trusts: [],
  };
  const identities = [withDocuments(identity, documents)];
  return {
    inspector,
    cluster: { account: "1", resourcePrefix: "demo", identities } as unknown as RenderedCluster,
    items: [],
  };
}

/** Who may, if the boundary has these statements. */
function ask(own: readonly object[], limit: readonly object[], action: string, resource?: string) {
  const documents = new Map([["limit", policy(limit)]]);
  return askWhoMay({ actions: new Map([["AWS", [action]]]), resource })(
    packageOf(own, documents as PolicyDocuments),
  )[0];
}

describe("an identity with a permissions boundary whose document is known", () => {
  it.each<[string, Statement[], object[], string, string | undefined]>([
    ["may what both allow", [allow("s3:GetObject")], [allow("*")], "s3:GetObject", "allowed"],
    ["may not what the boundary does not allow", [allow("s3:GetObject")], [allow("ec2:*")], "s3:GetObject", undefined],
    ["may only what the boundary leaves of a wildcard", [allow("s3:*")], [allow("s3:Get*")], "s3:PutObject", undefined],
    ["may what is left, in any case", [allow("S3:*")], [allow("s3:get*")], "s3:GetObject", "allowed"],
    ["may not what the boundary denies", [allow("s3:*")], [allow("*"), deny("s3:Get*")], "s3:GetObject", undefined],
    ["may perhaps, if two sets cross", [allow("s3:*Object")], [allow("s3:Get*")], "s3:GetObject", "undecided"],
    [
      "may perhaps, if the boundary cannot be read as sets",
      [allow("s3:*")],
      [{ Effect: "Allow", NotAction: "iam:*", Resource: "*" }],
      "s3:GetObject",
      "undecided",
    ],
  ])("%s", (_, own, limit, action, answer) => {
    expect(ask(own, limit, action)?.answer).toBe(answer);
  });

  it("may perhaps, if the two are too hard to compare", () => {
    const core = `a${"?".repeat(20)}b`;
    const limit = [`s3:?*${core}*`, `s3:${core}*`];
    expect(ask([allow(`s3:*${core}*`)], [allow(limit)], "s3:*")?.answer).toBe("undecided");
  });

  it("has what cannot be read, whatever the boundary allows", () => {
    const unread = { Effect: "Allow", NotAction: "iam:*", Resource: "*" };
    const { permissions } = withDocuments(
      { key: "", id: "", permissions: policy([unread]), managedPolicies: [], boundary: "limit" },
      new Map([["limit", policy([allow("s3:Get*")])]]),
    );
    expect(permissions).toEqual(policy([unread]));
  });

  it("says that the boundary is what cannot be read", () => {
    const limit = policy([{ Effect: "Allow", NotAction: "iam:*", Resource: "*" }]);
    const { cluster } = packageOf([allow("s3:*")], new Map([["limit", limit]]));
    expect(cluster.identities[0]?.permissions).toMatchObject([
      { undecided: expect.stringMatching(/^of the permissions boundary, .*NotAction/) },
    ]);
  });

  it("has the conditions of both", () => {
    const condition = (value: string) => ({ Condition: { StringEquals: { "aws:RequestedRegion": value } } });
    const own = [{ ...allow("s3:*"), ...condition("a") }];
    const limit = [{ ...allow("s3:*"), Condition: { Bool: { "aws:SecureTransport": "true" } } }];
    expect(ask(own, limit, "s3:GetObject")?.by[0]?.conditions).toHaveLength(2);
  });

  it("never gets an answer that IAM would contradict", () => {
    const action = fc.constantFrom("a:*", "a:x", "a:y", "a:x*", "a:xy", "b:x", "*");
    const resource = fc.constantFrom("*", "r", "r*", "rs", "t");
    const statement = (effect: string) =>
      fc.record({ Effect: fc.constant(effect), Action: action, Resource: resource });
    const document = fc.tuple(
      fc.array(statement("Allow"), { maxLength: 3 }),
      fc.array(statement("Deny"), { maxLength: 1 }),
    );
    const names = fc.constantFrom("a:x", "a:y", "a:xy", "b:x");
    const allowed = (statements: readonly Statement[], name: string, on: string) => {
      const isOf = (effect: string) =>
        statements.some(
          (one) => one.Effect === effect && matches(String(one.Action), name) && matches(one.Resource, on),
        );
      return isOf("Allow") && !isOf("Deny");
    };
    fc.assert(
      fc.property(document, document, names, fc.constantFrom("r", "rs", "t"), (own, limit, name, on) => {
        const [mine, bounds] = [own.flat(), limit.flat()];
        const is = allowed(mine, name, on) && allowed(bounds, name, on);
        const found = ask(mine, bounds, name, on)?.answer;
        if (found !== "undecided") expect(found === "allowed").toBe(is);
      }),
      { numRuns: runs(500) },
    );
  });

  it("reaches beyond the cluster only where the boundary lets it", () => {
    const own = [allow("ec2:DeleteVolume"), allow("s3:GetObject")];
    const reach = (limit: readonly object[]) => reachIn(packageOf(own, new Map([["limit", policy(limit)]])))[0];
    expect(reach([allow("*")])).toMatchObject({ answer: "changes", undecided: [] });
    expect(reach([allow("s3:*")])).toMatchObject({ answer: "reads", changes: [] });
    expect(reach([allow("iam:*")])).toBeUndefined();
    expect(reachIn(packageOf(own, new Map()))[0]?.answer).toBe("undecided");
  });

  it("has the permissions of managed policies whose documents are known, also limited", () => {
    const documents = new Map([
      ["limit", policy([allow("s3:*")])],
      ["known", policy([allow(["s3:GetObject", "ec2:RunInstances"])])],
    ]);
    const answers = (action: string, ...names: string[]) =>
      askWhoMay({ actions: new Map([["AWS", [action]]]) })(packageOf([], documents, names)).map(({ answer }) => answer);
    expect(answers("s3:GetObject", "known")).toEqual(["allowed"]);
    expect(answers("ec2:RunInstances", "known")).toEqual([]);
    expect(answers("s3:GetObject", "known", "other")).toEqual(["undecided"]);
  });
});

const version = (Document: unknown, IsDefaultVersion = true) => ({ Document, VersionId: "v1", IsDefaultVersion });
const output = (...versions: object[]) =>
  ({ Policies: [{ Arn: "arn:1", PolicyVersionList: versions }] }) as unknown as ValueMap;
const document = { Version: "2012-10-17", Statement: [allow("s3:GetObject")] };

describe("the output of aws iam get-account-authorization-details", () => {
  it.each<[string, ValueMap]>([
    ["as the AWS CLI prints it", output(version({ Statement: [] }, false), version(document))],
    ["as the API has it", output(version(encodeURIComponent(JSON.stringify(document))))],
  ])("is read, %s", (_, value) => {
    const read = readPolicyDocuments(value);
    expect(read instanceof Map && read.get("arn:1")?.permissions).toEqual(policy(document.Statement));
  });

  it.each<[string, ValueMap]>([
    ["no default version", output(version(document, false))],
    ["two default versions", output(version(document), version(document))],
    ["no document", output(version(undefined))],
    ["a text that is not a document", output(version("%"))],
  ])("with %s leaves the policy unknown", (_, value) => {
    expect(readPolicyDocuments(value)).toEqual(new Map());
  });

  it("that is cut, or something else, is not taken for it", () => {
    expect(readPolicyDocuments({ ...output(), IsTruncated: true })).toMatch(/^is incomplete/);
    expect(readPolicyDocuments({ ...output(), NextToken: "x" })).toMatch(/^is incomplete/);
    expect(readPolicyDocuments({ Roles: [] })).toBeUndefined();
  });
});
