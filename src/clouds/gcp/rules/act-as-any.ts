import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { acting } from "../permissions/packed.ts";
import { findRisk } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("act-as-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account allows iam.serviceAccounts.actAs in the whole project.",
  why: "With this permission, a component can start a workload, such as an instance, as a service account. Requests apply to the whole project, so the component can choose any service account of the project, including one that may do more than the component, and the workload can use all of its permissions.",
  cure: "Remove the permission, or the role with it, if the component starts no workloads. If the request is part of a release, keep service accounts with more permissions in other projects, and accept the finding with that as the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, (permission) => permission === acting);
      if (risk === undefined) return undefined;
      const message = `can run workloads as any service account of the project (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
