import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptTemporary } from "../temporary.ts";

/** Calls that load what the scripts' calls need. */
const rehearsals = [
  "account show",
  "rest --method get --url /subscriptions?api-version=2022-12-01",
  "storage blob upload --blob-endpoint ADDRESS/rehearsal --container-name x --name x --file /dev/null --auth-mode login --overwrite",
];

/**
 * The real az, started once, so that a call takes a fraction of the time. Everything that a call sees is that of its caller,
 * but for the directory of az's configuration.
 */
export class WarmAz {
  /** What a script of the shell has to write to make a call with its own arguments. */
  readonly command: string;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;

  private constructor(command: string, home: ReturnType<typeof keptTemporary>, server: ChildProcess) {
    this.command = command;
    this.#home = home;
    this.#server = server;
  }

  /** @param environment of the calls that load modules: it must lead to a stand-in for Azure. @param address of that. */
  static async start(environment: NodeJS.ProcessEnv, address: string): Promise<WarmAz> {
    const home = keptTemporary();
    const socket = join(home.directory, "socket");
    const python = pythonOf(environment["PATH"] ?? "");
    const calls = rehearsals.map((call) => call.replace("ADDRESS", address));
    const server = spawn(python, [beside("server.py"), socket, ...calls], {
      stdio: ["ignore", "pipe", "inherit"],
      env: environment,
    });
    process.once("exit", () => server.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the az that was to be kept ended")));
      server.stdout.once("data", () => resolve());
    });
    return new WarmAz(`'${python}' -I -S '${beside("../warm-aws/call.py")}' '${socket}' "$@"`, home, server);
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

/** The Python that az runs with: that of its first line, or that of Microsoft's package, whose az is a script of the shell. */
function pythonOf(path: string): string {
  for (const directory of path.split(delimiter)) {
    const program = join(directory, "az");
    if (!existsSync(program)) continue;
    const [, python = "/opt/az/bin/python3"] = /^#!(\S*python\S*)\n/.exec(readFileSync(program, "utf8")) ?? [];
    return python;
  }
  throw new Error("az does not exist");
}
