import { ruleCode } from "../../../core/finding.ts";
import { allowing, findInGranted, isWide, listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("pass-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows iam:PassRole on a resource with a wildcard.",
  why: "If a component passes a role to a service, the service acts as that role. With a wildcard, the component can pass roles with more permissions than its own, even an administrator's, and have a service use them.",
  cure: "Name the roles that the component passes, such as the instance roles of the cluster's machines. If the request is part of a release, limit the role with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`), and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = allowing(reading, "iam:passrole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `can pass any role that matches ${listed(found.map(({ resource }) => resource))} to a service (iam:PassRole); name the roles.`;
      return { message, part: found[0] };
    }),
};
