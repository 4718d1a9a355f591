import {
  changedMeanwhile,
  contentDigest,
  documentReading,
  hiddenDocument,
  keyNames,
  strangeKeys,
  waitUntilServed,
} from "../../../apply/document.ts";
import { goesWith } from "../../../apply/kinds.ts";
import { CloudError } from "../../../apply/requests.ts";
import type { Extra, KindWithoutCommand, Live, Owner, Reading } from "../../../apply/resource.ts";
import { type Difference, differing } from "../../../core/difference.ts";
import { textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { objectRequests } from "../kinds/bucket.ts";
import type { GoogleRequest } from "../kinds/requests.ts";
import { nameOf } from "../resources.ts";
import { bucketReading } from "./bucket.ts";
import { absent } from "./client.ts";
import { asked, type Context } from "./common.ts";
import { contentOf as contentForm, object as objectForm, publicText } from "./forms.ts";

/** A document of the issuer: an object. The bucket is its owner mark. */
export function document(context: Context): KindWithoutCommand {
  const { client } = context;

  async function read(wanted: WantedResource): Promise<Reading> {
    const reading = await bucketReading(context, wanted.part ?? "");
    return reading.state === "present" ? readDocument(context, wanted, reading.live.owner) : reading;
  }

  /** @param generation that is replaced; "0" if there is none. */
  async function put(wanted: WantedResource, generation: string): Promise<undefined> {
    const bucket = wanted.part ?? "";
    const request = objectRequests.upload(bucket, wanted.name, wanted.body, generation);
    const { status } = await client.send({
      ...{
        method: request.method,
        url: asked(context, request).url,
        text: multipart(request, textAt(wanted.body, ["contentType"])),
      },
      ...{ form: objectForm(nameOf(bucket), wanted.name), expect: /^conditionNotMet$/ },
    });
    const now = status < 300 ? undefined : await read(wanted);
    if (now !== undefined && (now.state !== "present" || differences(wanted, now.live).length > 0))
      throw changedMeanwhile(wanted.name);
    await waitUntilServed(wanted.name, () => asEveryone(context, wanted), isRight(wanted), 16, advice);
    return undefined;
  }

  return {
    ...goesWith("bucket"),
    read,
    differences,
    create: (wanted) => put(wanted, "0"),
    update: (wanted, live) => put(wanted, live.etag ?? "0"),
  };
}

// Cloud Storage JSON API, "Upload an object in a single request", multipart.
function multipart({ body = {}, content = "" }: GoogleRequest, type: string): { type: string; content: string } {
  const boundary = "ccf-document-3b9aca07";
  const parts = [
    ["application/json; charset=UTF-8", JSON.stringify(body)],
    [type, content],
  ].map(([of, text]) => `--${boundary}\r\ncontent-type: ${of}\r\n\r\n${text}\r\n`);
  return { type: `multipart/related; boundary=${boundary}`, content: `${parts.join("")}--${boundary}--` };
}

/** Reads a document with credentials, past all caches. */
export async function readDocument(context: Context, wanted: WantedResource, owner: Owner): Promise<Reading> {
  const bucket = wanted.part ?? "";
  const { url } = asked(context, objectRequests.get(bucket, wanted.name));
  const object = await context.client.read(url, objectForm(nameOf(bucket), wanted.name));
  if (object === undefined) return { state: "absent", parent: owner };
  const etag = textAt(object, ["generation"]);
  const request = asked(context, objectRequests.content(bucket, wanted.name, etag));
  const { status, text: content } = await context.client.send({
    ...request,
    form: contentForm(object),
    expect: absent,
  });
  if (status === 404) throw new CloudError(`${wanted.name} changed while it was read. Run the same command again.`);
  const value = { content, ...Object.fromEntries(headers.map((field) => [field, textAt(object, [field])])) };
  const own = wanted.name === keysPath ? keyNames(contentOf(wanted)) : [];
  const refusal = own.length === 0 ? undefined : strangeKeys(keyNames(content), own, "its keys");
  return documentReading({ id: wanted.id, value, owner }, etag, refusal);
}

const headers = ["contentType", "cacheControl", "contentEncoding"] as const;

const advice = "Caches may keep a former version for an hour. Check whether the bucket is public.";

const isRight = (wanted: WantedResource) => (text: string) => text === contentOf(wanted);

const contentOf = ({ body }: Pick<WantedResource, "body">) => textAt(body, ["content"]);

function differences(wanted: WantedResource, live: Live | undefined): readonly Difference[] {
  const view = (of: WantedResource["body"]) => ({
    content: contentDigest(textAt(of, ["content"])),
    ...Object.fromEntries(headers.map((field) => [field, textAt(of, [field])])),
  });
  const [found, own] = [live?.value ?? {}, wanted.body].map((of) => keyNames(textAt(of, ["content"])));
  const isOther = live !== undefined && wanted.name === keysPath && String(found) !== String(own);
  const keys: Difference[] = isOther ? [{ field: "keys", found, wanted: own }] : [];
  return [...keys, ...differing(view(wanted.body), live && view(live.value))];
}

/** What everyone reads, as Google does. */
function asEveryone({ client }: Context, { id }: WantedResource) {
  const url = id.replace(/^buckets\//, `${client.connection.storage}/`);
  const expect = /./;
  return client.send({ method: "GET", url, form: publicText, anonymous: true, expect });
}

/** A document that is right in the bucket, but that everyone reads differently, or not at all; undefined if all read it. */
export function publicDocument(context: Context, wanted: WantedResource): Promise<Extra | undefined> {
  const hint = "; if it changed in the last hour, try again later";
  return hiddenDocument(wanted, "", () => asEveryone(context, wanted), isRight(wanted), hint);
}
