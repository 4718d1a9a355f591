import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Connection } from "../../src/clouds/azure/apply/client.ts";
import { serve } from "../helpers/arm/http.mjs";
import { stateOf, usualSettings } from "../helpers/arm/state.mjs";
import type { Seed, Settings, State, World } from "../helpers/arm/types.ts";
import { answerInstead, captured, type Instead } from "../helpers/captured.ts";

/** How a request fails: before its effect, or after it. `cut`: half of the answer arrives. */
export type Fault = "throttled" | "unavailable" | "reset-before" | "reset-after" | "cut" | "failed-after";

/** A request that the stand-in received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly changes: boolean;
  /** When it arrived, in milliseconds. */
  readonly at: number;
}

/** Azure on loopback, in this process: it keeps the state of a tenant, and can fail at any request. */
export class AzureCloud {
  readonly world: World;
  readonly received: Received[] = [];
  /** What happens to the request with this number, from 0; it happens once, unless the fault is lasting. */
  fault: { readonly at: number; readonly how: Fault; readonly lasting?: boolean } | undefined;
  /** Whether nothing answers a request without credentials, as if a firewall were in between. */
  isHidden = false;
  /** What is answered instead of what the stand-in answers, if anything. */
  instead: (received: Received) => Instead | undefined = () => undefined;
  readonly #server: Server;

  private constructor(server: Server, world: World) {
    this.#server = server;
    this.world = world;
  }

  /** @param certificate the directory with a certificate for localhost, if the real az asks: it needs https. */
  static async start(seed: Seed = {}, certificate?: string): Promise<AzureCloud> {
    const world: World = { state: stateOf(seed), settings: usualSettings(), used: new Set(), address: "" };
    const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void cloud.#answer(incoming, outgoing);
    const server = certificate === undefined ? createServer(answer) : createTlsServer(pemOf(certificate), answer);
    const cloud = new AzureCloud(server, world);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    world.address = certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
    return cloud;
  }

  get state(): State {
    return this.world.state;
  }

  /** Starts again from a state. */
  reset(seed: Seed = {}, settings: Partial<Settings> = {}): void {
    this.world.state = stateOf(seed);
    this.world.settings = { ...usualSettings(), ...settings };
    this.world.used.clear();
    this.received.length = 0;
    this.fault = undefined;
    this.isHidden = false;
    this.instead = () => undefined;
  }

  /** For an engine in this process. */
  connection(): Connection {
    const { address } = this.world;
    return {
      arm: address,
      audience: address,
      blobs: `${address}/{storageAccount}`,
      token: () => Promise.resolve("token"),
    };
  }

  /** For a program: the library's own managed identity credential gets its token here. */
  environment(): Record<string, string> {
    const { address } = this.world;
    return {
      CCF_AZURE_ARM_ENDPOINT: address,
      CCF_AZURE_BLOB_ENDPOINT: `${address}/{storageAccount}`,
      IDENTITY_ENDPOINT: `${address}/msi/token`,
      IDENTITY_HEADER: "secret",
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "" } = incoming;
    const isToken = url.startsWith("/msi/");
    const number = isToken ? -1 : this.received.length;
    const changes = method !== "GET" && !url.includes("/listKeys");
    const received = { method, url, changes, at: performance.now() };
    if (!isToken) this.received.push(received);
    const instead = isToken ? undefined : this.instead(received);
    if (instead !== undefined)
      return answerInstead(incoming, outgoing, instead, (to) => serve(incoming, to, this.world));
    if (this.isHidden && incoming.headers.authorization === undefined) {
      incoming.socket.resetAndDestroy();
      return;
    }
    const { fault } = this;
    const isFaulty = fault !== undefined && !isToken && (fault.lasting ? number >= fault.at : number === fault.at);
    if (!isFaulty) return serve(incoming, outgoing, this.world);
    if (fault.how === "throttled" || fault.how === "unavailable") {
      incoming.resume();
      outgoing.writeHead(fault.how === "throttled" ? 429 : 503, {
        "content-type": "application/json",
        "retry-after": "1",
      });
      outgoing.end('{"error":{"code":"TooManyRequests","message":"later"}}');
    } else if (fault.how === "reset-before") {
      incoming.socket.resetAndDestroy();
    } else {
      await this.#spoil(incoming, outgoing, fault.how);
    }
  }

  /** Lets a request have its effect, and spoils the answer. */
  async #spoil(incoming: IncomingMessage, outgoing: ServerResponse, how: Fault): Promise<void> {
    const { status, headers, body } = await captured((outgoing) => serve(incoming, outgoing, this.world));
    if (how === "failed-after") {
      outgoing.writeHead(500, { "content-type": "application/json" });
      outgoing.end('{"error":{"code":"InternalServerError","message":"failed"}}');
    } else if (how === "cut") {
      outgoing.writeHead(status, { ...headers, "content-length": String(body.length + 20) });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)));
      setTimeout(() => incoming.socket.destroy(), 1);
    } else {
      incoming.socket.resetAndDestroy();
    }
  }
}

function pemOf(certificate: string): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(join(certificate, "cert.pem")), key: readFileSync(join(certificate, "key.pem")) };
}
