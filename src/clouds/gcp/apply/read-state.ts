import type { Live, Reading, State } from "../../../apply/resource.ts";
import { isUnread, StateReader, unread } from "../../../apply/state-reader.ts";
import { textAt, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { roleKind } from "../kinds/custom-role.ts";
import { poolKind } from "../kinds/pool.ts";
import { accountKind } from "../kinds/service-account.ts";
import { bucketId, nameOf, kinds as names } from "../resources.ts";
import { bucketReading, hidingRules } from "./bucket.ts";
import { enableCommand, enabledServices } from "./check-project.ts";
import { asked, type Context, isDeleted, markedLive } from "./common.ts";
import { removalNotes, roleReading } from "./custom-role.ts";
import { publicDocument, readDocument } from "./document.ts";
import { findExtras, otherCluster, strangeTrust } from "./extras.ts";
import { page } from "./forms.ts";
import { entriesOf, memberReading, readPolicy } from "./policies.ts";
import { poolReading, providerReading, providersOf } from "./pool.ts";

/**
 * Reads everything that a plan for the package depends on. Lists of IAM are complete for a caller who may list: the
 * permission is one on the project. What several packages of a project need is read once.
 */
export class Reader extends StateReader<Context> {
  readonly #policies = new Map<string, ValueMap>();

  async read(): Promise<State> {
    const { facts } = this.context.resources;
    const project = `projects/${facts.projectId}`;
    const parent = facts.pool.replace(/\/[^/]+$/, "");
    const [pools, accounts, roles, policy] = await Promise.all([
      this.#list(poolKind.requests, "workloadIdentityPools", parent),
      this.#list(accountKind.requests, "accounts", `${project}/serviceAccounts`),
      this.#list(roleKind.requests, "roles", `${project}/roles`),
      this.#known(() => this.context.client.once.get(project, () => readPolicy(this.context, project))),
    ]);
    if (policy !== undefined) this.#policies.set(project, policy);
    const providers = await this.#issuer(pools);
    await this.#accounts(accounts);
    await this.each(names.role, async (one) => {
      if (roles === undefined) return unread("The custom roles could not be listed.");
      const found = roles.find(({ name }) => name === one.id);
      if (found === undefined) return this.#notListed(one);
      if (found["includedPermissions"] === undefined) return this.kind(one).read(one);
      const entries = async () => entriesOf(policy ?? (await readPolicy(this.context, project)));
      return roleReading(this.context, found, entries);
    });
    await this.each(names.member, (one) => this.#member(one));
    await this.each(names.projectRole, (one) => this.#member(one));
    await this.#bucketPolicies();
    await this.each(names.bucketRole, (one) => this.#member(one));
    await this.#storage();
    const [problem] = this.problems;
    if (problem !== undefined) return this.#state({ problem });
    this.notes.push(...removalNotes(this.context, roles ?? [], entriesOf(policy ?? {}), accounts ?? []));
    const lists = { pools: pools ?? [], providers, accounts: accounts ?? [], roles: roles ?? [] };
    const listed = { ...lists, readings: this.readings, policies: this.#policies };
    return this.#state({ found: [...findExtras(this.context, listed), ...this.extras] });
  }

  async #state(extras: State["extras"]): Promise<State> {
    const { services, projectId } = this.context.resources.facts;
    const enabled = await enabledServices(this.context);
    const missing = services.filter((one) => !enabled.has(one));
    const disabled = missing.map(
      (one) =>
        `a component calls the API ${one}, which the project has not enabled: ${enableCommand([one], projectId)}`,
    );
    return { readings: this.readings, extras, notes: [...disabled, ...this.notes] };
  }

  /** The same; undefined if it is not known. */
  async #known<T extends object>(read: () => Promise<T>): Promise<T | undefined> {
    const value = await this.try(read);
    return isUnread(value) ? undefined : value;
  }

  /** @param collection what the names of the entries begin with. */
  #list(
    requests: Pick<typeof poolKind.requests, "list">,
    field: string,
    collection: string,
  ): Promise<readonly ValueMap[] | undefined> {
    const { client } = this.context;
    const { url } = asked(this.context, requests.list(collection));
    return this.#known(() => client.once.get(url, () => client.list(url, field, page(field, collection))));
  }

  /** Reads what a list does not contain: an empty list is an answer without any field. If it exists, the list is not complete. */
  async #notListed(one: WantedResource): Promise<Reading> {
    const reading = await this.kind(one).read(one);
    if (reading.state === "present")
      this.problems.push(
        `Google's list does not contain the ${one.kind} ${one.name}, which exists, so the list is not complete. Run the same command again in some minutes.`,
      );
    return reading;
  }

  /** The bucket, the pool, and its providers, which are returned. */
  async #issuer(pools: readonly ValueMap[] | undefined): Promise<readonly ValueMap[]> {
    const reason = pools && otherCluster(this.context, pools);
    const refused = (id: string): Reading => ({
      ...{ state: "present", live: { id, value: {}, owner: "own", refusal: { reason: reason ?? "" } } },
    });
    await this.each(names.bucket, async (one) => {
      const reading = await this.kind(one).read(one);
      return reading.state === "absent" && reason !== undefined ? refused(one.id) : reading;
    });
    await this.inOwn(names.bucket, async (one, live) => hidingRules(one, live));
    const found = pools?.find(({ name }) => name === this.context.resources.facts.pool);
    const read = () => providersOf(this.context, textAt(found ?? {}, ["name"]));
    const listed = found === undefined ? [] : await this.#known(read);
    await this.each(names.pool, async (one) => {
      if (pools === undefined || listed === undefined)
        return unread("The pools or their providers could not be listed.");
      if (found !== undefined) return poolReading(this.context, found, listed);
      const reading = await this.#notListed(one);
      return reading.state === "absent" && reason !== undefined ? refused(one.id) : reading;
    });
    await this.each(names.provider, async (one) => {
      if (pools === undefined || listed === undefined) return unread("The providers could not be listed.");
      const item = listed.find(({ name }) => name === one.id);
      if (item === undefined)
        return isWithoutProviders(found, this.parent(one)) ? { state: "absent" } : this.#notListed(one);
      // The list may omit keys.
      const hasKeys = textAt(item, ["oidc", "jwksJson"]) !== "";
      const isGone = found === undefined || isDeleted(found);
      return hasKeys || isGone ? providerReading(this.context, item) : this.kind(one).read(one);
    });
    return listed ?? [];
  }

  /** The accounts, and their policies. */
  async #accounts(accounts: readonly ValueMap[] | undefined): Promise<void> {
    const { client, resources } = this.context;
    await this.each(names.account, async (one) => {
      if (accounts === undefined) return unread("The service accounts could not be listed.");
      const found = accounts.find(({ name }) => name === one.id);
      if (found === undefined) return this.#notListed(one);
      const policy = await this.#known(() => readPolicy(this.context, one.id));
      const live = markedLive(this.context, found);
      if (policy === undefined) return { state: "present", live };
      this.#policies.set(one.id, policy);
      return { state: "present", live: strangeTrust(this.context, live, policy) };
    });
    const bucket = resources.facts.bucket;
    if (bucket === undefined) return this.#formerBucket();
    const id = bucketId(bucket);
    const reading = this.readings.get(id);
    if (reading?.state !== "present" || reading.live.refusal !== undefined) return;
    const policy = await this.#known(() => client.locked(id, () => readPolicy(this.context, id)));
    if (policy !== undefined) this.#policies.set(id, policy);
  }

  /** The policies of the buckets on which accounts of workloads have roles. Another bucket is not read. */
  async #bucketPolicies(): Promise<void> {
    const { wanted } = this.context.resources;
    const roles = wanted.filter(({ kind }) => kind === names.bucketRole);
    const ids = new Set(roles.map(({ body }) => textAt(body, ["policy"])));
    for (const id of ids) {
      if (this.#policies.has(id)) continue;
      const policy = await this.#known(() => this.context.client.once.get(id, () => readPolicy(this.context, id)));
      if (policy !== undefined) this.#policies.set(id, policy);
    }
  }

  async #member(one: WantedResource): Promise<Reading> {
    const parent = this.parent(one);
    if (parent.state !== "present") return parent;
    const policy = this.#policies.get(textAt(one.body, ["policy"]));
    return policy === undefined
      ? unread(`The policy of ${textAt(one.body, ["policy"])} could not be read.`)
      : memberReading(one.body, entriesOf(policy), parent.live.owner);
  }

  async #storage(): Promise<void> {
    await this.each(names.document, (one) =>
      this.within(one, async (owner, bucket) => {
        const reading = await readDocument(this.context, one, owner);
        if (this.how.fetch && reading.state === "present" && this.#isPublic(one, bucket, reading.live)) {
          const hidden = await publicDocument(this.context, one);
          if (hidden !== undefined) this.extras.push(hidden);
        }
        return reading;
      }),
    );
  }

  /** Whether everyone should read the document, according to what was read. */
  #isPublic(one: WantedResource, bucket: Live, document: Live): boolean {
    const { wanted } = this.context.resources;
    const needed = wanted.filter(({ id }) => one.needs.includes(id));
    const isRight = (of: WantedResource, live: Live) => this.kind(of).differences(of, live).length === 0;
    const areThere = needed.every(({ id }) => this.readings.get(id)?.state === "present");
    const own = needed.find(({ id }) => id === one.part);
    return areThere && own !== undefined && isRight(own, bucket) && isRight(one, document);
  }

  /** With the keys in the provider, the bucket that the issuer had before is not needed. */
  async #formerBucket(): Promise<void> {
    const name = this.context.resources.facts.formerBucket;
    if (name === undefined || !(await enabledServices(this.context)).has("storage.googleapis.com")) return;
    const id = bucketId(name);
    const reading = await this.#known(() => bucketReading(this.context, id));
    if (reading?.state !== "present" || reading.live.owner !== "own") return;
    if (valueAt(reading.live.value, ["name"]) !== name) return;
    this.extras.push({ kind: names.bucket, id, name: nameOf(id), live: reading.live, needs: [] });
    this.notes.push(
      `if the bucket ${name} is removed, others can create one with this name; Google does not read the keys there, but other programs that trust ${this.context.resources.facts.issuer} may`,
    );
  }
}

/** Whether a pool has no providers, because it does not exist, is deleted, or is another cluster's. */
function isWithoutProviders(listed: ValueMap | undefined, pool: Reading): boolean {
  if (pool.state === "absent") return true;
  return listed === undefined ? pool.state === "present" && pool.live.refusal !== undefined : isDeleted(listed);
}
