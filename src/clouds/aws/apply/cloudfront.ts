import type { Extra, Live, Reading } from "../../../apply/resource.ts";
import { livesIn } from "../../../apply/state-reader.ts";
import { listAt, textAt, type Value } from "../../../core/resource.ts";
import { bucketArn } from "../cluster/resource-names.ts";
import { kinds } from "../resources.ts";
import { checkedId, controlReading, listControls, ownerOf } from "./access-control.ts";
import { bucketReading } from "./bucket.ts";
import { type Context, theWanted } from "./common.ts";
import { chosen, distributionReading, listDistributions, originsOf, servesBucket } from "./distribution.ts";

/** What was read of CloudFront. */
export interface ReadCloudFront {
  readonly control: Reading;
  readonly distribution: Reading;
  /** What else has the owner mark: distributions, access controls, and their buckets. */
  readonly others: readonly Extra[];
  /** Those of them that the issuers had before. */
  readonly previous: readonly Extra[];
  readonly notes: readonly string[];
}

const nothing: ReadCloudFront = {
  ...{ control: { state: "absent" }, distribution: { state: "absent" }, others: [], previous: [], notes: [] },
};

/** Reads the access control and the distribution of the package, and what it owns besides, if the package has or had any. */
export async function readCloudFront(context: Context): Promise<ReadCloudFront> {
  const { client, resources } = context;
  const { facts } = resources;
  const domains = facts.previousIssuers.flatMap(({ domain }) => domain ?? []);
  const wanted = theWanted(context, kinds.distribution);
  if (wanted === undefined && domains.length === 0) return nothing;
  const [distributions, controls] = await Promise.all([
    client.once.get("distributions", () => listDistributions(context)),
    client.once.get("controls", () => listControls(context)),
  ]);
  const control = await wantedControl(context, controls);
  const near = distributions.filter((one) => {
    const isOrigin = wanted !== undefined && servesBucket(wanted, one);
    return isOrigin || textAt(one, ["Comment"]) === facts.ownerTag || domains.some((domain) => serves(one, domain));
  });
  const readings = await Promise.all(near.map((one) => distributionReading(context, checkedId(textAt(one, ["Id"])))));
  const lives = livesIn(readings);
  const distribution = wanted === undefined ? nothing.distribution : chosen(context, wanted, lives);
  const chosenId = distribution.state === "present" ? distribution.live.id : undefined;
  const notes = lives.flatMap(({ id, owner, value }) =>
    owner === "own" || id === chosenId || wanted === undefined || !servesBucket(wanted, configOf(value))
      ? []
      : [`distribution ${id} has the same bucket as its origin, but not the owner tag, so it is not touched`],
  );
  const others = lives.filter(({ id, owner }) => owner === "own" && id !== chosenId);
  const owned = controls.filter((one) => ownerOf(facts.ownerTag, textAt(one, ["Description"])) === "own");
  const extra = owned.filter((one) => textAt(one, ["Name"]) !== theWanted(context, kinds.accessControl)?.name);
  const hosts = await Promise.all(extra.map((one) => hostOf(context, one)));
  const all = [...hosts.flat(), ...others.map((live) => distributionExtra(live, hosts.flat()))];
  // Without a former issuer that CloudFront served, it is not a former issuer's.
  return domains.length === 0
    ? { control, distribution, others: all, previous: [], notes }
    : { control, distribution, others: [], previous: all, notes };
}

function configOf(value: Value): Value {
  return (value as { DistributionConfig?: Value }).DistributionConfig ?? null;
}

function serves(one: Value, domain: string): boolean {
  return textAt(one, ["DomainName"]) === domain || listAt(one, ["Aliases", "Items"]).includes(domain);
}

async function wantedControl(context: Context, controls: readonly Value[]): Promise<Reading> {
  const name = theWanted(context, kinds.accessControl)?.name;
  const found = controls.find((one) => textAt(one, ["Name"]) === name);
  if (found === undefined) return { state: "absent" };
  const id = checkedId(textAt(found, ["Id"]));
  const reading = await controlReading(context, id);
  if (reading.state === "present") context.assigned.accessControl = id;
  return reading;
}

/** An access control that the package owns besides, and its bucket: the bucket goes first, so that a later run finds it. */
async function hostOf(context: Context, item: Value): Promise<Extra[]> {
  const { facts } = context.resources;
  const [id, name] = [checkedId(textAt(item, ["Id"])), textAt(item, ["Name"])];
  const reading = await controlReading(context, id);
  if (reading.state !== "present" || reading.live.owner !== "own") return [];
  const control: Extra = { kind: kinds.accessControl, id, name, live: reading.live, needs: [] };
  if (!/^[a-z0-9-]{3,63}$/.test(name)) return [control];
  const arn = bucketArn(facts.partition, name);
  const bucket = await bucketReading(context, arn);
  if (bucket.state !== "present" || bucket.live.owner !== "own" || name === facts.bucket) return [control];
  return [control, { kind: kinds.bucket, id: arn, name, live: bucket.live, needs: [id] }];
}

function distributionExtra(live: Live, hosts: readonly Extra[]): Extra {
  const origins = originsOf(configOf(live.value));
  const own = hosts.filter(({ name }) => origins.some((one) => one.startsWith(`${name}.`)));
  return { kind: kinds.distribution, id: live.id, name: live.id, live, needs: own.map(({ id }) => id) };
}
