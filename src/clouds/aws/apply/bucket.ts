import { takenOver } from "../../../apply/kinds.ts";
import { kindAndName } from "../../../apply/named.ts";
import { allPages, CloudError } from "../../../apply/requests.ts";
import type { Kind, KindWithoutCommand, Reading } from "../../../apply/resource.ts";
import { liveIn, readingOf, unread } from "../../../apply/state-reader.ts";
import { differing } from "../../../core/difference.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import { shellWord } from "../../../core/shell.ts";
import { discoveryPath, keysPath } from "../../../oidc/issuer-url.ts";
import { bucketArn } from "../cluster/resource-names.ts";
import { type AwsClient, type Expected, markerIn } from "./account.ts";
import { type Context, ifYoung, mergedTags, ownerByTags, settledLive, tagDifferences, tagsIn } from "./common.ts";

const tagSet = ["Tagging", "TagSet"];

/** The bucket of the issuer, with its tags and its public access block. It is removed only if it has nothing but our documents. */
export function bucket(context: Context): KindWithoutCommand {
  const { client } = context;
  const read = ({ id }: { readonly id: string }) => bucketReading(context, id);
  const differences: Kind["differences"] = ({ body }, live) => [
    ...differing(viewOf(context, body), live && viewOf(context, live.value), {
      region: "a bucket cannot be moved; delete it, or set spec.platform.aws.issuerHosting.bucket to another name",
    }),
    ...tagDifferences(context, tagsIn(body, tagSet), live && tagsIn(live.value)),
  ];
  const block = (owned: ValueMap, { PublicAccessBlockConfiguration = {} }: ValueMap) =>
    client.send(
      "s3:PutPublicAccessBlock",
      { ...owned, PublicAccessBlockConfiguration },
      ifYoung(context, bucketArn(context.resources.facts.partition, textAt(owned, ["Bucket"]))),
    );

  return {
    read,
    readExtra: read,
    differences,
    async create(wanted) {
      const owned = ownedBy(context, wanted.id);
      const isMade = await createBucket(context, wanted.name, wanted.body);
      context.young.add(wanted.id);
      // In us-east-1, a second creation by the same account succeeds: only the mark shows whose it is (Amazon S3 API, CreateBucket).
      const live = liveIn(await read(wanted));
      if (isMade && live?.owner === "none")
        throw new CloudError(
          `The bucket ${wanted.name} exists, but without the owner mark of this package: S3 did not store the tags of its creation, or the bucket existed before. If it is the package's, use --adopt ${shellWord(kindAndName(wanted))}.`,
        );
      if (live?.owner !== "own" || !isMade) return takenOver(wanted, live, differences);
      await block(owned, wanted.body);
      return settledLive({ read, differences }, wanted);
    },
    async update(wanted, { id, value }) {
      const owned = ownedBy(context, id);
      const tags = tagsIn(wanted.body, tagSet);
      if (tagDifferences(context, tags, tagsIn(value)).length > 0) {
        const TagSet = mergedTags(context, tags, tagsIn(value));
        await client.send("s3:PutBucketTagging", { ...owned, Tagging: { TagSet } });
      }
      const changed = new Set(differences(wanted, { id, value, owner: "own" }).map(({ field }) => field));
      if (blocks.some((field) => changed.has(field))) await block(owned, wanted.body);
      if (changed.has("requesterPays"))
        await client.send("s3:PutBucketRequestPayment", { ...owned, RequestPaymentConfiguration: payment });
      return settledLive({ read, differences }, wanted);
    },
    async remove({ id }) {
      const owned = ownedBy(context, id);
      const gone = { expect: /^(NoSuchBucket|NoSuchKey)$/ };
      // What arrives after the bucket was found to have nothing else stays, and S3 then refuses to delete the bucket.
      for (const { Key, VersionId } of (await contentOf(context, id)).versions.filter(isDocument))
        await client.ask("s3:DeleteObject", { ...owned, Key, VersionId }, gone);
      await client.ask("s3:DeleteBucket", owned, gone);
    },
    async keep({ id }) {
      const { versions, uploads } = await contentOf(context, id);
      const other = [...versions, ...uploads.map((Key) => ({ Key }))].find((one) => !isDocument(one))?.Key;
      if (other !== undefined) return `it contains ${other}, which is not one of the package's documents`;
      if (uploads.length > 0) return `${uploads[0]} is being uploaded`;
      return versions.length === 0 ? undefined : lockIn(context, ownedBy(context, id));
    },
  };
}

function isDocument({ Key }: { readonly Key: string }): boolean {
  return Key === discoveryPath || Key === keysPath;
}

/** The fields that name a bucket and the account that must own it: another account may have taken the name. */
export function ownedBy({ resources: { facts } }: Pick<Context, "resources">, id: string) {
  return { Bucket: id.replace(/^arn:[^:]*:s3:::/, "").replace(/[/#].*$/s, ""), ExpectedBucketOwner: facts.accountId };
}

/** Whether the bucket was created; otherwise it existed. The tags are part of the request where the partition takes them. */
async function createBucket({ client }: Context, Bucket: string, body: ValueMap): Promise<boolean> {
  const configuration = (body["CreateBucketConfiguration"] ?? {}) as ValueMap;
  const Tags = tagsIn(body, tagSet);
  const expect = /^BucketAlreadyOwnedByYou$/;
  const input = { Bucket, CreateBucketConfiguration: { ...configuration, Tags } };
  try {
    return (await client.ask("s3:CreateBucket", input, { expect })) !== undefined;
  } catch (error) {
    const isOld = error instanceof CloudError && /^(MalformedXML|NotImplemented|UnsupportedArgument)$/.test(error.code);
    // In us-east-1, a second creation succeeds, so that it would not show whose the bucket is.
    if (!isOld || Object.keys(configuration).length === 0) throw error;
  }
  const plain = { Bucket, CreateBucketConfiguration: configuration };
  if ((await client.ask("s3:CreateBucket", plain, { expect })) === undefined) return false;
  const owned = { Bucket, ExpectedBucketOwner: textAt(body, ["ExpectedBucketOwner"]) };
  const found = await client.ask("s3:GetBucketTagging", owned, { expect: /^NoSuchTagSet$/, repeat: /^NoSuchBucket/ });
  if (found !== undefined) return true;
  await client.send("s3:PutBucketTagging", { ...owned, Tagging: { TagSet: Tags } });
  return true;
}

const payment = { Payer: "BucketOwner" };

const blocks = ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"];

/** Beside what the package states: what decides whether the documents can be read. */
function viewOf({ resources: { facts } }: Context, value: ValueMap): ValueMap {
  const block = valueAt(value, ["PublicAccessBlockConfiguration"]) ?? {};
  return {
    region: textAt(value, ["Region"]) || facts.region,
    ...Object.fromEntries(blocks.map((field) => [field, valueAt(block, [field]) === true])),
    requesterPays: value["Payer"] === "Requester",
  };
}

/** The region of a bucket, from the headers of an answer; or the reading if there is none. */
async function regionOf(
  { client }: Context,
  owned: ReturnType<typeof ownedBy>,
  young: Pick<Expected, "repeat">,
): Promise<string | Reading> {
  try {
    return textAt(await client.send("s3:HeadBucket", owned, young), ["BucketRegion"]);
  } catch (error) {
    const status = error instanceof CloudError ? error.status : 0;
    if (status === 404) return confirmedAbsence(client, owned);
    if (status !== 403 && status !== 301) throw error;
    // S3 answers the same for a bucket of another account and for a bucket that the caller may not read.
    return unread(
      "It belongs to another account, or these credentials may not read it. Use credentials with the permissions in admin-policy.json, or set spec.platform.aws.issuerHosting.bucket to another name, and render again.",
    );
  }
}

/** Any gateway can give the status 404. Only an answer with a body has the code of S3. */
async function confirmedAbsence(client: AwsClient, owned: ReturnType<typeof ownedBy>): Promise<Reading> {
  const found = await client.answerOrCode("s3:GetBucketTagging", owned, { expect: /^NoSuch(Bucket|TagSet)$/ });
  if (found === "NoSuchBucket") return { state: "absent" };
  throw new CloudError(
    `s3 HeadBucket ${owned.Bucket}: the bucket does not exist according to this request, and exists according to s3 GetBucketTagging. Run the same command again in some minutes.`,
  );
}

/** Reads a bucket. Names of buckets are shared by all accounts, and a bucket of others cannot be read. */
export async function bucketReading(context: Context, id: string): Promise<Reading> {
  const { client } = context;
  const owned = ownedBy(context, id);
  const young = ifYoung(context, id, /^(NoSuchBucket|NotFound|404)/);
  const region = await regionOf(context, owned, young);
  if (typeof region !== "string") return region;
  const [tagging, block, payment] = await Promise.all([
    client.ask("s3:GetBucketTagging", owned, { ...young, expect: /^NoSuchTagSet$/ }),
    client.ask("s3:GetPublicAccessBlock", owned, { ...young, expect: /^NoSuchPublicAccessBlockConfiguration$/ }),
    client.send("s3:GetBucketRequestPayment", owned, young),
  ]);
  const Tags = listAt(tagging ?? {}, ["TagSet"]);
  const { PublicAccessBlockConfiguration = {} } = block ?? {};
  const value = { Region: region, Tags, PublicAccessBlockConfiguration, Payer: payment["Payer"] ?? "" };
  return readingOf({ id, value, owner: ownerByTags(context, Tags) });
}

/**
 * What is in a bucket: the versions and delete markers of objects, and what is being uploaded. If others have objects there,
 * not all versions are read.
 */
async function contentOf(context: Context, id: string) {
  const { client } = context;
  const owned = ownedBy(context, id);
  const next = { KeyMarker: "NextKeyMarker", VersionIdMarker: "NextVersionIdMarker" };
  const what = `s3 ListObjectVersions ${owned.Bucket}`;
  const found = await allPages<Version, ValueMap>(
    what,
    async (from = {}) => {
      const answer = await client.send("s3:ListObjectVersions", { ...owned, ...from });
      const entries = [...listAt(answer, ["Versions"]), ...listAt(answer, ["DeleteMarkers"])].map(versionOf);
      return { entries, next: answer["IsTruncated"] ? markerIn(answer, next, what) : undefined };
    },
    // One object of others is enough to keep the bucket.
    (page) => page.some((one) => !isDocument(one)),
  );
  const uploads = await client.list("s3:ListMultipartUploads", owned, ["Uploads"], {
    ...{ KeyMarker: "NextKeyMarker", UploadIdMarker: "NextUploadIdMarker" },
  });
  return { versions: found, uploads: uploads.map((one) => textAt(one, ["Key"])) };
}

/** A version or a delete marker of an object. */
interface Version {
  readonly Key: string;
  readonly VersionId: string;
}

function versionOf(value: Value): Version {
  return { Key: textAt(value, ["Key"]), VersionId: textAt(value, ["VersionId"]) || "null" };
}

/** Why documents cannot be deleted (Amazon S3 User Guide, "Locking objects with Object Lock"). */
async function lockIn({ client }: Context, owned: ValueMap): Promise<string | undefined> {
  const expect = /^ObjectLockConfigurationNotFound/;
  const answer = await client.ask("s3:GetObjectLockConfiguration", owned, { expect });
  const isLocked = textAt(answer ?? {}, ["ObjectLockConfiguration", "ObjectLockEnabled"]) === "Enabled";
  return isLocked
    ? "Object Lock can protect its documents from deletion; delete it yourself when AWS permits it"
    : undefined;
}
