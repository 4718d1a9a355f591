import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { impersonating } from "../permissions/packed.ts";
import { findRisk } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("impersonate-any"),
  severity: "warning",
  reads: "package",
  summary: "A request or a rendered service account can get credentials of every service account in the project.",
  why: "Requests apply to the whole project. With `getAccessToken`, `implicitDelegation`, `signBlob`, `signJwt`, or `getOpenIdToken`, the component gets tokens of any service account of the project, or signs them. With `iam.serviceAccountKeys.create`, it creates a key that works until it is deleted, also outside the cluster.",
  cure: "Remove the permission, or the role with it. If the component must impersonate one service account, bind the role on that account, outside the package. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, (permission) => impersonating.includes(permission));
      if (risk === undefined) return undefined;
      const message = `can get credentials of any service account of the project (${risk.said}); remove the permission, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
