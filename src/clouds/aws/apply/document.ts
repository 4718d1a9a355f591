import {
  changedMeanwhile,
  contentDigest,
  documentReading,
  hiddenDocument,
  keyName,
  keyNames,
  keysIn,
  strangeKeys,
} from "../../../apply/document.ts";
import { goesWith, removedOnly } from "../../../apply/kinds.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Extra, KindWithoutCommand, Live, Owner, Reading, Refusal } from "../../../apply/resource.ts";
import { liveIn } from "../../../apply/state-reader.ts";
import { type Difference, differing } from "../../../core/difference.ts";
import { canonicalJson, jsonFile, readJson } from "../../../core/json.ts";
import { isMap, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { kinds, partName, policyId } from "../resources.ts";
import { bucketReading, ownedBy } from "./bucket.ts";
import { type Context, ifYoung } from "./common.ts";

/** A document of the issuer: an object. The bucket is its owner mark. Keys that left the package stay: see {@link publishedKey}. */
export function document(context: Context): KindWithoutCommand {
  return {
    ...goesWith("bucket"),
    read: (wanted) => readWithBucket(context, wanted),
    differences,
    create: (wanted) => putDocument(context, wanted, textAt(wanted.body, ["Body"]), undefined),
    update: (wanted, live) => putDocument(context, wanted, contentWith(wanted, live), live.etag),
  };
}

async function readWithBucket(context: Context, wanted: WantedResource): Promise<Reading> {
  const reading = await bucketReading(context, wanted.part ?? "");
  return reading.state === "present" ? readDocument(context, wanted, reading.live.owner) : reading;
}

/**
 * Writes a document, unless it changed meanwhile.
 *
 * @param etag of the version that is replaced; undefined if there is none.
 */
async function putDocument(
  context: Context,
  wanted: WantedResource,
  Body: string,
  etag: string | undefined,
): Promise<Live | undefined> {
  const condition = etag === undefined ? { IfNoneMatch: "*" } : { IfMatch: etag };
  // The object whose bucket was read, whatever the file of an export names.
  const input = { ...wanted.body, ...ownedBy(context, wanted.id), Key: wanted.name, Body, ...condition };
  const more = { ...ifYoung(context, wanted.part ?? ""), expect: /^(PreconditionFailed|NoSuchKey)$/ };
  const answer = await context.client.ask("s3:PutObject", input, more);
  const live = liveIn(await readWithBucket(context, wanted));
  if (answer === undefined && (live === undefined || differences(wanted, live).length > 0))
    throw changedMeanwhile(wanted.name);
  return live;
}

const headers = ["ContentType", "CacheControl", "ContentEncoding", "ServerSideEncryption"] as const;

/** Reads a document with credentials. @param owner whose the bucket is. */
export async function readDocument(context: Context, wanted: WantedResource, owner: Owner): Promise<Reading> {
  const input = { ...ownedBy(context, wanted.id), Key: wanted.name };
  let answer: ValueMap | undefined;
  try {
    answer = await context.client.ask("s3:GetObject", input, { expect: /^(NoSuchKey|NoSuchBucket)$/ });
  } catch (error) {
    if (!(error instanceof CloudError) || error.code !== "InvalidObjectState") throw error;
    const reason =
      "it is in an archive class, so it cannot be read; restore it, or delete it, and stop the rule that archives it";
    return { state: "present", live: { id: wanted.id, value: {}, owner, refusal: { reason } } };
  }
  if (answer === undefined) return { state: "absent", parent: owner };
  const content = textAt(answer, ["Body"]);
  const value = { content, ...Object.fromEntries(headers.map((field) => [field, textAt(answer, [field])])) };
  return documentReading({ id: wanted.id, value, owner }, textAt(answer, ["ETag"]), strangeKeysOf(wanted, content));
}

function strangeKeysOf({ name, body }: WantedResource, content: string): Refusal | undefined {
  return name === keysPath ? strangeKeys(keyNames(content), keyNames(textAt(body, ["Body"]))) : undefined;
}

/** The published keys that are not in the package: only `--prune` removes them. */
function leftKeys({ name, body }: WantedResource, { value }: Live): readonly Value[] {
  if (name !== keysPath) return [];
  const own = keyNames(textAt(body, ["Body"]));
  return keysIn(textAt(value, ["content"])).filter((key) => isMap(key) && !own.includes(keyName(key)));
}

/** What the document contains after a change: the package's content, and published keys that left the package. */
function contentWith(wanted: WantedResource, live: Live, left = leftKeys(wanted, live)): string {
  const text = textAt(wanted.body, ["Body"]);
  return left.length === 0 ? text : jsonFile({ keys: [...keysIn(text), ...left] });
}

function differences(wanted: WantedResource, live: Live | undefined): readonly Difference[] {
  const view = (value: ValueMap, content: string) => ({
    content: contentDigest(content),
    ...Object.fromEntries(headers.map((field) => [field, textAt(value, [field])])),
  });
  const own = view(wanted.body, textAt(wanted.body, ["Body"]));
  if (live === undefined) return differing(own, undefined);
  const content = textAt(live.value, ["content"]);
  const now = isWithLeft(wanted, content) ? textAt(wanted.body, ["Body"]) : content;
  const [found, ids] = [keyNames(content), keyNames(textAt(wanted.body, ["Body"]))];
  const missing = ids.filter((kid) => !found.includes(kid));
  const keys: Difference[] =
    missing.length > 0 && found.length > 0 ? [{ field: "keys", found, wanted: [...found, ...missing] }] : [];
  return [...keys, ...differing(own, view(live.value, now))];
}

/** A document that is right in the bucket, but that everyone reads differently, or not at all; undefined if all read it. */
export async function publicDocument(
  { client, resources }: Context,
  wanted: WantedResource,
): Promise<Extra | undefined> {
  const host = resources.facts.provider?.replace(/^.*:oidc-provider\//, "");
  const { fetch } = client.connection;
  if (fetch === undefined || host === undefined) return undefined;
  const read = async () => {
    try {
      return await fetch(`https://${host}/${wanted.name}`);
    } catch (error) {
      throw new CloudError(error instanceof Error ? error.message : "");
    }
  };
  return hiddenDocument(wanted, ` at https://${host}`, read, (text) => isWithLeft(wanted, text));
}

/** Whether a text is the document, or the document with keys that left the package. */
function isWithLeft(wanted: WantedResource, content: string): boolean {
  const text = textAt(wanted.body, ["Body"]);
  if (content === text) return true;
  const left = leftKeys(wanted, { id: wanted.id, value: { content }, owner: "own" }).map(keyName);
  const json = readJson(content);
  if (left.length === 0 || !("value" in json) || !isMap(json.value)) return false;
  const keys = keysIn(content).filter((key) => !left.includes(keyName(key)));
  return canonicalJson({ ...json.value, keys }) === canonicalJson({ keys: keysIn(text) });
}

/** A published key that is not in the package. It is only ever removed. */
export function publishedKey(context: Context): KindWithoutCommand {
  async function current(): Promise<{ wanted: WantedResource; live: Live } | undefined> {
    const wanted = context.resources.wanted.find(({ kind, name }) => kind === kinds.document && name === keysPath);
    const reading = wanted && (await document(context).read(wanted));
    if (reading?.state === "unread") throw new CloudError(reading.problem);
    return wanted && reading?.state === "present" ? { wanted, live: reading.live } : undefined;
  }

  return {
    ...removedOnly,
    async readExtra({ id }) {
      const now = await current();
      const found = now && extraKeys(now.wanted, now.live).find((one) => one.id === id);
      return found === undefined ? { state: "absent" } : { state: "present", live: found.live };
    },
    async remove({ value }) {
      const now = await current();
      if (now === undefined) return;
      const left = leftKeys(now.wanted, now.live).filter((key) => keyName(key) !== textAt(value, ["name"]));
      await putDocument(context, now.wanted, contentWith(now.wanted, now.live, left), now.live.etag);
    },
  };
}

/** The published keys that left the package. */
export function extraKeys(wanted: WantedResource, live: Live): Extra[] {
  return leftKeys(wanted, live).map((key): Extra => {
    const id = policyId(wanted.id, keyName(key));
    const one: Live = { id, value: { name: keyName(key) }, owner: live.owner };
    const name = partName(wanted.name, keyName(key));
    return { kind: kinds.publishedKey, id, name, live: one, needs: [wanted.id], part: wanted.id };
  });
}
