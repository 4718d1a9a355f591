// Azure over HTTP: Azure Resource Manager, blobs with the account at the beginning of the path,
// and tokens as a managed identity gets them.
import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { ask } from "./api.mjs";
import { etagOf, listOf, placeOf, readPublic, readWithCredentials, writeBlob } from "./blobs.mjs";

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { Value, World } from "./types.ts"
 */

/** Answers one request. @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world */
export function serve(incoming, outgoing, world) {
  return answer(incoming, outgoing, world).catch((error) => {
    // This must not look like a response of Azure.
    outgoing.writeHead(501, { "content-type": "text/plain" });
    outgoing.end(`stand-in for Azure: ${error}\n`);
    process.stderr.write(`stand-in for Azure: ${error?.stack}\n`);
  });
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world */
async function answer(incoming, outgoing, world) {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  const url = new URL(incoming.url ?? "/", world.address);
  const method = incoming.method ?? "GET";
  if (url.pathname === "/msi/token") return json(outgoing, 200, token(world.state.tenant));
  if (!/^\/(?:subscriptions|providers)(?:\/|$)/i.test(url.pathname)) return blob(incoming, outgoing, world, url, text);
  if (!/^Bearer ./.test(incoming.headers.authorization ?? "")) throw new Error("the request has no access token");
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const path = decodeURIComponent(url.pathname);
  const { status, body, headers } = ask(world, {
    method,
    path,
    query,
    body: text === "" ? undefined : JSON.parse(text),
  });
  return json(outgoing, status, body, headers);
}

/** @param {ServerResponse} outgoing @param {number} status @param {Value} body @param {Record<string, string>} [headers] */
function json(outgoing, status, body, headers = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = body === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  outgoing.writeHead(status, STATUS_CODES[status] ?? "", { ...type, ...headers });
  outgoing.end(text);
}

/** What came of a request to a blob. @param {IncomingMessage} incoming @param {World} world @param {URL} url @param {string} text */
function asked({ method, headers }, world, url, text) {
  const place = placeOf(url.href);
  const isUpload = method === "PUT" && headers["x-ms-blob-type"] === "BlockBlob";
  if (place === undefined || (method !== "GET" && !isUpload)) throw new Error(`not covered: ${method} ${url}`);
  const given = headers.authorization ?? "";
  const mode = given.startsWith("SharedKey ") ? "key" : given.startsWith("Bearer ") ? "login" : "none";
  if (isUpload) {
    const content = { body: text, contentType: String(headers["x-ms-blob-content-type"]) };
    const condition = { match: headers["if-match"], noneMatch: headers["if-none-match"] };
    return writeBlob(world, place, content, mode === "key" ? "key" : "login", condition);
  }
  if (url.searchParams.get("comp") === "list") return listOf(world, place, mode);
  return mode === "none" ? readPublic(world.state, place) : readWithCredentials(world, place, mode);
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world @param {URL} url @param {string} text */
function blob(incoming, outgoing, world, url, text) {
  const result = asked(incoming, world, url, text);
  const isUpload = incoming.method === "PUT";
  const id = { "x-ms-request-id": "00000000-0000-4000-8000-000000000000", date: "Thu, 01 Jan 2026 00:00:00 GMT" };
  if ("status" in result) {
    const refused = { ...id, "content-type": result.type, "x-ms-error-code": result.code };
    outgoing.writeHead(result.status, result.reason, refused);
    outgoing.end(result.text);
    return;
  }
  const moment = { etag: etagOf(result), "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" };
  if (isUpload) {
    const made = { ...id, ...moment, "x-ms-request-server-encrypted": "true", "x-ms-version": "2021-08-06" };
    outgoing.writeHead(201, "Created", made).end();
  } else {
    const encoding = result.contentEncoding === undefined ? {} : { "content-encoding": result.contentEncoding };
    const digest = { "content-md5": createHash("md5").update(result.body).digest("base64") };
    outgoing
      .writeHead(200, "OK", { ...id, ...moment, ...encoding, ...digest, "content-type": result.contentType })
      .end(result.body);
  }
}

/** An access token, as the token service of a managed identity gives it; its signature is not checked. @param {string} tenant */
function token(tenant) {
  const [from, until] = [1_700_000_000, 4_000_000_000];
  const claims = {
    ...{
      aud: "https://storage.azure.com",
      iss: `https://sts.windows.net/${tenant}/`,
      tid: tenant,
      oid: "o",
      appid: "a",
    },
    ...{ iat: from, nbf: from, exp: until },
  };
  const parts = [{ alg: "none", typ: "JWT" }, claims].map((one) =>
    Buffer.from(JSON.stringify(one)).toString("base64url"),
  );
  return { access_token: `${parts.join(".")}.c2ln`, expires_on: String(until), resource: "x", token_type: "Bearer" };
}
