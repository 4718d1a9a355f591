import type { Seed, State } from "../amazon/types.ts";
import { type Server, Stub, startServer } from "../stub.ts";
import type { Call, How, Settings } from "./types.ts";

export type { Seed, State } from "../amazon/types.ts";
export type { KillableRun } from "../stub.ts";
export type { Call, How, Settings } from "./types.ts";

const directory = new URL(".", import.meta.url);

interface Types {
  readonly seed: Seed;
  readonly settings: Settings;
  readonly state: State;
  readonly call: Call;
  readonly how: How;
}

/**
 * A stand-in for the `aws` command that keeps the state of an account, for tests of scripts that call it. It never uses a
 * network. `reset` also removes the policy.
 */
export class StubAws extends Stub<Types> {
  private constructor(server: Server) {
    super(server, { directory, command: "aws", portVariable: "AWS_STUB_PORT" });
  }

  static async start(): Promise<StubAws> {
    return new StubAws(await startServer(directory));
  }

  /** Puts parts of the state in the place of what is there. */
  change(parts: Seed): void {
    this.ask("change", parts);
  }

  /** The IAM actions that the calls so far needed. */
  usedActions(): Set<string> {
    return new Set(this.calls().flatMap(({ actions }) => actions));
  }

  /** Allows what this identity policy allows, or everything. */
  policy(document: unknown): void {
    this.ask("policy", { document });
  }

  /** For how many calls a role that is made from now on is not there yet for others. */
  lag(calls: number): void {
    this.settings({ lag: calls });
  }
}
