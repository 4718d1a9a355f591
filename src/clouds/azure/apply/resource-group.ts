import type { Kind } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { textAt } from "../../../core/resource.ts";
import { resourceUrl } from "../cluster/resource-names.ts";
import { armRequests } from "../requests.ts";
import { armCommand, type Context, idIn, removeById, statedDifferences, taggedLive } from "./common.ts";

/** A group that exists is used as it is. One that the package created carries its tag, and is removed if it is empty. */
export function resourceGroup(context: Context): Kind {
  const { client } = context;
  const requests = armRequests("groups");
  const read: Kind["read"] = async ({ id, name }) => {
    const value = await client.read(resourceUrl(id, "groups"));
    if (value !== undefined && textAt(value, ["properties", "provisioningState"]) === "Deleting")
      return {
        state: "unread",
        problem: `The resource group ${name} is being deleted. Run the same command again when it is gone.`,
      };
    return readingWith(value, (one) => taggedLive(context, one, id));
  };
  return {
    read,
    readExtra: async () => ({ state: "absent" }),
    differences: (wanted, live) => (live === undefined ? statedDifferences(wanted.body, undefined) : []),
    async create(wanted) {
      await client.arm(...requests.create(wanted));
      return undefined;
    },
    update: async () => undefined,
    remove: ({ id }) => removeById(context, id, "groups"),
    async keep({ id }, going) {
      const items = await client.list(`${id}/resources?api-version=2021-04-01`);
      const gone = new Set([...going].map((one) => one.toLowerCase()));
      const other = items.map((item) => idIn(item)).find((one) => !gone.has(one.toLowerCase()));
      return other === undefined ? undefined : `it contains ${other}`;
    },
    command: armCommand(context, requests),
  };
}
