import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run, RunOptions } from "../programs.ts";
import { keptTemporary } from "../temporary.ts";
import type { Call, How, Seed, Settings, State, Value } from "./types.ts";

export type { Call, How, Seed, Settings, State, Value } from "./types.ts";

/** What came of a program that may have been killed. */
export interface KillableRun extends Run {
  readonly signal: NodeJS.Signals | null;
}

/**
 * A stand-in for the `az` command, with a stand-in for Azure behind it that keeps the state of a tenant. `reset` replaces the
 * state.
 */
export class StubAz {
  /** The environment variables that a script needs to call the stand-in for the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the real az finds Azure, without a slash at the end; empty without a certificate. */
  readonly address: string;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(server: ChildProcess, port: string, httpsPort: string) {
    this.#server = server;
    this.#home = keptTemporary();
    const program = join(this.#home.directory, "az");
    copyFileSync(fileURLToPath(new URL("az", import.meta.url)), program);
    chmodSync(program, 0o755);
    const path = `${this.#home.directory}${delimiter}${process.env["PATH"] ?? ""}`;
    this.environment = { PATH: path, AZ_STUB_PORT: port };
    this.address = httpsPort === "" ? "" : `https://localhost:${httpsPort}`;
  }

  /** @param certificate a directory with cert.pem and key.pem, if the real az is to be served too. */
  static async start(certificate?: string): Promise<StubAz> {
    const program = fileURLToPath(new URL("server.mjs", import.meta.url));
    const server = spawn(process.execPath, [program, ...(certificate === undefined ? [] : [certificate])], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ports = await new Promise<string>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the stand-in for Azure ended")));
      server.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
    });
    const [port = "", httpsPort = ""] = ports.split(" ");
    return new StubAz(server, port, httpsPort);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.stdin?.end();
    if (this.#server.exitCode === null) await ended;
    this.#home.remove();
  }

  /** A tenant that holds what is given and nothing else; no calls, no faults, the usual settings. */
  reset(seed: Seed = {}): void {
    this.#ask("reset", seed);
  }

  /** All that the tenant holds, the same however it came about: in order of names, without IDs that Azure assigns. */
  state(): State {
    return this.#ask("state") as State;
  }

  /** All that the tenant holds, for `reset`: with the IDs that Azure assigned. */
  whole(): State {
    return this.#ask("whole") as State;
  }

  /** Replaces one part of the state, named by the keys that lead to it; without a value, removes it. */
  put(path: readonly string[], value?: Value): void {
    this.#ask("put", { path, value });
  }

  /** All calls of the command since the last reset. */
  calls(): Call[] {
    return this.#ask("calls") as Call[];
  }

  /** The actions that were needed since the last reset, sorted. */
  usedActions(): string[] {
    return this.#ask("usedActions") as string[];
  }

  /** Forgets calls and faults, and keeps the state. */
  forgetCalls(): void {
    this.#ask("forgetCalls");
  }

  /** Lets the k-th call from now (1 is the next one, whatever it is) fail; all others go on as they would. */
  failAt(k: number, how: How): void {
    this.#ask("failAt", { k, how });
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
    const { status, stdout, stderr } = spawnSync(join(this.#home.directory, "az"), ["--stub-control"], {
      input: JSON.stringify({ ask, argument: argument ?? {} }),
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the stand-in for Azure: ${stderr}`);
    return JSON.parse(stdout);
  }
}
