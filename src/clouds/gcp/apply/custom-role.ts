import { changedMeanwhile } from "../../../apply/document.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { KindWithoutCommand, Live, Reading } from "../../../apply/resource.ts";
import { readingWith } from "../../../apply/state-reader.ts";
import { textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { roleKind } from "../kinds/custom-role.ts";
import { nameOf } from "../resources.ts";
import { blockedRole } from "./answers.ts";
import {
  asked,
  type Context,
  compare,
  isDeleted,
  markedLive,
  ownerByDescription,
  readNamed,
  removeNamed,
} from "./common.ts";
import { named } from "./forms.ts";
import { type Entry, entriesOf, readPolicy } from "./policies.ts";

/** The custom role of a request that lists permissions. Google keeps a deleted role for 7 days. */
export function customRole(context: Context): KindWithoutCommand {
  const { client, deleteRoles } = context;
  const { fields, requests } = roleKind;
  const differences = compare(fields);

  async function read({ id }: { readonly id: string }): Promise<Reading> {
    const value = await readNamed(context, id);
    const policy = `projects/${context.resources.facts.projectId}`;
    return roleReading(context, value, async () => entriesOf(await readPolicy(context, policy)));
  }

  async function update(wanted: WantedResource, live: Live): Promise<Live> {
    let { etag } = live.value;
    if (live.deleted) {
      const expect = /^(FAILED_PRECONDITION|NOT_FOUND)$/;
      await client.send({ ...asked(context, requests.undelete(wanted.id)), form: named(wanted.id), expect });
      const restored = await readNamed(context, wanted.id);
      if (restored === undefined || isDeleted(restored))
        throw new CloudError(`Google did not restore the custom role ${wanted.name}. ${blockedRole}`);
      etag = restored["etag"];
    }
    const request = asked(context, requests.update(wanted.id, wanted.body, etag));
    await client.send({ ...request, form: named(wanted.id), expect: /^ABORTED$/ });
    return changed(wanted);
  }

  /** The role after a write. Another program may have changed it, or an answer was lost. */
  async function changed(wanted: WantedResource): Promise<Live> {
    const live = markedLive(context, (await readNamed(context, wanted.id)) ?? {});
    if (live.owner === "own" && !live.deleted && differences(wanted, live).length === 0) return live;
    throw changedMeanwhile(`The custom role ${wanted.name}`);
  }

  return {
    free: true,
    ...(deleteRoles ? {} : { stays: true as const }),
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const request = asked(context, requests.create(wanted.id, wanted.body));
      await client.send({ ...request, form: named(wanted.id), expect: /^ALREADY_EXISTS$/ });
      return changed(wanted);
    },
    update,
    remove: ({ id }) => removeNamed(context, id, named(id)),
    // Only a destroy asks with what else goes.
    keep: async (_, going) =>
      going.size === 0 || deleteRoles
        ? undefined
        : "it permits nothing unless it is bound; --delete-roles removes it, and Google then blocks its ID until 37 days after that",
  };
}

/** A role, unless others use it: to set its permissions would take permissions from them. @param entries of the project. */
export async function roleReading(
  context: Context,
  value: ValueMap | undefined,
  entries: () => Promise<readonly Entry[]>,
): Promise<Reading> {
  const reading = readingWith(value, (one) => markedLive(context, one));
  if (reading.state !== "present" || reading.live.owner !== "none") return reading;
  const use = await usedBy(context, reading.live.value, entries);
  if (use === undefined) return reading;
  const reason = `it exists, and is never adopted, because ${use}; set customRoleID in spec.platform.gcp.overrides for its request to another ID, and render again`;
  return { state: "present", live: { ...reading.live, refusal: { reason } } };
}

async function usedBy(
  { resources }: Context,
  value: ValueMap,
  entries: () => Promise<readonly Entry[]>,
): Promise<string | undefined> {
  const name = textAt(value, ["name"]);
  if (isDeleted(value)) return undefined;
  if (textAt(value, ["description"]).startsWith("Created By OpenShift ccoctl"))
    return "ccoctl created it for all clusters of the project";
  const own = new Set<Value>(
    resources.wanted.filter(({ body }) => body["role"] === name).map(({ body }) => body["member"] ?? null),
  );
  const other = (await entries()).find(
    ({ role, member, condition }) =>
      role === name && !member.startsWith("deleted:") && (condition !== undefined || !own.has(member)),
  );
  return other === undefined ? undefined : `${other.member} has it, too`;
}

/** What a user must know before custom roles are removed. @param roles of the project. @param entries of its policy. */
export function removalNotes(
  context: Context,
  roles: readonly ValueMap[],
  entries: readonly Entry[],
  accounts: readonly ValueMap[],
): string[] {
  const wanted = new Set(context.resources.wanted.map(({ id }) => id));
  const isOwn = (value: ValueMap) => ownerByDescription(context, value) === "own";
  const going = roles
    .filter((role) => isOwn(role) && !isDeleted(role))
    .map((role) => textAt(role, ["name"]))
    .filter((name) => context.deleteRoles || !wanted.has(name));
  if (going.length === 0) return [];
  const own = new Set(accounts.filter(isOwn).map((account) => `serviceAccount:${textAt(account, ["email"])}`));
  const others = entries.filter(({ role, member }) => {
    return going.includes(role) && !own.has(member) && !member.startsWith("deleted:");
  });
  return [
    "Google blocks the ID of a custom role until 37 days after its removal; for 7 days, ccf apply can restore it",
    ...others.map(
      ({ role, member }) => `if the custom role ${nameOf(role)} is removed, ${member} loses its permissions`,
    ),
  ];
}
