import { differing } from "../../../apply/differences.ts";
import { hiddenDocument, isServed } from "../../../apply/public-document.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Difference, Extra, Kind, Live, Owner, Reading } from "../../../apply/resource.ts";
import { sha256 } from "../../../core/hash.ts";
import { readJson } from "../../../core/json.ts";
import { listAt, textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { gcpCommand } from "../commands.ts";
import { bucketReading, bucketUrl } from "./bucket.ts";
import { absent } from "./client.ts";
import type { Context } from "./common.ts";
import { strangeKeys } from "./provider.ts";

/** A document of the issuer: an object. The bucket is its owner mark. */
export function document(context: Context): Kind {
  const { client } = context;

  async function read(wanted: WantedResource): Promise<Reading> {
    const reading = await bucketReading(context, wanted.part ?? "");
    return reading.state === "present" ? readDocument(context, wanted, reading.live.owner) : { state: "absent" };
  }

  /** @param generation that is replaced; "0" if there is none. */
  async function put(wanted: WantedResource, generation: string): Promise<undefined> {
    const url = bucketUrl(context, wanted.part ?? "").replace("/storage/v1/", "/upload/storage/v1/");
    const { status } = await client.send({
      ...{ method: "POST", url: `${url}/o?uploadType=multipart&ifGenerationMatch=${generation}` },
      ...{ text: multipart(wanted), expect: /^conditionNotMet$/ },
    });
    const now = status < 300 ? undefined : await read(wanted);
    if (now !== undefined && (now.state !== "present" || differences(wanted, now.live).length > 0))
      throw new CloudError(
        `${wanted.name} changed while it was written. Run the same command again to see a new plan.`,
      );
    await serves(context, wanted);
    return undefined;
  }

  return {
    within: true,
    read,
    readExtra: async () => ({ state: "absent" }),
    differences,
    create: (wanted) => put(wanted, "0"),
    update: (wanted, live) => put(wanted, live.etag ?? "0"),
    remove: () => Promise.reject(new Error("a document goes with its bucket")),
    command: gcpCommand(context.resources.facts.projectId),
  };
}

// Cloud Storage JSON API, "Upload an object in a single request", multipart.
function multipart({ name, body }: WantedResource): { type: string; content: string } {
  const boundary = "ccf-document-3b9aca07";
  const { content, ...metadata } = body;
  const [type, json] = [textAt(body, ["contentType"]), "application/json; charset=UTF-8"];
  const parts = [
    [json, JSON.stringify({ name, ...metadata })],
    [type, String(content)],
  ].map(([of, text]) => `--${boundary}\r\ncontent-type: ${of}\r\n\r\n${text}\r\n`);
  return { type: `multipart/related; boundary=${boundary}`, content: `${parts.join("")}--${boundary}--` };
}

/** Reads a document with credentials, past all caches. */
export async function readDocument(context: Context, wanted: WantedResource, owner: Owner): Promise<Reading> {
  const url = `${bucketUrl(context, wanted.part ?? "")}/o/${encodeURIComponent(wanted.name)}`;
  const object = await context.client.read(url);
  if (object === undefined) return { state: "absent", parent: owner };
  const etag = textAt(object, ["generation"]);
  const media = { method: "GET", url: `${url}?alt=media&generation=${etag}`, expect: absent } as const;
  const { status, text: content } = await context.client.send(media);
  if (status === 404) throw new CloudError(`${wanted.name} changed while it was read. Run the same command again.`);
  const value = { content, ...Object.fromEntries(headers.map((field) => [field, textAt(object, [field])])) };
  const refusal = wanted.name === keysPath ? strangeKeys(kidsIn(content), kidsIn(contentOf(wanted))) : undefined;
  const live: Live = { id: wanted.id, value, owner, etag };
  return { state: "present", live: refusal === undefined ? live : { ...live, refusal } };
}

const headers = ["contentType", "cacheControl", "contentEncoding"] as const;

const contentOf = ({ body }: Pick<WantedResource, "body">) => textAt(body, ["content"]);

function differences(wanted: WantedResource, live: Live | undefined): readonly Difference[] {
  const view = (of: WantedResource["body"]) => ({
    content: digestOf(textAt(of, ["content"])),
    ...Object.fromEntries(headers.map((field) => [field, textAt(of, [field])])),
  });
  const [found, own] = [live?.value ?? {}, wanted.body].map((of) => kidsIn(textAt(of, ["content"])));
  const isOther = live !== undefined && wanted.name === keysPath && String(found) !== String(own);
  const keys: Difference[] = isOther ? [{ field: "keys", found, wanted: own }] : [];
  return [...keys, ...differing(view(wanted.body), live && view(live.value))];
}

function digestOf(text: string): string {
  return `sha256:${sha256(text).toString("hex").slice(0, 16)}, ${Buffer.byteLength(text)} bytes`;
}

function kidsIn(text: string): string[] {
  const json = readJson(text || "{}");
  return "value" in json ? listAt(json.value, ["keys"]).map((key) => textAt(key, ["kid"])) : [];
}

/** What everyone reads, as Google does. */
function asEveryone({ client }: Context, { id }: WantedResource) {
  const url = id.replace(/^buckets\//, `${client.connection.storage}/`);
  const expect = /./;
  return client.send({ method: "GET", url, anonymous: true, expect });
}

/** A document that is right in the bucket, but that everyone reads differently, or not at all; undefined if all read it. */
export function publicDocument(context: Context, wanted: WantedResource): Promise<Extra | undefined> {
  const isRight = (text: string) => text === contentOf(wanted);
  return hiddenDocument(
    wanted,
    "",
    () => asEveryone(context, wanted),
    isRight,
    "; if it changed in the last hour, try again later",
  );
}

/** Waits until everyone reads what was written. */
async function serves(context: Context, wanted: WantedResource): Promise<void> {
  const isRight = (text: string) => text === contentOf(wanted);
  if (await isServed(() => asEveryone(context, wanted), isRight, 16)) return;
  throw new CloudError(
    `${wanted.name} was written, but everyone who reads it gets something else. Caches may keep a former version for an hour. Check whether the bucket is public.`,
  );
}
