import type { About, Check } from "./check.ts";

/** For each subject of a failure, the subjects of earlier failures that explain it. */
const reasons: Readonly<Record<About, readonly About[]>> = {
  "foreign issuer": [],
  // Discovery and trust policy repeat the issuer that the provider is compared with.
  issuer: ["issuer", "foreign issuer"],
  // Another cluster signs with its own keys. If only the issuer's text differs, the keys must still match.
  key: ["foreign issuer"],
  audience: ["audience"],
};

/**
 * Marks the failures that follow from an earlier one, and removes their cures. Each cause has one cure, which the cures of
 * its consequences would contradict.
 */
export function withConsequences(checks: readonly Check[]): Check[] {
  return checks.map((check, index) => {
    const { status, about, cure: _, ...rest } = check;
    if (status !== "failed" || about === undefined) return check;
    const cause = checks
      .slice(0, index)
      .find((check) => check.about !== undefined && reasons[about].includes(check.about));
    return cause === undefined ? check : { ...rest, status, about, followsFrom: cause.name };
  });
}
