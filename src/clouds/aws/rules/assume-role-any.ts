import { ruleCode } from "../../../core/finding.ts";
import { allowing, findInGranted, isWide, listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("assume-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows sts:AssumeRole on a resource with a wildcard.",
  why: "With this role, a component can assume every role that the wildcard matches, in this account and in others, if that role trusts this account. A role that trusts the whole account (`arn:aws:iam::<account>:root`) is then open to the component.",
  cure: "Name the roles. If the request is part of a release, check which roles trust the account, and accept the finding with the result as the reason. A permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) can limit the role.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = allowing(reading, "sts:assumerole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `can assume any role that matches ${listed(found.map(({ resource }) => resource))} (sts:AssumeRole); name the roles.`;
      return { message, part: found[0] };
    }),
};
