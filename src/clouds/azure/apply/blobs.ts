import { type Answer, allPages, CloudError, type Form } from "../../../apply/requests.ts";
import { textAt } from "../../../core/resource.ts";
import { resourceUrl } from "../cluster/resource-names.ts";
import type { Asked } from "./answers.ts";
import { placeholder } from "./client.ts";
import { type Context, groupIdOf } from "./common.ts";
import { accountKeys, blob, blobs } from "./forms.ts";

/*
 * Requests to the blobs of a storage account: Azure REST API, Blob service. It has an endpoint and credentials of its own.
 */

const version = "2021-08-06";
const audience = "https://storage.azure.com";

/** A request for a blob or a container. */
export interface BlobRequest extends Pick<Asked, "method" | "body" | "repeat" | "expect"> {
  /** What a successful answer must have, if it is not a document. */
  readonly form?: Form;
  readonly account: string;
  /** Below the account, with its query: `demo/openid/v1/jwks`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `none`: as everyone. */
  readonly auth: "login" | "key" | "none";
}

/** Sends a request to a storage account. */
export async function askBlobs(context: Context, asked: BlobRequest): Promise<Answer> {
  const { client } = context;
  const { account, path, auth, method, body, expect, repeat, form = blob } = asked;
  const url = `${endpointOf(context, account)}/${path}`;
  const headers: Record<string, string> =
    auth === "none" ? {} : { "x-ms-version": version, "x-ms-date": new Date().toUTCString(), ...asked.headers };
  if (auth === "key") headers["authorization"] = await signature(context, asked, headers, url);
  const login = auth === "login" ? { audience } : {};
  const more = { ...(expect === undefined ? {} : { expect }), ...(repeat === undefined ? {} : { repeat }) };
  return client.send({ method, url, body, headers, answers: "text", form, ...login, ...more });
}

/** The endpoint of the own storage account, or of one that a previous issuer names. */
function endpointOf({ client, resources: { facts } }: Context, account: string): string {
  const override = client.connection.blobs;
  if (override !== undefined) return overridden(override, account);
  if (account === facts.storageAccount) return facts.blobEndpoint ?? "";
  const issuer = (facts.previousIssuers ?? []).find((one) => one.startsWith(`https://${account}.`)) ?? "";
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : "";
  // An access token must not go elsewhere.
  if (!blobDomains.test(host.replace(`${account}.`, "")))
    throw new CloudError(`${issuer} is not in a storage account of Azure.`);
  return `https://${host}`;
}

/** An endpoint for one account must not receive the documents of another: a run can process several packages. */
function overridden(endpoint: string, account: string): string {
  if (endpoint.includes(placeholder)) return endpoint.replaceAll(placeholder, account);
  if (endpoint.split(/[^a-z0-9]+/).includes(account)) return endpoint;
  throw new CloudError(
    `CCF_AZURE_BLOB_ENDPOINT is for another storage account than ${account}. Write ${placeholder} where the name belongs, so that it is for every account.`,
  );
}

/** The domains of blobs in the clouds of Azure. */
export const blobDomains = /^blob\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)$/;

/** Azure REST API, "Authorize with Shared Key": the form of the Blob service. A key never appears anywhere else. */
async function signature(
  context: Context,
  { account, method, body = "" }: BlobRequest,
  headers: Readonly<Record<string, string>>,
  url: string,
): Promise<string> {
  const key = await keyOf(context, account);
  const { createHmac } = process.getBuiltinModule("node:crypto");
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-ms-"));
  const canonicalHeaders = own.map(([name, value]) => `${name}:${value}`).sort();
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => `\n${name}:${value}`).sort();
  const length = body === "" ? "" : String(Buffer.byteLength(body));
  const type = headers["content-type"] ?? "";
  const match = [headers["if-match"] ?? "", headers["if-none-match"] ?? ""];
  const standard = [method, "", "", length, "", type, "", "", ...match, "", ""];
  const lines = [...standard, ...canonicalHeaders, `/${account}${pathname}${query.join("")}`];
  const signed = createHmac("sha256", Buffer.from(key, "base64")).update(lines.join("\n"), "utf8").digest("base64");
  return `SharedKey ${account}:${signed}`;
}

const keys = new WeakMap<Context, Map<string, Promise<string>>>();

/** The key of an account. Several requests at a time ask for it once; a failure is not kept. */
function keyOf(context: Context, account: string): Promise<string> {
  const ofPackage = keys.get(context) ?? new Map<string, Promise<string>>();
  keys.set(context, ofPackage);
  const asked = ofPackage.get(account) ?? askKey(context, account);
  ofPackage.set(account, asked);
  asked.catch(() => ofPackage.delete(account));
  return asked;
}

async function askKey(context: Context, account: string): Promise<string> {
  const id = `${groupIdOf(context)}/providers/Microsoft.Storage/storageAccounts/${account}`;
  const url = resourceUrl(`${id}/listKeys`, "storage");
  const { value } = await context.client.arm("POST", url, undefined, { form: accountKeys });
  return textAt(value, ["keys", "0", "value"]);
}

/** A blob of a container that is not one of the documents of an issuer; undefined if there is none. */
export async function otherBlob(context: Context, account: string, container: string): Promise<string | undefined> {
  const blob = (await listBlobs(context, account, container)).find((one) => !documents.has(one));
  return blob === undefined ? undefined : `the blob ${blob}, which is not one of the package's documents`;
}

const documents = new Set([".well-known/openid-configuration", "openid/v1/jwks"]);

/** The names of all blobs of a container: also snapshots, versions, deleted and unfinished ones. */
async function listBlobs(context: Context, account: string, container: string): Promise<string[]> {
  const auth = context.resources.facts.uploadAuth ?? "login";
  const list = `${container}?restype=container&comp=list&include=snapshots,versions,deleted,uncommittedblobs`;
  return allPages(`the blobs of the container ${container}`, async (marker?: string) => {
    const path = marker === undefined ? list : `${list}&marker=${encodeURIComponent(marker)}`;
    const { text } = await askBlobs(context, { method: "GET", account, path, auth, form: blobs(container) });
    const found = text.matchAll(/<Blob><Name(?: Encoded="true")?>([^<]*)<\/Name>/g);
    const entries = [...found].map(([, name = ""]) => unescapeXml(name));
    return { entries, next: unescapeXml(/<NextMarker>([^<]+)<\/NextMarker>/.exec(text)?.[1] ?? "") || undefined };
  });
}

function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => named[name] ?? "");
}
