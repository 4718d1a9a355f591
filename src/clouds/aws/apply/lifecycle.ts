import { hidingRule } from "../../../apply/document.ts";
import type { Extra } from "../../../apply/resource.ts";
import { listAt, textAt, type Value, type ValueMap, valueAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { kinds } from "../resources.ts";
import { ownedBy } from "./bucket.ts";
import type { Context } from "./common.ts";

/** The lifecycle rules of the bucket that delete or archive a document some day (Amazon S3 API, LifecycleRule). */
export async function hidingRules({ client, resources }: Context, bucket: WantedResource): Promise<Extra[]> {
  const expect = /^NoSuchLifecycleConfiguration$/;
  const answer = await client.ask("s3:GetBucketLifecycleConfiguration", ownedBy({ resources }, bucket.id), { expect });
  const documents = resources.wanted.filter(({ kind, part }) => kind === kinds.document && part === bucket.id);
  return listAt(answer ?? {}, ["Rules"]).flatMap((rule, index) => {
    const what = effectOf(rule);
    const document = documents.find((one) => appliesTo(rule, one));
    if (what === undefined || document === undefined) return [];
    return [hidingRule(bucket, textAt(rule, ["ID"]) || String(index + 1), `${what} ${document.name}`)];
  });
}

/** What a rule does to current objects; undefined if they stay readable. */
function effectOf(rule: Value): string | undefined {
  if (textAt(rule, ["Status"]) !== "Enabled") return undefined;
  const { Days, Date: date } = (valueAt(rule, ["Expiration"]) ?? {}) as ValueMap;
  if (Days !== undefined || date !== undefined) return "deletes";
  const isArchived = listAt(rule, ["Transitions"]).some((one) =>
    /^(GLACIER|DEEP_ARCHIVE)$/.test(textAt(one, ["StorageClass"])),
  );
  return isArchived ? "archives" : undefined;
}

/** Whether a rule is for a document, which has no tags. */
function appliesTo(rule: Value, { name, body }: WantedResource): boolean {
  const filter = (valueAt(rule, ["Filter"]) ?? {}) as ValueMap;
  const all: ValueMap = { ...filter, ...((filter["And"] ?? {}) as ValueMap) };
  const {
    Prefix = textAt(rule, ["Prefix"]),
    Tag,
    Tags,
    ObjectSizeGreaterThan = -1,
    ObjectSizeLessThan = Infinity,
  } = all;
  const size = Buffer.byteLength(textAt(body, ["Body"]));
  return (
    name.startsWith(String(Prefix)) &&
    Tag === undefined &&
    Tags === undefined &&
    size > Number(ObjectSizeGreaterThan) &&
    size < Number(ObjectSizeLessThan)
  );
}
