import { ruleCode } from "../../../core/finding.ts";
import type { Clause } from "../../../permissions/condition.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { trustFilesOf } from "../permissions/trust-files.ts";

export const rule: Rule = {
  code: ruleCode("trust-without-subject"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy does not say which service accounts may become the role.",
  why: "Without a condition on the token's subject (`<issuer>:sub`) every service account of the cluster can become the role: whoever may run a pod has what the component has. A policy variable for a subject is filled in by whoever asks, and nothing is known of it. A statement that cannot be read counts as one without a subject, and so does a file with a key twice in one mapping.",
  cure: "Render again; a trust policy is not edited by hand. `spec.overrides` sets other service accounts.",
  check: ({ rendered }) =>
    trustFilesOf(rendered).flatMap(({ resource, trusts }) => {
      const found = trusts.find(({ allowed }) => allowed.some(isOpen));
      if (found === undefined) return [];
      const variables = found.allowed.flatMap(variablesOf);
      const instead = variables.length === 0 ? "" : `a policy variable, ${listed(variables)}, says nothing; `;
      const message = `"${found.field}" has a statement that does not say, in a condition on ":sub" that is an equality, which service accounts may become the role; ${instead}render again.`;
      return [{ message, resource, field: found.field }];
    }),
};

const equalities = new Set(["StringEquals", "StringEqualsIgnoreCase", "StringLike"]);

// A statement that cannot be read has no condition that is known. One value that may be anything is enough.
function isOpen({ condition }: Grant): boolean {
  return !condition.some((clause) => isOfSubject(clause) && !clause.values.some(isVariable));
}

function isOfSubject({ key, operator }: Clause): boolean {
  return key.endsWith(":sub") && equalities.has(operator);
}

// IAM User Guide, "IAM policy elements: Variables and tags".
function isVariable(value: string): boolean {
  return value.includes("${");
}

function variablesOf(grant: Grant): string[] {
  return isOpen(grant) ? grant.condition.filter(isOfSubject).flatMap(({ values }) => values.filter(isVariable)) : [];
}
