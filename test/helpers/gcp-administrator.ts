import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Fields } from "./cluster-package.ts";
import type { KillableRun, StubGcloud } from "./gcloud-stub/index.ts";
import { exportGcpTo, type GcpRequest } from "./gcp-package.ts";
import { keptTemporary, temporary } from "./temporary.ts";

const kept: ReturnType<typeof keptTemporary>[] = [];
afterAll(() => {
  for (const { remove } of kept.splice(0)) remove();
});

/** Exports a package; the export's directory, for all tests of a file. */
export function exportedGcp(gcp: Fields = {}, requests?: readonly GcpRequest[], spec: Fields = {}): string {
  const home = keptTemporary();
  kept.push(home);
  const out = join(home.directory, "out");
  exportGcpTo(out, gcp, requests, spec);
  return out;
}

/** A caller of the scripts of one export, against the stand-in. */
export class Administrator {
  readonly #gcloud: StubGcloud;
  /** The export's directory. */
  readonly out: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(gcloud: StubGcloud, out: string, environment: Readonly<Record<string, string>> = {}) {
    this.#gcloud = gcloud;
    this.out = out;
    this.#environment = environment;
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

  /**
   * Runs a script without waits, and with something on standard input that no call may read. Whatever came of it, unless it
   * was killed it has cleaned up.
   */
  run(script: string, flags: readonly string[]): KillableRun {
    const scratch = temporary();
    const env = { CCF_WAIT: "0", TMPDIR: scratch, ...this.#environment };
    const done = this.#gcloud.run(join(this.out, "gcp", script), flags, { env, input: "demo\n" });
    const left = readdirSync(scratch);
    if (done.signal === null && left.length > 0) throw new Error(`${script} left ${left.join(", ")}`);
    return done;
  }

  /** The e-mail addresses of the service accounts, in the order in which the scripts take them. */
  emails(): string[] {
    return this.#identities().map((one) => String(this.json(`identities/${one}/service-account.json`)["email"]));
  }

  /** The full names of the custom roles. */
  roles(): string[] {
    const files = this.#identities().map((one) => `identities/${one}/role.json`);
    return files
      .filter((path) => existsSync(join(this.out, "gcp", path)))
      .map((path) => String(this.json(path)["name"]));
  }

  #identities(): string[] {
    return readdirSync(join(this.out, "gcp/identities")).sort();
  }

  /** A file of the export, read as JSON. */
  json(path: string): Fields {
    return JSON.parse(readFileSync(join(this.out, "gcp", path), "utf8")) as Fields;
  }
}

/** A copy of an export, for a test that changes it. */
export function copiedExport(out: string): string {
  const copy = join(temporary(), "out");
  cpSync(out, copy, { recursive: true });
  return copy;
}

/** The lines of a run, and its exit code: what a person sees. */
export function saidGcp({ status, stdout, stderr }: KillableRun) {
  return { status, stderr, lines: stdout.split("\n").slice(0, -1) };
}
