import { canonicalJson } from "../../core/json.ts";
import { textAt, type ValueMap } from "../../core/resource.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { commandsFile, commandsText } from "../commands-text.ts";
import { differencesOf } from "../fields.ts";
import { clusterFile } from "../rendered.ts";
import { bucketRequests, objectRequests } from "./kinds/bucket.ts";
import { roleKind } from "./kinds/custom-role.ts";
import { policyRequests } from "./kinds/policy.ts";
import { poolKind } from "./kinds/pool.ts";
import { providerKind } from "./kinds/provider.ts";
import { type GoogleRequest, hosts, undelete } from "./kinds/requests.ts";
import { accountKind } from "./kinds/service-account.ts";
import { type GcpClusterFile, gcpResources, kinds, nameOf } from "./resources.ts";

/*
 * The resources of a package as the requests of Google's APIs that `ccf apply` sends, to read.
 */

/**
 * The files that an export contains in addition to those of the bundles, by path: the requests that create everything.
 *
 * @param files of its bundle ConfigMaps, by path; complete.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  // Without the facts about the cluster, it is not known where the resources belong.
  return new Map(files.has(`gcp/${clusterFile}`) ? [[`gcp/${commandsFile}`, gcpCommands(files)]] : []);
}

function gcpCommands(files: ReadonlyMap<string, string>): string {
  const { facts, wanted } = gcpResources(files);
  return commandsText({
    form: "requests of Google's APIs",
    place: `the project ${facts.projectId}`,
    notes: [],
    wanted,
    command: (one) => gcpCommand(facts, one.kind)("create", one, undefined),
  });
}

/** A resource as it is in the cloud. */
interface Live {
  readonly id: string;
  readonly value: ValueMap;
  readonly etag?: string;
  readonly deleted?: true;
}

/** The requests of a kind. */
interface Shown {
  /** @param live undefined if it is created. */
  readonly write: (wanted: WantedResource, live: Live | undefined, projectId: string) => readonly GoogleRequest[];
  readonly remove: (id: string, value: ValueMap) => readonly GoogleRequest[];
}

const restoration = (live: Live) => (live.deleted ? [undelete(live.id)] : []);

const restoredEtag = "<the etag of the restored role>";

const slow = ({ requests }: Pick<typeof poolKind, "requests">): Shown => ({
  write: ({ id, body }, live) =>
    live === undefined ? [requests.create(id, body)] : [...restoration(live), requests.update(id, body)],
  remove: (id) => [requests.delete(id)],
});

/** A policy is read, and written with one entry more or less. */
function policyChange(value: ValueMap, change: string): GoogleRequest[] {
  const { api, method, path } = policyRequests(textAt(value, ["policy"])).set({});
  const entry = `${textAt(value, ["member"])} ${change} ${textAt(value, ["role"])}`;
  return [{ api, method, path, content: `the policy that was read, with ${entry}` }];
}

const member: Shown = {
  write: ({ body }) => policyChange(body, "added to"),
  remove: (_, value) => policyChange(value, "removed from"),
};

const shown: Readonly<Record<string, Shown>> = {
  [kinds.pool]: slow(poolKind),
  [kinds.provider]: slow(providerKind),
  [kinds.role]: {
    write: ({ id, body }, live) =>
      live === undefined
        ? [roleKind.requests.create(id, body)]
        : [...restoration(live), roleKind.requests.update(id, body, live.deleted ? restoredEtag : live.value["etag"])],
    remove: (id) => [roleKind.requests.delete(id)],
  },
  [kinds.account]: {
    write({ id, body }, live) {
      const { fields, requests } = accountKind;
      if (live === undefined) return [requests.create(id, body)];
      const isDisabled = live.value["disabled"] === true;
      const isOther = differencesOf(fields, body, { ...live.value, disabled: false }).length > 0;
      return [...(isOther ? [requests.update(id, body)] : []), ...(isDisabled ? [requests.enable(id)] : [])];
    },
    remove: (id) => [accountKind.requests.delete(id)],
  },
  [kinds.bucket]: {
    write: ({ id, body }, live, projectId) => [
      live === undefined ? bucketRequests.create(id, body, projectId) : bucketRequests.update(id, body, live.value),
    ],
    remove: (id) => [objectRequests.delete(id, "<each object>", "<its generation>"), bucketRequests.delete(id)],
  },
  [kinds.document]: {
    write: ({ part = "", name, body, source }, live) => [
      objectRequests.upload(
        part,
        name,
        { ...body, content: `the content of ${source}/${nameOf(name)}` },
        live?.etag ?? "0",
      ),
    ],
    // It goes with its bucket.
    remove: () => [],
  },
  [kinds.member]: member,
  [kinds.projectRole]: member,
  [kinds.bucketRole]: member,
};

/** The requests that a step sends for a resource of a kind, one line each. */
export function gcpCommand({ projectId, universe }: Pick<GcpClusterFile, "projectId" | "universe">, kind: string) {
  const of = shown[kind];
  if (of === undefined) throw new Error(`no request for a ${kind}`);
  return (
    action: "create" | "update" | "remove",
    wanted: WantedResource | undefined,
    live: Live | undefined,
  ): string[] => {
    const requests =
      wanted === undefined || action === "remove"
        ? of.remove(wanted?.id ?? live?.id ?? "", live?.value ?? wanted?.body ?? {})
        : of.write(wanted, action === "create" ? undefined : live, projectId);
    return requests.map((one) => lineOf(one, universe));
  };
}

function lineOf({ api, method, path, body, content }: GoogleRequest, universe: string): string {
  const sent = body === undefined ? "" : ` ${canonicalJson(body)}`;
  const file = content === undefined ? "" : ` <${content}>`;
  return `${method} https://${hosts[api]}.${universe}/${path}${sent}${file}`;
}
