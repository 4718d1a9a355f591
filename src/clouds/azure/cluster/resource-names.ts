import { sha256 } from "../../../core/hash.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
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

const maxPrefix = 14;
const hashLength = 10;

/**
 * The default name of the storage account: the letters and digits of the prefix, and a hash of the subscription and the
 * prefix, because names are unique in the whole cloud (Azure documentation, "Naming rules and restrictions for Azure
 * resources": 3 to 24 lowercase letters and digits).
 */
export function defaultStorageAccount(subscriptionId: string, prefix: string): string {
  const start = prefix.replace(/[^a-z0-9]/g, "").slice(0, maxPrefix);
  const hash = sha256(`${subscriptionId}/${prefix}`.toLowerCase()).toString("hex").slice(0, hashLength);
  return `${start}${hash}`;
}

/** Says what is wrong with a container's name, as a predicate to put after the name; undefined if the name is valid. */
export function containerNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name))
    return "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";
  return name.includes("--") ? 'must not contain "--"' : undefined;
}

/** The key of the tag that marks the resources of a prefix: ccoctl's key, so that its clusters are recognized. */
export function ownerTagKey(prefix: string): string {
  return `openshift.io_cloud-credential-operator_${prefix}`;
}

/** The resource prefix in the key of an owner tag; undefined if the key is another. */
export function prefixOfTagKey(key: string): string | undefined {
  const start = ownerTagKey("");
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

const maxTags = 50;
// A storage account allows shorter names than other resources.
const maxKey = 128;
const maxValue = 256;

/**
 * The tags of every resource of a cluster: the owner tag, then the config's. The limits are from "Use tags to organize your
 * Azure resources"; names are not case-sensitive there.
 */
export function clusterTags(
  { prefix, mark }: { readonly prefix: string; readonly mark: string },
  extra: Readonly<Record<string, string>>,
): { readonly tags: ValueMap; readonly problems: readonly string[] } {
  const owner = ownerTagKey(prefix);
  const taken = new Set([owner.toLowerCase()]);
  const problems: string[] = [];
  const entries = Object.entries(extra).sort(([a], [b]) => compareText(a, b));
  for (const [key, value] of entries) {
    const problem =
      tagProblem(key, value) ??
      (taken.has(key.toLowerCase()) ? "is already set; tag names are not case-sensitive" : undefined);
    if (problem !== undefined) problems.push(`the tag ${quote(key)} ${problem}.`);
    taken.add(key.toLowerCase());
  }
  if (entries.length + 1 > maxTags)
    problems.push(
      `there are ${entries.length} tags, but at most ${maxTags - 1} are allowed: Azure allows ${maxTags}, and ccf sets one itself. Remove some.`,
    );
  return { tags: Object.fromEntries([[owner, mark], ...entries]), problems };
}

function tagProblem(key: string, value: string): string | undefined {
  if (key.length < 1 || key.length > maxKey) return `must have a name of 1 to ${maxKey} characters`;
  if (/[<>%&\\?/]/.test(key)) return "must not contain any of <>%&\\?/ in its name";
  if (/^(?:microsoft|azure|windows)/i.test(key)) return 'must not begin with "microsoft", "azure" or "windows"';
  return value.length > maxValue ? `must have a value of at most ${maxValue} characters` : undefined;
}
