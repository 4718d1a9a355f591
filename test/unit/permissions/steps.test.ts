import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyPermissions } from "../../../src/clouds/aws/permissions/permissions.ts";
import { knownPolicies, roleWays } from "../../../src/clouds/aws/permissions/steps.ts";
import { assignedGrants, listGrants } from "../../../src/clouds/azure/permissions/terms.ts";
import { inspectors } from "../../../src/clouds/inspectors.ts";
import { askWhoMay, type IdentityAnswer } from "../../../src/clouds/permissions.ts";
import type { RenderedCluster } from "../../../src/clouds/rendered.ts";
import type { ValueMap } from "../../../src/core/resource.ts";
import type { Trust } from "../../../src/permissions/identity.ts";
import type { Permissions } from "../../../src/permissions/permissions.ts";
import { literalGrants } from "../../../src/permissions/terms.ts";
import { runs } from "../../helpers/effort.ts";
import "../../helpers/seed.ts";

const byToken: Trust = {
  effect: "Allow",
  issuer: "https://oidc.example.com",
  subjects: ["system:serviceaccount:ns:one"],
  audiences: undefined,
  conditions: [],
};
const own = "arn:aws:iam::123456789012:role/one";

interface Identity {
  readonly permissions: Permissions;
  readonly id?: string;
  readonly key?: string;
  readonly trusts?: readonly Trust[];
  readonly managedPolicies?: readonly string[];
  readonly boundary?: string;
}

/** What a cloud's package answers. */
function ask(
  title: string,
  action: string | readonly string[],
  identities: readonly Identity[],
  resource?: string,
): IdentityAnswer[] {
  const inspector = inspectors.find((one) => one.title === title);
  if (inspector === undefined) throw new Error("unknown cloud");
  const whole = identities.map((identity) => ({
    ...{ key: "ns/one", id: own, trusts: [byToken], managedPolicies: [], boundary: undefined },
    ...identity,
  }));
  const cluster = { account: "demo-project", resourcePrefix: "demo", identities: whole };
  const actions = new Map([[title, [action].flat()]]);
  return askWhoMay({ actions, resource })({ inspector, cluster: cluster as unknown as RenderedCluster, items: [] });
}

const allow = (action: string | readonly string[], on = "*", more: object = {}) => ({
  ...{ Effect: "Allow", Action: action, Resource: on },
  ...more,
});
const deny = (action: string, on = "*") => ({ Effect: "Deny", Action: action, Resource: on });
const policy = (...Statement: object[]) => policyPermissions({ Statement } as unknown as ValueMap);
/** "passing a role", "undecided: reason", "allowed", or nothing. */
const told = (answer: IdentityAnswer | undefined) => {
  if (answer === undefined) return undefined;
  if (answer.answer === "step") return answer.steps.map(({ by }) => by).join(", ");
  return answer.answer === "undecided" ? `undecided: ${answer.reason}` : answer.answer;
};
const passedTo = (service: string) => ({ Condition: { StringEquals: { "iam:PassedToService": service } } });
const notThere = (id: string) => `undecided: the permissions of ${id} are not in the package`;

describe("on AWS, an identity reaches s3:DeleteObject", () => {
  it.each<[string, object[], string | undefined]>([
    ["by nothing", [allow("ec2:*")], undefined],
    ["not by a step if it has it", [allow(["s3:DeleteObject", "sts:AssumeRole"])], "allowed"],
    ["by assuming any role", [allow("sts:AssumeRole")], "assuming a role"],
    ["by assuming a role of many", [allow("sts:*", "arn:aws:iam::*:role/x-*")], "assuming a role"],
    [
      "perhaps by assuming one role",
      [allow("sts:AssumeRole", "arn:aws:iam::1:role/x")],
      notThere("arn:aws:iam::1:role/x"),
    ],
    ["not by assuming what is denied", [allow("sts:AssumeRole"), deny("sts:*")], undefined],
    ["by passing a role", [allow(["iam:PassRole", "ec2:RunInstances"])], "passing a role"],
    ["not by passing a role to nothing", [allow("iam:PassRole")], undefined],
    ["not by running instances alone", [allow("ec2:RunInstances")], undefined],
    [
      "by passing a role to the service",
      [allow("iam:PassRole", "*", passedTo("ec2.amazonaws.com")), allow("ec2:*")],
      "passing a role",
    ],
    [
      "not by passing one to another",
      [allow("iam:PassRole", "*", passedTo("eks.amazonaws.com")), allow("ec2:*")],
      undefined,
    ],
    [
      "by passing one to a service, beside a denial for another",
      [allow(["iam:PassRole", "ec2:*"]), { ...deny("iam:PassRole"), ...passedTo("eks.amazonaws.com") }],
      "passing a role",
    ],
    [
      "not by passing one to a service for which it is denied",
      [allow(["iam:PassRole", "ec2:*"]), deny("iam:PassRole")],
      undefined,
    ],
    ["by changing its policies", [allow("iam:PutRolePolicy", own)], "changing a policy"],
    [
      "by changing those of roles with such names",
      [allow("iam:Attach*", "arn:aws:iam::*:role/o*")],
      "changing a policy",
    ],
    ["not by changing those of another role", [allow("iam:PutRolePolicy", `${own}-two`)], undefined],
    ["by changing any policy", [allow("iam:CreatePolicyVersion")], "changing a policy"],
    [
      "not by changing a policy that it does not have",
      [allow("iam:CreatePolicyVersion", "arn:aws:iam::1:policy/x")],
      undefined,
    ],
    ["by a key of any user", [allow("iam:CreateAccessKey")], "creating credentials of a user"],
    [
      "perhaps by a key of one user",
      [allow("iam:CreateAccessKey", "arn:aws:iam::1:user/x")],
      notThere("arn:aws:iam::1:user/x"),
    ],
    ["by being trusted by any role", [allow("iam:UpdateAssumeRolePolicy")], "changing whom a role trusts"],
    ["by running code", [allow("ssm:SendCommand")], "running code as another role"],
    ["not by removing a boundary", [allow("iam:DeleteRolePermissionsBoundary")], undefined],
  ])("%s", (_, statements, expected) => {
    expect(told(ask("AWS", "s3:DeleteObject", [{ permissions: policy(...statements) }])[0])).toBe(expected);
  });

  it("through another role of the package only if that has it and can be used so", () => {
    const two = "arn:aws:iam::123456789012:role/two";
    const asked = (action: string, other: object, trusts: readonly Trust[] = [byToken]) =>
      told(
        ask("AWS", "s3:DeleteObject", [
          { permissions: policy(allow(action, two)) },
          { permissions: policy(other), id: two, key: "ns/two", trusts },
        ]).find(({ secret }) => secret === "ns/one"),
      );
    const byAccount: Trust = { effect: "Allow", issuer: undefined, subjects: [], audiences: undefined, conditions: [] };
    expect(asked("iam:UpdateAssumeRolePolicy", allow("s3:*"))).toBe("changing whom a role trusts");
    expect(asked("iam:UpdateAssumeRolePolicy", allow("ec2:*"))).toBeUndefined();
    // Only tokens can assume it.
    expect(asked("sts:AssumeRole", allow("s3:*"))).toBeUndefined();
    expect(asked("sts:AssumeRole", allow("s3:*"), [byToken, byAccount])).toBe("assuming a role");
    const odd = { Effect: "Allow", NotAction: "ec2:*", Resource: "*" };
    expect(asked("iam:UpdateAssumeRolePolicy", odd)).toBe("undecided: whether ns/two can is undecided");
  });

  it("perhaps, if a boundary may limit the step", () => {
    const permissions = policy(allow("sts:AssumeRole"));
    const [answer] = ask("AWS", "s3:DeleteObject", [{ permissions, boundary: "limit" }]);
    expect(answer).toMatchObject({ answer: "undecided", steps: [{ by: "assuming a role" }] });
    expect(answer?.reason).toBe("the document of the permissions boundary limit is not in the package");
  });

  it("or one of several actions, of which the certain ones are told", () => {
    const near = { Condition: { StringNear: { k: "v" } } };
    const statements = [allow(["s3:GetObject", "s3:GetObjectTagging"]), allow("s3:PutObject", "*", near)];
    const of = (...actions: string[]) => ask("AWS", actions, [{ permissions: policy(...statements) }])[0];
    expect(of("s3:DeleteObject", "s3:GetObjectTagging", "s3:GetObject", "s3:PutObject")).toMatchObject({
      answer: "allowed",
      by: [{ patterns: ["s3:GetObjectTagging", "s3:GetObject"], resources: ["*"], conditions: [] }],
    });
    expect(told(of("s3:PutObject", "s3:DeleteObject"))).toBe(
      "undecided: the condition operator StringNear is not known",
    );
    expect(of("s3:DeleteObject")).toBeUndefined();
  });

  it("with its service accounts", () => {
    const any: Trust = { ...byToken, subjects: [] };
    const denied: Trust = { ...byToken, effect: "Deny", subjects: ["system:serviceaccount:ns:not"] };
    const of = (...trusts: Trust[]) =>
      ask("AWS", "s3:*", [{ permissions: policy(allow("*")), trusts }])[0]?.serviceAccounts;
    expect(of(byToken, denied)).toEqual(["system:serviceaccount:ns:one"]);
    expect(of(any, byToken)).toEqual(["system:serviceaccount:*", "system:serviceaccount:ns:one"]);
    expect(of()).toEqual([]);
  });
});

describe("an attached policy of AWS", () => {
  const arn = (name: string) => `arn:aws:iam::aws:policy/${name}`;
  const asked = (action: string, ...names: string[]) =>
    told(ask("AWS", action, [{ permissions: [], managedPolicies: names.map(arn) }])[0]);

  it("gives what the role has, not a step, if its document is known", () => {
    expect(asked("s3:DeleteObject", "AdministratorAccess")).toBe("allowed");
    expect(asked("iam:CreateUser", "IAMFullAccess")).toBe("allowed");
    // One step by each means says all.
    expect(asked("s3:DeleteObject", "IAMFullAccess")).toBe(
      "changing a policy, creating credentials of a user, changing whom a role trusts",
    );
    expect(asked("s3:DeleteObject", "Mine")).toBe(
      `undecided: the definition of the managed policy ${arn("Mine")} is not known`,
    );
    expect(knownPolicies.has("arn:aws-us-gov:iam::aws:policy/AdministratorAccess")).toBe(true);
  });

  it("says no step that is as open as everything", () => {
    const [answer] = ask("AWS", "s3:DeleteObject", [{ permissions: [], managedPolicies: [arn("Mine")] }]);
    expect(answer).toMatchObject({ answer: "undecided", by: [], steps: [] });
  });

  it("gives no more than the boundary", () => {
    const [answer] = ask("AWS", "s3:DeleteObject", [
      { permissions: [], managedPolicies: [arn("AdministratorAccess")], boundary: "limit" },
    ]);
    expect(answer?.answer).toBe("undecided");
    // As a boundary, it limits nothing.
    const [open] = ask("AWS", "s3:DeleteObject", [
      { permissions: policy(allow("s3:*")), boundary: arn("AdministratorAccess") },
    ]);
    expect(open?.answer).toBe("allowed");
  });
});

describe("on GCP, an identity reaches storage.objects.delete", () => {
  it.each<[string, string[], string[], string | undefined]>([
    ["by nothing", ["roles/dns.admin"], ["compute.instances.create"], undefined],
    ["by signing", [], ["iam.serviceAccounts.signJwt"], "signing as a service account"],
    ["by a key", [], ["iam.serviceAccountKeys.create"], "creating a key of a service account"],
    ["by running a workload", ["roles/iam.serviceAccountUser"], [], "running a workload as a service account"],
    ["by the policy of the project", [], ["resourcemanager.projects.setIamPolicy"], "changing a policy"],
    [
      "by the policy of the project, which says all",
      [],
      ["resourcemanager.projects.setIamPolicy", "storage.buckets.setIamPolicy"],
      "changing a policy",
    ],
    ["by the policies of buckets", [], ["storage.buckets.setIamPolicy"], "changing a policy"],
    ["not by the policies of topics", [], ["pubsub.topics.setIamPolicy"], undefined],
    ["by its custom role", [], ["iam.roles.update"], "changing a role"],
    ["and has it", ["roles/storage.admin"], [], "allowed"],
    [
      "perhaps by an unknown role",
      ["roles/of.mine"],
      [],
      "undecided: the definition of the role roles/of.mine is not known",
    ],
    [
      "by a step, beside an unknown role",
      ["roles/of.mine"],
      ["iam.serviceAccounts.signBlob"],
      "signing as a service account",
    ],
  ])("%s", (_, roles, names, expected) => {
    const permissions = [...literalGrants("role", roles), ...literalGrants("permission", names)];
    expect(told(ask("GCP", "storage.objects.delete", [{ permissions }])[0])).toBe(expected);
  });

  it("by a policy only in its project, and as another service account anywhere", () => {
    const bucket = "//compute.googleapis.com/projects/other/zones/z/disks/d";
    const asked = (name: string) =>
      told(ask("GCP", "compute.disks.delete", [{ permissions: literalGrants("permission", [name]) }], bucket)[0]);
    expect(asked("resourcemanager.projects.setIamPolicy")).toBeUndefined();
    expect(asked("iam.serviceAccounts.actAs")).toBe("running a workload as a service account");
  });
});

const group = "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/demo";

describe("on Azure, an identity reaches", () => {
  const blob = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/delete";
  const disk = "Microsoft.Compute/disks/delete";
  const custom = (...actions: string[]) =>
    listGrants({ actions, notActions: [], dataActions: [], notDataActions: [] }, [group]);
  it.each<[string, string, Permissions, string | undefined]>([
    ["nothing", disk, custom("Microsoft.Network/*"), undefined],
    ["it by a role", disk, assignedGrants(["User Access Administrator"], [group]), "assigning a role"],
    ["it by its role", disk, custom("Microsoft.Authorization/roleDefinitions/write"), "changing a role"],
    ["it as another", disk, custom("Microsoft.ManagedIdentity/*"), "acting as another managed identity"],
    [
      "it by a command",
      disk,
      custom("Microsoft.Compute/virtualMachines/runCommand/action"),
      "running commands in a virtual machine",
    ],
    ["data by keys", blob, custom("Microsoft.Storage/storageAccounts/listKeys/action"), "reading keys"],
    ["only data by keys", disk, custom("Microsoft.Storage/storageAccounts/listKeys/action"), undefined],
    ["what it has", disk, assignedGrants(["Contributor"], [group]), "allowed"],
  ])("%s", (_, action, permissions, expected) => {
    expect(told(ask("Azure", action, [{ permissions }])[0])).toBe(expected);
  });

  it("perhaps what is beside the scope of an unknown role, which may act as others", () => {
    const [answer] = ask("Azure", disk, [{ permissions: assignedGrants(["Mine"], [group]) }], `${group}-2`);
    expect(told(answer)).toBe("undecided: the definition of the role Mine is not known");
    expect(answer?.steps.map(({ by }) => by)).toContain("acting as another managed identity");
  });

  it("by a role only below its scopes", () => {
    const permissions = assignedGrants(["User Access Administrator"], [group]);
    const on = (resource: string) => told(ask("Azure", disk, [{ permissions }], resource)[0]);
    expect(on(`${group}/providers/Microsoft.Compute/disks/d`)).toBe("assigning a role");
    expect(on(`${group}-2/providers/Microsoft.Compute/disks/d`)).toBeUndefined();
  });
});

/*
 * What IAM would allow, without the project's own code: each statement is about all resources, or about the role itself.
 */
const asked = "s3:DeleteObject";
const needs = [...new Set(roleWays.flatMap((way) => way.needs))];
const sets = ["*", "iam:*", "ec2:*", "lambda:*", "s3:*", "sts:Assume*", "iam:Put*"];
const statement = fc.record({
  Effect: fc.constantFrom("Allow", "Allow", "Allow", "Deny"),
  Action: fc.array(fc.constantFrom(asked, ...needs, ...needs, ...sets), { minLength: 1, maxLength: 4 }),
  Resource: fc.constantFrom("*", "*", own),
});
const statements = fc.array(statement, { maxLength: 5 });
type Statements = readonly { readonly Effect: string; readonly Action: readonly string[]; readonly Resource: string }[];

const fits = (set: string, action: string) => new RegExp(`^${set.replaceAll("*", ".*")}$`, "i").test(action);
const may = (
  list: Statements,
  action: string,
  on: (resource: string) => boolean,
  denied: (resource: string) => boolean,
) => {
  const has = (effect: string, where: (resource: string) => boolean) =>
    list.some(
      ({ Effect, Action, Resource }) => Effect === effect && where(Resource) && Action.some((set) => fits(set, action)),
    );
  return has("Allow", on) && !has("Deny", denied);
};
const everywhere = (resource: string) => resource === "*";
/** Whether an action is allowed on some resource, on the role itself, or on any other one. */
const allowed = (list: Statements, action: string) =>
  may(list, action, () => true, everywhere) &&
  (may(list, action, everywhere, everywhere) ||
    may(
      list,
      action,
      () => true,
      () => true,
    ));
const onItself = (list: Statements, action: string) =>
  may(
    list,
    action,
    () => true,
    () => true,
  );
const onOthers = (list: Statements, action: string) => may(list, action, everywhere, everywhere);

const rank = ["allowed", "step", undefined];
const answerOf = (list: Statements) => ask("AWS", asked, [{ permissions: policy(...list) }])[0]?.answer;

describe("a step", () => {
  it("is what IAM allows, action by action", () => {
    fc.assert(
      fc.property(statements, (list) => {
        const isStep = roleWays.some(({ needs: all, target }) =>
          all.every((need) => {
            if (need !== target?.action) return allowed(list, need);
            return target.is === "own" ? onItself(list, need) : onOthers(list, need);
          }),
        );
        expect(answerOf(list)).toBe(allowed(list, asked) ? "allowed" : isStep ? "step" : undefined);
      }),
      { numRuns: runs(4000, 200) },
    );
  });

  it("is never lost because something is allowed besides, and a denial never adds one", () => {
    fc.assert(
      fc.property(statements, statement, (list, more) => {
        const [before, after] = [list, [...list, more]].map((one) => rank.indexOf(answerOf(one))) as [number, number];
        if (more.Effect === "Allow") expect(after).toBeLessThanOrEqual(before);
        else expect(after).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: runs(2000, 100) },
    );
  });
});
