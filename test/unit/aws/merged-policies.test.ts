import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePolicies } from "../../../src/clouds/aws/permissions/merge-policies.ts";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { covers } from "../../../src/permissions/gains.ts";
import type { Any } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";

const account = "123456789012";
const role = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const boundary = (name: string) => `arn:aws:iam::${account}:policy/${name}`;

/** The part of an administrator's policy that the tests need. */
function policyOf(prefix: string, limit: string | undefined, more: readonly Any[] = []): Any {
  const Condition = limit === undefined ? {} : { Condition: { StringEquals: { "iam:PermissionsBoundary": limit } } };
  return {
    Version: "2012-10-17",
    Statement: [
      { Sid: "ListRoles", Effect: "Allow", Action: ["iam:ListRoles"], Resource: "*" },
      { Sid: "Bucket", Effect: "Allow", Action: ["s3:CreateBucket"], Resource: `arn:aws:s3:::${prefix}-oidc` },
      { Sid: "Roles", Effect: "Allow", Action: ["iam:CreateRole"], Resource: [role(`${prefix}-*`)], ...Condition },
      ...more,
    ],
  };
}

const merged = (policies: readonly Any[]) =>
  mergePolicies(
    account,
    policies.map((policy, index) => ({ package: `clusters/c${index}`, policy })),
  );
const sizeOf = (document: unknown) => JSON.stringify(document).length;
const statements = (documents: readonly unknown[]) => documents.flatMap((one) => (one as Any).Statement as Any[]);

describe("the policies of one administrator", () => {
  it("have one statement for equal actions and conditions, with a Sid of its own", () => {
    const other = { Sid: "Roles", Effect: "Allow", Action: ["iam:GetRole"], Resource: role("x") };
    const { documents, findings } = merged([
      policyOf("a", boundary("one")),
      policyOf("b", boundary("one")),
      policyOf("c", boundary("two"), [other]),
    ]);
    expect(findings).toEqual([]);
    expect(documents).toHaveLength(1);
    expect(statements(documents).map(({ Sid, Resource }) => [Sid, Resource])).toEqual([
      ["ListRoles", ["*"]],
      ["Bucket", ["arn:aws:s3:::a-oidc", "arn:aws:s3:::b-oidc", "arn:aws:s3:::c-oidc"]],
      ["Roles", [role("a-*"), role("b-*")]],
      ["Roles2", [role("c-*")]],
      ["Roles3", [role("x")]],
    ]);
  });

  it("allow exactly what the parts allow, in documents that IAM accepts", () => {
    const word = fc.constantFrom("a", "b", "c", "d", "long-name".repeat(30));
    const list = fc.uniqueArray(word, { minLength: 1, maxLength: 5 });
    const statement = fc.record({
      Effect: fc.constant("Allow"),
      Action: list.map((names) => names.map((name) => `s3:Get${name.slice(0, 4)}`)),
      Resource: fc.uniqueArray(
        fc.tuple(word, fc.nat(200)).map(([name, count]) => `arn:aws:s3:::${name}${count}`),
        { minLength: 1, maxLength: 30 },
      ),
      Condition: fc.constantFrom(
        {},
        { StringEquals: { "aws:RequestTag/a": "x" } },
        { StringEquals: { "aws:RequestTag/a": "y" } },
      ),
    });
    const policies = fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(policies, (parts) => {
        const all = parts.map((Statement) => ({ Version: "2012-10-17", Statement }));
        const { documents, findings } = merged(all);
        if (findings.length > 0) return;
        for (const document of documents) expect(sizeOf(document)).toBeLessThanOrEqual(6144);
        const union = (list: readonly unknown[]) => list.flatMap((one) => policyPermissions(one as Any));
        expect(covers(union(documents), union(all)) && covers(union(all), union(documents))).toBe(true);
        const [first] = documents;
        const sids = statements([first]).map(({ Sid }) => Sid);
        expect(new Set(sids).size).toBe(sids.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it("fill each document up to the limit, and are refused if a role cannot have all of them", () => {
    const packages = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        policyOf(`cluster-${String(index).padStart(4, "0")}`, boundary("one")),
      );
    const { documents, findings } = merged(packages(200));
    expect(findings).toEqual([]);
    const sizes = documents.map(sizeOf);
    expect(documents.length).toBe(Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 6144));
    expect(sizes.slice(0, -1).every((size) => size > 6000 && size <= 6144)).toBe(true);
    const tooMany = merged(packages(1000));
    expect(tooMany.documents.length).toBe(0);
    expect(tooMany.findings).toMatchObject([
      {
        severity: "error",
        code: "admin-policies-too-many",
        message: expect.stringMatching(
          /^the packages of the account 123456789012 need 1\d policies, and a role can have 10\./,
        ),
      },
    ]);
  });

  it("are refused if one statement does not fit into a document", () => {
    const long = { Sid: "Long", Effect: "Allow", Action: ["a:b"], Resource: `arn:${"x".repeat(6200)}` };
    expect(merged([policyOf("a", undefined, [long])]).findings).toMatchObject([{ code: "admin-policies-too-many" }]);
  });

  it.each<[string, string, string | undefined, string, string | undefined]>([
    ["another boundary", "demo", boundary("one"), "demo-2", boundary("two")],
    ["no boundary", "demo-2", boundary("one"), "demo", undefined],
  ])("are refused if the names of one package include those of one with %s", (_what, a, first, b, second) => {
    const { documents, findings } = merged([policyOf("x", boundary("one")), policyOf(a, first), policyOf(b, second)]);
    expect(documents).toEqual([]);
    expect(findings).toMatchObject([{ severity: "error", code: "admin-policies-overlap" }]);
    for (const text of ['"clusters/c1"', '"clusters/c2"', role("demo-*"), role("demo-2-*")])
      expect(findings[0]?.message).toContain(text);
  });

  it("are merged if such packages have the same boundary, or names are only similar", () => {
    expect(merged([policyOf("demo", boundary("one")), policyOf("demo-2", boundary("one"))]).findings).toEqual([]);
    expect(merged([policyOf("demo", boundary("one")), policyOf("demo2", boundary("two"))]).findings).toEqual([]);
  });
});
