import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { tokenAuth } from "../operator.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("operator-token-auth-undeclared"),
  severity: "warning",
  reads: "package",
  summary:
    "An OLM operator ships a request for a cloud, but its ClusterServiceVersion does not declare token authentication for it.",
  why: "Only this annotation makes the console list an operator for clusters with short-term credentials and ask for its role at installation. Without it an administrator installs the operator without a role, and the Secret never appears.",
  cure: 'Set the annotation `features.operators.openshift.io/token-auth-aws` (`-gcp`, `-azure`) of the ClusterServiceVersion to `"true"`. If the request is only for clusters with long-lived credentials, accept the finding with that reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const request = operator.requests.find((request) => request.cloud === cloud);
        const value = tokenAuth(operator, cloud);
        if (request === undefined || (value !== undefined && value !== "false")) return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const is = value === undefined ? "is not set" : 'is "false"';
        const message = `"${field}" ${is}, but ${describe(request.resource)} for ${cloud.title} is shipped with it; write ${cloud.tokenAuthAnnotation}: "true", with the quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
