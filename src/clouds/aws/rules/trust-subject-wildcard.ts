import { ruleCode } from "../../../core/finding.ts";
import { listed } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { trustFilesOf } from "../permissions/trust-files.ts";

export const rule: Rule = {
  code: ruleCode("trust-subject-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy has a wildcard in a subject.",
  why: "With `StringLike`, a wildcard also admits service accounts that are not named: anyone who can create a matching service account can assume the role. With `StringEquals`, the wildcard is an ordinary character, so no service account can assume the role.",
  cure: "Name the service accounts, in the request or in `spec.overrides`, and render again.",
  check: ({ rendered }) =>
    trustFilesOf(rendered).flatMap(({ resource, trusts }) => {
      for (const { field, allowed } of trusts) {
        const clauses = allowed.flatMap(({ condition }) => condition.filter(({ key }) => key.endsWith(":sub")));
        const wide = clauses.flatMap(({ values }) => values.filter((value) => /[*?]/.test(value)));
        if (wide.length === 0) continue;
        return [
          {
            message: `"${field}" has a wildcard in a subject, ${listed(wide)}; name the service accounts.`,
            resource,
            field,
          },
        ];
      }
      return [];
    }),
};
