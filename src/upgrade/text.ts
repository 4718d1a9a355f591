import type { PermissionsReport } from "./described-diff.ts";
import { changeLines, counts, definitionLines, firstOf, headline, overallVerdict, stepLines } from "./lines.ts";

/** A comparison for a terminal. */
export function reportText(report: PermissionsReport): string[] {
  const { identities, roleDefinitions } = report;
  const changed = identities.filter(({ change }) => change !== "none");
  return [
    ...changed.flatMap((one) => [headline(one), ...firstOf(changeLines(one)).map((line) => `  ${line}`), ""]),
    `Verdict: ${overallVerdict(report)} (${counts(identities)}).`,
    ...definitionLines(roleDefinitions),
    ...steps("Before the upgrade", stepLines(identities, "before")),
    ...steps("With the upgrade", stepLines(identities, "with")),
    ...steps("Only after the upgrade", stepLines(identities, "after")),
  ];
}

function steps(when: string, list: readonly string[]): string[] {
  return list.length === 0 ? [] : ["", `${when}:`, ...list.map((step) => `  ${step}`)];
}
