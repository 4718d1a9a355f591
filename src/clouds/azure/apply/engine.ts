import { CloudError, invalidPackage, otherAccount, Prefixes } from "../../../apply/requests.ts";
import type { Access, AssignedIds, Target } from "../../../apply/resource.ts";
import { Once } from "../../../apply/state-reader.ts";
import { clusterMark } from "../../../core/owner-mark.ts";
import { textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { webPageCure } from "../../../network/connection-problems.ts";
import { clientIdKey } from "../cluster/client-ids.ts";
import { prefixOfTagKey, resourceUrl } from "../cluster/resource-names.ts";
import { type AzureClusterFile, azureResources, nameOf, kinds as names, same } from "../resources.ts";
import { blobDomains } from "./blobs.ts";
import { AzureClient, type Connection, connect } from "./client.ts";
import { type Context, mapAt } from "./common.ts";
import { document } from "./document.ts";
import { federatedCredential, managedIdentity } from "./identity.ts";
import { Reader } from "./read-state.ts";
import { resourceGroup } from "./resource-group.ts";
import { roleAssignment } from "./role-assignment.ts";
import { roleDefinition } from "./role-definition.ts";
import { container, storageAccount } from "./storage-account.ts";

/** Opens the cloud of packages. Packages that one of these opens share their credentials and the lists that they read. */
export function azureEngine(
  { environment, removeTags }: Pick<Access, "environment" | "removeTags">,
  connection?: Connection,
): (files: ReadonlyMap<string, string>) => Target {
  const clients = new Once();
  const prefixes = new Prefixes();
  return (files) => {
    const resources = azureResources(files);
    const { facts, wanted } = resources;
    checkResources(facts, wanted);
    const mark = { prefix: facts.resourcePrefix, mark: facts.ownerMark ?? clusterMark };
    prefixes.add(`subscription ${facts.subscriptionID}`, mark, wanted);
    const { cloud, tenantID } = facts;
    const client = clients.get(
      `${cloud} ${tenantID}`,
      () => new AzureClient(connection ?? connect(cloud, tenantID, environment)),
    );
    return targetOf({ client, resources, removeTags });
  };
}

function targetOf(context: Context): Target {
  const { client, resources } = context;
  const { facts, wanted, documents } = resources;
  const kinds = {
    [names.group]: resourceGroup(context),
    [names.account]: storageAccount(context),
    [names.container]: container(context),
    [names.document]: document(context),
    [names.identity]: managedIdentity(context),
    [names.credential]: federatedCredential(context),
    [names.role]: roleDefinition(context),
    [names.assignment]: roleAssignment(context),
  };
  const { subscriptionID: account, tenantID: tenant, region, cloud, resourcePrefix: prefix } = facts;
  return {
    place: `Azure subscription ${account}, ${region}`,
    facts: { cloud: "azure", environment: cloud, account, tenant, region },
    prefix,
    ownNames: new Map(facts.storageAccount === undefined ? [] : [["storageAccount", facts.storageAccount]]),
    wanted,
    kinds,
    // Microsoft Entra documentation: a new credential and a new assignment take effect after some minutes.
    settles: 120,
    documents,
    check: () => checkAccount(client, facts),
    read: (how) => new Reader(context, kinds, how).read(),
    statesTag: (key) => statesTag(wanted, key),
    assigned: () => clientIdsOf(context),
  };
}

/** Names of tags have no case in Azure. */
function statesTag(wanted: readonly WantedResource[], key: string): boolean {
  const name = key.toLowerCase();
  const stated = wanted.flatMap(({ body }) => Object.keys(mapAt(body, "tags")));
  return prefixOfTagKey(name) !== undefined || stated.some((one) => one.toLowerCase() === name);
}

async function checkAccount(client: AzureClient, { subscriptionID, tenantID }: AzureClusterFile): Promise<void> {
  const { value } = await client.arm("GET", `/subscriptions/${subscriptionID}?api-version=2022-12-01`);
  const [found, tenant] = [textAt(value, ["subscriptionId"]), textAt(value, ["tenantId"])];
  if (found === "" || tenant === "")
    throw new CloudError(`The answer to GET /subscriptions/${subscriptionID} names no subscription. ${webPageCure()}`);
  if (!same(found, subscriptionID))
    throw otherAccount(`The credentials are for the subscription ${found}`, subscriptionID);
  if (!same(tenant, tenantID))
    throw otherAccount(`The subscription ${subscriptionID} is in the tenant ${tenant}`, tenantID);
}

async function clientIdsOf({ client, resources }: Context): Promise<AssignedIds> {
  const { facts, wanted } = resources;
  const identities = wanted.filter(({ kind }) => kind === names.identity);
  const found = await Promise.all(
    identities.map(async ({ id, assigned = {} }) => {
      const identity = await client.read(resourceUrl(id, "identities"));
      const clientId = textAt(identity ?? null, ["properties", "clientId"]).toLowerCase();
      if (clientId === "") throw new CloudError(`The managed identity ${nameOf(id)} has no client ID.`);
      return { key: clientIdKey(String(assigned["secret"])), clientId, isStored: same(assigned["clientId"], clientId) };
    }),
  );
  const { subscriptionID, tenantID, resourcePrefix } = facts;
  return {
    name: defaults["spec.platform.azure.identities"],
    annotations: {
      "fn.cloudcredential.dev/azure-subscription": subscriptionID,
      "fn.cloudcredential.dev/azure-tenant": tenantID,
      "fn.cloudcredential.dev/resource-prefix": resourcePrefix,
    },
    ids: new Map(found.map(({ key, clientId }) => [key, clientId])),
    isStored: found.every(({ isStored }) => isStored),
  };
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const id = new RegExp(`^/subscriptions/${uuid}/[^\\]\\["\\\\?#%<>|^\`{} ]+$`, "i");

/** Files of an export may have been edited together with their digests: an access token must not go elsewhere. */
function checkResources(facts: AzureClusterFile, wanted: readonly WantedResource[]): void {
  const { subscriptionID, tenantID, storageAccount: account, blobEndpoint = "", container: name = "" } = facts;
  const isBlobHost = blobDomains.test(blobEndpoint.replace(`https://${account}.`, ""));
  const problem = ![subscriptionID, tenantID].every((one) => new RegExp(`^${uuid}$`, "i").test(one))
    ? "cluster.json does not name a subscription and a tenant"
    : account !== undefined && (!/^[a-z0-9]{3,24}$/.test(account) || !/^[a-z0-9-]{3,63}$/.test(name) || !isBlobHost)
      ? "cluster.json does not name a storage account of Azure"
      : undefined;
  const wrong = wanted.find(({ kind, id: of }) => kind !== names.document && (!id.test(of) || /\/\.{0,2}\//.test(of)));
  if (problem !== undefined || wrong !== undefined)
    throw invalidPackage(problem ?? `a file names the resource ${wrong?.id}`);
}
