import { inspectors, rulesFor } from "../../clouds/inspectors.ts";
import type { FindingCode, Severity } from "../../core/finding.ts";
import { compareText } from "../../core/text.ts";
import { version } from "../terminal/version.ts";
import { explanations } from "../validate/all-findings.ts";

/** The home page of the project. */
export const home = "https://github.com/cloud-credential-functions/cloud-credential-functions";

/** What a code means, for people. */
export interface ExplainedCode {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence, if the cause is longer. */
  readonly summary: string;
  readonly cause: string;
  readonly cure: string;
  /** The address of the same text in the reference of this version. */
  readonly page: string;
}

/** The rules of `ccf validate`, sorted by code. */
export const explainedRules: readonly ExplainedCode[] = rulesFor(...inspectors).map(
  ({ code, severity, summary, why, cure }) => ({
    ...{ code, severity, summary, cause: why, cure },
    page: pageOf("validation-rules", code),
  }),
);

const rulesByCode = new Map(explainedRules.map((rule) => [rule.code, rule]));

/** Every code that a finding can have, sorted. */
export const codes: readonly string[] = [...rulesByCode.keys(), ...Object.keys(explanations)].sort(compareText);

/** Explains the code of a finding or a rule; undefined if the code does not exist. */
export function explained(code: string): ExplainedCode | undefined {
  if (rulesByCode.has(code)) return rulesByCode.get(code);
  if (!Object.hasOwn(explanations, code)) return undefined;
  const { severity, cause, cure } = explanations[code as FindingCode];
  return { code, severity, summary: cause, cause, cure, page: pageOf("findings", code) };
}

function pageOf(name: string, code: string): string {
  return `${home}/blob/v${version}/docs/reference/${name}.md#${code}`;
}
