import { maxAssignments, maxCredentials, maxRoles } from "../limits.ts";

/** Findings about requests for Azure, and about managed identities and roles. */
export const explanations = {
  "client-id-unknown": {
    severity: "warning",
    cause: "Azure assigns a client ID when the managed identity is created, and the package does not contain it yet.",
    cure: "Apply the package with `apply.sh --identities FILE`, run `ccf set-identities DIR --from FILE`, and render again.",
  },
  "role-limit": {
    severity: "warning",
    cause: `The requests of the package alone need more custom roles than Azure allows in a tenant (${maxRoles.AzurePublicCloud}, in China ${maxRoles.AzureChinaCloud}), or more role assignments than it allows in a subscription (${maxAssignments.AzurePublicCloud}, in Azure Government and China ${maxAssignments.AzureChinaCloud}).`,
    cure: "Request fewer roles, or name fewer scopes in `spec.platform.azure.overrides`.",
  },
  "role-unknown": {
    severity: "error",
    cause: "A request names a role whose ID this version does not know.",
    cure: "Correct the name. If it is a built-in role, add its name and ID to `spec.platform.azure.roles`.",
  },
  "too-many-credentials": {
    severity: "error",
    cause: `A managed identity would need more than ${maxCredentials} federated credentials: one for each service account and issuer.`,
    cure: "Name fewer service accounts, or end the move from a previous issuer.",
  },
  "unbounded-role": {
    severity: "warning",
    cause:
      "A request names `Owner` or `User Access Administrator`, with which a component can give itself every other role.",
    cure: "Check that this is intended.",
  },
} as const;
