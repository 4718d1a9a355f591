import { ruleCode } from "../../../core/finding.ts";
import { findInGranted } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { findRisk, listingKeys } from "../permissions/risks.ts";

export const rule: Rule = {
  code: ruleCode("list-keys-any"),
  severity: "warning",
  reads: "package",
  summary:
    "A request or a rendered managed identity can read the keys of every storage account or registry in its scopes.",
  why: "A key gives full access to the data, works until it is replaced, also outside the cluster, and no role limits it. If the storage account of the issuer is in a scope, a key with write access lets the component publish signing keys of its own.",
  cure: "Use data permissions, such as those of `Storage Blob Data Contributor`, instead of keys. If the request is part of a release, accept the finding with the reason.",
  escalates: true,
  check: ({ granted }) =>
    findInGranted(granted, (reading) => {
      const risk = findRisk(reading, listingKeys);
      if (risk === undefined) return undefined;
      const message = `can read keys in its scopes (${risk.said}); use data permissions instead, or accept the finding with the reason.`;
      return { message, part: risk.part };
    }),
};
