import { hidingRule } from "../../../apply/document.ts";
import { CloudError, until } from "../../../apply/requests.ts";
import type { Extra, Kind, Live, Reading } from "../../../apply/resource.ts";
import { partReading } from "../../../apply/state-reader.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl } from "../cluster/resource-names.ts";
import { type ArmRequest, armRequests } from "../requests.ts";
import { kinds, nameOf } from "../resources.ts";
import { otherBlob } from "./blobs.ts";
import {
  armCommand,
  armKind,
  type Context,
  fixedLocation,
  groupIdOf,
  idIn,
  mapAt,
  mergedTags,
  ownerByTag,
  removeById,
  removedTags,
  statedDifferences,
  taggedLive,
} from "./common.ts";
import { lifecyclePolicy } from "./forms.ts";
import { credentialsUrl } from "./identity.ts";

/** The storage account of the issuer. Its mark is a tag. It may contain other things, so it is removed only if it does not. */
export function storageAccount(context: Context): Kind {
  const { client } = context;
  const liveOf = (value: ValueMap) => taggedLive(context, value);

  async function ready(id: string): Promise<Live> {
    let value: ValueMap | undefined;
    await until(
      () => `The storage account ${nameOf(id)} is not ready`,
      async () => {
        value = await client.read(resourceUrl(id, "storage"));
        const state = textAt(value ?? null, ["properties", "provisioningState"]);
        return value !== undefined && (state === "Succeeded" || state === "");
      },
    );
    return liveOf(value ?? {});
  }

  const requests = armRequests("storage", (body, value) => patchOf(context, body, value));
  return {
    ...armKind(context, "storage", liveOf, requests),
    differences: ({ body }, live) => [
      ...statedDifferences(body, live?.value, {
        ...fixedLocation,
        kind: "Azure cannot change the kind of a storage account. Delete it, or use another name",
      }),
      ...removedTags(context, live?.value),
    ],
    async create(wanted) {
      await client.arm(...requests.create(wanted));
      return ready(wanted.id);
    },
    async update(wanted, live) {
      await ready(wanted.id);
      await client.arm(...requests.update(wanted, live));
      return ready(wanted.id);
    },
    keep: async ({ id }, going) => (await contentOf(context, id)) ?? (await userOf(context, nameOf(id), going)),
  };
}

// Azure replaces the rules of the firewall and the tags as a whole: what others have set stays.
function patchOf(context: Context, body: ValueMap, value: ValueMap): ValueMap {
  const properties = mapAt(body, "properties");
  const networkAcls = { ...mapAt(value, "properties", "networkAcls"), ...mapAt(properties, "networkAcls") };
  return {
    sku: body["sku"] as Value,
    properties: { ...properties, networkAcls },
    tags: mergedTags(context, body, value),
  };
}

/** The lifecycle rules of the account that delete or archive a document some day (Azure REST API, Management Policies). */
export async function hidingRules({ client, resources }: Context, account: WantedResource): Promise<Extra[]> {
  const url = resourceUrl(`${account.id}/managementPolicies/default`, "storage");
  // The account exists, so whatever is not found is its policy.
  const { value } = await client.arm("GET", url, undefined, { form: lifecyclePolicy, expect: /^\w*NotFound$/ });
  const { container, resourcePrefix } = resources.facts;
  const documents = resources.wanted.filter(({ kind }) => kind === kinds.document);
  return listAt(value, ["properties", "policy", "rules"]).flatMap((rule, index) => {
    const { delete: removal, tierToArchive } = mapAt(rule, "definition", "actions", "baseBlob");
    const filters = mapAt(rule, "definition", "filters");
    const prefixes = listAt(filters, ["prefixMatch"]).map(String);
    const path = (name: string) => `${container ?? resourcePrefix}/${name}`;
    const document = documents.find(
      ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => path(name).startsWith(prefix)),
    );
    const isOn = valueAt(rule, ["enabled"]) !== false && filters["blobIndexMatch"] === undefined;
    const effect = removal !== undefined ? "deletes" : tierToArchive !== undefined ? "archives" : undefined;
    if (!isOn || effect === undefined || document === undefined) return [];
    return [hidingRule(account, textAt(rule, ["name"]) || String(index + 1), `${effect} ${document.name}`)];
  });
}

/** What the account contains that is not the package's, deleted and hidden things included; undefined if there is nothing. */
async function contentOf(context: Context, id: string): Promise<string | undefined> {
  const { client, resources } = context;
  const { issuer, previousIssuers = [], resourcePrefix, container = resourcePrefix } = resources.facts;
  const account = nameOf(id);
  const own = new Set([container, resourcePrefix]);
  for (const one of [issuer, ...previousIssuers]) if (isIn(one, account)) own.add(nameOf(one));
  const services = [
    ["the container", `${id}/blobServices/default/containers`, "&$include=deleted"],
    ["the file share", `${id}/fileServices/default/shares`, "&$expand=deleted"],
    ["the table", `${id}/tableServices/default/tables`, ""],
    ["the queue", `${id}/queueServices/default/queues`, ""],
  ] as const;
  const containers: string[] = [];
  for (const [noun, path, more] of services) {
    for (const item of await client.list(`${resourceUrl(path, "storage")}${more}`)) {
      const name = textAt(item, ["name"]);
      const isDeleted = item["properties"] !== undefined && mapAt(item, "properties")["deleted"] === true;
      if (noun !== "the container" || !own.has(name)) return `it has ${noun} ${name}, which the package does not have`;
      if (!isDeleted) containers.push(name);
    }
  }
  for (const name of containers) {
    const blob = await otherBlob(context, account, name);
    if (blob !== undefined) return `its container ${name} has ${blob}`;
  }
  return undefined;
}

/** Whether an issuer is in a storage account. */
export function isIn(issuer: string, account: string): boolean {
  return issuer.toLowerCase().startsWith(`https://${account.toLowerCase()}.blob.`);
}

/** An identity that stays and trusts an issuer in the account: anyone who takes the freed name could use the identity. */
async function userOf(context: Context, account: string, going: ReadonlySet<string>): Promise<string | undefined> {
  const { client } = context;
  const gone = new Set([...going].map((id) => id.toLowerCase()));
  const list = await client.list(
    resourceUrl(`${groupIdOf(context)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`, "identities"),
  );
  for (const identity of list) {
    const id = idIn(identity);
    if (id === "") throw new CloudError("Azure's list of managed identities contains one without an ID.");
    if (gone.has(id.toLowerCase())) continue;
    const credentials = await client.list(credentialsUrl(id));
    const left = credentials.filter((one) => !gone.has(idIn(one).toLowerCase()));
    if (left.some((one) => isIn(textAt(one, ["properties", "issuer"]), account)))
      return `the managed identity ${nameOf(id)}, which stays, trusts its issuer`;
  }
  return undefined;
}

/** The container of the documents. The storage account is its owner mark. */
export function container(context: Context): Kind {
  const { client, resources } = context;

  async function readAt(id: string, accountId: string): Promise<Reading> {
    const account = await client.read(resourceUrl(accountId, "storage"));
    if (account === undefined) return { state: "absent" };
    const owner = ownerByTag(account, resources.facts);
    const value = await client.read(resourceUrl(id, "storage"));
    return partReading(value && { id: idIn(value), value, owner }, owner);
  }

  const requests = armRequests("storage", (body) => body);
  const write = async (wanted: WantedResource, request: ArmRequest) => {
    const { value } = await client.arm(...request);
    return { id: idIn(value, wanted.id), value: value as ValueMap, owner: "own" as const };
  };

  return {
    within: true,
    read: ({ id, part = "" }) => readAt(id, part),
    readExtra: ({ id }) => readAt(id, id.replace(/\/blobServices\/.*$/i, "")),
    differences: ({ body }, live) => statedDifferences(body, live?.value),
    create: (wanted) => write(wanted, requests.create(wanted)),
    update: (wanted, live) => write(wanted, requests.update(wanted, live)),
    remove: ({ id }) => removeById(context, id, "storage"),
    async keep({ id }) {
      const account = nameOf(id.replace(/\/blobServices\/.*$/i, ""));
      const blob = await otherBlob(context, account, nameOf(id));
      return blob === undefined ? undefined : `it has ${blob}`;
    },
    command: armCommand(context, requests),
  };
}
