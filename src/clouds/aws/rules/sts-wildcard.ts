import { ruleCode } from "../../../core/finding.ts";
import { findInGranted, listed, wildcards } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("sts-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows actions of AWS STS by a wildcard.",
  why: "STS hands out credentials: `sts:*` takes in becoming other roles, and tokens that outlive the component's own. What a component needs of it is one action, if any.",
  cure: "Name the actions that the component calls.",
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = wildcards(reading, "sts", []);
      if (found.length === 0) return undefined;
      const message = `allows actions of STS by a wildcard: ${listed(found.map(({ action }) => action))}; name the actions that are called.`;
      return { message, part: found[0] };
    }),
};
