import { isServed } from "../../../apply/public-document.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Difference, Kind, Live, Reading } from "../../../apply/resource.ts";
import { sha256 } from "../../../core/hash.ts";
import { readJson } from "../../../core/json.ts";
import { listAt, textAt, type ValueMap } from "../../../core/resource.ts";
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
      if (!isDone)
        throw new CloudError(
          `${wanted.name} changed while it was written. Run the same command again to see a new plan.`,
        );
    }
    await serves(context, wanted);
    return undefined;
  }

  return {
    within: true,
    read,
    readExtra: async () => ({ state: "absent" }),
    differences: documentDifferences,
    create: (wanted) => put(wanted, undefined),
    update: (wanted, live) => put(wanted, live.etag),
    remove: () => Promise.reject(new Error("a document goes with its storage account")),
    command: (_, wanted) => (wanted === undefined ? "" : uploadCommand(facts, wanted)),
  };
}

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
  const owner = ownerByTag(account, facts.ownerTag);
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
  const [etag, refusal] = [answer.header("etag"), strangeKeys(wanted, answer.text)];
  return {
    state: "present",
    live: {
      id: wanted.id,
      value,
      owner,
      ...(etag === "" ? {} : { etag }),
      ...(refusal === undefined ? {} : { refusal }),
    },
  };
}

// The mark names a prefix, and another repository may use the same: then all published keys are unknown here.
function strangeKeys({ name, body }: WantedResource, text: string): Live["refusal"] {
  if (!name.endsWith("jwks")) return undefined;
  const [live, own] = [keyIds(text), keyIds(String(body["content"]))];
  if (live.length === 0 || live.some((kid) => own.includes(kid))) return undefined;
  const reason = `none of the keys that it publishes is in the package (${live.join(", ")}), so it may be another cluster's; if the package replaces all keys, use --allow replace-key`;
  return { reason, allow: "replace-key" };
}

function documentDifferences({ name, body }: WantedResource, live: Live | undefined): readonly Difference[] {
  const [text, now] = [String(body["content"]), String(live?.value["content"] ?? "")];
  const wanted = digestOf(text);
  if (live === undefined) return [{ field: "content", wanted }];
  const { contentType = "", encoding = "" } = live.value;
  const type = String(contentType).replace(/;.*$/, "").trim();
  return [
    ...(now === text ? [] : [...keyDifferences(name, now, text), { field: "content", found: digestOf(now), wanted }]),
    ...(type === body["contentType"] ? [] : [{ field: "contentType", found: type, wanted: body["contentType"] }]),
    ...(encoding === "" ? [] : [{ field: "contentEncoding", found: encoding }]),
  ];
}

function digestOf(text: string): string {
  return `sha256:${sha256(text).toString("hex").slice(0, 16)}, ${Buffer.byteLength(text)} bytes`;
}

function keyDifferences(name: string, found: string, wanted: string): Difference[] {
  if (!name.endsWith("jwks") || String(keyIds(found)) === String(keyIds(wanted))) return [];
  return [{ field: "keys", found: keyIds(found), wanted: keyIds(wanted) }];
}

function keyIds(text: string): string[] {
  const json = readJson(text);
  return "value" in json ? listAt(json.value, ["keys"]).map((key) => textAt(key, ["kid"])) : [];
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

/** Waits until everyone reads what was written. */
async function serves(context: Context, wanted: WantedResource): Promise<void> {
  const isRight = (text: string) => text === wanted.body["content"];
  if (await isServed(() => asEveryone(context, wanted), isRight, 12)) return;
  throw new CloudError(
    `${wanted.id} was written, but everyone who reads it gets something else. Check whether the storage account and its container are public.`,
  );
}
