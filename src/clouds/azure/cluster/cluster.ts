import { type Finding, finding } from "../../../core/finding.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { azureRoleIds } from "../../../generated/azure-role-ids.ts";
import type { AzurePlatform } from "../../../generated/cluster-identity.ts";
import { azurePlatformWords, validateAzurePlatform } from "../../../generated/validate-azure-platform.js";
import type { Identity } from "../../../identity/cluster-identity.ts";
import type { KeyLimits } from "../../../oidc/limits.ts";
import { platformCheck } from "../../cloud.ts";

/** Where the documents are published. */
export type Hosting = BlobPublic | { readonly type: "External" };

/** A storage account with two publicly readable blobs. */
export interface BlobPublic {
  readonly type: "BlobPublic";
  readonly storageAccount: string;
  readonly container: string;
  readonly sku: string;
  readonly uploadAuth: "login" | "key";
}

/** What the functions for Azure know about a cluster, with every value checked and every default filled in. */
export interface AzureCluster {
  readonly prefix: string;
  /** The value of the owner tag. */
  readonly mark: string;
  /** A UUID in lowercase. */
  readonly subscriptionId: string;
  /** A UUID in lowercase. */
  readonly tenantId: string;
  readonly region: string;
  /** The location of the managed identities. */
  readonly identityRegion: string;
  /** The environment, as the config names it: `AzurePublicCloud`. */
  readonly environment: string;
  readonly oidcResourceGroup: string;
  readonly installResourceGroup: string;
  /** The ID of the group of the DNS zone. */
  readonly dnsZoneGroupId: string | undefined;
  /** The ID of the group of an existing virtual network. */
  readonly networkGroupId: string | undefined;
  /** Every subscription in which the config lets roles apply, as `/subscriptions/<UUID>`, sorted. */
  readonly subscriptions: readonly string[];
  readonly hosting: Hosting;
  /** With `https://` and without a trailing slash. */
  readonly issuerUrl: string;
  /** Issuers that managed identities also trust while the cluster moves. */
  readonly previousIssuers: readonly string[];
  /** The audience of every federated credential: a credential has exactly one. */
  readonly audience: string;
  readonly tokenPath: string;
  readonly tags: ValueMap;
  readonly secretEncoding: "stringData" | "data";
  /** The client IDs that Azure assigned, by `<secret namespace>/<secret name>`. */
  readonly clientIds: ReadonlyMap<string, string>;
}

/** The issuers that managed identities trust, the cluster's own first. */
export function trustedIssuers({ issuerUrl, previousIssuers }: AzureCluster): readonly string[] {
  return [issuerUrl, ...previousIssuers];
}

/** Checks `spec.platform.azure` against its schema. */
export const checkPlatform = platformCheck("azure", validateAzurePlatform, azurePlatformWords);

/** A ClusterIdentity for Azure. */
export interface AzureIdentity extends Identity {
  readonly azure: AzurePlatform;
}

/** Narrows a ClusterIdentity whose platform {@link checkPlatform} has accepted. */
export function azureIdentity(identity: Identity): AzureIdentity {
  return { ...identity, azure: identity.platform.spec as unknown as AzurePlatform };
}

/** The names of the cloud. */
export const azureNames = {
  name: "azure",
  title: "Azure",
  providerKind: "AzureProviderSpec",
  accountNoun: "subscription",
  identityNoun: "managed identity",
} as const;

/** How comparisons name an identity of this cloud. */
export const azureManagedIdentity = { cloud: azureNames.title, noun: azureNames.identityNoun } as const;

// Limits of Azure and Microsoft Entra. Each is written here only.

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

const unboundedRoles = ["User Access Administrator", "Owner"];

/** Whether the holder of a role can give itself every other role. */
export function isUnbounded(id: string): boolean {
  return unboundedRoles.some((name) => azureRoleIds[name] === id.toLowerCase());
}

const field = "spec.platform.azure.roles";

/**
 * Reports a role of the config whose ID contradicts the ID that this version knows, or that another spelling of the name
 * has: a request would get another role than it names.
 */
export function contradictingRoles({ resource, azure }: Pick<AzureIdentity, "resource" | "azure">): Finding[] {
  const known = new Map(Object.entries(azureRoleIds).map(([name, id]) => [name.toLowerCase(), id]));
  return Object.entries(azure.roles ?? {}).flatMap(([name, id]) => {
    const other = known.get(name.toLowerCase()) ?? id;
    known.set(name.toLowerCase(), other);
    if (other.toLowerCase() === id.toLowerCase()) return [];
    const message = `"${field}" gives the role ${quote(name)} the ID ${quote(id)}, but its ID is ${quote(other)}; remove the wrong one. Azure compares names of roles without case.`;
    return [finding("error", "config-invalid-field", message, { resource, field })];
  });
}

/** The IDs of the built-in roles that the config adds, in lowercase, by name in lowercase. */
export function configRoles({ roles = {} }: Pick<AzurePlatform, "roles">): ReadonlyMap<string, string> {
  return new Map(Object.entries(roles).map(([name, id]) => [name.toLowerCase(), id.toLowerCase()]));
}
