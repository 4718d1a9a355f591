import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("live-root-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the administrator's access key, `kube-system/aws-creds`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the account.",
  cure: "When every component uses its role, delete the Secret in the cluster and the key in AWS.",
  check: ({ liveSecrets }) =>
    liveSecrets
      .filter(({ key }) => key === "kube-system/aws-creds")
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the administrator's access key; delete the Secret in the cluster and the key in AWS.";
        return { message, resource };
      }),
};
