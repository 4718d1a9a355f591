import { CloudError, pause } from "../../../apply/requests.ts";
import type { KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { partReading } from "../../../apply/state-reader.ts";
import { isMap, listAt, textAt, type ValueMap } from "../../../core/resource.ts";
import { policyRequests } from "../kinds/policy.ts";
import { memberId } from "../resources.ts";
import type { Asked } from "./answers.ts";
import { bucketReading } from "./bucket.ts";
import { asked, type Context } from "./common.ts";
import { policy as policyForm } from "./forms.ts";
import { accountReading } from "./service-account.ts";

/*
 * IAM policies, which also hold the entries of others: every write changes one entry of ours, and names the version that
 * was read (IAM documentation, "Understanding allow policies").
 */

/** One member that a policy gives a role. */
export interface Entry {
  readonly role: string;
  readonly member: string;
  /** Its condition; undefined if it has none. */
  readonly condition: ValueMap | undefined;
}

/** What a policy says. @param repeat what is repeated, because its resource is new. */
export async function readPolicy(
  context: Pick<Context, "client">,
  name: string,
  more: Pick<Asked, "repeat"> = {},
): Promise<ValueMap> {
  const request = asked(context, policyRequests(name).get);
  const { value } = await context.client.send({ ...request, form: policyForm(name), ...more });
  return value as ValueMap;
}

/** The entries of a policy, one for each member. */
export function entriesOf(policy: ValueMap): Entry[] {
  return listAt(policy, ["bindings"]).flatMap((binding) => {
    const condition = isMap(binding) && isMap(binding["condition"]) ? binding["condition"] : undefined;
    const role = textAt(binding, ["role"]);
    return listAt(binding, ["members"]).map((member) => ({ role, member: String(member), condition }));
  });
}

// What was created a moment ago is not known everywhere.
const young =
  /Service account .* does not exist|Identity Pool does not exist|does not exist in the resource's hierarchy|Unknown service account|NOT_FOUND/;
const conflict = /^(ABORTED|ALREADY_EXISTS|conflict|conditionNotMet)$/;
const maxConflicts = 10;

/**
 * Adds or removes one entry without a condition. Every other entry stays as it is. The policy in Google's answer shows the
 * change.
 */
function changePolicy(
  context: Pick<Context, "client">,
  name: string,
  { role, member }: Pick<Entry, "role" | "member">,
  isWanted: boolean,
): Promise<void> {
  const { client } = context;
  return client.locked(name, async () => {
    for (let tries = 0; tries < maxConflicts; tries++) {
      const policy = await readPolicy(context, name, { repeat: young });
      const isDone = (of: ValueMap) => has(entriesOf(of), role, member) === isWanted;
      if (isDone(policy)) return;
      const bindings = isWanted ? added(policy, role, member) : without(policy, role, member);
      const request = asked(context, policyRequests(name).set({ ...policy, version: 3, bindings }));
      const form = policyForm(name);
      const { status, value } = await client.send({ ...request, form, expect: conflict, repeat: young });
      if (status < 300 && isDone(value as ValueMap)) return;
      if (status < 300)
        throw new CloudError(
          `Google accepted the change of the policy of ${name}, but its answer does not show it. Run the same command again.`,
        );
      await pause(Math.min(2 ** tries, 10));
    }
    throw new CloudError(
      `Another program changed the policy of ${name} each of ${maxConflicts} times before it could be written. Nothing was changed in it. Run the same command again.`,
    );
  });
}

/** Whether a policy has an entry without a condition. */
function has(entries: readonly Entry[], role: string, member: string): boolean {
  return entries.some((one) => one.role === role && one.member === member && one.condition === undefined);
}

function bindingsOf(policy: ValueMap): ValueMap[] {
  return listAt(policy, ["bindings"]).filter(isMap);
}

function added(policy: ValueMap, role: string, member: string): ValueMap[] {
  const all = bindingsOf(policy);
  const same = all.find((one) => one["role"] === role && one["condition"] === undefined);
  if (same === undefined) return [...all, { role, members: [member] }];
  return all.map((one) => (one === same ? { ...one, members: [...listAt(one, ["members"]), member] } : one));
}

function without(policy: ValueMap, role: string, member: string): ValueMap[] {
  return bindingsOf(policy).flatMap((one) => {
    if (one["role"] !== role || one["condition"] !== undefined) return [one];
    const members = listAt(one, ["members"]).filter((other) => other !== member);
    return members.length === 0 ? [] : [{ ...one, members }];
  });
}

/**
 * An entry of a policy: who may use a service account, read the issuer's bucket, or which role an account has on the project or on
 * another bucket. An entry cannot carry a mark. It is the package's if the service account or the issuer's bucket is.
 *
 * @param within whether the policy goes with the resource.
 */
export function policyMember(context: Context, within: boolean): KindWithoutCommand {
  async function read(value: ValueMap): Promise<Reading> {
    const owner = await ownerOf(context, value);
    if (owner === undefined) return { state: "absent" };
    const policy = textAt(value, ["policy"]);
    const more = context.young.has(policy) ? { repeat: /NOT_FOUND|\(or it may not exist\)/ } : {};
    return memberReading(value, entriesOf(await readPolicy(context, policy, more)), owner);
  }

  const set = (value: ValueMap, isWanted: boolean) =>
    changePolicy(
      context,
      textAt(value, ["policy"]),
      { role: textAt(value, ["role"]), member: textAt(value, ["member"]) },
      isWanted,
    );

  /** The account or the bucket, which decides whose an entry is, was read before. */
  async function add({ body }: { readonly body: ValueMap }): Promise<Live> {
    await set(body, true);
    const [policy, role, member] = ["policy", "role", "member"].map((field) => textAt(body, [field]));
    return entryLive(policy ?? "", { role: role ?? "", member: member ?? "" }, "own");
  }

  return {
    ...(within ? { within: true as const } : {}),
    read: ({ body }) => read(body),
    readExtra: ({ live }) => read(live.value),
    differences: ({ body }, live) =>
      live === undefined ? ["role", "member"].map((field) => ({ field, wanted: textAt(body, [field]) })) : [],
    create: add,
    update: add,
    remove: ({ value }) => set(value, false),
  };
}

/** Finds an entry without a condition. */
export function memberReading(body: ValueMap, entries: readonly Entry[], owner: Owner): Reading {
  const [role, member] = ["role", "member"].map((field) => textAt(body, [field])) as [string, string];
  const found = has(entries, role, member);
  return partReading(found ? entryLive(textAt(body, ["policy"]), { role, member }, owner) : undefined, owner);
}

/** An entry as a resource. @param policy the name of the resource that has it. */
export function entryLive(policy: string, { role, member }: Pick<Entry, "role" | "member">, owner: Owner): Live {
  return { id: memberId(policy, role, member), value: { policy, role, member }, owner };
}

/** Whose an entry is; undefined if the resource that decides it does not exist. */
async function ownerOf(context: Context, value: ValueMap): Promise<Owner | undefined> {
  const [policy, member] = [textAt(value, ["policy"]), textAt(value, ["member"])];
  // A deleted account is never used again, and its address was the package's.
  if (member.startsWith("deleted:")) return "own";
  const isOfAccount = member.startsWith("serviceAccount:");
  const project = `projects/${context.resources.facts.projectId}`;
  const account = policy.includes("/serviceAccounts/")
    ? policy
    : `${project}/serviceAccounts/${member.replace(/^serviceAccount:/, "")}`;
  // Who reads the issuer's bucket is decided by the bucket, and which role an account has on a bucket, by the account.
  const reading =
    policy.startsWith("buckets/") && !isOfAccount
      ? await bucketReading(context, policy)
      : await accountReading(context, account);
  if (reading.state === "unread") throw new CloudError(reading.problem);
  return reading.state === "present" ? reading.live.owner : undefined;
}
