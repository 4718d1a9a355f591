import type { About, Check } from "./check.ts";

/** Of what a failure is about, what an earlier one must have been about to be its reason. */
const reasons: Readonly<Record<About, readonly About[]>> = {
  "foreign issuer": [],
  // Discovery and trust policy repeat the issuer that the provider is compared with.
  issuer: ["issuer", "foreign issuer"],
  // Another cluster signs with keys of its own; where only the issuer's text differs, the keys are still to be right.
  key: ["foreign issuer"],
  audience: ["audience"],
};

/**
 * Marks the failures that follow from an earlier one, and takes their cures away: one cause has one cure, and those of its
 * consequences would contradict it.
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
