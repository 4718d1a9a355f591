import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { BuiltImage } from "./image.ts";
import { digestOf } from "./image.ts";

/** A request that the registry got. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly accept: string;
  readonly body: string;
}

/** Answers a request instead of the registry, if it returns true. */
export type Instead = (got: Got, response: ServerResponse) => boolean;

/**
 * A registry in the process of the test: it answers from what was put into it. It is also any other server, by `instead`.
 */
export class TestRegistry {
  readonly got: Got[] = [];
  instead: Instead = () => false;
  readonly #manifests = new Map<string, { readonly bytes: Uint8Array; readonly mediaType: string }>();
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #server: Server;
  readonly host: string;

  private constructor(server: Server) {
    this.#server = server;
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  /** @param tls the key and the certificate, as PEM; without them, it has no TLS. */
  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<TestRegistry> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new TestRegistry(server);
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Puts an image or an index into a repository, by its digest and by tags. */
  push(repository: string, image: BuiltImage, ...tags: string[]): void {
    for (const blob of image.blobs) this.pushBlob(blob);
    for (const name of [image.digest, ...tags]) this.#manifests.set(`${repository}/manifests/${name}`, image);
  }

  pushBlob(blob: Uint8Array, digest = digestOf(blob)): void {
    this.#blobs.set(digest, blob);
  }

  /** The paths of the requests after the first one of each connection attempt, without the beginning of the API. */
  get paths(): string[] {
    return this.got.map(({ path }) => path);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of request) body += part;
    const { method = "", url = "", headers } = request;
    const { authorization = "", accept = "" } = headers;
    const got = { method, path: url, authorization, accept, body };
    this.got.push(got);
    if (this.instead(got, response)) return;
    const [, rest = ""] = /^\/v2\/(.*)$/.exec(url) ?? [];
    const manifest = this.#manifests.get(rest);
    const blob = this.#blobs.get(/\/blobs\/(.*)$/.exec(rest)?.[1] ?? "");
    if (manifest !== undefined) answer(response, 200, manifest.bytes, { "content-type": manifest.mediaType });
    else if (blob !== undefined) answer(response, 200, blob);
    else answer(response, 404, '{"errors":[{"code":"NOT_FOUND","message":"not here"}]}');
  }
}

/** Ends an answer. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | Uint8Array = "",
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(status, headers).end(body);
  return true;
}
