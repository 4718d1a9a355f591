import { ruleCode } from "../../../core/finding.ts";
import { allowing, findInGranted, isWide, listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("assume-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered role allows sts:AssumeRole on a resource with a wildcard.",
  why: "Whoever holds the role can become every role that the wildcard takes in, of this account and of others, as far as those roles trust this account. A role that trusts the whole account (`arn:aws:iam::<account>:root`) is then open to the component.",
  cure: "Name the roles. Where the request is a release's, look at which roles trust the account, and accept it with that as reason; a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) can limit it.",
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = allowing(reading, "sts:assumerole").filter(isWide);
      if (found.length === 0) return undefined;
      const message = `may become any role that fits ${listed(found.map(({ resource }) => resource))} (sts:AssumeRole); name the roles.`;
      return { message, part: found[0] };
    }),
};
