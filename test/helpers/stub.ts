import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run, RunOptions } from "./programs.ts";
import { quickAwk } from "./quick-awk.ts";
import { keptTemporary } from "./temporary.ts";

/** What came of a program that may have been killed. */
export interface KillableRun extends Run {
  readonly signal: NodeJS.Signals | null;
}

/** Where a stand-in is, and how it is started. */
interface Program {
  /** The directory with server.mjs and with the stand-in for the command. */
  readonly directory: URL;
  readonly command: string;
  /** The environment variable that tells the command the server's port. */
  readonly portVariable: string;
}

interface Types {
  readonly seed: object;
  readonly settings: object;
  readonly state: unknown;
  readonly call: unknown;
  readonly how: unknown;
}

/** A server that is running, and the ports that it printed. */
export interface Server {
  readonly process: ChildProcess;
  readonly ports: readonly string[];
}

/** Starts the server of a stand-in. */
export async function startServer(directory: URL, args: readonly string[] = []): Promise<Server> {
  const program = fileURLToPath(new URL("server.mjs", directory));
  const server = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ports = await new Promise<string>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`the stand-in ${program} ended`)));
    server.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
  });
  return { process: server, ports: ports.split(" ") };
}

/** A stand-in for the command of a cloud, with a server behind it that keeps the cloud's state. `reset` replaces the state. */
export class Stub<T extends Types> {
  /** The environment variables that a script needs to call the stand-in for the command. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #server: ChildProcess;
  readonly #home = keptTemporary();
  readonly #command: string;

  protected constructor({ process: server, ports }: Server, { directory, command, portVariable }: Program) {
    this.#server = server;
    this.#command = join(this.home, command);
    copyFileSync(fileURLToPath(new URL(command, directory)), this.#command);
    chmodSync(this.#command, 0o755);
    quickAwk(this.home);
    const path = `${this.home}${delimiter}${process.env["PATH"] ?? ""}`;
    this.environment = { PATH: path, [portVariable]: ports[0] ?? "" };
  }

  /** The directory in PATH with the stand-in for the command. */
  protected get home(): string {
    return this.#home.directory;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.stdin?.end();
    if (this.#server.exitCode === null) await ended;
    this.#home.remove();
  }

  /** A cloud that holds what is given and nothing else; no calls, no faults, the usual settings. */
  reset(seed: T["seed"] = {}): void {
    this.ask("reset", seed);
  }

  /** All that the cloud holds, the same however it came about: in order of names, without what the cloud assigns. */
  state(): T["state"] {
    return this.ask("state");
  }

  /** All calls of the command since the last reset. */
  calls(): T["call"][] {
    return this.ask("calls") as T["call"][];
  }

  /** Forgets calls and faults, and keeps the state. */
  forgetCalls(): void {
    this.ask("forgetCalls");
  }

  /** Lets the k-th call from now (1 is the next one, whatever it is) fail; all others go on as they would. */
  failAt(k: number, how: T["how"]): void {
    this.ask("failAt", { k, how });
  }

  /** Lets the next calls that change something fail, each in its way, or not if that is undefined. */
  failChanges(hows: readonly (T["how"] | undefined)[]): void {
    this.ask("failChanges", { hows });
  }

  settings(settings: Partial<T["settings"]>): void {
    this.ask("settings", settings);
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

  protected ask(ask: string, argument: unknown = {}): unknown {
    const { status, stdout, stderr } = spawnSync(this.#command, ["--stub-control"], {
      input: JSON.stringify({ ask, argument }),
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`the stand-in ${this.#command}: ${stderr}`);
    return JSON.parse(stdout);
  }
}
