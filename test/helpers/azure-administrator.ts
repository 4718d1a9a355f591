import { join } from "node:path";
import { afterAll } from "vitest";
import type { StubAz } from "./az-stub/index.ts";
import { type AzureRequest, exportAzureTo } from "./azure-package.ts";
import type { Fields } from "./cluster-package.ts";
import { ScriptCaller } from "./script-caller.ts";
import { keptTemporary } from "./temporary.ts";

export { said as saidAzure } from "./script-caller.ts";

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
export class AzureAdministrator extends ScriptCaller {
  constructor(az: StubAz, out: string, environment: Readonly<Record<string, string>> = {}) {
    super(az, out, "azure", environment);
  }

  /** The full IDs of the managed identities, in the order in which the scripts take them. */
  identities(): string[] {
    return this.identityDirectories().map((one) => idIn(this.json(`identities/${one}/managed-identity.json`)));
  }

  /** The full IDs of the role definitions. */
  definitions(): string[] {
    const files = this.identityDirectories().map((one) => `identities/${one}/role-definition.json`);
    return files.filter((path) => this.has(path)).map((path) => idIn(this.json(path)));
  }
}

/** The ID of the resource that a request of a package creates. */
function idIn(request: Fields): string {
  return String(request["url"]).replace(/\?.*/, "");
}
