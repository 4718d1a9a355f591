import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptTemporary } from "../temporary.ts";

/** Calls that load what most calls need. */
const rehearsals = ["sts get-caller-identity", "iam list-roles", "s3api list-buckets", "cloudfront list-distributions"];

/**
 * The real AWS CLI, started once, so that a call takes a sixth of the time. If it is not a program of this machine's
 * `python3` (version 2 is not), it is started for each call, as everywhere else.
 */
export class WarmAws {
  /** What a script of the shell has to write to make a call with its own arguments. */
  readonly command: string;
  readonly #server: ChildProcess | undefined;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(command: string, home: ReturnType<typeof keptTemporary>, server?: ChildProcess) {
    this.command = command;
    this.#server = server;
    this.#home = home;
  }

  static async start(): Promise<WarmAws> {
    const home = keptTemporary();
    const python = pythonOfAws();
    if (python === undefined) return new WarmAws(`${programOfAws()} "$@"`, home);
    const socket = join(home.directory, "socket");
    const server = spawn(python, [beside("server.py"), socket, ...rehearsals], {
      stdio: ["ignore", "pipe", "inherit"],
      // No server answers at port 1.
      env: {
        LC_ALL: "C",
        HOME: home.directory,
        AWS_ENDPOINT_URL: "http://127.0.0.1:1",
        AWS_ACCESS_KEY_ID: "none",
        AWS_SECRET_ACCESS_KEY: "none",
        AWS_DEFAULT_REGION: "us-east-2",
        AWS_MAX_ATTEMPTS: "1",
      },
    });
    process.once("exit", () => server.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the AWS CLI that was to be kept ended")));
      server.stdout.once("data", () => resolve());
    });
    return new WarmAws(`'${python}' -I -S '${beside("call.py")}' '${socket}' "$@"`, home, server);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server !== undefined) {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      if (server.exitCode === null && server.kill("SIGTERM")) await ended;
    }
    this.#home.remove();
  }
}

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Where the AWS CLI is, in the shell's quotes. On PATH there may be a script that only searches for it. */
function programOfAws(): string {
  const python = pythonOfAws();
  const direct = python === undefined ? "" : join(dirname(python), "aws");
  if (existsSync(direct)) return `'${direct}'`;
  const { stdout } = spawnSync("sh", ["-c", "command -v aws"], { encoding: "utf8" });
  return `'${stdout.trim()}'`;
}

let pythonIs: { readonly path: string | undefined } | undefined;

function pythonOfAws(): string | undefined {
  if (pythonIs !== undefined) return pythonIs.path;
  const script = "import sys, awscli; print(sys.executable)";
  const { status, stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  pythonIs = { path: status === 0 ? stdout.trim() : undefined };
  return pythonIs.path;
}
