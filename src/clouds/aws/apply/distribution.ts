import { takenOver } from "../../../apply/kinds.ts";
import { CloudError, pause } from "../../../apply/requests.ts";
import type { Kind, KindWithoutCommand, Live, Reading } from "../../../apply/resource.ts";
import { flatten } from "../../../apply/show.ts";
import { liveIn, livesIn, readingOf } from "../../../apply/state-reader.ts";
import type { Difference } from "../../../core/difference.ts";
import { canonicalJson } from "../../../core/json.ts";
import { isMap, listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { checkedId } from "./access-control.ts";
import { type Context, ownerByTags, removedKeys, tagDifferences, tagsIn } from "./common.ts";

/** The distribution that publishes a private bucket. CloudFront assigns its ID and its domain. */
export function distribution(context: Context): KindWithoutCommand {
  const { client, assigned } = context;
  const differences: Kind["differences"] = (wanted, live) => distributionDifferences(context, wanted, live);

  async function read(wanted: WantedResource): Promise<Reading> {
    // A list may not contain yet what was just created.
    const id = assigned.distribution;
    return id === undefined ? findDistribution(context, wanted) : distributionReading(context, id);
  }

  return {
    read,
    readExtra: ({ id }) => distributionReading(context, id),
    differences,
    async create(wanted) {
      const { id, isNew } = await createDistribution(context, wanted);
      assigned.distribution = id;
      const live = liveIn(await distributionReading(context, id, /^NoSuch/));
      assigned.domain = textAt(live?.value ?? {}, ["DomainName"]);
      return isNew ? live : takenOver(wanted, live, differences);
    },
    async update(wanted, { id, value, etag = "" }) {
      const Resource = textAt(value, ["ARN"]);
      const tags = tagsIn(tagged(wanted.body), tagPath);
      const removed = removedKeys(context, tagsIn(value));
      if (tagDifferences({ removeTags: [] }, tags, tagsIn(value)).length > 0)
        await client.send("cloudfront:TagResource", { Resource, Tags: { Items: tags } });
      if (removed.length > 0) await client.send("cloudfront:UntagResource", { Resource, TagKeys: { Items: removed } });
      if (settings(context, wanted, { id, value, owner: "own" }).length > 0)
        await client.send("cloudfront:UpdateDistribution", {
          ...{ Id: id, IfMatch: etag },
          DistributionConfig: overlaid(
            overlaid(configIn(value), known(decidingConfig(context, wanted), configIn(value))),
            statedConfig(context, wanted),
          ),
        });
      return liveIn(await distributionReading(context, id));
    },
    async remove({ id }) {
      const etag = await disabled(context, id);
      if (etag !== undefined) {
        const more = { expect: /^NoSuchDistribution$/, repeat: /^DistributionNotDisabled/ };
        await client.ask("cloudfront:DeleteDistribution", { Id: id, IfMatch: etag }, more);
      }
      if (assigned.distribution === id) delete assigned.distribution;
    },
  };
}

const tagPath = ["Tags", "Items"];

function tagged(body: ValueMap): ValueMap {
  return (body["DistributionConfigWithTags"] ?? {}) as ValueMap;
}

function configIn(value: ValueMap): ValueMap {
  const config = value["DistributionConfig"];
  return isMap(config) ? config : {};
}

/** The settings of the package, with the ID of the access control. */
function statedConfig({ assigned }: Pick<Context, "assigned">, { body }: WantedResource): ValueMap {
  const text = JSON.stringify(configIn(tagged(body)));
  const id = `"OriginAccessControlId":${JSON.stringify(assigned.accessControl ?? "")}`;
  const { CallerReference: _, ...config } = JSON.parse(text.replaceAll('"OriginAccessControlId":""', id)) as ValueMap;
  return config;
}

/** What decides besides whether everyone can read the documents: other settings of these can hide or change them. */
const neutral: ValueMap = {
  CacheBehaviors: { Quantity: 0 },
  CustomErrorResponses: { Quantity: 0 },
  Restrictions: { GeoRestriction: { RestrictionType: "none", Quantity: 0 } },
  WebACLId: "",
  ContinuousDeploymentPolicyId: "",
};
const neutralBehavior: ValueMap = {
  FunctionAssociations: { Quantity: 0 },
  LambdaFunctionAssociations: { Quantity: 0 },
  TrustedSigners: { Enabled: false, Quantity: 0 },
  TrustedKeyGroups: { Enabled: false, Quantity: 0 },
  OriginRequestPolicyId: "",
  FieldLevelEncryptionId: "",
};

/** The settings of the package, and the neutral ones. */
function decidingConfig(context: Context, wanted: WantedResource): ValueMap {
  const stated = statedConfig(context, wanted);
  const behavior = isMap(stated["DefaultCacheBehavior"]) ? stated["DefaultCacheBehavior"] : {};
  return { ...neutral, ...stated, DefaultCacheBehavior: { ...neutralBehavior, ...behavior } };
}

function distributionDifferences(context: Context, wanted: WantedResource, live: Live | undefined): Difference[] {
  const tags = tagsIn(tagged(wanted.body), tagPath);
  const domain = textAt(wanted.assigned ?? {}, ["DomainName"]);
  const found = textAt(live?.value ?? {}, ["DomainName"]);
  const fixed =
    live === undefined
      ? "a new distribution gets another domain; remove spec.platform.aws.issuerHosting.distributionDomain, and render again"
      : "correct spec.platform.aws.issuerHosting.distributionDomain, and render again";
  return [
    ...(domain === "" || domain === found
      ? []
      : [{ field: "DomainName", found: found || undefined, wanted: domain, fixed }]),
    ...settings(context, wanted, live),
    ...tagDifferences(context, tags, live && tagsIn(live.value)),
  ];
}

function settings(context: Context, wanted: WantedResource, live: Live | undefined): Difference[] {
  if (live === undefined) {
    // What AWS assigns stays empty, so that a run that goes on after an interruption has the same steps.
    const stated = statedConfig({ assigned: {} }, wanted);
    return [...flatten(stated)].map(([field, one]) => ({ field, wanted: one }));
  }
  const all = decidingConfig(context, wanted);
  const found = flatten(likeStated(all, configIn(live.value)));
  return [...flatten(likeStated(all, all))].flatMap(([field, one]): Difference[] => {
    const there = found.get(field);
    const isUnset = there === undefined && [0, false, "", "none"].includes(one as string);
    return isUnset || canonicalJson(there ?? null) === canonicalJson(one) ? [] : [{ field, found: there, wanted: one }];
  });
}

/** The part of a value that has the form of another one: the same fields, and lists in the same order. */
function likeStated(form: Value, value: Value | undefined): Value {
  if (value === undefined || value === null) return null;
  if (Array.isArray(form) && Array.isArray(value)) {
    if (!form.some(isMap)) return value.map(String).sort();
    return value.map((one, index) => likeStated((form[index] ?? form[0]) as Value, one as Value));
  }
  if (!isMap(form) || !isMap(value)) return value;
  return Object.fromEntries(Object.keys(form).map((field) => [field, likeStated(form[field] ?? null, value[field])]));
}

/** The fields that a value has, too: a setting without a value is not set to its default. */
function known(form: ValueMap, value: ValueMap): ValueMap {
  const fields = Object.entries(form).filter(([field]) => value[field] !== undefined);
  return Object.fromEntries(
    fields.map(([field, one]) => {
      const there = value[field];
      return [field, isMap(one) && isMap(there) ? known(one, there) : one];
    }),
  );
}

/** A value with the fields of another one in their places. What others have set besides stays. */
function overlaid(value: Value, over: Value): Value {
  if (Array.isArray(value) && Array.isArray(over) && value.length === over.length)
    return over.map((one, index) => overlaid(value[index] as Value, one as Value));
  if (!isMap(value) || !isMap(over)) return over;
  const merged: ValueMap = Object.fromEntries(
    Object.entries(over).map(([field, one]) => [field, overlaid(value[field] ?? null, one)]),
  );
  // A list without items has no field for them.
  const { Items: _, ...rest } = value;
  return { ...(over["Quantity"] === 0 ? rest : value), ...merged };
}

/** All distributions of the account, which may be some minutes old. */
export function listDistributions({ client }: Pick<Context, "client">): Promise<Value[]> {
  return client.list("cloudfront:ListDistributions", {}, ["DistributionList", "Items"], { Marker: "NextMarker" });
}

/** The domains of the origins of a distribution in a list, or of its settings. */
export function originsOf(value: Value): string[] {
  return listAt(value, ["Origins", "Items"]).map((one) => textAt(one, ["DomainName"]));
}

/** The domain of the bucket that the distribution publishes. */
function originOf({ body }: WantedResource): string {
  return originsOf(configIn(tagged(body)))[0] ?? "";
}

async function findDistribution(context: Context, wanted: WantedResource): Promise<Reading> {
  const list = await listDistributions(context);
  const comment = textAt(configIn(tagged(wanted.body)), ["Comment"]);
  const candidates = list.filter((one) => servesBucket(wanted, one) || textAt(one, ["Comment"]) === comment);
  const readings = await Promise.all(
    candidates.map((one) => distributionReading(context, checkedId(textAt(one, ["Id"])))),
  );
  return chosen(context, wanted, livesIn(readings));
}

/** Whether the origin of a distribution in a list, or of its settings, is the package's bucket. */
export function servesBucket(wanted: WantedResource, value: Value): boolean {
  return originsOf(value).includes(originOf(wanted));
}

/** Whether CloudFront created it for this package: a caller reference never changes. */
function isCreatedFor({ body }: WantedResource, { value }: Live): boolean {
  const own = textAt(configIn(tagged(body)), ["CallerReference"]);
  return textAt(configIn(value), ["CallerReference"]).replace(/(-E[A-Z0-9]+)+$/, "") === own;
}

/**
 * The distribution of the package: one with the owner mark, and with its bucket as origin or its caller reference. Without any,
 * that with its caller reference, which has lost the mark.
 */
export function chosen(context: Context, wanted: WantedResource, all: readonly Live[]): Reading {
  const { assigned = {} } = wanted;
  const own = all.filter(
    (one) => one.owner === "own" && (servesBucket(wanted, configIn(one.value)) || isCreatedFor(wanted, one)),
  );
  const named = own.find(({ value }) => textAt(value, ["DomainName"]) === textAt(assigned, ["DomainName"]));
  if (named === undefined && own.length > 1)
    throw new CloudError(
      `More than one distribution has the owner tag (${own.map(({ id }) => id).join(", ")}), and the package does not name the one of the issuer. Set spec.platform.aws.issuerHosting.distributionDomain to its domain, or delete the others.`,
    );
  const [live = all.find((one) => isCreatedFor(wanted, one))] = named === undefined ? own : [named];
  if (live === undefined) return { state: "absent" };
  context.assigned.distribution = checkedId(live.id);
  context.assigned.domain = textAt(live.value, ["DomainName"]);
  return readingOf(live);
}

/** Reads a distribution with its tags. @param repeat what is repeated, because it was just created. */
export async function distributionReading(context: Context, Id: string, repeat?: RegExp): Promise<Reading> {
  const { client } = context;
  const more = repeat === undefined ? {} : { repeat };
  const answer = await client.ask("cloudfront:GetDistribution", { Id }, { expect: /^NoSuchDistribution$/, ...more });
  if (answer === undefined) return { state: "absent" };
  const found = answer["Distribution"];
  const Resource = textAt(found ?? {}, ["ARN"]);
  const tagging = await client.ask(
    "cloudfront:ListTagsForResource",
    { Resource },
    { expect: /^NoSuchResource$/, ...more },
  );
  if (tagging === undefined) return { state: "absent" };
  const Tags = listAt(tagging, tagPath);
  const value: ValueMap = { ...(isMap(found) ? found : {}), Tags };
  return readingOf({ id: Id, value, owner: ownerByTags(context, Tags), etag: textAt(answer, ["ETag"]) });
}

/**
 * Creates a distribution, and resolves to its ID. CloudFront creates only one for a caller reference: if it exists, the answer to
 * its creation was lost. If it is gone, the next reference follows from its ID, so that an interrupted run tries the same again.
 */
async function createDistribution(context: Context, { body, name }: WantedResource) {
  const { client } = context;
  const [{ Tags = {} }, config] = [tagged(body), statedConfig(context, { body } as WantedResource)];
  let CallerReference = textAt(configIn(tagged(body)), ["CallerReference"]);
  for (let tries = 0; tries < 20; tries++) {
    const DistributionConfig = { CallerReference, ...config };
    try {
      const input = { DistributionConfigWithTags: { DistributionConfig, Tags } };
      const repeat = /^(InvalidOriginAccessControl|NoSuchOriginAccessControl)\b/;
      const answer = await client.send("cloudfront:CreateDistributionWithTags", input, { repeat });
      return { id: checkedId(textAt(valueAt(answer, ["Distribution"]) ?? {}, ["Id"])), isNew: true };
    } catch (error) {
      if (!(error instanceof CloudError) || error.code !== "DistributionAlreadyExists") throw error;
      const id = /already exists:? *([A-Z0-9]+)/i.exec(error.message)?.[1];
      if (id === undefined)
        throw new CloudError(
          `CloudFront reports that a distribution for ${name} exists, but does not name it. Run the same command again in some minutes.`,
        );
      if ((await distributionReading(context, id)).state === "present") return { id, isNew: false };
      CallerReference = `${CallerReference}-${id}`;
    }
  }
  throw new CloudError(`CloudFront creates no distribution for ${name}, because it had too many. Ask AWS Support.`);
}

/** Disables a distribution, and waits until that is so everywhere, which takes minutes. Resolves to its ETag. */
async function disabled(context: Context, Id: string): Promise<string | undefined> {
  for (let waited = 0; ; waited += 15) {
    const reading = await distributionReading(context, Id);
    if (reading.state !== "present") return undefined;
    const { value, etag = "" } = reading.live;
    const config = configIn(value);
    if (config["Enabled"] !== false) {
      const DistributionConfig = { ...config, Enabled: false };
      await context.client.send("cloudfront:UpdateDistribution", { Id, IfMatch: etag, DistributionConfig });
    } else if (textAt(value, ["Status"]) === "Deployed") return etag;
    if (waited >= 3600)
      throw new CloudError(`The distribution ${Id} is not disabled everywhere yet. Run the same command again later.`);
    await pause(15);
  }
}
