import {
  changedMeanwhile,
  contentDigest,
  documentReading,
  keyNames,
  strangeKeys,
  waitUntilServed,
} from "../../../apply/document.ts";
import { goesWith } from "../../../apply/kinds.ts";
import type { Kind, Live, Reading } from "../../../apply/resource.ts";
import type { Difference } from "../../../core/difference.ts";
import { textAt, type ValueMap } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { resourceUrl } from "../cluster/resource-names.ts";
import { uploadCommand } from "../commands.ts";
import { askBlobs } from "./blobs.ts";
import { type Context, mapAt, ownerByTag } from "./common.ts";

/** A document of the issuer: a blob. The storage account is its owner mark. */
export function document(context: Context): Kind {
  const { client, resources } = context;
  const { facts } = resources;

  async function read(wanted: WantedResource): Promise<Reading> {
    const account = await client.read(resourceUrl(wanted.part ?? "", "storage"));
    if (account === undefined) return { state: "absent" };
    return readDocument(context, wanted, account, false);
  }

  async function put(wanted: WantedResource, etag: string | undefined): Promise<undefined> {
    const { content, contentType } = wanted.body as { content: string; contentType: string };
    const answer = await askBlobs(context, {
      ...{ method: "PUT", account: facts.storageAccount ?? "", path: pathOf(context, wanted), body: content },
      headers: {
        "x-ms-blob-type": "BlockBlob",
        "x-ms-blob-content-type": contentType,
        "content-type": contentType,
        ...(etag === undefined ? { "if-none-match": "*" } : { "if-match": etag }),
      },
      auth: facts.uploadAuth === "key" ? "key" : "login",
      // What was granted or allowed a moment ago takes minutes to be in effect.
      repeat: /^(AuthorizationPermissionMismatch|KeyBasedAuthenticationNotPermitted|ContainerNotFound)$/,
      expect: /^(ConditionNotMet|BlobAlreadyExists)$/,
    });
    if (answer.status >= 400) {
      const now = await read(wanted);
      const isDone = now.state === "present" && documentDifferences(wanted, now.live).length === 0;
      if (!isDone) throw changedMeanwhile(wanted.name);
    }
    await waitUntilServed(
      wanted.id,
      () => asEveryone(context, wanted),
      (text) => text === content,
      12,
      advice,
    );
    return undefined;
  }

  return {
    ...goesWith("storage account"),
    read,
    differences: documentDifferences,
    create: (wanted) => put(wanted, undefined),
    update: (wanted, live) => put(wanted, live.etag),
    command: (_, wanted) => (wanted === undefined ? [] : [uploadCommand(facts, wanted)]),
  };
}

const advice = "Check whether the storage account and its container are public.";

function pathOf({ resources: { facts } }: Context, { name }: WantedResource): string {
  return `${facts.container}/${name}`;
}

/** Whether everyone can read blobs, according to the account and its container. */
export function isPublic(account: ValueMap, container: ValueMap | undefined): boolean {
  const properties = mapAt(account, "properties");
  return (
    ["Blob", "Container"].includes(textAt(container ?? null, ["properties", "publicAccess"])) &&
    properties["allowBlobPublicAccess"] !== false &&
    !["Disabled", "SecuredByPerimeter"].includes(String(properties["publicNetworkAccess"])) &&
    textAt(properties, ["networkAcls", "defaultAction"]) !== "Deny"
  );
}

const missing = /^(BlobNotFound|ContainerNotFound)$/;

/**
 * Reads a document.
 *
 * @param account the storage account, as it was read.
 * @param asEveryone without credentials, as the cloud does.
 */
export async function readDocument(
  context: Context,
  wanted: WantedResource,
  account: ValueMap,
  asEveryone: boolean,
): Promise<Reading> {
  const { facts } = context.resources;
  const owner = ownerByTag(account, facts);
  const auth = asEveryone ? "none" : facts.uploadAuth === "key" ? "key" : "login";
  const answer = await askBlobs(context, {
    ...{ method: "GET", account: facts.storageAccount ?? "", path: pathOf(context, wanted), auth, expect: missing },
  });
  if (answer.status === 404) return { state: "absent", parent: owner };
  const value = {
    content: answer.text,
    contentType: answer.header("content-type"),
    encoding: answer.header("content-encoding"),
  };
  const refusal = strangeKeysOf(wanted, answer.text);
  return documentReading({ id: wanted.id, value, owner }, answer.header("etag"), refusal);
}

function strangeKeysOf({ name, body }: WantedResource, text: string): Live["refusal"] {
  return isKeys(name) ? strangeKeys(keyNames(text), keyNames(String(body["content"]))) : undefined;
}

function isKeys(name: string): boolean {
  return name.endsWith("jwks");
}

function documentDifferences({ name, body }: WantedResource, live: Live | undefined): readonly Difference[] {
  const [text, now] = [String(body["content"]), String(live?.value["content"] ?? "")];
  const wanted = contentDigest(text);
  if (live === undefined) return [{ field: "content", wanted }];
  const { contentType = "", encoding = "" } = live.value;
  const type = String(contentType).replace(/;.*$/, "").trim();
  return [
    ...(now === text
      ? []
      : [...keyDifferences(name, now, text), { field: "content", found: contentDigest(now), wanted }]),
    ...(type === body["contentType"] ? [] : [{ field: "contentType", found: type, wanted: body["contentType"] }]),
    ...(encoding === "" ? [] : [{ field: "contentEncoding", found: encoding }]),
  ];
}

function keyDifferences(name: string, text: string, own: string): Difference[] {
  const [found, wanted] = [keyNames(text), keyNames(own)];
  return isKeys(name) && String(found) !== String(wanted) ? [{ field: "keys", found, wanted }] : [];
}

/** What everyone reads, as Azure does. */
function asEveryone(context: Context, wanted: WantedResource) {
  const account = context.resources.facts.storageAccount ?? "";
  return askBlobs(context, {
    ...{ method: "GET", account, path: pathOf(context, wanted), auth: "none" },
    expect:
      /^(BlobNotFound|ContainerNotFound|ResourceNotFound|PublicAccessNotPermitted|NoAuthenticationInformation|AuthorizationFailure)$/,
  });
}
