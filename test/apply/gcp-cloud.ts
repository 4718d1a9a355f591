import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { OAuth2Client } from "google-auth-library";
import type { Connection } from "../../src/clouds/gcp/apply/client.ts";
import { answerInstead, captured, type Instead } from "../helpers/captured.ts";
import { answer } from "../helpers/google/http.mjs";
import { stateOf, usualSettings } from "../helpers/google/state.mjs";
import type { Seed, Settings, State, World } from "../helpers/google/types.ts";
import type { Fault } from "./azure-cloud.ts";

/** A request that the stand-in received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly changes: boolean;
}

/** Google Cloud on loopback, in this process: it keeps the state of a project, and can fail at any request. */
export class GcpCloud {
  readonly world: World;
  readonly received: Received[] = [];
  /** What happens to the request with this number, from 0; it happens once, unless the fault is lasting. */
  fault: { readonly at: number; readonly how: Fault; readonly lasting?: boolean } | undefined;
  /** Runs before each request is answered. */
  before: (received: Received) => void = () => undefined;
  /** Whether nothing answers a request without credentials, as if a firewall were in between. */
  isHidden = false;
  /** What is answered instead of what the stand-in answers, if anything. */
  instead: (received: Received) => Instead | undefined = () => undefined;
  readonly #server: Server;

  private constructor(server: Server, world: World) {
    this.#server = server;
    this.world = world;
  }

  static async start(seed: Seed = {}): Promise<GcpCloud> {
    const world: World = { state: stateOf(seed), settings: usualSettings(), used: new Set(), address: "" };
    const server = createServer((incoming, outgoing) => void cloud.#answer(incoming, outgoing));
    const cloud = new GcpCloud(server, world);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    world.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    this.before = () => undefined;
  }

  /** For an engine in this process. */
  connection(): Connection {
    const { address } = this.world;
    const client = new OAuth2Client();
    client.setCredentials({ access_token: "token", expiry_date: 4e12 });
    const credentials = () => Promise.resolve(client);
    return { iam: address, resourceManager: address, serviceUsage: address, storage: address, credentials };
  }

  /** For a program: an external account, whose tokens come from here. @param directory where its files are written. */
  environment(directory: string): Record<string, string> {
    const { address } = this.world;
    const [account, token] = ["account.json", "subject-token"].map((name) => join(directory, name)) as [string, string];
    writeFileSync(token, "token");
    const configuration = {
      ...{ type: "external_account", subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p",
      ...{ token_url: `${address}/v1/token`, credential_source: { file: token } },
    };
    writeFileSync(account, JSON.stringify(configuration));
    const apis = ["IAM", "RESOURCE_MANAGER", "SERVICE_USAGE", "STORAGE"];
    const endpoints = Object.fromEntries(apis.map((api) => [`CCF_GCP_${api}_ENDPOINT`, address]));
    return { GOOGLE_APPLICATION_CREDENTIALS: account, ...endpoints };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "" } = incoming;
    if (url === "/v1/token") {
      incoming.resume();
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end('{"access_token":"token","token_type":"Bearer","expires_in":3600}');
      return;
    }
    const number = this.received.length;
    const received = { method, url, changes: method !== "GET" && !url.includes(":getIamPolicy") };
    this.received.push(received);
    this.before(received);
    const instead = this.instead(received);
    if (instead !== undefined) return answerInstead(incoming, outgoing, instead, (to) => this.#serve(incoming, to));
    if (this.isHidden && incoming.headers.authorization === undefined) {
      incoming.socket.resetAndDestroy();
      return;
    }
    const { fault } = this;
    const isFaulty = fault !== undefined && (fault.lasting ? number >= fault.at : number === fault.at);
    if (!isFaulty) return this.#serve(incoming, outgoing);
    if (fault.how === "throttled" || fault.how === "unavailable") {
      incoming.resume();
      const status = fault.how === "throttled" ? 429 : 503;
      outgoing.writeHead(status, { "content-type": "application/json", "retry-after": "1" });
      outgoing.end(`{"error":{"code":${status},"message":"later","status":"UNAVAILABLE"}}`);
    } else if (fault.how === "reset-before") {
      incoming.socket.resetAndDestroy();
    } else {
      await this.#spoil(incoming, outgoing, fault.how);
    }
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await answer(incoming, outgoing, this.world);
    } catch (error) {
      outgoing.writeHead(501, { "content-type": "text/plain" }).end(`stand-in for Google: ${String(error)}`);
    }
  }

  /** Lets a request have its effect, and spoils the answer. */
  async #spoil(incoming: IncomingMessage, outgoing: ServerResponse, how: Fault): Promise<void> {
    const { status, headers, body } = await captured((outgoing) => this.#serve(incoming, outgoing));
    if (how === "failed-after") {
      outgoing.writeHead(500, { "content-type": "application/json" });
      outgoing.end('{"error":{"code":500,"message":"failed","status":"INTERNAL"}}');
    } else if (how === "cut") {
      outgoing.writeHead(status, { ...headers, "content-length": String(body.length + 20) });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)));
      setTimeout(() => incoming.socket.destroy(), 1);
    } else {
      incoming.socket.resetAndDestroy();
    }
  }
}
