import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { assignedGrants, listGrants } from "../../../src/clouds/azure/permissions/terms.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { ownCluster } from "../../../src/clouds/permissions.ts";
import type { RenderedCluster } from "../../../src/clouds/rendered.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import type { Holder } from "../../../src/permissions/identity.ts";
import type { Permissions } from "../../../src/permissions/permissions.ts";
import { literalGrants, type PermissionTerms } from "../../../src/permissions/terms.ts";
import { actionProblem, type MayAnswer, type WhoMay, whoMay } from "../../../src/permissions/who-may.ts";
import { runs } from "../../helpers/effort.ts";
import "../../helpers/seed.ts";

/** What a cloud's package with one identity answers; undefined if the identity may not. */
function ask(cloud: string, permissions: Permissions, question: WhoMay, more: Partial<Holder> = {}) {
  const inspector = inspectors.find(({ name }) => name === cloud);
  if (inspector === undefined) throw new Error("unknown cloud");
  const identity = { key: "ns/one", id: "id-one", permissions, managedPolicies: [], boundary: undefined, ...more };
  const cluster = { account: "demo-project", resourcePrefix: "demo", identities: [identity] };
  const own = ownCluster(cluster as unknown as RenderedCluster, []);
  return whoMay(question, inspector.terms, inspector.features.roles?.known())(identity, own);
}

const statement = (action: string | readonly string[], resource = "*", more: object = {}) => ({
  Effect: "Allow",
  Action: action,
  Resource: resource,
  ...more,
});
const policy = (...Statement: object[]) => policyPermissions({ Statement } as unknown as ValueMap);
const aws = (action: string, resource: string | undefined, ...statements: object[]) =>
  ask("aws", policy(...statements), { action, resource });
const deny = { Effect: "Deny" };
const secure = { Condition: { Bool: { "aws:SecureTransport": "false" } } };
const by = (answer: MayAnswer | undefined) => answer?.by.map(({ patterns, resources }) => [patterns, resources]);

describe("on AWS, an identity", () => {
  it("may perhaps on any resource, if it has a managed policy whose document is not known", () => {
    const question = { action: "s3:GetObject", resource: "arn:aws:s3:::a" };
    expect(ask("aws", [], question, { managedPolicies: ["X"] })?.answer).toBe("undecided");
  });

  it("may through patterns of which a denial concerns one, perhaps", () => {
    const answer = aws(
      "s3:*",
      undefined,
      statement(["s3:Get*", "s3:Put*"]),
      statement("s3:Put*", "*", { ...deny, ...secure }),
    );
    expect(answer?.by.map(({ patterns }) => patterns)).toEqual([["s3:Get*"]]);
    const both = aws("s3:*", "arn:aws:s3:::a", statement(["s3:Get*", "s3:Put*"], "arn:aws:s3:::a"));
    expect(by(both)).toEqual([[["s3:Get*", "s3:Put*"], ["arn:aws:s3:::a"]]]);
  });

  it.each<[string, string, string | undefined, object[], MayAnswer["answer"] | undefined]>([
    ["may what is named, in any case", "EC2:deletevolume", undefined, [statement("ec2:DeleteVolume")], "allowed"],
    ["may not do something else", "ec2:DeleteVolumes", undefined, [statement("ec2:DeleteVolume")], undefined],
    ["may something of a set", "ec2:*", undefined, [statement("ec2:DeleteVolume")], "allowed"],
    ["may through a wildcard", "s3:GetObject", undefined, [statement("s3:Get*")], "allowed"],
    ["may where two sets overlap", "s3:*Object", undefined, [statement("s3:Get*")], "allowed"],
    ["may not where they do not", "s3:Put*", undefined, [statement("s3:Get*")], undefined],
    ["may on a resource", "s3:GetObject", "arn:aws:s3:::one/*", [statement("s3:*", "arn:aws:s3:::one/a*")], "allowed"],
    ["may not on another", "s3:GetObject", "arn:aws:s3:::two/*", [statement("s3:*", "arn:aws:s3:::one/*")], undefined],
    [
      "may with a policy variable, perhaps",
      "s3:GetObject",
      "arn:aws:s3:::two",
      [statement("s3:*", "arn:aws:s3:::${aws:PrincipalTag/x}")],
      "undecided",
    ],
    [
      "may what a condition perhaps denies",
      "s3:GetObject",
      undefined,
      [
        statement("s3:*", "*", { Condition: { NumericLessThan: { k: "4" } } }),
        statement("s3:*", "*", { ...deny, Condition: { NumericGreaterThan: { k: "5" } } }),
      ],
      "undecided",
    ],
    [
      "may not what is denied",
      "s3:GetObject",
      undefined,
      [statement("s3:*"), statement("s3:GetObject", "*", deny)],
      undefined,
    ],
    [
      "may what is left of a set",
      "s3:Get*",
      undefined,
      [statement("s3:*"), statement("s3:GetObject", "*", deny)],
      "allowed",
    ],
    [
      "may under one value, whatever is denied under another",
      "s3:GetObject",
      undefined,
      [
        statement("s3:*", "*", { Condition: { StringEquals: { "aws:x": ["a", "b"] } } }),
        statement("s3:*", "*", { ...deny, Condition: { ...secure.Condition, StringEquals: { "aws:x": "a" } } }),
      ],
      "allowed",
    ],
    [
      "may where it is not denied",
      "s3:GetObject",
      undefined,
      [statement("s3:*"), statement("s3:*", "arn:aws:s3:::one/*", deny)],
      "allowed",
    ],
    [
      "may not where it is denied",
      "s3:GetObject",
      "arn:aws:s3:::one/a",
      [statement("s3:*"), statement("s3:*", "arn:aws:s3:::one/*", deny)],
      undefined,
    ],
    [
      "may, unless a condition denies it",
      "s3:GetObject",
      undefined,
      [statement("s3:*"), statement("s3:*", "*", { ...deny, ...secure })],
      "undecided",
    ],
    [
      "may not if the denial has the same condition",
      "s3:GetObject",
      undefined,
      [statement("s3:*", "*", secure), statement("s3:*", "*", { ...deny, ...secure })],
      undefined,
    ],
    [
      "may not under conditions that contradict each other",
      "s3:GetObject",
      undefined,
      [statement("s3:*", "*", { Condition: { StringEquals: { "aws:x": "a" }, StringNotEquals: { "aws:x": "a" } } })],
      undefined,
    ],
    [
      "may if the denial has the opposite condition",
      "s3:GetObject",
      undefined,
      [
        statement("s3:*", "*", { Condition: { Bool: { "aws:SecureTransport": "true" } } }),
        statement("s3:*", "*", { ...deny, ...secure }),
      ],
      "allowed",
    ],
    [
      "may under an unknown operator, perhaps",
      "s3:GetObject",
      undefined,
      [statement("s3:*", "*", { Condition: { StringNear: { k: "v" } } })],
      "undecided",
    ],
    [
      "may with NotAction, perhaps",
      "s3:GetObject",
      undefined,
      [{ Effect: "Allow", NotAction: "ec2:*", Resource: "*" }],
      "undecided",
    ],
    [
      "may if a denial cannot be read, perhaps",
      "s3:GetObject",
      undefined,
      [statement("s3:*"), { Effect: "Deny", NotAction: "ec2:*", Resource: "*" }],
      "undecided",
    ],
    [
      "may not because a denial cannot be read",
      "ec2:RunInstances",
      undefined,
      [statement("s3:*"), { Effect: "Deny", NotAction: "ec2:*", Resource: "*" }],
      undefined,
    ],
    ["has no permissions of GCP", "compute.disks.delete", undefined, [statement("*")], undefined],
    ["has no permissions of Azure", "Microsoft.Compute/disks/delete", undefined, [statement("*")], undefined],
  ])("%s", (_, action, resource, statements, expected) => {
    expect(aws(action, resource, ...statements)?.answer).toBe(expected);
  });

  it("may by patterns, on resources, under conditions", () => {
    const tag = { Condition: { StringEquals: { "aws:ResourceTag/a": "b" } } };
    expect(
      aws("ec2:D*", undefined, statement(["ec2:*", "ec2:DeleteVolume", "s3:*"], "*", tag), statement("*")),
    ).toEqual({
      identity: "id-one",
      secret: "ns/one",
      answer: "allowed",
      by: [
        {
          patterns: ["ec2:*", "ec2:DeleteVolume"],
          resources: ["*"],
          conditions: ['StringEquals aws:resourcetag/a "b"'],
        },
        { patterns: ["*"], resources: ["*"], conditions: [] },
      ],
    });
    const denial = statement("ec2:*", "*", { ...deny, ...secure });
    expect(aws("ec2:DeleteVolume", undefined, statement("ec2:*"), denial)).toMatchObject({
      by: [{ patterns: ["ec2:*"] }],
      reason: 'a denial removes it if Bool aws:securetransport "false"',
    });
  });

  it("names only what is certain if something is", () => {
    const strange = statement("ec2:*", "*", { Condition: { StringNear: { k: "v" } } });
    expect(by(aws("ec2:DeleteVolume", undefined, strange, statement("ec2:Delete*")))).toEqual([
      [["ec2:Delete*"], ["*"]],
    ]);
  });

  it("is undecided with a boundary or a managed policy, whose documents are elsewhere", () => {
    const question = { action: "ec2:DeleteVolume" };
    const [boundary, managed] = ["arn:aws:iam::123456789012:policy/b", "arn:aws:iam::aws:policy/M"];
    expect(ask("aws", policy(statement("ec2:*")), question, { boundary })).toMatchObject({
      answer: "undecided",
      by: [{ patterns: ["ec2:*"] }],
      reason: `the document of the permissions boundary ${boundary} is not in the package`,
    });
    expect(ask("aws", policy(statement("s3:*")), question, { boundary })).toBeUndefined();
    const reason = `the definition of the managed policy ${managed} is not known`;
    expect(ask("aws", policy(), question, { managedPolicies: [managed] })).toMatchObject({
      answer: "undecided",
      by: [],
      reason,
    });
    expect(ask("aws", policy(statement("*")), question, { managedPolicies: [managed] })).toMatchObject({ reason });
  });

  it("is undecided if something unreadable is perhaps about the resource", () => {
    const grant = { effect: "Allow", principals: [""], actions: ["s3:*"], condition: [], undecided: "odd" } as const;
    const on = (resource: string) =>
      ask("aws", [{ ...grant, resources: ["arn:aws:s3:::one"] }], { action: "s3:GetObject", resource });
    expect(on("two")).toMatchObject({ answer: "undecided", reason: "odd" });
    expect(on("arn:aws:s3:::two")).toBeUndefined();
  });

  it("is undecided if a question is too complex", () => {
    const stars = (letter: string) => `s3:${`*${letter}`.repeat(60)}*`;
    const answer = aws(stars("a"), undefined, statement(stars("b")), statement(stars("c"), "*", deny));
    expect(answer).toMatchObject({ answer: "undecided", reason: "it has too many wildcards to compare" });
  });
});

const gcp = (action: string, resource: string | undefined, roles: string[], permissions: string[] = []) =>
  ask("gcp", [...literalGrants("role", roles), ...literalGrants("permission", permissions)], { action, resource });
const disk = (project: string) => `//compute.googleapis.com/projects/${project}/zones/z/disks/d`;

describe("on GCP, an identity", () => {
  it.each<[string, string, string | undefined, string[], string[], MayAnswer["answer"] | undefined]>([
    ["may through a predefined role", "compute.disks.delete", undefined, ["roles/compute.storageAdmin"], [], "allowed"],
    ["may not through another", "compute.disks.delete", undefined, ["roles/dns.admin"], [], undefined],
    ["may through its custom role", "compute.disks.delete", undefined, [], ["compute.disks.delete"], "allowed"],
    [
      "may not in another case",
      "compute.disks.Delete",
      undefined,
      ["roles/compute.admin"],
      ["compute.disks.delete"],
      undefined,
    ],
    ["may something of a set", "dns.*", undefined, ["roles/dns.admin"], [], "allowed"],
    ["may through an unknown role, perhaps", "compute.disks.delete", undefined, ["roles/of.mine"], [], "undecided"],
    ["may with a list that cannot be read, perhaps", "compute.disks.delete", undefined, ["roles/*"], [], "undecided"],
    ["may in its project", "compute.disks.delete", disk("demo-project"), [], ["compute.disks.delete"], "allowed"],
    ["may in any project", "compute.disks.delete", disk("*"), [], ["compute.disks.delete"], "allowed"],
    ["may anywhere", "compute.disks.delete", "*", [], ["compute.disks.delete"], "allowed"],
    ["may not in another project", "compute.disks.delete", disk("other"), [], ["compute.disks.delete"], undefined],
    [
      "may in a project by number, perhaps",
      "compute.disks.delete",
      disk("123"),
      [],
      ["compute.disks.delete"],
      "undecided",
    ],
    [
      "may in a bucket, perhaps",
      "storage.objects.get",
      "//storage.googleapis.com/projects/_/buckets/b",
      [],
      ["storage.objects.get"],
      "undecided",
    ],
    ["has no actions of AWS", "ec2:*", undefined, ["roles/owner"], [], undefined],
    ["has no actions of Azure", "Microsoft.Compute/*", undefined, ["roles/owner"], [], undefined],
  ])("%s", (_, action, resource, roles, permissions, expected) => {
    expect(gcp(action, resource, roles, permissions)?.answer).toBe(expected);
  });

  it("may by roles and permissions", () => {
    expect(gcp("dns.managedZones.d*", undefined, ["roles/dns.admin"], ["dns.managedZones.delete"])?.by).toEqual([
      { patterns: ["dns.managedZones.delete"], resources: ["*"], conditions: [], role: "roles/dns.admin" },
      { patterns: ["dns.managedZones.delete"], resources: ["*"], conditions: [] },
    ]);
    expect(gcp("dns.managedZones.delete", undefined, ["roles/of.mine"])?.reason).toBe(
      "the definition of the role roles/of.mine is not known",
    );
  });
});

const group = "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo";
const role = (scope: string, ...names: string[]) => assignedGrants(names, [scope]);
const custom = (lists: object) => listGrants(lists as Parameters<typeof listGrants>[0], [group]);

it("what is too complex to compare is undecided, even if nothing is denied", () => {
  const permissions = policy({ Effect: "Allow", Action: `s3:*a${"?".repeat(20)}b?`, Resource: "*" });
  const reason = "it has too many wildcards to compare";
  expect(ask("aws", permissions, { action: "s3:*c?" })).toMatchObject({ answer: "undecided", reason });
});

const inGroup = (path: string) => `${group}/providers/Microsoft.Compute/${path}`;

describe("on Azure, an identity", () => {
  it.each<[string, string, string | undefined, Permissions, MayAnswer["answer"] | undefined]>([
    ["may through a built-in role", "Microsoft.Compute/disks/delete", undefined, role(group, "Contributor"), "allowed"],
    ["may in any case", "microsoft.compute/DISKS/delete", undefined, role(group, "contributor"), "allowed"],
    [
      "may not what a role excepts",
      "Microsoft.Authorization/roleAssignments/write",
      undefined,
      role(group, "Contributor"),
      undefined,
    ],
    [
      "may what another role has",
      "Microsoft.Authorization/roleAssignments/write",
      undefined,
      role(group, "Contributor", "User Access Administrator"),
      "allowed",
    ],
    ["may what is left of a set", "Microsoft.Authorization/*", undefined, role(group, "Contributor"), "allowed"],
    [
      "may what names a second provider",
      "Microsoft.Compute/disks/providers/Microsoft.Insights/metrics/read",
      undefined,
      custom({ actions: ["Microsoft.Compute/*/providers/Microsoft.Insights/*"] }),
      "allowed",
    ],
    ["may not only read", "Microsoft.Compute/disks/delete", undefined, role(group, "Reader"), undefined],
    [
      "may a data action",
      "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read",
      undefined,
      role(group, "Storage Blob Data Reader"),
      "allowed",
    ],
    [
      "may through its custom role",
      "Microsoft.Compute/*/read",
      undefined,
      custom({ actions: ["Microsoft.Compute/disks/*"] }),
      "allowed",
    ],
    [
      "may not what its role excepts",
      "Microsoft.Compute/disks/write",
      undefined,
      custom({ actions: ["*"], notActions: ["*/WRITE"] }),
      undefined,
    ],
    [
      "may not what its data role excepts",
      "A.B/c/read",
      undefined,
      custom({ dataActions: ["A.B/*"], notDataActions: ["A.B/c/*"] }),
      undefined,
    ],
    [
      "may through an unknown role, perhaps",
      "Microsoft.Compute/disks/delete",
      undefined,
      role(group, "Mine"),
      "undecided",
    ],
    [
      "may below its scope",
      "Microsoft.Compute/disks/delete",
      inGroup("disks/D"),
      role(group, "Contributor"),
      "allowed",
    ],
    [
      "may at its scope, in any case",
      "Microsoft.Compute/disks/delete",
      `${group.toUpperCase()}/`,
      role(group, "Contributor"),
      "allowed",
    ],
    [
      "may not beside its scope",
      "Microsoft.Compute/disks/delete",
      `${group}-2/providers/x`,
      role(group, "Contributor"),
      undefined,
    ],
    [
      "may not through an unknown role beside its scope",
      "Microsoft.Compute/disks/delete",
      `${group}-2`,
      role(group, "Mine"),
      undefined,
    ],
    [
      "may in a set of scopes",
      "Microsoft.Compute/disks/delete",
      "/subscriptions/*",
      role(group, "Contributor"),
      "allowed",
    ],
    ["has no actions of AWS", "ec2:*", undefined, role(group, "Owner"), undefined],
    ["has no permissions of GCP", "compute.disks.delete", undefined, role(group, "Owner"), undefined],
  ])("%s", (_, action, resource, permissions, expected) => {
    expect(ask("azure", permissions, { action, resource })?.answer).toBe(expected);
  });

  it("may by patterns with exceptions, at a scope", () => {
    const answer = ask("azure", role(group, "Contributor"), { action: "Microsoft.Authorization/*/read" });
    expect(answer?.by).toMatchObject([{ resources: [group], role: "Contributor", conditions: [] }]);
    expect(answer?.by[0]?.patterns[0]).toMatch(/^\* \(except .*Microsoft\.Authorization\/\*\/Write/);
  });
});

describe("an action", () => {
  const clouds = inspectors.map(({ title, terms }) => ({ title, terms: terms as PermissionTerms }));
  it.each([
    "*",
    "ec2:*",
    "s3:Get*",
    "compute.disks.delete",
    "compute.*",
    "*.delete",
    "a.example.com/disks.list",
    "*/read",
    "Microsoft.Compute/*",
    "Microsoft.*",
    "Microsoft.Compute/virtualMachines/providers/Microsoft.Insights/metricDefinitions/read",
    "Microsoft.Compute/virtualMachines/providers/Microsoft.In*",
    "*/providers/Microsoft.Insights/*",
  ])("%s is of a cloud", (action) => expect(actionProblem(action, clouds)).toBeUndefined());

  it.each(["", "ec2", "compute.disks", "ec2:Delete Volume", "Microsoft.Compute", "a:b:c", "/read", "x/y:z"])(
    '"%s" is of none',
    (action) => {
      expect(actionProblem(action, clouds)).toBe(
        'must be an action of a cloud, such as "ec2:DeleteVolume" (AWS) or "Microsoft.Compute/disks/delete" (Azure) or "compute.disks.delete" (GCP); "*" and "?" are wildcards; or a service, or a part of the name of an action',
      );
    },
  );
});

/*
 * What IAM would answer, without the project's own code: every action and resource of a small universe is tried. A "c" is any
 * letter that no set names.
 */
const grow = (texts: readonly string[]) => texts.flatMap((text) => ["a", "b", "c"].map((letter) => text + letter));
const [short, middle, long] = [grow([""]), grow(grow([""])), grow(grow(grow([""])))];
const names = [...short, ...middle, ...long];
const sets = ["a", "b", "*", "a*", "*a", "?", "ab", "a?"];
const texts = new Map(
  sets.map((set) => {
    const form = new RegExp(`^${set.replaceAll("*", ".*").replaceAll("?", ".")}$`);
    return [set, new Set(names.filter((name) => form.test(name)))];
  }),
);
const fits = (glob: string, text: string) => texts.get(glob)?.has(text) === true;
const globs = fc.constantFrom(...sets);
const someGlobs = fc.array(globs, { minLength: 1, maxLength: 2 });
const conditions = fc.constantFrom(undefined, "x", "y");
const statements = fc.array(
  fc.record({
    effect: fc.constantFrom("Allow", "Allow", "Deny"),
    actions: someGlobs,
    resources: someGlobs,
    when: conditions,
  }),
  { maxLength: 5 },
);

describe("an answer", () => {
  it("is open in AWS if the name is not an ARN, which a policy never contains", () => {
    const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::backups/*" };
    expect(aws("s3:GetObject", "backups", statement)).toMatchObject({
      answer: "undecided",
      reason: "the name of the resource is not an ARN",
    });
    expect(aws("s3:GetObject", "arn:aws:s3:::other/*", statement)).toBeUndefined();
    expect(aws("s3:GetObject", "*/one", statement)?.answer).toBe("allowed");
  });

  it("is that of trying every action, resource and key", () => {
    fc.assert(
      fc.property(statements, globs, fc.option(globs, { nil: undefined }), (list, action, resource) => {
        const document = list.map(({ effect, actions, resources, when }) => ({
          Effect: effect,
          Action: actions.map((text) => `s:${text}`),
          Resource: resources.map((text) => `arn:${text}`),
          ...(when === undefined ? {} : { Condition: { StringEquals: { k: when } } }),
        }));
        const allows = (one: string, on: string, key: string) => {
          const of = (effect: string) =>
            list.some(
              (each) =>
                each.effect === effect &&
                each.actions.some((glob) => fits(glob, one)) &&
                each.resources.some((glob) => fits(glob, on)) &&
                (each.when === undefined || each.when === key),
            );
          return of("Allow") && !of("Deny");
        };
        const may = names
          .filter((one) => fits(action, one))
          .some((one) =>
            names
              .filter((on) => fits(resource ?? "*", on))
              .some((on) => ["x", "y", "z"].some((key) => allows(one, on, key))),
          );
        const answer = aws(`s:${action}`, resource === undefined ? undefined : `arn:${resource}`, ...document)?.answer;
        if (may) expect(answer).toBeDefined();
        else expect(answer).not.toBe("allowed");
        // Denials without conditions leave nothing open.
        if (list.every(({ when }) => when === undefined)) expect(answer).not.toBe("undecided");
      }),
      { numRuns: runs(600) },
    );
  });
});
