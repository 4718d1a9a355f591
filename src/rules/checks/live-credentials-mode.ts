import { ruleCode } from "../../core/finding.ts";
import { groupOf, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-credentials-mode"),
  severity: "error",
  reads: "live",
  summary: "The cluster's cloud-credential-operator is not in manual mode.",
  why: "In another mode than `Manual` the operator makes and rotates credentials itself, and replaces what was rendered. An empty mode lets it choose.",
  cure: "Set `spec.credentialsMode: Manual` in `CloudCredential/cluster` (operator.openshift.io/v1).",
  check: ({ live }) =>
    live
      .filter((item) => item.kind === "CloudCredential" && groupOf(item.apiVersion) === "operator.openshift.io")
      .flatMap((resource) => {
        const field = "spec.credentialsMode";
        const mode = valueAt(resource.value(), ["spec", "credentialsMode"]);
        if (mode === "Manual") return [];
        return [
          { message: `"${field}" is ${quote(mode ?? "")} in the cluster, and must be "Manual".`, resource, field },
        ];
      }),
};
