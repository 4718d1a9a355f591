import { CloudError, inParallel } from "../../../apply/requests.ts";
import { listAt, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { kinds } from "../resources.ts";
import { type Context, ownerByTags } from "./common.ts";
import type { WholeRole } from "./extras.ts";
import { attachedOf, inlineOf, liveRole, roleReading } from "./role.ts";

/** The roles of an account, as far as the package must know them. */
export interface ReadRoles {
  /** By ARN: those of the package that exist, and those that have its mark. */
  readonly roles: ReadonlyMap<string, WholeRole>;
  /** All roles of the account, as ListRoles describes them. */
  readonly listed: readonly Value[];
  /** Why it is not known whether roles with other names have the mark: the end of a sentence; undefined if it is known. */
  readonly unread?: string;
}

/** How many requests are under way for one package. */
const width = 6;

/**
 * Reads all roles with two lists, however many there are: one has tags and policies, the other descriptions. If the credentials
 * may not read the first, each role is read with requests of its own.
 */
export async function readRoles(context: Context): Promise<ReadRoles> {
  const { client } = context;
  const listed = client.once.get("roles", () => client.list("iam:ListRoles", { MaxItems: 1000 }, ["Roles"]));
  const details = client.once.get("details", () => readDetails(context));
  const [all, found] = await Promise.all([listed, details]);
  return found === undefined ? readEach(context, all) : combined(context, all, found);
}

async function readDetails({ client }: Context): Promise<Value[] | undefined> {
  const input = { Filter: ["Role"], MaxItems: 1000 };
  try {
    return await client.list("iam:GetAccountAuthorizationDetails", input, ["RoleDetailList"]);
  } catch (error) {
    if (error instanceof CloudError && /^AccessDenied/.test(error.code)) return undefined;
    throw error;
  }
}

async function combined(context: Context, listed: readonly Value[], details: readonly Value[]): Promise<ReadRoles> {
  const settings = new Map(listed.map((one) => [textAt(one, ["Arn"]), one]));
  const byName = new Map(details.map((one) => [textAt(one, ["RoleName"]), one]));
  const wanted = context.resources.wanted.filter(({ kind }) => kind === kinds.role);
  const own = details.filter((one) => ownerByTags(context, listAt(one, ["Tags"])) === "own");
  const relevant = new Set([...wanted.flatMap(({ name }) => byName.get(name) ?? []), ...own]);
  const roles = new Map<string, WholeRole>();
  await inParallel([...relevant], width, async (detail) => {
    const arn = textAt(detail, ["Arn"]);
    const more = settings.get(arn);
    // One of the two lists is older than the role.
    const reading = more === undefined ? await roleReading(context, arn) : undefined;
    if (reading?.state === "absent") return;
    const fields = { ...(more as ValueMap), ...(detail as ValueMap) };
    const live = reading?.state === "present" ? reading.live : liveRole(context, fields);
    const attached = listAt(detail, ["AttachedManagedPolicies"]).map((one) => textAt(one, ["PolicyArn"]));
    const used = (detail as ValueMap)["RoleLastUsed"] ?? null;
    roles.set(arn, { live, inline: listAt(detail, ["RolePolicyList"]), attached, used });
  });
  const young = wanted.filter(({ name, id }) => !byName.has(name) && settings.has(id));
  await inParallel(young, width, async ({ id }) => {
    const whole = await readOne(context, id);
    if (whole !== undefined) roles.set(whole.live.id, whole);
  });
  return { roles, listed };
}

async function readEach(context: Context, listed: readonly Value[]): Promise<ReadRoles> {
  const { facts, wanted } = context.resources;
  const names = new Set(wanted.flatMap(({ kind, name }) => (kind === kinds.role ? name : [])));
  const near = listed.filter((one) => {
    const name = textAt(one, ["RoleName"]);
    return names.has(name) || name.startsWith(`${facts.prefix}-`);
  });
  const roles = new Map<string, WholeRole>();
  await inParallel(near, width, async (one) => {
    const whole = await readOne(context, textAt(one, ["Arn"]));
    if (whole !== undefined) roles.set(whole.live.id, whole);
  });
  const unread = `these credentials may not call GetAccountAuthorizationDetails, so it is not known whether the package owns a role whose name does not begin with ${facts.prefix}-; allow it, as the statement ReadRoles of admin-policy.json does`;
  return { roles, listed, unread };
}

/** A role with separate requests. */
async function readOne(context: Context, arn: string): Promise<WholeRole | undefined> {
  const reading = await roleReading(context, arn);
  if (reading.state !== "present") return undefined;
  const RoleName = textAt(reading.live.value, ["RoleName"]);
  const isWanted = context.resources.wanted.some(({ kind, name }) => kind === kinds.role && name === RoleName);
  if (!isWanted && reading.live.owner !== "own") return undefined;
  const [names, attached] = await Promise.all([inlineOf(context, RoleName), attachedOf(context, RoleName)]);
  const inline = await inParallel(names, width, async (PolicyName): Promise<Value> => {
    const isOwn = context.resources.wanted.some(
      ({ body }) => body["RoleName"] === RoleName && body["PolicyName"] === PolicyName,
    );
    if (!isOwn) return { PolicyName };
    const more = { expect: /^NoSuchEntity$/ };
    return (await context.client.ask("iam:GetRolePolicy", { RoleName, PolicyName }, more)) ?? { PolicyName };
  });
  const used = reading.live.value["RoleLastUsed"] ?? null;
  return { live: reading.live, inline, attached, used };
}
