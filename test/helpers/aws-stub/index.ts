import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run, RunOptions } from "../programs.ts";
import { keptTemporary } from "../temporary.ts";
import type { Call, How, Seed, Settings, State, Value } from "./types.ts";

export type { Call, How, Seed, Settings, State } from "./types.ts";

/** What came of a program that may have been killed. */
export interface KillableRun extends Run {
  readonly signal: NodeJS.Signals | null;
}

/**
 * A stand-in for the `aws` command that keeps the state of an account, for tests of scripts that call it. `reset` replaces
 * the state. It never uses a network.
 */
export class StubAws {
  /** The environment variables that a script needs to call the stand-in. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(server: ChildProcess, port: string) {
    this.#server = server;
    this.#home = keptTemporary();
    const program = join(this.#home.directory, "aws");
    copyFileSync(fileURLToPath(new URL("aws", import.meta.url)), program);
    chmodSync(program, 0o755);
    // The scripts start awk more often than anything else, and mawk starts in half the time of others. What depends on the awk is
    // tested in test/scripts/shells.test.ts and json-awk.test.ts, and with the awk of this machine in test/external/scripts.
    const mawk = spawnSync("sh", ["-c", "command -v mawk"], { encoding: "utf8" }).stdout.trim();
    if (mawk !== "") symlinkSync(mawk, join(this.#home.directory, "awk"));
    const path = `${this.#home.directory}${delimiter}${process.env["PATH"] ?? ""}`;
    this.environment = { PATH: path, AWS_STUB_PORT: port };
  }

  static async start(): Promise<StubAws> {
    const server = spawn(process.execPath, [fileURLToPath(new URL("server.mjs", import.meta.url))], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the stand-in for AWS ended")));
      server.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
    });
    return new StubAws(server, port);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.stdin?.end();
    if (this.#server.exitCode === null) await ended;
    this.#home.remove();
  }

  /** An account that holds what is given and nothing else, no calls, no faults, no policy, the usual settings. */
  reset(seed: Seed = {}): void {
    this.#ask("reset", seed);
  }

  /** All that the account holds, the same however it came about: in order of names, without ETags and progress. */
  state(): State {
    return this.#ask("state") as State;
  }

  /** Puts parts of the state in the place of what is there. */
  change(parts: Seed): void {
    this.#ask("change", parts);
  }

  /** All calls since the last reset. */
  calls(): Call[] {
    return this.#ask("calls") as Call[];
  }

  /** Forgets calls and faults, and keeps the account. */
  forgetCalls(): void {
    this.#ask("forgetCalls");
  }

  /** The IAM actions that the calls so far needed. */
  usedActions(): Set<string> {
    return new Set(this.calls().flatMap(({ actions }) => actions));
  }

  /** Lets the k-th call from now (1 is the next one, whatever it is) fail; all others go on as they would. */
  failAt(k: number, how: How): void {
    this.#ask("failAt", { k, how });
  }

  /** Allows what this identity policy allows, or everything. */
  policy(document: unknown): void {
    this.#ask("policy", { document });
  }

  /** For how many calls a role that is made from now on is not there yet for others. */
  lag(calls: number): void {
    this.settings({ lag: calls });
  }

  settings(settings: Partial<Settings>): void {
    this.#ask("settings", settings);
  }

  /**
   * Runs a program that may call the stand-in, in a process group of its own, so that a fault can kill all of it. It has
   * nothing in its environment but what is given, PATH and the stand-in's port.
   */
  run(program: string, args: readonly string[], options: RunOptions = {}): KillableRun {
    const { status, signal, stdout, stderr } = spawnSync(program, args, {
      cwd: options.cwd,
      input: options.input ?? "",
      env: { ...this.environment, ...options.env },
      encoding: "utf8",
      maxBuffer: 1 << 28,
      // Node has this for spawnSync too, and its types do not say so.
      ...{ detached: true },
    });
    return { status, signal, stdout, stderr };
  }

  #ask(ask: string, argument?: unknown): Value {
    const { status, stdout, stderr } = spawnSync(join(this.#home.directory, "aws"), ["--stub-control"], {
      input: JSON.stringify({ ask, argument: argument ?? {} }),
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the stand-in for AWS: ${stderr}`);
    return JSON.parse(stdout);
  }
}
