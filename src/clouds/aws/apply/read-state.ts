import type { Extra, Refusal, State } from "../../../apply/resource.ts";
import { isUnread, partReading, readingOf, StateReader, type Unread } from "../../../apply/state-reader.ts";
import { textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { bucketArn } from "../cluster/resource-names.ts";
import { kinds as names, policyId } from "../resources.ts";
import { bucketReading } from "./bucket.ts";
import { policyReading } from "./bucket-policy.ts";
import { type ReadCloudFront, readCloudFront } from "./cloudfront.ts";
import type { Context } from "./common.ts";
import { publicDocument, readDocument } from "./document.ts";
import { findExtras, otherRoles, roleNotes, type WholeRole } from "./extras.ts";
import { hidingRules } from "./lifecycle.ts";
import { providerReading } from "./provider.ts";
import { liveAttached, liveInline } from "./role-policies.ts";
import { type ReadRoles, readRoles } from "./roles.ts";

/**
 * Reads everything that a plan for the package depends on, with a number of requests that does not depend on the number of
 * roles. Lists of IAM are complete for a caller who may list. What several packages of an account need is read once.
 */
export class Reader extends StateReader<Context> {
  readonly #previous: Extra[] = [];

  async read(): Promise<State> {
    const [roles, cloudFront] = await Promise.all([
      this.try(() => readRoles(this.context)),
      this.try(() => readCloudFront(this.context)),
      this.each(names.bucket, (one) => bucketReading(this.context, one.id)),
      this.each(names.provider, (one) => providerReading(this.context, one.id)),
    ]);
    await this.#issuer(cloudFront);
    await this.inOwn(names.bucket, (one) => hidingRules(this.context, one));
    await this.#roles(roles);
    await this.#former();
    if (!isUnread(roles)) {
      this.extras.push(...findExtras(this.context, this.readings, roles.roles));
      this.extras.push(...otherRoles(roles.unread));
      this.notes.push(...roleNotes(this.context, roles.roles, roles.listed));
    }
    await this.#public();
    const [problem] = this.problems;
    const extras = problem === undefined ? { found: this.extras } : { problem };
    const refusal = this.#otherCluster();
    const more = {
      ...(refusal === undefined ? {} : { refusal }),
      // CloudFront has not assigned the domain of the issuer yet, or the package does not contain it.
      ...(this.context.resources.facts.provider === undefined ? { needsPrevious: true as const } : {}),
    };
    return { readings: this.readings, extras, previous: this.#previous, notes: this.notes, ...more };
  }

  async #issuer(cloudFront: ReadCloudFront | Unread): Promise<void> {
    await this.each(names.accessControl, async () => (isUnread(cloudFront) ? cloudFront : cloudFront.control));
    await this.each(names.distribution, async () => (isUnread(cloudFront) ? cloudFront : cloudFront.distribution));
    await this.each(names.bucketPolicy, (one) => this.within(one, (owner) => policyReading(this.context, one, owner)));
    await this.each(names.document, (one) => this.within(one, (owner) => readDocument(this.context, one, owner)));
    if (isUnread(cloudFront)) return;
    this.extras.push(...cloudFront.others);
    this.#previous.push(...cloudFront.previous);
    this.notes.push(...cloudFront.notes);
  }

  async #roles(read: ReadRoles | Unread): Promise<void> {
    const all = isUnread(read) ? [] : [...read.roles.values()];
    const byName = new Map(all.map((one) => [textAt(one.live.value, ["RoleName"]), one]));
    const whole = (arn: string): WholeRole | undefined => byName.get(arn.slice(arn.lastIndexOf("/") + 1));
    await this.each(names.role, async ({ id }) => {
      return isUnread(read) ? read : readingOf(whole(id)?.live);
    });
    await this.each(names.inlinePolicy, (one) =>
      this.within(one, async (owner) => {
        const policies = whole(one.part ?? "")?.inline ?? [];
        const found = policies.find((policy) => policyId(one.part ?? "", textAt(policy, ["PolicyName"])) === one.id);
        return partReading(found === undefined ? found : liveInline(one.part ?? "", found, owner), owner);
      }),
    );
    await this.each(names.attachedPolicy, (one) =>
      this.within(one, async (owner) => {
        const arn = textAt(one.body, ["PolicyArn"]);
        const isThere = whole(one.part ?? "")?.attached.includes(arn) === true;
        return partReading(isThere ? liveAttached(one.part ?? "", arn, owner) : undefined, owner);
      }),
    );
  }

  /** The providers and public buckets of the issuers that the cluster had before. */
  async #former(): Promise<void> {
    const { facts } = this.context.resources;
    const hosts = new Map(this.#previous.map((one) => [one.id, one]));
    for (const { provider, bucket, domain } of facts.previousIssuers) {
      const needs: string[] = domain === undefined ? [] : [...hosts.keys()];
      if (bucket !== undefined && bucket !== facts.bucket) {
        const id = bucketArn(facts.partition, bucket);
        const reading = await this.try(() => bucketReading(this.context, id));
        if (reading.state === "present" && reading.live.owner === "own" && !hosts.has(id)) {
          hosts.set(id, { kind: names.bucket, id, name: bucket, live: reading.live, needs: [] });
          needs.push(id);
        }
      }
      const reading = await this.try(() => providerReading(this.context, provider));
      const name = provider.replace(/^.*:oidc-provider\//, "");
      if (reading.state === "absent")
        this.notes.push(`the previous provider ${name} does not exist, so AWS refuses its tokens`);
      if (reading.state !== "present" || provider === facts.provider) continue;
      if (reading.live.owner !== "own") {
        // Another account that takes the name of a removed bucket would become the issuer that this provider trusts.
        const kept = `the provider ${name}, which the package does not own, trusts what it publishes; remove the provider first`;
        for (const id of needs) hosts.set(id, { ...(hosts.get(id) as Extra), kept });
        continue;
      }
      hosts.set(provider, { kind: names.provider, id: provider, name, live: reading.live, needs });
    }
    this.#previous.splice(0, this.#previous.length, ...hosts.values());
  }

  /** Reads the documents without credentials, if everything that makes them public is as it should be. */
  async #public(): Promise<void> {
    if (!this.how.fetch) return;
    const { wanted } = this.context.resources;
    const isRight = (one: WantedResource) => {
      const reading = this.readings.get(one.id);
      if (reading?.state !== "present" || reading.live.owner !== "own" || reading.live.refusal) return false;
      return this.kind(one).differences(one, reading.live).length === 0;
    };
    const hosting: readonly string[] = [names.bucket, names.bucketPolicy, names.accessControl, names.distribution];
    if (!wanted.filter(({ kind }) => hosting.includes(kind)).every(isRight)) return;
    for (const one of wanted.filter(({ kind }) => kind === names.document)) {
      const hidden = isRight(one) ? await publicDocument(this.context, one) : undefined;
      if (hidden !== undefined) this.extras.push(hidden);
    }
  }

  /** Another repository may use the same prefix for another cluster: everything has the mark, and none of it is the package's. */
  #otherCluster(): Refusal | undefined {
    const { wanted } = this.context.resources;
    const own = wanted.flatMap(({ id, kind }) => {
      const reading = this.readings.get(id);
      return reading?.state === "present" && reading.live.owner === "own" ? [{ kind, live: reading.live }] : [];
    });
    const refusals = (kind: string) => own.filter((one) => one.kind === kind).map(({ live }) => live.refusal);
    const keys = refusals(names.document).find((one) => one?.allow === "replace-key");
    const roles = refusals(names.role);
    const found = keys ?? (roles.every((one) => one !== undefined) ? roles[0] : undefined);
    if (found === undefined) return undefined;
    const what = keys === undefined ? "a role with the owner mark" : "the document with the keys";
    return { ...found, reason: `of ${what}: ${found.reason}` };
  }
}
