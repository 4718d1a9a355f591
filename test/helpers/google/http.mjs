// Google's APIs over plain HTTP on loopback, for the real gcloud.
import { createServer } from "node:http";
import { ask } from "./api.mjs";
import { readAsEveryone } from "./storage.mjs";

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

/**
 * Answers one request. A request without an access token is answered only if everyone may read what it asks for.
 *
 * @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world
 * @param {(recorded: Recorded) => void} [record]
 */
export async function answer(incoming, outgoing, world, record = () => undefined) {
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
  const isAnonymous = incoming.headers.authorization === undefined;
  if (!isAnonymous && incoming.headers.authorization !== "Bearer token") throw new Error("another access token");
  const { status, body, media } = isAnonymous ? readAsEveryone(world, request.path) : ask(world, request);
  record({ method: request.method, path: request.path, query: request.query, body: request.body, status });
  if (media !== undefined) {
    outgoing.writeHead(status, { "content-type": media.type }).end(media.text);
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
