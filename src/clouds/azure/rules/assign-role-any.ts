import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { assigning, findRisk } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("assign-role-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can assign roles, or change them.",
  why: "With `roleAssignments/write`, the component gives itself every role in its scopes, `Owner` included, and every action in `roleDefinitions/write` that its custom role lacks. The roles `Owner` and `User Access Administrator` contain these actions.",
  cure: "Remove the action, or the role with it. If the request is part of a release, as that of the cluster API is from 4.19, assign the roles with a condition outside the package, or accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, assigning);
      if (risk === undefined) return undefined;
      const message = `can assign or change roles in its scopes (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
