import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { keptTemporary } from "../temporary.ts";
import { type BuiltImage, digestOf } from "./image.ts";

/** The user of a registry with a login, and the hash of the password that htpasswd would write. */
export const user = { name: "kim", password: "pass-of-kim" };
const passwords = `${user.name}:$2y$05$abcdefghijklmnopqrstuu5DQ2DHuml9L8IXnmtQoN1sh1ah3R0la\n`;

/** The registry of Docker (Distribution), on a free port of this machine, without TLS. */
export class DockerRegistry {
  readonly host: string;
  /** Where it stores blobs. */
  readonly directory: string;
  readonly #process: ChildProcess;
  readonly #remove: () => void;
  readonly #authorization: string | undefined;

  private constructor(host: string, directory: string, started: ChildProcess, remove: () => void, hasLogin: boolean) {
    this.host = host;
    this.directory = directory;
    this.#process = started;
    this.#remove = remove;
    const encoded = Buffer.from(`${user.name}:${user.password}`).toString("base64");
    this.#authorization = hasLogin ? `Basic ${encoded}` : undefined;
  }

  static async start(hasLogin = false): Promise<DockerRegistry> {
    const { directory, remove } = keptTemporary();
    const host = `127.0.0.1:${await freePort()}`;
    writeFileSync(join(directory, "htpasswd"), passwords);
    const auth = hasLogin ? { htpasswd: { realm: "test", path: join(directory, "htpasswd") } } : undefined;
    const config = {
      version: "0.1",
      log: { level: "error", accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(directory, "data") } },
      http: { addr: host },
      ...(auth === undefined ? {} : { auth }),
    };
    // JSON is YAML.
    writeFileSync(join(directory, "config.yml"), JSON.stringify(config));
    const started = spawn("docker-registry", ["serve", join(directory, "config.yml")], { stdio: "ignore" });
    const registry = new DockerRegistry(host, join(directory, "data"), started, remove, hasLogin);
    await registry.#isUp();
    return registry;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await ended;
    this.#remove();
  }

  /** Pushes an image with the API, as it is: other tools convert what they copy. */
  async push(repository: string, image: BuiltImage, tag: string): Promise<void> {
    for (const blob of image.blobs) await this.pushBlob(repository, digestOf(blob), blob);
    const path = `/v2/${repository}/manifests/${tag}`;
    await this.#send("PUT", path, 201, image.bytes, { "content-type": image.mediaType });
  }

  /** @param content bytes, or the path of a file. */
  async pushBlob(repository: string, digest: string, content: Uint8Array | string): Promise<void> {
    const location = await this.#send("POST", `/v2/${repository}/blobs/uploads/`, 202);
    const { pathname, search } = new URL(location, `http://${this.host}`);
    const body = typeof content === "string" ? createReadStream(content) : content;
    await this.#send("PUT", `${pathname}${search}&digest=${digest}`, 201, body);
  }

  /** Where it stores a blob. */
  fileOf(digest: string): string {
    const hex = digest.slice("sha256:".length);
    return join(this.directory, "docker/registry/v2/blobs/sha256", hex.slice(0, 2), hex, "data");
  }

  #send(
    method: string,
    path: string,
    expected: number,
    body: Uint8Array | Readable = new Uint8Array(),
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const authorization = this.#authorization === undefined ? {} : { authorization: this.#authorization };
    return new Promise((resolve, reject) => {
      const sent = request(`http://${this.host}${path}`, { method, headers: { ...headers, ...authorization } });
      sent.on("error", reject);
      sent.on("response", (response) => {
        response.resume();
        const { statusCode, headers: got } = response;
        if (statusCode === expected) resolve(got.location ?? "");
        else reject(new Error(`${method} ${path}: status ${statusCode}`));
      });
      if (body instanceof Uint8Array) sent.end(body);
      else body.pipe(sent);
    });
  }

  async #isUp(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#send("GET", "/v2/", 200);
        return;
      } catch (error) {
        if (tries === 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
