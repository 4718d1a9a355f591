import { ruleCode } from "../../../core/finding.ts";
import { findInGranted, listed, wildcards } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

/** What only reads who may do what. */
const harmless = ["iam:get*", "iam:list*", "iam:generate*", "iam:simulate*"];

export const rule: Rule = {
  code: ruleCode("iam-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows actions of IAM by a wildcard.",
  why: "IAM decides who may do what in the account. A wildcard over its actions allows what nobody has named, and what AWS adds tomorrow: whoever holds the role can make themselves administrator. Wildcards that only read (`iam:Get*`, `iam:List*`) are passed over.",
  cure: "Name the actions that the component calls.",
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = wildcards(reading, "iam", harmless);
      if (found.length === 0) return undefined;
      const message = `allows actions of IAM by a wildcard: ${listed(found.map(({ action }) => action))}; name the actions that are called.`;
      return { message, part: found[0] };
    }),
};
