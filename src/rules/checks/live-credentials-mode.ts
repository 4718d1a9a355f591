import { ruleCode } from "../../core/finding.ts";
import { groupOf, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-credentials-mode"),
  severity: "error",
  reads: "live",
  summary: "The cluster's cloud-credential-operator is not in manual mode.",
  why: "In any mode except `Manual` the operator creates and rotates credentials itself, and replaces the rendered ones. With an empty mode it chooses.",
  cure: "Set `spec.credentialsMode: Manual` in `CloudCredential/cluster` (operator.openshift.io/v1).",
  check: ({ live }) =>
    live
      .filter((item) => item.kind === "CloudCredential" && groupOf(item.apiVersion) === "operator.openshift.io")
      .flatMap((resource) => {
        const field = "spec.credentialsMode";
        const mode = valueAt(resource.value(), ["spec", "credentialsMode"]);
        if (mode === "Manual") return [];
        return [
          { message: `"${field}" is ${quote(mode ?? "")} in the cluster, but must be "Manual".`, resource, field },
        ];
      }),
};
