import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run as ccf } from "./ccf.ts";
import { type Fields, succeed } from "./cluster-package.ts";
import { type Answer, MadeUpAws } from "./moto.ts";
import { keptTemporary, temporary } from "./temporary.ts";
import { programOfAws } from "./warm-aws/index.ts";

/** What came of a script, with the arguments of each call of the AWS CLI that it made. */
export interface ScriptRun extends Answer {
  readonly calls: readonly (readonly string[])[];
}

export interface ScriptOptions {
  readonly cwd?: string;
  /** Beside what the made-up cloud needs. */
  readonly env?: NodeJS.ProcessEnv;
  /** Starts the AWS CLI for each call, or for each call that changes something, where it matters in which environment it starts. */
  readonly cold?: "every call" | "changes";
}

/** The made-up cloud, and the exported scripts that are run in it, with a record of their calls of the real AWS CLI. */
export class ScriptsAws {
  readonly #cloud: MadeUpAws;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(cloud: MadeUpAws) {
    this.#cloud = cloud;
    this.#home = keptTemporary();
    const cold = `${programOfAws()} "$@"`;
    this.#program("warm", cloud.warm.command);
    this.#program("every call", cold);
    this.#program("changes", cold, `case $2 in get-* | list-* | head-*) exec ${cloud.warm.command} ;; esac`);
  }

  static async start(): Promise<ScriptsAws> {
    return new ScriptsAws(await MadeUpAws.start());
  }

  async stop(): Promise<void> {
    await this.#cloud.stop();
    this.#home.remove();
  }

  /** Empties the account. */
  reset(): Promise<void> {
    return this.#cloud.reset();
  }

  /** Runs a script of an export. */
  async script(
    out: string,
    name: string,
    args: readonly string[] = [],
    options: ScriptOptions = {},
  ): Promise<ScriptRun> {
    const record = join(temporary(), "calls");
    const env = { ...this.#environment(options.cold), RECORD: record, ...options.env };
    const answer = await execute(join(out, "aws", name), args, { env, cwd: options.cwd ?? this.#home.directory });
    return { ...answer, calls: readCalls(record) };
  }

  /** A call of the AWS CLI that must succeed. @returns its JSON, or an empty mapping where it says nothing. */
  async ok(args: readonly string[], region = "us-east-2", cwd = this.#home.directory): Promise<Fields> {
    const { status, stdout, stderr } = await this.call(args, region, cwd);
    if (status !== 0) throw new Error(`aws ${args.join(" ")}\nexit ${status}\n${stderr}`);
    return stdout.trim() === "" ? {} : (JSON.parse(stdout) as Fields);
  }

  call(args: readonly string[], region = "us-east-2", cwd = this.#home.directory): Promise<Answer> {
    const env = { ...this.#environment(), AWS_DEFAULT_REGION: region, AWS_DEFAULT_OUTPUT: "json" };
    return execute("aws", args, { env, cwd });
  }

  #environment(cold: ScriptOptions["cold"] | "warm" = "warm"): NodeJS.ProcessEnv {
    const first = join(this.#home.directory, cold);
    return { ...this.#cloud.environment, PATH: `${first}${delimiter}${process.env["PATH"] ?? ""}` };
  }

  // Strings may contain line ends, so control characters separate them and end a call.
  #program(kind: string, command: string, before = ""): void {
    const directory = join(this.#home.directory, kind);
    mkdirSync(directory);
    const path = join(directory, "aws");
    const record = `if [ -n "\${RECORD:-}" ]; then { printf '%s\\037' "$@"; printf '\\036'; } >>"$RECORD"; fi`;
    // A call fails: it is not made ("before"), or made and its answer lost ("after").
    const fail = [
      'if [ "${FAIL_CALL:-}" = "$1 $2" ]; then',
      `  [ "$FAIL_HOW" = before ] || ${command} >/dev/null 2>&1`,
      "  echo 'Connection was closed before we received a valid response' >&2",
      "  exit 255",
      "fi",
    ];
    writeFileSync(path, ["#!/bin/sh", record, ...fail, before, `exec ${command}`, ""].join("\n"));
    chmodSync(path, 0o755);
  }
}

function readCalls(record: string): string[][] {
  if (!existsSync(record)) return [];
  const calls = readFileSync(record, "utf8").split("\u001e").slice(0, -1);
  return calls.map((call) => call.split("\u001f").slice(0, -1));
}

function execute(
  program: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Answer> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...options, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** All calls, as `iam get-role`. */
export function commands({ calls }: ScriptRun): string[] {
  return calls.map(([service, call]) => `${service} ${call}`);
}

/** The calls that change something, as `iam create-role`, each as often as it was made. */
export function changingCalls({ calls }: ScriptRun): string[] {
  return calls
    .filter(([, call = ""]) => !/^(get|list|head)-/.test(call))
    .map(([service, call]) => `${service} ${call}`);
}

/** Exports a package again, or into the directory of an earlier export. */
export function exported(directory: string, out: string = join(temporary(), "out")): string {
  succeed(ccf(["export", directory, "--output-dir", out]));
  return out;
}

/** The JSON of an exported file, by its path below `aws/`. */
export function exportedJson(out: string, path: string): Fields {
  return JSON.parse(readFileSync(join(out, "aws", path), "utf8")) as Fields;
}
