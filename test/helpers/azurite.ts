import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { keptTemporary } from "./temporary.ts";

/** What anyone gets who asks for a blob. */
export interface Served {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Microsoft's emulator of Azure Storage on this machine, with one account and nothing in it. */
export class Azurite {
  /** What `--blob-endpoint` takes: the address of the account, without a slash at the end. */
  readonly endpoint: string;
  readonly #server: ChildProcess;
  readonly #home: ReturnType<typeof keptTemporary>;
  readonly #ca: string;

  private constructor(server: ChildProcess, home: ReturnType<typeof keptTemporary>, endpoint: string, ca: string) {
    this.#server = server;
    this.#home = home;
    this.endpoint = endpoint;
    this.#ca = ca;
  }

  /** Starts it on a port that is free. @param certificate a directory with cert.pem and key.pem. */
  static async start(account: string, certificate: string): Promise<Azurite> {
    const home = keptTemporary();
    const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(certificate, name)) as [string, string];
    const how = ["--blobPort", "0", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"];
    const server = spawn("azurite-blob", [...how, "--oauth", "basic", "--cert", cert, "--key", key, "--silent"], {
      cwd: home.directory,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        HOME: home.directory,
        AZURITE_ACCOUNTS: `${account}:${Buffer.from("key of an account").toString("base64")}`,
      },
    });
    process.once("exit", () => server.kill("SIGKILL"));
    const port = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.once("error", reject);
      server.once("exit", () => reject(new Error(`azurite-blob ended: ${said}`)));
      server.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [, found] = /listens on https:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    return new Azurite(server, home, `https://localhost:${port}/${account}`, readFileSync(cert, "utf8"));
  }

  /** Reads a blob without credentials. */
  read(path: string): Promise<Served> {
    return new Promise((resolve, reject) => {
      get(`${this.endpoint}/${path}`, { ca: this.#ca }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (more: string) => {
          text += more;
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, type: answer.headers["content-type"] ?? "", text }),
        );
      }).on("error", reject);
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    if (this.#server.exitCode === null && this.#server.kill("SIGTERM")) await ended;
    this.#home.remove();
  }
}
