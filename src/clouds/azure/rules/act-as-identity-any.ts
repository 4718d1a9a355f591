import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { actingAs, findRisk } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("act-as-identity-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can act as every managed identity in its scopes.",
  why: "With `federatedIdentityCredentials/write`, the component lets tokens of its choice act as any managed identity in its scopes. With `userAssignedIdentities/assign/action`, it starts a machine with any of them. These identities may do more than the component.",
  cure: "Remove the action, or the role with it. If the request is part of a release, keep the managed identities in a resource group that is not a scope of the component, and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, actingAs);
      if (risk === undefined) return undefined;
      const message = `can act as any managed identity in its scopes (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
