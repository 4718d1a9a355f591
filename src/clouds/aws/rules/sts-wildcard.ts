import { ruleCode } from "../../../core/finding.ts";
import { findInGranted, listed, wildcards } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("sts-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A request or a rendered role allows AWS STS actions with a wildcard.",
  why: "STS issues credentials: `sts:*` includes assuming other roles, and tokens that outlive the component's own. A component needs at most one STS action.",
  cure: "Name the actions that the component calls.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const found = wildcards(reading, "sts", []);
      if (found.length === 0) return undefined;
      const message = `allows STS actions with a wildcard: ${listed(found.map(({ action }) => action))}; name the actions that the component calls.`;
      return { message, part: found[0] };
    }),
};
