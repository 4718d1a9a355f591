import { changeLines, counts, definitionLines, firstOf, headline, stepLines } from "./lines.ts";
import type { PermissionsReport } from "./report.ts";

/** A comparison for a terminal. */
export function reportText({ verdict, identities, roleDefinitions }: PermissionsReport): string[] {
  const changed = identities.filter(({ change }) => change !== "none");
  return [
    ...changed.flatMap((report) => [headline(report), ...firstOf(changeLines(report)).map((line) => `  ${line}`), ""]),
    `Verdict: ${verdict} (${counts(identities)}).`,
    ...definitionLines(roleDefinitions),
    ...steps("Before the upgrade", stepLines(identities, "before")),
    ...steps("With the upgrade", stepLines(identities, "with")),
    ...steps("Only after the upgrade", stepLines(identities, "after")),
  ];
}

function steps(when: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : ["", `${when}:`, ...list.map((step) => `  ${step}`)];
}
