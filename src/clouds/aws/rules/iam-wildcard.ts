import { ruleCode } from "../../../core/finding.ts";
import { findInGranted, listed, wildcards } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

/** Actions that only read who may do what. */
const harmless = ["iam:get*", "iam:list*", "iam:generate*", "iam:simulate*"];

export const rule: Rule = {
  code: ruleCode("iam-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows IAM actions with a wildcard.",
  why: "IAM decides who may do what in the account. A wildcard in its actions also allows actions that the author did not consider, and actions that AWS adds later. A component with this role can make itself an administrator. Wildcards for actions that only read (`iam:Get*`, `iam:List*`) are ignored.",
  cure: "Name the actions that the component calls.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = wildcards(reading, "iam", harmless);
      if (found.length === 0) return undefined;
      const message = `allows IAM actions with a wildcard: ${listed(found.map(({ action }) => action))}; name the actions that the component calls.`;
      return { message, part: found[0] };
    }),
};
