import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("live-azure-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the installer's service principal, `kube-system/azure-credentials`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the subscription.",
  cure: "When every component uses its own managed identity, delete the Secret in the cluster and the client secret in Microsoft Entra ID.",
  check: ({ liveSecrets }) =>
    liveSecrets
      .filter(({ key }) => key === "kube-system/azure-credentials")
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the installer's client secret; delete the Secret in the cluster and the client secret in Microsoft Entra ID.";
        return { message, resource };
      }),
};
