import { type Server, Stub, startServer } from "../stub.ts";
import type { Call, How, Seed, Settings, State, Value } from "./types.ts";

export type { KillableRun } from "../stub.ts";
export type { Call, How, Seed, Settings, State, Value } from "./types.ts";

const directory = new URL(".", import.meta.url);

interface Types {
  readonly seed: Seed;
  readonly settings: Settings;
  readonly state: State;
  readonly call: Call;
  readonly how: How;
}

/** A stand-in for the `az` command, with a stand-in for Azure behind it that keeps the state of a tenant. */
export class StubAz extends Stub<Types> {
  /** Where the real az finds Azure, without a slash at the end; empty without a certificate. */
  readonly address: string;

  private constructor(server: Server) {
    super(server, { directory, command: "az", portVariable: "AZ_STUB_PORT" });
    const [, httpsPort] = server.ports;
    this.address = httpsPort === undefined ? "" : `https://localhost:${httpsPort}`;
  }

  /** @param certificate a directory with cert.pem and key.pem, if the real az is to be served too. */
  static async start(certificate?: string): Promise<StubAz> {
    return new StubAz(await startServer(directory, certificate === undefined ? [] : [certificate]));
  }

  /** All that the tenant holds, for `reset`: with the IDs that Azure assigned. */
  whole(): State {
    return this.ask("whole") as State;
  }

  /** Replaces one part of the state, named by the keys that lead to it; without a value, removes it. */
  put(path: readonly string[], value?: Value): void {
    this.ask("put", { path, value });
  }

  /** The actions that were needed since the last reset, sorted. */
  usedActions(): string[] {
    return this.ask("usedActions") as string[];
  }
}
