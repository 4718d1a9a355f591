import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-token-auth-value"),
  severity: "error",
  reads: "package",
  summary: 'A ClusterServiceVersion\'s token-auth annotation is not the string "true" or "false".',
  why: 'An annotation is a string: without quotes `true` is a boolean, and the API server refuses the object. Any other string, such as "True" or "yes", is treated as if the annotation were not set, so the console does not ask for a role.',
  cure: 'Write `"true"` or `"false"`, in quotes.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const value = tokenAuth(operator, cloud);
        if (value === undefined || value === "true" || value === "false") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is ${quote(value)}, but must be the string "true" or "false", in quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
