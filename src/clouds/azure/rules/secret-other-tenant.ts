import { ruleCode } from "../../../core/finding.ts";
import { quoteSetting } from "../../../core/secret-texts.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";
import { azureIdentity } from "../cluster/platform.ts";
import { settingForms } from "../tokens/component-secret.ts";

export const rule: Rule = {
  code: ruleCode("secret-other-tenant"),
  severity: "error",
  reads: "package",
  summary: "A Secret names another tenant or subscription than the ClusterIdentity.",
  why: "The component sends its token to the tenant in the Secret. Another tenant does not know the managed identity and refuses the token, or belongs to someone else, who then learns it. In another subscription, the managed identity has no roles.",
  cure: "Find out who edited the Secret, and render again.",
  check: ({ filedSecrets, identity }) => {
    if (identity?.platform.name !== "azure") return [];
    const { tenantID, subscriptionID } = azureIdentity(identity).azure;
    const own = [
      ["azure_tenant_id", tenantID],
      ["azure_subscription_id", subscriptionID],
    ] as const;
    return filedSecrets.flatMap((secret) => {
      const wrong = own.find(([key, must]) => (secret.texts.get(key) ?? must).toLowerCase() !== must.toLowerCase());
      if (wrong === undefined) return [];
      const [key, must] = wrong;
      const field = fieldOfText(secret, key);
      const message = `"${field}" is ${quoteSetting(settingForms, key, secret.texts.get(key) ?? "")}, but the ClusterIdentity has ${quote(must)}; render again.`;
      return [{ message, resource: secret.resource, field }];
    });
  },
};
