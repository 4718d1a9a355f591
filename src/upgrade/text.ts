import { printable } from "../core/text.ts";
import { changeLines, counts, headline } from "./lines.ts";
import type { PermissionsReport } from "./report.ts";

/** A comparison for a terminal. */
export function reportText({ verdict, identities, upgrade }: PermissionsReport): string[] {
  const changed = identities.filter(({ change }) => change !== "none");
  return [
    ...changed.flatMap((one) => [headline(one), ...changeLines(one).map((line) => `  ${line}`), ""]),
    `Verdict: ${verdict} (${counts(identities)}).`,
    ...steps("Before the upgrade", upgrade.before),
    ...steps("With the upgrade", upgrade.with),
    ...steps("Only after the upgrade", upgrade.after),
  ];
}

function steps(when: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : ["", `${when}:`, ...list.map((step) => `  ${printable(step)}`)];
}
