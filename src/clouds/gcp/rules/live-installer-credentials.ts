import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("live-installer-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the installer's service account key, `kube-system/gcp-credentials`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the project.",
  cure: "When every component uses its own service account, delete the Secret in the cluster and the key in Google Cloud.",
  check: ({ liveSecrets }) =>
    liveSecrets
      .filter(({ key }) => key === "kube-system/gcp-credentials")
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the installer's service account key; delete the Secret in the cluster and the key in Google Cloud.";
        return { message, resource };
      }),
};
