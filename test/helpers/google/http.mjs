// Google's APIs over plain HTTP on loopback.
import { ask } from "./api.mjs";
import { readAsEveryone } from "./storage.mjs";

/**
 * @import { IncomingMessage, ServerResponse } from "node:http"
 * @import { Request, World } from "./types.ts"
 */

/**
 * Answers one request. A request without an access token is answered only if everyone may read what it asks for.
 *
 * @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {World} world
 */
export async function answer(incoming, outgoing, world) {
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
  if (media !== undefined) {
    outgoing.writeHead(status, { "content-type": media.type, "x-guploader-uploadid": "upload" }).end(media.text);
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
