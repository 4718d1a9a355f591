import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptTemporary } from "../temporary.ts";

/** Calls that load what most calls need. */
const rehearsals = [
  "projects get-iam-policy rehearsal",
  "services list --enabled",
  "iam workload-identity-pools describe rehearsal --location=global",
  "iam workload-identity-pools providers list --workload-identity-pool=rehearsal --location=global",
  "iam service-accounts list",
  "iam service-accounts get-iam-policy rehearsal@rehearsal.iam.gserviceaccount.com",
  "iam roles describe rehearsal",
  "storage buckets describe gs://rehearsal --raw",
  "storage objects describe gs://rehearsal/rehearsal --raw",
].map((call) => `${call} --project=rehearsal --quiet --format=json`);

/**
 * The real gcloud, started once, so that a call takes a fraction of the time. Everything that a call sees is that of its
 * caller.
 */
export class WarmGcloud {
  /** What a script of the shell has to write to make a call with its own arguments. */
  readonly command: string;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(command: string, home: ReturnType<typeof keptTemporary>, server: ChildProcess) {
    this.command = command;
    this.#home = home;
    this.#server = server;
  }

  /** @param environment of the calls that load modules: it must lead to a stand-in for Google. */
  static async start(environment: NodeJS.ProcessEnv): Promise<WarmGcloud> {
    const home = keptTemporary();
    const socket = join(home.directory, "socket");
    const { python, lib } = installation(environment);
    const server = spawn(python, ["-S", beside("server.py"), lib, socket, ...rehearsals], {
      stdio: ["ignore", "pipe", "inherit"],
      env: environment,
    });
    process.once("exit", () => server.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the gcloud that was to be kept ended")));
      server.stdout.once("data", () => resolve());
    });
    return new WarmGcloud(`'${python}' -I -S '${beside("../warm-aws/call.py")}' '${socket}' "$@"`, home, server);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    if (this.#server.exitCode === null && this.#server.kill("SIGTERM")) await ended;
    this.#home.remove();
  }
}

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The Python that gcloud runs with, and where its own modules are. */
function installation(environment: NodeJS.ProcessEnv): { python: string; lib: string } {
  const { stdout } = spawnSync("gcloud", ["info", "--format=value(basic.python_location,installation.sdk_root)"], {
    encoding: "utf8",
    env: environment,
  });
  const [python = "", root = ""] = stdout.trim().split("\t");
  return { python, lib: join(root, "lib") };
}
