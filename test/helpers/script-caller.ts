import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "./cluster-package.ts";
import type { RunOptions } from "./programs.ts";
import type { KillableRun } from "./stub.ts";
import { temporary } from "./temporary.ts";

/** A stand-in for a cloud, as far as a caller of scripts needs it. */
interface Runner {
  run(program: string, args: readonly string[], options: RunOptions): KillableRun;
}

/** A caller of the scripts of one export, against a stand-in. */
export class ScriptCaller {
  readonly #stub: Runner;
  /** The export's directory. */
  readonly out: string;
  readonly #cloud: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #input: string;

  /**
   * @param cloud the directory of the scripts in the export.
   * @param input what is on standard input, which no call may read.
   */
  constructor(
    stub: Runner,
    out: string,
    cloud: string,
    environment: Readonly<Record<string, string>>,
    input = "demo\n",
  ) {
    this.#stub = stub;
    this.out = out;
    this.#cloud = cloud;
    this.#environment = environment;
    this.#input = input;
  }

  apply(...flags: string[]): KillableRun {
    return this.run("apply.sh", flags);
  }

  status(...flags: string[]): KillableRun {
    return this.run("status.sh", flags);
  }

  destroy(...flags: string[]): KillableRun {
    return this.run("destroy.sh", flags);
  }

  /** Runs a script without waits. Whatever came of it, unless it was killed it has cleaned up. */
  run(script: string, flags: readonly string[]): KillableRun {
    const scratch = temporary();
    const env = { CCF_WAIT: "0", TMPDIR: scratch, ...this.#environment };
    const done = this.#stub.run(this.path(script), flags, { env, input: this.#input });
    const left = readdirSync(scratch);
    if (done.signal === null && left.length > 0) throw new Error(`${script} left ${left.join(", ")}`);
    return done;
  }

  /** The path of a file next to the scripts. */
  path(path: string): string {
    return join(this.out, this.#cloud, path);
  }

  /** A file of the export, read as JSON. */
  json(path: string): Fields {
    return JSON.parse(readFileSync(this.path(path), "utf8")) as Fields;
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** The directories of the identities, in the order in which the scripts take them. */
  protected identityDirectories(): string[] {
    return readdirSync(this.path("identities")).sort();
  }
}

/** A copy of an export, for a test that writes into it. */
export function copied(out: string): string {
  const copy = join(temporary(), "out");
  cpSync(out, copy, { recursive: true });
  return copy;
}

/** The lines of a run, and its exit code: what a person sees. */
export function said({ status, stdout, stderr }: KillableRun) {
  return { status, stderr, lines: stdout.split("\n").slice(0, -1) };
}
