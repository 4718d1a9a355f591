import { compareText, printable } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Lack } from "../upgradeable-to/release-lacks.ts";
import { code } from "./table.ts";

/** How many packages, and how many permissions, a line names. */
const [maxPackages, maxPermissions] = [5, 20];

/** What clusters lack for a release, with equal lacks together. */
export class Lacking {
  readonly #groups = new Map<string, { readonly lack: Lack; readonly packages: string[] }>();

  add(directory: string, lacks: readonly Lack[]): void {
    for (const lack of lacks) {
      const key = JSON.stringify(lack);
      const group = this.#groups.get(key) ?? { lack, packages: [] };
      group.packages.push(directory);
      this.#groups.set(key, group);
    }
  }

  /** After an empty line, a line for each different lack, that of most packages first; none if nothing lacks. */
  lines(): string[] {
    const lines = this.#shown((text) => text).map(printable);
    return lines.length === 0 ? [] : ["", ...lines];
  }

  /** The same as a list of Markdown. */
  markdown(): string[] {
    const lines = this.#shown(code).map((line) => `- ${line}`);
    return lines.length === 0 ? [] : ["", ...lines];
  }

  #shown(quoted: (text: string) => string): string[] {
    return [...this.#groups.values()]
      .sort(
        (a, b) =>
          b.packages.length - a.packages.length ||
          compareText(a.packages[0] ?? "", b.packages[0] ?? "") ||
          compareText(a.lack.secret, b.lack.secret),
      )
      .map(({ lack: { secret, change, permissions, serviceAccounts }, packages }) => {
        const clusters = packages.length === 1 ? "1 cluster lacks" : `${packages.length} clusters lack`;
        const names = listed(packages.map(quoted), maxPackages);
        const what = [
          ...(permissions.length === 0 ? [] : [listed(permissions.map(quoted), maxPermissions)]),
          ...(serviceAccounts.length === 0 ? [] : [`use by ${listed(serviceAccounts.map(quoted), maxPermissions)}`]),
        ];
        const kind = change === "more" ? "" : ` (${change})`;
        return `${clusters} (${names}): ${quoted(secret)}${kind}${what.length === 0 ? "" : `: ${what.join("; ")}`}`;
      });
  }
}
