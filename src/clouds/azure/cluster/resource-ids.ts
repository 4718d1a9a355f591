import type { AzureCluster } from "./cluster.ts";

/*
 * Resource IDs of Azure Resource Manager, and the URLs of its API: an ID with an API version.
 */

type InSubscription = Pick<AzureCluster, "subscriptionId">;
type InGroup = InSubscription & Pick<AzureCluster, "oidcResourceGroup">;

export function subscriptionPath({ subscriptionId }: InSubscription): string {
  return `/subscriptions/${subscriptionId}`;
}

export function groupId(cluster: InSubscription, name: string): string {
  return `${subscriptionPath(cluster)}/resourceGroups/${name}`;
}

export function storageAccountId(cluster: InGroup, name: string): string {
  return `${groupId(cluster, cluster.oidcResourceGroup)}/providers/Microsoft.Storage/storageAccounts/${name}`;
}

export function managedIdentityId(cluster: InGroup, name: string): string {
  const group = groupId(cluster, cluster.oidcResourceGroup);
  return `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
}

/** The parts of the URL of a managed identity. */
export interface IdentityUrl {
  /** The ID of the resource. */
  readonly id: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
}

const identityUrl =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/([^/?]+))\?api-version=[^&]+$/i;

/** Reads the URL of a managed identity, with the version of the API; undefined if the text is something else. */
export function readIdentityUrl(url: string): IdentityUrl | undefined {
  const [, id, subscriptionId, resourceGroup, name] = identityUrl.exec(url) ?? [];
  return id === undefined || subscriptionId === undefined || resourceGroup === undefined || name === undefined
    ? undefined
    : { id, subscriptionId, resourceGroup, name };
}

/** @param subscription the ID of a subscription: `/subscriptions/<UUID>` */
export function roleDefinitionId(subscription: string, id: string): string {
  return `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
}

/** The subscription that a resource is in: `/subscriptions/<UUID>`. */
export function subscriptionOf(id: string): string {
  return id.split("/", 3).join("/");
}

/** The ID of a resource group that the config names, or the ID that the config contains, as Azure prints it. */
export function groupReference(cluster: InSubscription, text: string): string {
  return text.startsWith("/")
    ? text.replace(/^\/subscriptions\/[^/]+/, (id) => id.toLowerCase())
    : groupId(cluster, text);
}

/** The versions of the APIs whose bodies the package contains. */
export const apiVersions = {
  groups: "2021-04-01",
  storage: "2023-01-01",
  identities: "2023-01-31",
  authorization: "2022-04-01",
} as const;

/** The URL of a resource, relative to the endpoint of Azure Resource Manager. */
export function resourceUrl(id: string, api: keyof typeof apiVersions): string {
  return `${id}?api-version=${apiVersions[api]}`;
}
