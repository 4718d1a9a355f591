import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { KillableRun, StubAz } from "./az-stub/index.ts";
import { type AzureRequest, exportAzureTo } from "./azure-package.ts";
import type { Fields } from "./cluster-package.ts";
import { keptTemporary, temporary } from "./temporary.ts";

const kept: ReturnType<typeof keptTemporary>[] = [];
afterAll(() => {
  for (const { remove } of kept.splice(0)) remove();
});

/** Exports a package; the export's directory, for all tests of a file. */
export function exportedAzure(azure: Fields = {}, requests?: readonly AzureRequest[], spec: Fields = {}): string {
  const home = keptTemporary();
  kept.push(home);
  const out = join(home.directory, "out");
  exportAzureTo(out, azure, requests, spec);
  return out;
}

/** A caller of the scripts of one export, against the stand-in. */
export class AzureAdministrator {
  readonly #az: StubAz;
  /** The export's directory. */
  readonly out: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(az: StubAz, out: string, environment: Readonly<Record<string, string>> = {}) {
    this.#az = az;
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
    const done = this.#az.run(join(this.out, "azure", script), flags, { env, input: "demo\n" });
    const left = readdirSync(scratch);
    if (done.signal === null && left.length > 0) throw new Error(`${script} left ${left.join(", ")}`);
    return done;
  }

  /** The full IDs of the managed identities, in the order in which the scripts take them. */
  identities(): string[] {
    return this.#identities().map((one) => idIn(this.json(`identities/${one}/managed-identity.json`)));
  }

  /** The full IDs of the role definitions. */
  definitions(): string[] {
    const files = this.#identities().map((one) => `identities/${one}/role-definition.json`);
    return files.filter((path) => existsSync(join(this.out, "azure", path))).map((path) => idIn(this.json(path)));
  }

  #identities(): string[] {
    return readdirSync(join(this.out, "azure/identities")).sort();
  }

  /** A file of the export, read as JSON. */
  json(path: string): Fields {
    return JSON.parse(readFileSync(join(this.out, "azure", path), "utf8")) as Fields;
  }
}

/** A copy of an export, for a test that changes it. */
export function copiedExport(out: string): string {
  const copy = join(temporary(), "out");
  cpSync(out, copy, { recursive: true });
  return copy;
}

/** The lines of a run, and its exit code: what a person sees. */
export function saidAzure({ status, stdout, stderr }: KillableRun) {
  return { status, stderr, lines: stdout.split("\n").slice(0, -1) };
}

/** The ID of the resource that a request of a package creates. */
function idIn(request: Fields): string {
  return String(request["url"]).replace(/\?.*/, "");
}
