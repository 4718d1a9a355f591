import { maybeOther } from "../../../apply/document.ts";
import type { Extra, Inside, Live, Owner, Reading } from "../../../apply/resource.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { publicRole } from "../cluster/resource-names.ts";
import { bucketId, kinds, memberId, memberName, nameOf, subjectRole } from "../resources.ts";
import { type Context, isDeleted, markedLive, ownerByDescription } from "./common.ts";
import { type Entry, entriesOf, entryLive, readPolicy } from "./policies.ts";

/** What was read besides the wanted resources. Policies are by the name of their resource. */
export interface Listed {
  /** Of the wanted resources, by ID. */
  readonly readings: ReadonlyMap<string, Reading>;
  readonly pools: readonly ValueMap[];
  readonly providers: readonly ValueMap[];
  readonly accounts: readonly ValueMap[];
  readonly roles: readonly ValueMap[];
  readonly policies: ReadonlyMap<string, ValueMap>;
}

/** What the package owns besides what it wants, and entries of policies that let others use its service accounts. */
export function findExtras(context: Context, listed: Listed): Extra[] {
  const { wanted } = context.resources;
  const issuer = wanted.filter(({ kind }) => kind === kinds.pool || kind === kinds.provider).map(({ id }) => id);
  const of = (kind: string, list: readonly ValueMap[], needs: readonly string[]) =>
    list.flatMap((value): Extra[] => {
      const live = markedLive(context, value);
      if (live.owner !== "own" || live.deleted || wanted.some(({ id }) => id === live.id)) return [];
      return [{ kind, id: live.id, name: nameOf(live.id), live, needs }];
    });
  const kept = "another cluster may have this resource prefix; if none has, delete it yourself";
  return [
    ...of(kinds.pool, listed.pools, []).map((one) => ({ ...one, kept })),
    ...of(kinds.provider, listed.providers, issuer.slice(0, 1)),
    ...of(kinds.role, listed.roles, []),
    ...of(kinds.account, listed.accounts, issuer),
    ...accountMembers(context, listed),
    ...projectMembers(context, listed),
    ...bucketMembers(context, listed),
    ...publicMembers(context, listed),
  ];
}

const notWanted = "the package does not have it, so another program added it; remove it yourself";
/** Roles that let no user use a service account or change it. */
const harmless = /^roles\/(viewer|browser|iam\.securityReviewer|iam\.serviceAccountViewer)$/;
const federated = /^(principal(Set)?:|allUsers$|allAuthenticatedUsers$)/;

/** Who else may use a service account of the package: other subjects of the own pool can be removed, others are named. */
function accountMembers({ resources: { facts, wanted } }: Context, { readings, policies }: Listed): Extra[] {
  const ids = new Set(wanted.map(({ id }) => id));
  return wanted.flatMap((account): Extra[] => {
    const [reading, policy] = [readings.get(account.id), policies.get(account.id)];
    if (account.kind !== kinds.account || reading?.state !== "present" || policy === undefined) return [];
    return entriesOf(policy).flatMap((entry): Extra[] => {
      const { role, member, condition } = entry;
      if (condition === undefined && ids.has(memberId(account.id, role, member))) return [];
      if (harmless.test(role) && !federated.test(member)) return [];
      const isOwn = role === subjectRole && condition === undefined && poolIn(member) === facts.pool;
      return [entryExtra(account, kinds.member, entry, reading.live.owner, isOwn ? undefined : notWanted)];
    });
  });
}

/**
 * Who else may use a service account or a bucket, and loses that when it is removed. Subjects of the package's pool are the
 * cluster's; what a new bucket gives the members of the project is Google's.
 */
export async function membersInside(context: Context, id: string): Promise<Inside[]> {
  const { facts, wanted } = context.resources;
  const ids = new Set(wanted.map((one) => one.id));
  return entriesOf(await readPolicy(context, id)).flatMap((entry): Inside[] => {
    const { role, member, condition } = entry;
    if (condition === undefined && ids.has(memberId(id, role, member))) return [];
    // The public documents of a former bucket were the package's.
    const isPublished = member === "allUsers" && role === publicRole;
    if (isPublished || /^project(Owner|Editor|Viewer):/.test(member)) return [];
    const name = `${memberName(nameOf(id), role, member)}${conditionText(entry)}`;
    return [{ kind: kinds.member, name, isForeign: poolIn(member) !== facts.pool }];
  });
}

/** The pool of a principal, by its name. */
function poolIn(member: string): string {
  return /^principal(?:Set)?:\/\/iam\.googleapis\.com\/(.*\/workloadIdentityPools\/[^/]+)\//.exec(member)?.[1] ?? "";
}

function entryExtra(
  resource: { readonly id: string; readonly name: string },
  kind: string,
  { role, member, condition }: Entry,
  owner: Owner,
  why: string | undefined,
): Extra {
  const live = entryLive(resource.id, { role, member }, owner);
  const conditional = conditionText({ condition });
  const when = condition === undefined ? "" : ` if ${textAt(condition, ["expression"])}`;
  const base = {
    kind,
    id: `${live.id}${conditional}`,
    name: `${memberName(resource.name, role, member)}${conditional}`,
    grants: [`gives ${member} the role ${role} on ${resource.id}${when}`],
    ...(why === notWanted ? { foreign: true as const } : {}),
  };
  if (why !== undefined) return { ...base, live, needs: [], part: resource.id, kept: why };
  return { ...base, live, needs: [resource.id], part: resource.id };
}

/** The roles on the project of the package's accounts, of those that it owns besides, and of its whole pool. */
function projectMembers(context: Context, { readings, accounts, policies }: Listed): Extra[] {
  const { facts, wanted } = context.resources;
  const project = `projects/${facts.projectId}`;
  const ids = new Set(wanted.map(({ id }) => id));
  const owned = accounts.filter((one) => ownerByDescription(context, one) === "own").map(({ name }) => String(name));
  const all = [...ids, ...owned].filter((id) => id.includes("/serviceAccounts/") && !id.includes("#"));
  const emails = new Map(all.map((id) => [emailIn(id), id]));
  const ownerOf = (account: string) => ownerOfReading(readings.get(account)) ?? "own";
  return entriesOf(policies.get(project) ?? {}).flatMap((entry): Extra[] => {
    const { role, member, condition } = entry;
    if (condition === undefined && ids.has(memberId(project, role, member))) return [];
    const extra = (name: string, owner: Owner, why: string | undefined): Extra => {
      const { part: _, ...one } = entryExtra({ id: project, name: "" }, kinds.projectRole, entry, owner, why);
      return { ...one, name: `${name}: ${role}${conditionText(entry)}`, needs: [] };
    };
    const [, deleted, email = ""] = /^(deleted:)?serviceAccount:([^?]+)/.exec(member) ?? [];
    const account = emails.get(email);
    if (account === undefined)
      return poolIn(member) === facts.pool ? [extra(`${facts.projectId}: ${member}`, "none", notWanted)] : [];
    const name = nameOf(account);
    if (deleted !== undefined)
      return ownerOf(account) === "own" ? [extra(`${name}, deleted`, "own", byCondition(entry))] : [];
    const why = byCondition(entry) ?? keptRole(context, readings, account);
    const part = ids.has(account) ? { part: account } : {};
    return [
      { ...extra(name, ownerOf(account), why), ...(why === undefined ? { needs: [account, role] } : {}), ...part },
    ];
  });
}

/** Other roles of the package's accounts on the buckets on which the package gives them some: it gave them before. */
function bucketMembers({ resources: { wanted } }: Context, { readings, policies }: Listed): Extra[] {
  const ids = new Set(wanted.map(({ id }) => id));
  const roles = wanted.filter(({ kind }) => kind === kinds.bucketRole);
  const buckets = new Set(roles.map(({ body }) => textAt(body, ["policy"])));
  const accounts = new Map<string, WantedResource>(
    wanted.flatMap((one) => (one.kind === kinds.account ? [[`serviceAccount:${emailIn(one.id)}`, one] as const] : [])),
  );
  return [...buckets].flatMap((bucket) =>
    entriesOf(policies.get(bucket) ?? {}).flatMap((entry): Extra[] => {
      const account = accounts.get(entry.member);
      if (
        account === undefined ||
        (entry.condition === undefined && ids.has(memberId(bucket, entry.role, entry.member)))
      )
        return [];
      const owner = ownerOfReading(readings.get(account.id)) ?? "own";
      const why = byCondition(entry);
      const extra = entryExtra({ id: bucket, name: account.name }, kinds.bucketRole, entry, owner, why);
      const name = `${account.name}: ${entry.role} on ${nameOf(bucket)}${conditionText(entry)}`;
      return [{ ...extra, name, part: account.id, needs: why === undefined ? [account.id] : [] }];
    }),
  );
}

/** What has a condition is never removed: only entries without one are the package's. */
function byCondition({ condition }: Pick<Entry, "condition">): string | undefined {
  return condition === undefined ? undefined : notWanted;
}

function conditionText({ condition }: Pick<Entry, "condition">): string {
  return condition === undefined ? "" : ` if ${textAt(condition, ["title"])}`;
}

function emailIn(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function ownerOfReading(reading: Reading | undefined): Owner | undefined {
  return reading?.state === "present" ? reading.live.owner : undefined;
}

/** An account keeps what it has until it has its own role: ccoctl's role is shared by all clusters of a project. */
function keptRole(
  { resources: { wanted } }: Context,
  readings: ReadonlyMap<string, Reading>,
  account: string,
): string | undefined {
  const roles = wanted.filter(({ kind, part }) => kind === kinds.projectRole && part === account);
  const role = roles.map(({ body }) => readings.get(String(body["role"]))).find((one) => one !== undefined);
  if (role === undefined || role.state === "absent") return undefined;
  const isOwn = role.state === "present" && role.live.owner === "own" && role.live.refusal === undefined;
  return isOwn ? undefined : "the service account keeps it until it has its own custom role";
}

/** What everyone may do with the bucket besides reading single objects. */
function publicMembers({ resources: { facts, wanted } }: Context, { readings, policies }: Listed): Extra[] {
  if (facts.bucket === undefined) return [];
  const resource = { id: bucketId(facts.bucket), name: facts.bucket };
  const ids = new Set(wanted.map(({ id }) => id));
  const owner = ownerOfReading(readings.get(resource.id)) ?? "none";
  return entriesOf(policies.get(resource.id) ?? {}).flatMap((entry): Extra[] => {
    const { role, member, condition } = entry;
    if (!/^all(Authenticated)?Users$/.test(member)) return [];
    if (condition === undefined && ids.has(memberId(resource.id, role, member))) return [];
    return [entryExtra(resource, kinds.member, entry, owner, condition === undefined ? undefined : notWanted)];
  });
}

/**
 * Why nothing is done for this prefix: another pool has its mark, or the pool itself does not exist. Another repository may
 * use the same prefix for another cluster.
 */
export function otherCluster(context: Context, pools: readonly ValueMap[]): string | undefined {
  const { facts } = context.resources;
  const own = pools.find(({ name }) => name === facts.pool);
  if (own !== undefined) return undefined;
  const other = pools.find((one) => !isDeleted(one) && ownerByDescription(context, one) === "own");
  return (
    other &&
    `the workload identity pool ${nameOf(textAt(other, ["name"]))} has the owner mark of this resource prefix, so another cluster has it; set spec.resourcePrefix to another one, or delete that pool if no cluster uses it`
  );
}

/** Another cluster's account has the same ID if it has the same prefix; then it trusts only subjects of another pool. */
export function strangeTrust({ resources: { facts } }: Context, live: Live, policy: ValueMap): Live {
  // Entries with a condition are others', whatever they name.
  const pools = entriesOf(policy).flatMap(({ role, member, condition }) => {
    const pool = role === subjectRole && condition === undefined ? poolIn(member) : "";
    return pool === "" ? [] : [pool];
  });
  const [first] = pools;
  if (live.owner !== "own" || first === undefined || pools.includes(facts.pool)) return live;
  const found = `it trusts only subjects of the workload identity pool ${nameOf(first)}, which is not the package's`;
  return { ...live, refusal: maybeOther(found, "its pool", "replace-issuer") };
}
