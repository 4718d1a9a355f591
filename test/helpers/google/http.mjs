// Google's APIs over plain HTTP on loopback, for the real gcloud.
import { createServer } from "node:http";
import { ask } from "./api.mjs";

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { Request, Value, World } from "./types.ts"
 * @typedef {{ method: string, path: string, query: Record<string, string>, body: Value, status: number }} Recorded
 */

/**
 * @param {() => World} world the current one.
 * @param {(recorded: Recorded) => void} record is called for each request.
 */
export function httpServer(world, record) {
  return createServer((incoming, outgoing) => {
    answer(incoming, outgoing, world(), record).catch((error) => {
      // This must not look like a response of Google.
      outgoing.writeHead(501, { "content-type": "text/plain" });
      outgoing.end(`stand-in for Google: ${error}\n`);
      process.stderr.write(`stand-in for Google: ${error?.stack}\n`);
    });
  });
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world @param {(recorded: Recorded) => void} record */
async function answer(incoming, outgoing, world, record) {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const bytes = Buffer.concat(parts);
  const url = new URL(incoming.url ?? "/", world.address);
  const request = {
    method: incoming.method ?? "GET",
    path: decodeURIComponent(url.pathname),
    query: Object.fromEntries(url.searchParams),
    ...contentOf(bytes, incoming.headers["content-type"] ?? ""),
  };
  if (incoming.headers.authorization !== "Bearer token") throw new Error("the request has no access token");
  const isMedia = request.query["alt"] === "media" && request.path.includes("/o/");
  const { status, body } = ask(world, request);
  record({ method: request.method, path: request.path, query: request.query, body: request.body, status });
  const [, bucket = "", name = ""] = /^\/(?:download\/)?storage\/v1\/b\/([^/]+)\/o\/(.+)$/.exec(request.path) ?? [];
  if (isMedia && status === 200) {
    outgoing.writeHead(200, { "content-type": body.contentType ?? "application/octet-stream" });
    outgoing.end(world.state.buckets[bucket]?.objects[name]?.body ?? "");
  } else if (status === 204) {
    outgoing.writeHead(204).end();
  } else {
    outgoing.writeHead(status, { "content-type": "application/json; charset=UTF-8" });
    outgoing.end(JSON.stringify(body));
  }
}

/** @param {Buffer} bytes @param {string} type @returns {Pick<Request, "body" | "upload">} */
function contentOf(bytes, type) {
  const boundary = /^multipart\/related; *boundary=["']?([^"';]+)/.exec(type)?.[1];
  const text = bytes.toString("utf8");
  if (boundary === undefined) return { body: text === "" ? undefined : JSON.parse(text) };
  const [metadata = "", upload = ""] = text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.replace(/^\r?\n/, "").replace(/\r?\n$/, ""))
    .map((part) => part.slice(part.search(/\r?\n\r?\n/)).replace(/^\r?\n\r?\n/, ""));
  return { body: JSON.parse(metadata), upload };
}
