import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WarmAws } from "./warm-aws/index.ts";

/** What came of one call of the AWS CLI. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A made-up AWS on this machine (moto), and the real AWS CLI pointed at it. */
export class MadeUpAws {
  readonly #server: ChildProcess;
  readonly #endpoint: string;
  readonly #home: string;
  /** The AWS CLI, kept loaded. */
  readonly warm: WarmAws;

  private constructor(server: ChildProcess, endpoint: string, warm: WarmAws) {
    this.#server = server;
    this.#endpoint = endpoint;
    this.warm = warm;
    this.#home = mkdtempSync(join(tmpdir(), "ccf-aws-"));
  }

  /**
   * Starts the server on a port that is free, and waits until it answers.
   *
   * @param withPolicies whether AWS's own policies (`arn:aws:iam::aws:policy/...`) exist. With them, moto computes for more than a
   * second at each reset and each call of GetAccountAuthorizationDetails.
   */
  static async start({ withPolicies = false }: { withPolicies?: boolean } = {}): Promise<MadeUpAws> {
    const server = spawn("moto_server", ["-H", "127.0.0.1", "-p", "0"], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"], MOTO_IAM_LOAD_MANAGED_POLICIES: String(withPolicies) },
    });
    process.once("exit", () => server.kill("SIGKILL"));
    const endpoint = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.once("error", reject);
      server.once("exit", () => reject(new Error(`moto_server ended:\n${said}`)));
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const address = /Running on (http:\/\/127\.0\.0\.1:\d+)\s/.exec(said)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    const made = new MadeUpAws(server, endpoint, await WarmAws.start());
    await made.reset();
    return made;
  }

  /** Empties the account. */
  async reset(): Promise<void> {
    const answer = await fetch(`${this.#endpoint}/moto-api/reset`, { method: "POST" });
    if (!answer.ok) throw new Error(`moto: ${answer.status}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    if (this.#server.exitCode === null && this.#server.kill("SIGTERM")) await ended;
    await this.warm.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** What the AWS CLI needs in its environment to ask this cloud, and no other, in a home of its own. */
  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      HOME: this.#home,
      AWS_CONFIG_FILE: join(this.#home, "config"),
      AWS_SHARED_CREDENTIALS_FILE: join(this.#home, "credentials"),
      AWS_ENDPOINT_URL: this.#endpoint,
      AWS_ACCESS_KEY_ID: "testing",
      AWS_SECRET_ACCESS_KEY: "testing",
      AWS_EC2_METADATA_DISABLED: "true",
    };
  }

  /** One call of the AWS CLI, in a directory, with nothing of this process's environment but PATH. */
  call(args: readonly string[], options: { cwd?: string; region?: string } = {}): Promise<Answer> {
    const env: NodeJS.ProcessEnv = {
      ...this.environment,
      AWS_DEFAULT_REGION: options.region ?? "us-east-2",
      AWS_DEFAULT_OUTPUT: "json",
      AWS_PAGER: "",
    };
    return new Promise((resolve) => {
      const shell = ["-c", this.warm.command, "aws", ...args];
      const how = { env, cwd: options.cwd ?? this.#home, maxBuffer: 1 << 26 };
      execFile("sh", shell, how, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr });
      });
    });
  }

  /** A call that must succeed. @returns its JSON, or an empty mapping where it says nothing. */
  async ok(args: readonly string[], options: { cwd?: string; region?: string } = {}): Promise<Record<string, unknown>> {
    const { status, stdout, stderr } = await this.call(args, options);
    if (status !== 0) throw new Error(`aws ${args.join(" ")}\nexit ${status}\n${stderr}`);
    return stdout.trim() === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>);
  }
}

/** Does work for each of a list, two at a time: the AWS CLI is slow to start, and machines have two cores at least. */
export async function twoAtATime<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...list];
  const lane = async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  };
  await Promise.all([lane(), lane()]);
}
