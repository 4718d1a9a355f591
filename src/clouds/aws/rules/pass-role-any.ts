import { ruleCode } from "../../../core/finding.ts";
import { allowing, findInGranted, isWide, listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("pass-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows iam:PassRole on a resource with a wildcard.",
  why: "To pass a role to a service is to let the service act as that role. With a wildcard the component can pass roles that may do more than itself, an administrator's too, and have a service use them.",
  cure: "Name the roles that are passed, such as the instance roles of the cluster's machines. Where the request is a release's, a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) can limit it; accept it with that as reason.",
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = allowing(reading, "iam:passrole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `may pass any role that fits ${listed(found.map(({ resource }) => resource))} to a service (iam:PassRole); name the roles.`;
      return { message, part: found[0] };
    }),
};
