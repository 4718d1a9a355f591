import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { findRisk, runningCommands } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("run-command-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered managed identity can run commands in every virtual machine in its scopes.",
  why: "The commands run as the administrator of the machine. They can read its disks and memory, and act as its managed identities. A virtual machine extension does the same.",
  cure: "Remove the action, or the role with it. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, runningCommands);
      if (risk === undefined) return undefined;
      const message = `can run commands in any virtual machine in its scopes (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
