import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeAws } from "../../../src/clouds/aws/identities/request.ts";
import { requestedPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { mergeAzure } from "../../../src/clouds/azure/identities/request.ts";
import { mergeGcp } from "../../../src/clouds/gcp/identities/request.ts";
import type { Value } from "../../../src/core/resource.ts";
import { covers } from "../../../src/permissions/gains.ts";
import { defaultRelease } from "../../../src/requests/release-filter.ts";
import { selectRequests } from "../../../src/requests/select.ts";
import type { Merge } from "../../../src/requests/transition.ts";
import { type Any, request } from "../../helpers/cluster.ts";
import { runs } from "../../helpers/effort.ts";
import { resourceOf } from "../../helpers/resources.ts";
import "../../helpers/seed.ts";

const annotation = "fn.cloudcredential.dev/transition";
const merges: Record<string, Merge> = {
  AWSProviderSpec: mergeAws,
  AzureProviderSpec: mergeAzure,
  GCPProviderSpec: mergeGcp,
};

const allow = (...action: string[]) => ({ effect: "Allow", action, resource: "*" });
const aws = (...statementEntries: Any[]) => ({ kind: "AWSProviderSpec", statementEntries });
const gcp = (more: Any) => ({ kind: "GCPProviderSpec", ...more });
const azure = (more: Any) => ({ kind: "AzureProviderSpec", ...more });

function of(providerSpec: Any, spec: Any = {}): Any {
  return request("one", { spec: { serviceAccountNames: ["a"], ...spec, providerSpec } });
}

function marked(object: Any, value = "previous-release"): Any {
  return { ...object, metadata: { ...object.metadata, annotations: { [annotation]: value } } };
}

function select(objects: readonly Any[], { merge = true, tokenPath }: { merge?: boolean; tokenPath?: string } = {}) {
  const items = objects.map((object, index) => resourceOf(object, { path: `${index}.yaml` }));
  const kind = objects[0].spec.providerSpec.kind as string;
  const merging = merge ? { merging: { merge: merges[kind] as Merge, tokenPath } } : {};
  const { requests, findings } = selectRequests(items, defaultRelease, kind, merging);
  return { requests, findings, codes: findings.map(({ code }) => code) };
}

const asked = (newer: Any, older: Any) => {
  const { requests, codes } = select([of(newer), marked(of(older))]);
  expect([requests.length, codes]).toEqual([1, ["request-in-transition"]]);
  const { kind: _, ...rest } = (requests[0] as Any).value.spec.providerSpec;
  return rest;
};

describe("two requests of one Secret, one of the previous release, ask for", () => {
  it.each<[string, Any, Any, Any]>([
    [
      "the new statements, then the actions of the old ones that they do not cover",
      aws(allow("s3:Get*"), allow("ec2:Run")),
      aws(allow("s3:GetObject", "s3:Put"), allow("ec2:Run")),
      { statementEntries: [allow("s3:Get*"), allow("ec2:Run"), allow("s3:Put")] },
    ],
    [
      "old statements with their condition",
      aws(allow("s3:Get")),
      aws({ ...allow("kms:Grant"), policyCondition: { Bool: { "kms:GrantIsForAWSResource": true } } }),
      {
        statementEntries: [
          allow("s3:Get"),
          { ...allow("kms:Grant"), policyCondition: { Bool: { "kms:GrantIsForAWSResource": true } } },
        ],
      },
    ],
    [
      "nothing more, if all is covered",
      aws(allow("s3:*")),
      aws(allow("s3:Put")),
      { statementEntries: [allow("s3:*")] },
    ],
    [
      "the roles and permissions of both, on GCP",
      gcp({ permissions: ["a.b.get", "a.b.list"] }),
      gcp({ predefinedRoles: ["roles/dns.admin"], permissions: ["a.b.get", "a.c.get"] }),
      { predefinedRoles: ["roles/dns.admin"], permissions: ["a.b.get", "a.b.list", "a.c.get"] },
    ],
    [
      "the roles and permissions of both, on Azure, regardless of case",
      azure({ permissions: ["A/b/read"], roleBindings: [{ role: "Reader" }] }),
      azure({
        permissions: ["a/B/read", "A/b/write"],
        dataPermissions: ["A/d/read"],
        roleBindings: [{ role: "reader" }],
      }),
      { permissions: ["A/b/read", "A/b/write"], dataPermissions: ["A/d/read"], roleBindings: [{ role: "Reader" }] },
    ],
    [
      "the exceptions of both, on Azure, if they are the same",
      azure({ permissions: ["A/*"], notActions: ["A/b/delete"] }),
      azure({ permissions: ["B/*"], notActions: ["a/b/delete"] }),
      { permissions: ["A/*", "B/*"], notActions: ["A/b/delete"] },
    ],
    [
      "the exceptions of the only one that lists permissions, on Azure",
      azure({ roleBindings: [{ role: "Reader" }] }),
      azure({ permissions: ["B/*"], notActions: ["B/b/delete"] }),
      { roleBindings: [{ role: "Reader" }], permissions: ["B/*"], notActions: ["B/b/delete"] },
    ],
  ])("%s", (_, newer, older, expected) => {
    expect(asked(newer, older)).toEqual(expected);
  });

  it("the service accounts of both, the Secret and the rest of the new one, in any order of files", () => {
    const newer = of(aws(allow("s3:Get")), { serviceAccountNames: ["b", ""] });
    const older = marked(
      request("two", { spec: { ...of(aws(allow("s3:Put"))).spec, serviceAccountNames: ["a", "b"] } }),
    );
    for (const objects of [
      [newer, older],
      [older, newer],
    ]) {
      const { requests, findings } = select(objects);
      expect(
        requests.map(({ resource, value, secretKey }) => [resource.name, secretKey, (value as Any).metadata]),
      ).toEqual([["one", `${newer.spec.secretRef.namespace}/${newer.spec.secretRef.name}`, newer.metadata]]);
      expect((requests[0] as Any).value.spec.serviceAccountNames).toEqual(["b", "a"]);
      expect(requests[0]?.older?.name).toBe("two");
      expect(findings).toMatchObject([
        {
          severity: "info",
          code: "request-in-transition",
          resource: { name: "two" },
          message: expect.stringMatching(
            /^belongs to the previous release: its identity has what .* asks for, and in addition what only this request asks for\. When the upgrade is finished, run "ccf update-requests --final"/,
          ),
        },
      ]);
    }
  });

  it("on AWS, at least what each asks for", () => {
    const action = fc.constantFrom("s3:Get", "s3:Put", "s3:*", "ec2:Run", "ec2:R*", "*");
    const statement = fc.record({
      effect: fc.constant("Allow"),
      action: fc.array(action, { minLength: 1, maxLength: 3 }),
      resource: fc.constantFrom("*", "arn:aws:s3:::a", "arn:aws:s3:::*", `arn:aws:s3:::\${aws:username}`),
      policyCondition: fc.constantFrom({}, { StringEquals: { k: "x" } }, { StringEquals: { k: ["x", "y"] } }),
    });
    const statements = fc.array(statement, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(statements, statements, (newer, older) => {
        const { statementEntries } = asked(aws(...newer), aws(...older));
        const all = requestedPermissions(statementEntries as readonly Value[]);
        expect(covers(all, requestedPermissions(newer as readonly Value[]))).toBe(true);
        expect(covers(all, requestedPermissions(older as readonly Value[]))).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("two requests of one Secret cannot share an identity", () => {
  const deny = { ...allow("s3:Put"), effect: "Deny" };
  it.each<[string, Any, Any, string]>([
    ["if the new one denies", of(aws(deny)), of(aws(allow("s3:Get"))), 'the effect "Deny"'],
    ["if the old one denies", of(aws(allow("s3:Get"))), of(aws(allow("s3:List"), deny)), 'the effect "Deny"'],
    [
      "if exceptions of one would count for the other",
      of(azure({ permissions: ["A/*"], notActions: ["A/b/delete"] })),
      of(azure({ permissions: ["A/b/delete"] })),
      '"spec.providerSpec.notActions" lists exceptions',
    ],
    [
      "if they expect their token at different paths",
      of(aws(allow("s3:Get")), { cloudTokenPath: "/new" }),
      of(aws(allow("s3:Put"))),
      'set "spec.cloudTokenPath" of this request to "/new", if its component',
    ],
    [
      "if only the old one states its path",
      of(aws(allow("s3:Get"))),
      of(aws(allow("s3:Put")), { cloudTokenPath: "/old" }),
      'at a different path (the cluster\'s) than this one ("/old"), and their Secret names one path',
    ],
  ])("%s", (_, newer, older, why) => {
    const { requests, findings } = select([newer, marked(older)]);
    expect(requests).toHaveLength(1);
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "transition-conflict",
        file: { path: "1.yaml" },
        message: expect.stringMatching(/^belongs to the previous release, .* Choose: remove this request, if /),
      },
    ]);
    expect(findings[0]?.message).toContain(why);
    expect(findings[0]?.message).toMatch(/; or (?:remove|set|write) \S/);
  });

  it("unless the path of one is what the cluster's configuration says for the other", () => {
    const newer = of(aws(allow("s3:Get")), { cloudTokenPath: "/path" });
    const objects = [newer, marked(of(aws(allow("s3:Put"))))];
    expect(select(objects, { tokenPath: "/path" }).codes).toEqual(["request-in-transition"]);
  });

  it("without a merge: then they are an error, as two files of one request always were", () => {
    expect(select([of(aws(allow("s3:Get"))), marked(of(aws(allow("s3:Put"))))], { merge: false }).codes).toEqual([
      "secret-shared",
    ]);
  });
});

describe("a request with the annotation", () => {
  const [newer, older] = [of(aws(allow("s3:Get"))), marked(of(aws(allow("s3:Put"))))];

  it("is included as before if it is alone", () => {
    const { requests, findings } = select([older]);
    expect(requests.map(({ value }) => value)).toEqual([older]);
    expect(findings).toMatchObject([
      {
        code: "request-in-transition",
        message: expect.stringContaining("no request of the new release names its Secret"),
      },
    ]);
  });

  it("stays beside the other if one has an error, which is then reported for the right file", () => {
    const broken = marked(of({ kind: "AWSProviderSpec", statementEntries: [{ effect: "Allow" }] }));
    const { requests, codes } = select([newer, broken]);
    expect(new Set(requests.map(({ value }) => value))).toEqual(new Set([newer, broken]));
    expect(codes).toEqual([]);
  });

  it("stays beside the other if the service accounts of one are not a list", () => {
    for (const pair of [
      [newer, marked(of(aws(allow("s3:Put")), { serviceAccountNames: "b" }))],
      [of(aws(allow("s3:Get")), { serviceAccountNames: "b" }), older],
    ])
      expect(select(pair).requests).toHaveLength(2);
  });

  it("stays beside the other if both name no Secret", () => {
    const [one, other] = [newer, older].map((value) => ({ ...value, spec: { ...value.spec, secretRef: undefined } }));
    expect(select([one, other]).requests).toHaveLength(2);
  });

  it("is one of two at most", () => {
    const other = of(aws(allow("s3:List")));
    expect(select([newer, other, older]).codes).toEqual(["secret-shared", "secret-shared"]);
    expect(select([newer, marked(other), older]).codes).toEqual(["secret-shared", "secret-shared"]);
  });

  it("may have the name of a request with another Secret", () => {
    const moved = request("one", { spec: { ...newer.spec, secretRef: { namespace: "other", name: "secret" } } });
    expect(select([moved, older]).codes).toEqual(["request-in-transition"]);
  });

  it("must say previous-release", () => {
    const { findings } = select([marked(newer, "next")]);
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "transition-invalid",
        field: `metadata.annotations.${annotation}`,
        message: `"metadata.annotations.${annotation}" is "next", but must be "previous-release". Correct it, or remove the annotation.`,
      },
    ]);
  });
});
