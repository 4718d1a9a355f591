import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("webhook-secret-missing"),
  severity: "error",
  reads: "package",
  summary: "The package has an issuer, but not the Secret with which the cluster deploys the webhook for tokens.",
  why: "The cloud-credential-operator deploys the Azure workload identity webhook only if the Secret `openshift-cloud-credential-operator/azure-credentials` contains the tenant. Without the webhook, pods that rely on it get no token.",
  cure: "Render again; `generate-oidc-issuer` generates the Secret.",
  check: ({ secrets, items, documentIssuer }) => {
    if (documentIssuer === undefined) return [];
    const isThere = secrets.some(
      ({ key, texts }) => key === webhookSecret && (texts.get("azure_tenant_id") ?? "") !== "",
    );
    const [issuer] = items.filter(({ kind, name }) => kind === "ConfigMap" && name === "azure-issuer");
    if (isThere || issuer === undefined) return [];
    const message = `the package has no Secret "${webhookSecret}" with "azure_tenant_id", so the cluster does not deploy the webhook that gives pods their tokens; render again.`;
    return [{ message, resource: issuer }];
  },
};

const webhookSecret = "openshift-cloud-credential-operator/azure-credentials";
