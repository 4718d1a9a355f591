import type { AzurePolicy } from "../../../generated/review-policy.ts";
import type { Requirement } from "../../../rules/policy.ts";
import { forbiddenRoles } from "../../forbidden-roles.ts";

/** What a policy demands of clusters on Azure. A rendered file names a role by its UUID. */
export function azureRequirements(policy: AzurePolicy): readonly Requirement[] {
  return forbiddenRoles("spec.platform.azure.forbiddenRoles", policy.forbiddenRoles, (role) => !uuid.test(role));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
