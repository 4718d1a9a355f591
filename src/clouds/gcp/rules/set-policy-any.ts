import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { changesPolicy } from "../permissions/packed.ts";
import { findRisk } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("set-policy-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account allows a change of policies or of custom roles.",
  why: "With `setIamPolicy` on a kind of resource, the component decides who may use these resources in the whole project: with that of projects or service accounts, it can give itself every role; with that of instances, anyone can log in and act as the instance's service account. With `iam.roles.update`, it adds permissions to its own custom role.",
  cure: "Name the permissions that the component calls instead of a role that includes `setIamPolicy`. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, changesPolicy);
      if (risk === undefined) return undefined;
      const message = `can change policies or roles in the whole project (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
