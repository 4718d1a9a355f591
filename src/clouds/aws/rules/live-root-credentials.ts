import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("live-root-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still holds the administrator's access key, `kube-system/aws-creds`.",
  why: "The Secret is left over from the time when the cloud-credential-operator made credentials itself. In manual mode nothing needs it, and whoever can read it can do in the account what the installer could.",
  cure: "When every component uses its role, delete the Secret, and the key in AWS.",
  check: ({ liveSecrets }) =>
    liveSecrets
      .filter(({ key }) => key === "kube-system/aws-creds")
      .map(({ resource }) => {
        const message =
          "is still in the cluster, and in manual mode nothing needs the administrator's key; delete it here and in AWS.";
        return { message, resource };
      }),
};
