import { ruleCode } from "../../../core/finding.ts";
import type { Atom } from "../../../permissions/permissions.ts";
import {
  allowing,
  findInGranted,
  isWide,
  type JudgedPermissions,
  quotedList,
  wildcards,
} from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { isPassedTo, type RoleWay, ways } from "../permissions/steps.ts";

export const privilegeEscalation: Rule = {
  code: ruleCode("privilege-escalation"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows actions with which the role can extend its own permissions.",
  why: "Some actions look harmless but allow more than they say, alone or in combination. A component that can change the policies of a role can do everything, and so can a component that can start a workload as a role of its choice. The rule checks for the publicly known combinations of actions. A role that is passed by name, without a wildcard, is assumed to be intended by the request's author.",
  cure: "Remove one action of the combination, or name the resources. If the request is part of a release, limit the role with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`), and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (judged) => {
      const found = ways.flatMap((way) => {
        const [first] = partsOf(judged, way) ?? [];
        return first === undefined ? [] : [{ way, first }];
      });
      const [worst] = found;
      if (worst === undefined) return undefined;
      const said = found.map(({ way: { needs, how } }) => `${needs.join(" with ")} (${how})`);
      const message = `can extend its own permissions: ${said.join("; ")}; remove one action of each combination, or name the resources.`;
      return { message, part: worst.first };
    }),
};

// The parts of the permissions that allow the actions of a way; undefined if one action is not allowed.
function partsOf(judged: JudgedPermissions, { needs, service, chooses }: RoleWay): Atom[] | undefined {
  const parts: Atom[] = [];
  for (const action of needs) {
    const [part] = allowing(judged, action.toLowerCase()).filter(
      (atom) => action !== chooses || (isWide(atom) && (service === undefined || isPassedTo(atom.condition, service))),
    );
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

export const assumeRoleAny: Rule = {
  code: ruleCode("assume-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows sts:AssumeRole on a resource with a wildcard.",
  why: "With this role, a component can assume every role that the wildcard matches, in this account and in others, if that role trusts this account. A role that trusts the whole account (`arn:aws:iam::<account>:root`) is then open to the component.",
  cure: "Name the roles. If the request is part of a release, check which roles trust the account, and accept the finding with the result as the reason. A permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) can limit the role.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (judged) => {
      const found = allowing(judged, "sts:assumerole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `can assume any role that matches ${quotedList(found.map(({ resource }) => resource))} (sts:AssumeRole); name the roles.`;
      return { message, part: found[0] };
    }),
};

/** Actions that only read who may do what. */
const harmless = ["iam:get*", "iam:list*", "iam:generate*", "iam:simulate*"];

export const iamWildcard: Rule = {
  code: ruleCode("iam-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows IAM actions with a wildcard.",
  why: "IAM decides who may do what in the account. A wildcard in its actions also allows actions that the author did not consider, and actions that AWS adds later. A component with this role can make itself an administrator. Wildcards for actions that only read (`iam:Get*`, `iam:List*`) are ignored.",
  cure: "Name the actions that the component calls.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (judged) => {
      const found = wildcards(judged, "iam", harmless);
      if (found.length === 0) return undefined;
      const message = `allows IAM actions with a wildcard: ${quotedList(found.map(({ action }) => action))}; name the actions that the component calls.`;
      return { message, part: found[0] };
    }),
};

export const passRoleAny: Rule = {
  code: ruleCode("pass-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows iam:PassRole on a resource with a wildcard.",
  why: "If a component passes a role to a service, the service acts as that role. With a wildcard, the component can pass roles with more permissions than its own, even an administrator's, and have a service use them.",
  cure: "Name the roles that the component passes, such as the instance roles of the cluster's machines. If the request is part of a release, limit the role with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`), and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (judged) => {
      const found = allowing(judged, "iam:passrole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `can pass any role that matches ${quotedList(found.map(({ resource }) => resource))} to a service (iam:PassRole); name the roles.`;
      return { message, part: found[0] };
    }),
};

export const stsWildcard: Rule = {
  code: ruleCode("sts-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows AWS STS actions with a wildcard.",
  why: "STS issues credentials: `sts:*` includes assuming other roles, and tokens that outlive the component's own. A component needs at most one STS action.",
  cure: "Name the actions that the component calls.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (judged) => {
      const found = wildcards(judged, "sts", []);
      if (found.length === 0) return undefined;
      const message = `allows STS actions with a wildcard: ${quotedList(found.map(({ action }) => action))}; name the actions that the component calls.`;
      return { message, part: found[0] };
    }),
};
