import type { Kind, Reading } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import type { ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl } from "../cluster/resource-names.ts";
import { nameOf } from "../resources.ts";
import { otherBlob } from "./blobs.ts";
import { type Context, idIn, ownerByTag, removeAndConfirm, statedDifferences, usualCommand } from "./common.ts";

/** The container of the documents. The storage account is its owner mark. */
export function container(context: Context): Kind {
  const { client, resources } = context;

  async function readAt(id: string, accountId: string): Promise<Reading> {
    const account = await client.read(resourceUrl(accountId, "storage"));
    if (account === undefined) return { state: "absent" };
    const owner = ownerByTag(account, resources.facts.ownerTag);
    const reading = readingWith(await client.read(resourceUrl(id, "storage")), (value) => ({ id: idIn(value), owner }));
    return reading.state === "absent" ? { ...reading, parent: owner } : reading;
  }

  const write = (method: "PUT" | "PATCH") => async (wanted: WantedResource) => {
    const { value } = await client.arm(method, resourceUrl(wanted.id, "storage"), wanted.body);
    const answer = value as ValueMap;
    return { id: idIn(value, wanted.id), value: answer, owner: "own" as const };
  };

  return {
    within: true,
    read: ({ id, part = "" }) => readAt(id, part),
    readExtra: ({ id }) => readAt(id, id.replace(/\/blobServices\/.*$/i, "")),
    differences: ({ body }, live) => statedDifferences(body, live?.value),
    create: write("PUT"),
    update: write("PATCH"),
    remove: ({ id }) => removeAndConfirm(context, id, "storage"),
    async keep({ id }) {
      const account = nameOf(id.replace(/\/blobServices\/.*$/i, ""));
      const blob = await otherBlob(context, account, nameOf(id));
      return blob === undefined ? undefined : `it has ${blob}`;
    },
    command: usualCommand(context, "storage", (body) => body),
  };
}
