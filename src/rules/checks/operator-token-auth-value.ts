import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-token-auth-value"),
  severity: "error",
  reads: "package",
  summary: 'A ClusterServiceVersion\'s token-auth annotation is neither the text "true" nor "false".',
  why: 'An annotation is a text: without quotes `true` is a boolean, and the API server refuses the object. Any other text, "True" or "yes" among them, counts as no declaration, so that the console asks nobody for a role.',
  cure: 'Write `"true"` or `"false"`, in quotes.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const value = tokenAuth(operator, cloud);
        if (value === undefined || value === "true" || value === "false") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is ${quote(value)}, and must be the text "true" or "false", in quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
