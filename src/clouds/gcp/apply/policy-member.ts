import type { KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import { memberId } from "../resources.ts";
import { bucketReading } from "./bucket.ts";
import type { Context } from "./common.ts";
import { changePolicy, type Entry, entriesOf, readPolicy } from "./policies.ts";
import { accountReading } from "./service-account.ts";

/**
 * An entry of a policy: who may use a service account, read a bucket, or which role an account has on the project. An entry
 * cannot carry a mark. It is the package's if the service account or the bucket is.
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

  async function add({ body }: { readonly body: ValueMap }): Promise<undefined> {
    await set(body, true);
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
  const found = entries.some((one) => one.role === role && one.member === member && one.condition === undefined);
  return found
    ? { state: "present", live: entryLive(textAt(body, ["policy"]), { role, member }, owner) }
    : { state: "absent", parent: owner };
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
  const account = policy.includes("/serviceAccounts/")
    ? policy
    : `${policy}/serviceAccounts/${member.replace(/^serviceAccount:/, "")}`;
  const reading = policy.startsWith("buckets/")
    ? await bucketReading(context, policy)
    : await accountReading(context, account);
  return reading.state === "present" ? reading.live.owner : undefined;
}
