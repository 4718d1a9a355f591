import { roleDefinitionsOf } from "../../clouds/inspectors.ts";
import { hasError } from "../../core/finding.ts";
import { sortFindings, withSubject } from "../../krm/results.ts";
import type { Differences } from "../../page/page.ts";
import { changeLines, counts, definitionLines, firstOf, headline, stepLines } from "../../upgrade/lines.ts";
import { compareSides } from "../diff-permissions/compare-sides.ts";
import { readSide } from "../diff-permissions/comparison-side.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * What changed since another side, as `ccf diff-permissions` compares.
 *
 * @param against a package, an export, or requests.
 * @throws FindingsError if the two cannot be compared.
 */
export function readDifferences(against: string, directory: string): Differences {
  const { report, findings } = compareSides(readSide(against), readSide(directory), undefined, roleDefinitionsOf());
  if (hasError(findings)) throw new FindingsError(findings);
  const { identities, verdict, certain = verdict, roleDefinitions } = report;
  return {
    against,
    verdict,
    isUndecided: certain !== verdict,
    counts: counts(identities),
    notes: [...sortFindings(findings).map(withSubject), ...definitionLines(roleDefinitions)],
    identities: identities
      .filter(({ change }) => change !== "none")
      .map((one) => ({ key: one.identity, headline: headline(one), lines: firstOf(changeLines(one)) })),
    steps: {
      before: stepLines(identities, "before"),
      with: stepLines(identities, "with"),
      after: stepLines(identities, "after"),
    },
  };
}
