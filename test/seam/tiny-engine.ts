import type { Kind, Live, Target } from "../../src/apply/resource.ts";
import type { Engine } from "../../src/clouds/engines.ts";
import type { ValueMap } from "../../src/core/resource.ts";
import type { WantedResource } from "../../src/core/wanted-resource.ts";

/** The accounts of the tiny cloud, by ID: `owner` is their mark. */
export const tinyAccounts = new Map<string, ValueMap>();

/** The accounts that the files of an export describe. */
export function wantedAccounts(files: ReadonlyMap<string, string>): WantedResource[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith("/account.json")) return [];
    const body = JSON.parse(text) as ValueMap;
    const id = String(body["account"]);
    return [{ kind: "account", id, name: id, needs: [], body }];
  });
}

/** Applies packages of the tiny cloud, which has one kind of resource. */
export const tinyEngine: Engine = (files): Target => {
  const { project, prefix } = JSON.parse(files.get("tiny/cluster.json") ?? "{}") as { project: string; prefix: string };
  const wanted = wantedAccounts(files);
  const liveOf = (id: string): Live | undefined => {
    const value = tinyAccounts.get(id);
    return value && { id, value, owner: value["owner"] === prefix ? "own" : "none" };
  };
  const readingOf = (id: string) => {
    const live = liveOf(id);
    return live === undefined ? ({ state: "absent" } as const) : ({ state: "present", live } as const);
  };
  const write = async ({ id, body }: WantedResource) => {
    tinyAccounts.set(id, { ...body, owner: prefix });
    return liveOf(id);
  };
  const account: Kind = {
    read: async ({ id }) => readingOf(id),
    readExtra: async ({ id }) => readingOf(id),
    differences: ({ body }, live) =>
      String(live?.value["may"]) === String(body["may"])
        ? []
        : [{ field: "may", found: live?.value["may"], wanted: body["may"] }],
    create: write,
    update: write,
    remove: async ({ id }) => void tinyAccounts.delete(id),
    command: (action, of, live) => [`tiny ${action} ${of?.id ?? live?.id}`],
  };
  const ids = new Set(wanted.map(({ id }) => id));
  return {
    place: `Tiny Cloud project ${project}`,
    facts: { cloud: "tiny", account: project, region: "here" },
    prefix,
    wanted,
    kinds: { account },
    settles: 0,
    documents: new Map(),
    check: async () => undefined,
    read: async () => ({
      readings: new Map(wanted.map(({ id }) => [id, readingOf(id)])),
      extras: {
        found: [...tinyAccounts.keys()].flatMap((id) => {
          const live = liveOf(id);
          return live?.owner === "own" && !ids.has(id) ? [{ kind: "account", id, name: id, live, needs: [] }] : [];
        }),
      },
      notes: [],
    }),
  };
};
