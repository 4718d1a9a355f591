import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { keptTemporary } from "./temporary.ts";
import { WarmGcloud } from "./warm-gcloud/index.ts";

/** What came of one call of gcloud, or of a program that calls it. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real gcloud, pointed at a stand-in for Google on loopback and kept loaded, with a configuration of its own. */
export class RealGcloud {
  readonly #warm: WarmGcloud;
  readonly #home: ReturnType<typeof keptTemporary>;
  /** For a program that calls gcloud. */
  readonly environment: NodeJS.ProcessEnv;

  private constructor(warm: WarmGcloud, home: ReturnType<typeof keptTemporary>, environment: NodeJS.ProcessEnv) {
    this.#warm = warm;
    this.#home = home;
    const first = join(home.directory, "bin");
    mkdirSync(first);
    writeFileSync(join(first, "gcloud"), `#!/bin/sh\nexec ${warm.command}\n`, { mode: 0o755 });
    this.environment = { ...environment, PATH: `${first}${delimiter}${process.env["PATH"] ?? ""}` };
  }

  /** @param address of the stand-in, without a slash at the end. */
  static async start(address: string): Promise<RealGcloud> {
    const home = keptTemporary();
    const environment = environmentOf(home.directory, address);
    return new RealGcloud(await WarmGcloud.start(environment), home, environment);
  }

  /** One call, with nothing on standard input. */
  call(args: readonly string[], cwd: string = this.#home.directory): Promise<Answer> {
    return this.run("gcloud", args, { cwd });
  }

  /** Runs a program that calls gcloud. */
  run(program: string, args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Answer> {
    const env = { ...this.environment, ...more.env };
    return new Promise((resolve) => {
      const how = { env, cwd: more.cwd ?? this.#home.directory, maxBuffer: 1 << 26 };
      const child = execFile(program, args, how, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr });
      });
      child.stdin?.end();
    });
  }

  async stop(): Promise<void> {
    await this.#warm.stop();
    this.#home.remove();
  }
}

function environmentOf(home: string, address: string): NodeJS.ProcessEnv {
  const config = join(home, "config");
  const token = join(home, "token");
  mkdirSync(config);
  writeFileSync(token, "token\n");
  const override = (api: string, path = "/") => [`CLOUDSDK_API_ENDPOINT_OVERRIDES_${api}`, `${address}${path}`];
  return {
    PATH: process.env["PATH"],
    HOME: home,
    CLOUDSDK_CONFIG: config,
    CLOUDSDK_AUTH_ACCESS_TOKEN_FILE: token,
    CLOUDSDK_CORE_DISABLE_PROMPTS: "1",
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: "1",
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: "1",
    CLOUDSDK_SURVEY_DISABLE_PROMPTS: "1",
    ...Object.fromEntries([
      ...["IAM", "IAMCREDENTIALS", "STS", "CLOUDRESOURCEMANAGER", "SERVICEUSAGE"].map((api) => override(api)),
      override("STORAGE", "/storage/v1/"),
    ]),
  };
}
