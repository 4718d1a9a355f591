import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run, RunOptions } from "../programs.ts";
import { keptTemporary } from "../temporary.ts";
import type { Call, How, Seed, Settings, State, Value } from "./types.ts";

export type { Binding, Call, How, Seed, Settings, State, Value } from "./types.ts";

/** What came of a program that may have been killed. */
export interface KillableRun extends Run {
  readonly signal: NodeJS.Signals | null;
}

/** A request of the real gcloud. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Value;
  readonly status: number;
}

/**
 * A stand-in for Google that keeps the state of a project, with two doors: a stand-in for the `gcloud` command, for tests of
 * scripts that call it, and the APIs over HTTP on loopback, for the real gcloud. `reset` replaces the state.
 */
export class StubGcloud {
  /** The environment variables that a script needs to call the stand-in for the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the APIs are, without a slash at the end. */
  readonly address: string;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(server: ChildProcess, port: string, httpPort: string) {
    this.#server = server;
    this.#home = keptTemporary();
    const program = join(this.#home.directory, "gcloud");
    copyFileSync(fileURLToPath(new URL("gcloud", import.meta.url)), program);
    chmodSync(program, 0o755);
    const path = `${this.#home.directory}${delimiter}${process.env["PATH"] ?? ""}`;
    this.environment = { PATH: path, GCLOUD_STUB_PORT: port };
    this.address = `http://127.0.0.1:${httpPort}`;
  }

  static async start(): Promise<StubGcloud> {
    const server = spawn(process.execPath, [fileURLToPath(new URL("server.mjs", import.meta.url))], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ports = await new Promise<string>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the stand-in for Google ended")));
      server.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
    });
    const [port = "", httpPort = ""] = ports.split(" ");
    return new StubGcloud(server, port, httpPort);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.stdin?.end();
    if (this.#server.exitCode === null) await ended;
    this.#home.remove();
  }

  /** A project that holds what is given and nothing else; no calls, no faults, the usual settings. */
  reset(seed: Seed = {}): void {
    this.#ask("reset", seed);
  }

  /** All that the project holds, the same however it came about: in order of names, without etags and unique IDs. */
  state(): State {
    return this.#ask("state") as State;
  }

  /** Replaces one part of the state, named by the keys that lead to it; without a value, removes it. */
  put(path: readonly string[], value?: Value): void {
    this.#ask("put", { path, value });
  }

  /** All calls of the command since the last reset. */
  calls(): Call[] {
    return this.#ask("calls") as Call[];
  }

  /** All requests of the real gcloud since the last reset. */
  requests(): Recorded[] {
    return this.#ask("requests") as Recorded[];
  }

  /** The permissions that were needed since the last reset, sorted. */
  usedPermissions(): string[] {
    return this.#ask("usedPermissions") as string[];
  }

  /** Forgets calls and faults, and keeps the project. */
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
    const { status, stdout, stderr } = spawnSync(join(this.#home.directory, "gcloud"), ["--stub-control"], {
      input: JSON.stringify({ ask, argument: argument ?? {} }),
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the stand-in for Google: ${stderr}`);
    return JSON.parse(stdout);
  }
}
