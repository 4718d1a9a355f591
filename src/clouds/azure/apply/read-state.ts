import { strangeIssuers, unreadDocument } from "../../../apply/document.ts";
import { attempt, inParallel } from "../../../apply/requests.ts";
import type { Live, Reading, Refusal, State } from "../../../apply/resource.ts";
import { isUnread, StateReader, unread, width } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { matches } from "../../../permissions/glob.ts";
import { maxCredentials } from "../cluster/cluster.ts";
import { resourceUrl, subscriptionOf } from "../cluster/resource-names.ts";
import { type AzureClusterFile, nameOf, kinds as names, same } from "../resources.ts";
import { type Context, groupIdOf, idIn, ownerByTag } from "./common.ts";
import { isPublic, readDocument } from "./document.ts";
import { findExtras, findPrevious } from "./extras.ts";
import { credentialReading, credentialsUrl, meaning, principalOf } from "./identity.ts";
import { assignmentReading, assignmentsUrl } from "./role-assignment.ts";
import { nameReading, roleOwner, rolesUrl } from "./role-definition.ts";
import { hidingRules } from "./storage-account.ts";

/**
 * Reads everything that a plan for the package depends on. What a list contains is read with the list. What it does not
 * contain is asked for by its ID, because lists omit what the reader may not see.
 */
export class Reader extends StateReader<Context> {
  /** By ID in lowercase: the identities of the resource group and those of the package. */
  readonly #identities = new Map<string, Live>();
  /** Of the package's identities and of others that it owns. */
  readonly #credentials: Live[] = [];

  async read(): Promise<State> {
    const { client, resources } = this.context;
    const { wanted } = resources;
    const of = (kind: string) => wanted.filter((one) => one.kind === kind);
    const group = groupIdOf(this.context);
    const provider = (type: string) => `${group}/providers/${type}`;
    await this.each(names.group, (one) => this.kind(one).read(one));
    const isGroup = this.#stateOf(of(names.group)[0]) === "present";
    const inGroup = (url: string) => (isGroup ? this.#list(() => client.list(url)) : Promise.resolve([]));
    const [accounts, identities] = await Promise.all([
      inGroup(resourceUrl(provider("Microsoft.Storage/storageAccounts"), "storage")),
      inGroup(resourceUrl(provider("Microsoft.ManagedIdentity/userAssignedIdentities"), "identities")),
    ]);
    const inSubscriptions = [names.role, names.assignment, names.identity].flatMap(of);
    const subscriptions = [...new Set(inSubscriptions.map(({ id }) => subscriptionOf(id).toLowerCase()))];
    const lists = await Promise.all(
      subscriptions.map((one) =>
        Promise.all([
          this.#list(() => client.listOnce(rolesUrl(one))),
          this.#list(() => client.listOnce(assignmentsUrl(one))),
          this.#mayList(one),
        ]),
      ),
    );
    const roles = unique(
      lists.flatMap(([first]) => first),
      nameOf,
    );
    const assignments = unique(lists.flatMap(([, second]) => second));
    await this.#fromList(names.account, accounts);
    await this.inOwn(names.account, (one) => hidingRules(this.context, one));
    await this.each(names.container, (one) => this.#withParent(one, () => this.kind(one).read(one)));
    await this.each(names.document, (one) => this.#withParent(one, () => this.#document(one)));
    await this.#fromList(names.identity, identities);
    await this.each(names.role, async (one) => {
      const found = roles.find((role) => same(nameOf(idIn(role)), nameOf(one.id)));
      // The list of another subscription names the role in that subscription.
      if (found !== undefined) return present({ ...found, id: one.id }, roleOwner(found, resources.facts));
      const named = nameReading(one, roles, resources.facts);
      return named.state === "present" ? named : this.kind(one).read(one);
    });
    await this.#identityParts(identities, of(names.credential));
    await this.each(names.assignment, (one) => this.#withParent(one, () => this.#assignment(one, assignments)));
    const listed = { readings: this.readings, identities: this.#identities, accounts, roles, assignments };
    this.extras.push(...findExtras(resources, listed));
    const [problem] = this.problems;
    const extras = problem === undefined ? { found: this.extras } : { problem };
    const previous = findPrevious(resources, { accounts }, this.#credentials);
    return { readings: this.readings, extras, previous, notes: this.notes };
  }

  #stateOf(one: WantedResource | undefined): Reading["state"] | undefined {
    return this.readings.get(one?.id ?? "")?.state;
  }

  /** Reads a list. If it cannot be read, nothing is known about what is not in the package. */
  async #list(read: () => Promise<readonly ValueMap[]>): Promise<readonly ValueMap[]> {
    const list = await this.try(read);
    return isUnread(list) ? [] : list;
  }

  /** A list of role assignments is complete only for a reader who may read all of them. */
  async #mayList(subscription: string): Promise<void> {
    const action = "Microsoft.Authorization/roleAssignments/read";
    const url = resourceUrl(`${subscription}/providers/Microsoft.Authorization/permissions`, "authorization");
    const sets = await this.#list(() => this.context.client.listOnce(url));
    const covers = (set: ValueMap, field: string) =>
      (Array.isArray(set[field]) ? set[field] : []).some((one) =>
        matches(String(one).toLowerCase(), action.toLowerCase()),
      );
    if (!sets.some((set) => covers(set, "actions") && !covers(set, "notActions")))
      this.problems.push(
        `The credentials do not have the permission ${action} on ${subscription}, so Azure's list of role assignments may not be complete.`,
      );
  }

  async #fromList(kind: string, list: readonly ValueMap[]): Promise<void> {
    const { facts } = this.context.resources;
    await this.each(kind, async (one) => {
      const found = list.find((item) => same(idIn(item), one.id));
      return found === undefined ? this.kind(one).read(one) : present(found, ownerByTag(found, facts));
    });
  }

  async #withParent(one: WantedResource, read: () => Promise<Reading>): Promise<Reading> {
    const parent = this.parent(one);
    // An assignment can outlive its identity.
    const isGone = parent.state === "absent" && one.kind !== names.assignment;
    return parent.state === "unread" || isGone ? parent : read();
  }

  async #document(one: WantedResource): Promise<Reading> {
    const { wanted } = this.context.resources;
    const account = this.readings.get(one.part ?? "");
    const container = this.readings.get(wanted.find(({ kind }) => kind === names.container)?.id ?? "");
    if (container?.state === "absent") return { state: "absent" };
    if (account?.state !== "present" || container?.state !== "present") return unread("Its container was not read.");
    const read = (asEveryone: boolean) => readDocument(this.context, one, account.live.value, asEveryone);
    if (this.how.fetch && isPublic(account.live.value, container.live.value)) {
      const reading = await attempt(() => read(true));
      if (!("problem" in reading)) return reading;
      this.extras.push(unreadDocument(one, "", reading.problem));
    }
    return read(false);
  }

  /** The credentials of the package's identities, and of others that it owns. */
  async #identityParts(listed: readonly ValueMap[], credentials: readonly WantedResource[]): Promise<void> {
    const { client, resources } = this.context;
    const { facts, wanted } = resources;
    const own = wanted.filter(({ kind }) => kind === names.identity);
    for (const one of own) {
      const reading = this.readings.get(one.id);
      if (reading?.state === "present") this.#identities.set(one.id.toLowerCase(), reading.live);
    }
    for (const item of listed) {
      const [key, owner] = [idIn(item).toLowerCase(), ownerByTag(item, facts)];
      if (owner !== "own" || own.some(({ id }) => same(id, key))) continue;
      const live = { id: idIn(item), value: item, owner };
      this.#identities.set(key, live);
      this.extras.push({ kind: names.identity, id: live.id, name: nameOf(live.id), live, needs: this.#issuerIds() });
    }
    await inParallel(own, width, (identity) => {
      const parts = credentials.filter(({ part }) => part === identity.id);
      return this.#credentialsOf(identity, parts);
    });
    // A previous issuer goes only with all trust in it.
    const others = [...this.#identities.values()].filter(({ id }) => !own.some((one) => same(one.id, id)));
    if (facts.previousIssuers === undefined) return;
    await inParallel(others, width, async ({ id, owner }) => {
      const list = await this.#list(() => client.list(credentialsUrl(id)));
      this.#credentials.push(...list.map((value) => ({ id: idIn(value), value, owner })));
    });
  }

  async #credentialsOf(identity: WantedResource, parts: readonly WantedResource[]): Promise<void> {
    const { client, resources } = this.context;
    const live = this.#identities.get(identity.id.toLowerCase());
    const list = live === undefined ? [] : await attempt(() => client.list(credentialsUrl(identity.id)));
    for (const one of parts) {
      const reading = async () =>
        "problem" in list ? unread(list.problem) : credentialReading(one, list, live?.owner ?? "none");
      this.readings.set(one.id, await this.#withParent(one, reading));
    }
    this.how.progress(this.readings.size, resources.wanted.length);
    if (live === undefined) return;
    if ("problem" in list) {
      this.problems.push(list.problem);
      return;
    }
    this.#extraCredentials(identity, parts, list, live);
    if (live.owner !== "own") return;
    this.#credentials.push(...list.map((value) => ({ id: idIn(value), value, owner: live.owner })));
    const refusal = strangeIssuer(resources.facts, list);
    if (refusal !== undefined) this.readings.set(identity.id, { state: "present", live: { ...live, refusal } });
  }

  #extraCredentials(
    identity: WantedResource,
    parts: readonly WantedResource[],
    list: readonly ValueMap[],
    live: Live,
  ): void {
    const known = new Set(parts.map(({ body }) => meaning(body)));
    const others = list.filter((one) => !known.has(meaning(one)));
    const missing = parts.filter((one) => this.#stateOf(one) === "absent").length;
    const isFull = list.length + missing > maxCredentials;
    for (const one of others) {
      const name = `${identity.name}: ${textAt(one, ["properties", "subject"])} of ${textAt(one, ["properties", "issuer"])}`;
      const extra = { id: idIn(one), value: one, owner: live.owner };
      const grants = [
        `lets tokens of ${textAt(one, ["properties", "issuer"])} for ${textAt(one, ["properties", "subject"])} act as ${identity.name}`,
      ];
      const base = {
        ...{ kind: names.credential, id: extra.id, name, live: extra, needs: [identity.id], part: identity.id, grants },
      };
      this.extras.push(isFull ? { ...base, first: true } : base);
    }
    if (isFull)
      this.notes.push(
        `managed identity ${identity.name} has ${list.length} federated credentials, and Azure allows ${maxCredentials}; remove those that are not in the package with --prune first`,
      );
  }

  async #assignment(one: WantedResource, list: readonly ValueMap[]): Promise<Reading> {
    const identity = this.#identities.get((one.part ?? "").toLowerCase());
    const reading = assignmentReading(one, list, identity && principalOf(identity.value), identity?.owner ?? "own");
    return reading.state === "present" ? reading : this.kind(one).read(one);
  }

  #issuerIds(): string[] {
    const kindsOfIssuer: readonly string[] = [names.group, names.account, names.container];
    return this.context.resources.wanted.filter(({ kind }) => kindsOfIssuer.includes(kind)).map(({ id }) => id);
  }
}

function strangeIssuer(
  { issuer, previousIssuers = [] }: AzureClusterFile,
  list: readonly ValueMap[],
): Refusal | undefined {
  const found = list.map((one) => textAt(one, ["properties", "issuer"]));
  return strangeIssuers(found, [issuer, ...previousIssuers]);
}

function present(value: ValueMap, owner: Live["owner"]): Reading {
  return { state: "present", live: { id: idIn(value), value, owner } };
}

/** Each once, by its ID, which has no case. @param key what of the ID identifies it. */
function unique(list: readonly ValueMap[], key = (id: string) => id): ValueMap[] {
  return [...new Map(list.map((one) => [key(String(one["id"])).toLowerCase(), one])).values()];
}
