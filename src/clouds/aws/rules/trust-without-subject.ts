import { ruleCode } from "../../../core/finding.ts";
import type { Clause } from "../../../permissions/condition.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { isStringOperator, policyVariable } from "../permissions/condition-operators.ts";
import { trustFilesOf } from "../permissions/trust-files.ts";

export const rule: Rule = {
  code: ruleCode("trust-without-subject"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy does not say which service accounts can assume the role.",
  why: "Without a condition on the token's subject (`<issuer>:sub`), every service account of the cluster can assume the role: anyone who can run a pod has the component's permissions. The caller determines the value of a policy variable, so a policy variable as the subject restricts nothing reliably. A statement that cannot be read is treated as one without a subject, and so is a file with a duplicate key in a mapping.",
  cure: "Render again, and do not edit trust policies by hand. To set other service accounts, use `spec.overrides`.",
  check: ({ rendered }) =>
    trustFilesOf(rendered).flatMap(({ resource, trusts }) => {
      const found = trusts.find(({ allowed }) => allowed.some(isOpen));
      if (found === undefined) return [];
      const variables = found.allowed.flatMap(variablesOf);
      const instead = variables.length === 0 ? "" : `the policy variable ${listed(variables)} does not limit it; `;
      const message = `"${found.field}" has a statement that does not limit the role to named service accounts with an equality condition on ":sub"; ${instead}render again.`;
      return [{ message, resource, field: found.field }];
    }),
};

// A statement that cannot be read has no known conditions. A clause does not count if any of its values is a variable.
function isOpen({ condition }: Grant): boolean {
  return !condition.some((clause) => isOfSubject(clause) && !clause.values.some(isVariable));
}

function isOfSubject({ key, operator }: Clause): boolean {
  return key.endsWith(":sub") && isStringOperator(operator, "any");
}

function isVariable(value: string): boolean {
  return value.includes(policyVariable);
}

function variablesOf(grant: Grant): string[] {
  return isOpen(grant) ? grant.condition.filter(isOfSubject).flatMap(({ values }) => values.filter(isVariable)) : [];
}
