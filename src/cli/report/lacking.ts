import { compareText, printable } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { wrapped } from "../../core/wrapped.ts";
import type { Lack } from "../permissions/lacks.ts";
import { code } from "../terminal/table.ts";

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

  /**
   * After an empty line, each different lack, that of most packages first; no line if nothing lacks.
   *
   * @param width in columns.
   */
  lines(width: number): string[] {
    const lines = this.#shown((text) => text).flatMap((text) => wrapped(printable(text), width, "", "  "));
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
      .map(({ lack: { secret, change, gates = [], permissions, serviceAccounts }, packages }) => {
        const names = listed(packages.map(quoted), maxPackages);
        if (change === "unknown") {
          const count = packages.length === 1 ? "1 cluster" : `${packages.length} clusters`;
          return `unknown for ${count} (${names}): ${quoted(secret)}: depends on the feature ${gates.length === 1 ? "gate" : "gates"} ${gates.map(quoted).join(", ")}`;
        }
        const clusters = packages.length === 1 ? "1 cluster lacks" : `${packages.length} clusters lack`;
        const what = [
          ...(permissions.length === 0 ? [] : [listed(permissions.map(quoted), maxPermissions)]),
          ...(serviceAccounts.length === 0 ? [] : [`use by ${listed(serviceAccounts.map(quoted), maxPermissions)}`]),
        ];
        const kind = change === "more" ? "" : ` (${change})`;
        return `${clusters} (${names}): ${quoted(secret)}${kind}${what.length === 0 ? "" : `: ${what.join("; ")}`}`;
      });
  }
}
