import { join } from "node:path";
import { afterAll } from "vitest";
import type { Fields } from "./cluster-package.ts";
import type { StubGcloud } from "./gcloud-stub/index.ts";
import { exportGcpTo, type GcpRequest } from "./gcp-package.ts";
import { ScriptCaller } from "./script-caller.ts";
import { keptTemporary } from "./temporary.ts";

export { said as saidGcp } from "./script-caller.ts";

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
export class Administrator extends ScriptCaller {
  constructor(gcloud: StubGcloud, out: string, environment: Readonly<Record<string, string>> = {}) {
    super(gcloud, out, "gcp", environment);
  }

  /** The e-mail addresses of the service accounts, in the order in which the scripts take them. */
  emails(): string[] {
    return this.identityDirectories().map((one) =>
      String(this.json(`identities/${one}/service-account.json`)["email"]),
    );
  }

  /** The full names of the custom roles. */
  roles(): string[] {
    const files = this.identityDirectories().map((one) => `identities/${one}/role.json`);
    return files.filter((path) => this.has(path)).map((path) => String(this.json(path)["name"]));
  }
}
