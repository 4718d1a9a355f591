import { type Server, Stub, startServer } from "../stub.ts";
import type { Call, How, Seed, Settings, State, Value } from "./types.ts";

export type { KillableRun } from "../stub.ts";
export type { Binding, Call, How, Seed, Settings, State, Value } from "./types.ts";

const directory = new URL(".", import.meta.url);

/** A request of the real gcloud. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Value;
  readonly status: number;
}

interface Types {
  readonly seed: Seed;
  readonly settings: Settings;
  readonly state: State;
  readonly call: Call;
  readonly how: How;
}

/**
 * A stand-in for Google that keeps the state of a project, with two doors: a stand-in for the `gcloud` command, for tests of
 * scripts that call it, and the APIs over HTTP on loopback, for the real gcloud.
 */
export class StubGcloud extends Stub<Types> {
  /** Where the APIs are, without a slash at the end. */
  readonly address: string;

  private constructor(server: Server) {
    super(server, { directory, command: "gcloud", portVariable: "GCLOUD_STUB_PORT" });
    this.address = `http://127.0.0.1:${server.ports[1]}`;
  }

  static async start(): Promise<StubGcloud> {
    return new StubGcloud(await startServer(directory));
  }

  /** Replaces one part of the state, named by the keys that lead to it; without a value, removes it. */
  put(path: readonly string[], value?: Value): void {
    this.ask("put", { path, value });
  }

  /** All requests of the real gcloud since the last reset. */
  requests(): Recorded[] {
    return this.ask("requests") as Recorded[];
  }

  /** The permissions that were needed since the last reset, sorted. */
  usedPermissions(): string[] {
    return this.ask("usedPermissions") as string[];
  }
}
