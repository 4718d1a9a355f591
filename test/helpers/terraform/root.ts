import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporary } from "../temporary.ts";
import type { StandIn } from "./stand-in.ts";

/** What a run of Terraform printed, and its exit code. */
export interface TerraformRun {
  readonly status: number;
  readonly output: string;
}

/** A root module that calls the module of an export. It goes when the test ends. */
export class Root {
  readonly directory: string;
  readonly #standIn: StandIn;

  /**
   * @param files of the export, by path.
   * @param provider the block that configures the provider.
   * @param directory an existing root module is not written.
   */
  constructor(standIn: StandIn, files: ReadonlyMap<string, string>, provider?: object, directory?: string) {
    this.#standIn = standIn;
    this.directory = directory ?? join(temporary(), "root");
    if (directory !== undefined) return;
    for (const [path, text] of files) this.write(join("out", path), text);
    const module = { demo: { source: "./out/terraform" } };
    const output = { all: { value: "${module.demo}" } };
    this.write("main.tf.json", JSON.stringify({ ...(provider === undefined ? {} : { provider }), module, output }));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.directory, path)), { recursive: true });
    writeFileSync(join(this.directory, path), text);
  }

  /** Runs Terraform. The provider is in this process, so it must not wait for the answer. */
  run(...args: readonly string[]): Promise<TerraformRun> {
    const { PATH = "" } = process.env;
    const quiet = { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" };
    const env = { PATH, HOME: this.directory, ...quiet, ...this.#standIn.environment };
    const options = { cwd: this.directory, env, maxBuffer: 1 << 26, timeout: 120_000 };
    return new Promise((resolve) => {
      execFile("terraform", [...args], options, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }),
      );
    });
  }
}
