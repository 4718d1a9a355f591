import { textAt } from "../../../core/resource.ts";
import type { GCPPolicy } from "../../../generated/review-policy.ts";
import type { Requirement } from "../../../rules/policy.ts";
import { forbiddenRoles } from "../../forbidden-roles.ts";
import { bundlesAmong, valueIn } from "../../rendered.ts";
import { issuerBundleAmong, providerFile } from "../rendered/facts.ts";

/** What a policy demands of clusters on Google Cloud. */
export function gcpRequirements(policy: GCPPolicy): readonly Requirement[] {
  return [
    ...(policy.attributeCondition === undefined ? [] : [attributeCondition]),
    ...forbiddenRoles("spec.platform.gcp.forbiddenRoles", policy.forbiddenRoles),
  ];
}

const attributeCondition: Requirement = {
  field: "spec.platform.gcp.attributeCondition",
  code: "policy-required",
  check: ({ identity, items }) => {
    const field = "spec.platform.gcp.attributeCondition";
    if (identity !== undefined && !limits(textAt(identity.platform.spec, ["attributeCondition"])))
      return [{ message: `"${field}" sets no condition.`, resource: identity.resource, field }];
    const bundle = issuerBundleAmong(bundlesAmong(items));
    if (bundle?.resource === undefined) return [];
    const provider = valueIn(bundle, providerFile);
    const at = { resource: bundle.resource, field: `data.${providerFile}` };
    if (provider === null) return [{ message: `"${at.field}" cannot be read.`, isUndecided: true, ...at }];
    if (limits(textAt(provider, ["attributeCondition"]))) return [];
    return [{ message: `"${at.field}" has no attribute condition.`, ...at }];
  },
};

// "true" is a condition that every token meets.
function limits(condition: string): boolean {
  return !["", "true"].includes(condition.trim());
}
