import type { KeyLimits } from "../../oidc/limits.ts";

/** The limits of Azure and Microsoft Entra that several files need. Each is written here only. */

/**
 * The keys that Microsoft Entra accepts. Microsoft tests no other algorithms (Microsoft Entra documentation, "Important
 * considerations and restrictions for federated identity credentials"), and stores "only the first 100 signing keys"
 * ("Workload identity federation").
 */
export const maxKeys = 100;
export const keyLimits: KeyLimits = { reader: "Microsoft Entra", algorithms: ["RS256"], maxKeys };

/** The federated credentials of a managed identity ("Important considerations and restrictions"). */
export const maxCredentials = 20;

/** The characters of the issuer and of the subject in a federated credential ("Important considerations and restrictions"). */
export const maxIssuerUrl = 600;

/** The characters of a managed identity's name ("Naming rules and restrictions for Azure resources"). */
export const maxIdentityName = 128;

/** The custom roles of a tenant, by the name of the cloud environment ("Azure custom roles"). */
export const maxRoles = { AzurePublicCloud: 5000, AzureUSGovernmentCloud: 5000, AzureChinaCloud: 2000 } as const;

/** The role assignments of a subscription ("Troubleshoot Azure RBAC limits"). */
export const maxAssignments = { AzurePublicCloud: 4000, AzureUSGovernmentCloud: 2000, AzureChinaCloud: 2000 } as const;
