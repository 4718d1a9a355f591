import { ruleCode } from "../../../core/finding.ts";
import { quoteSetting } from "../../../core/secret-texts.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { Facts } from "../../../rules/facts.ts";
import type { Rule } from "../../../rules/rule.ts";
import { fieldOfText } from "../../../rules/secret.ts";
import { gcpIdentity } from "../cluster/platform.ts";
import { readGcpCluster } from "../cluster/read-cluster.ts";
import { exchangeAudience } from "../cluster/resource-names.ts";
import { secretFile, setting, settingForms } from "../rendered/credentials-file.ts";

export const rule: Rule = {
  code: ruleCode("external-account-provider"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credential configuration names another provider than that of the cluster.",
  why: "The `audience` of the file is the full resource name of the provider that judges the component's token. Another provider trusts another issuer and refuses the token, or belongs to another organization, which then learns the token. The name contains the number of the project, not its ID.",
  cure: "Render again. To use another pool or provider, set `spec.platform.gcp.pool` and `spec.platform.gcp.provider`.",
  check: (facts) => {
    const audience = audienceOf(facts);
    if (audience === undefined) return [];
    return facts.filedSecrets.flatMap((secret) => {
      const { settings, credentials, resource } = secret;
      const named = settings.get(setting.audience);
      const isExternal = settings.get(setting.type) === "external_account" && !secretFile.form.isCopied(credentials);
      if (!isExternal || named === audience) return [];
      const is = named === undefined ? "is missing" : `is ${quoteSetting(settingForms, setting.audience, named)}`;
      const message = `"${setting.audience}" ${is}, but the cluster's provider is ${quoteWhole(audience)}; render again.`;
      return [{ message, resource, field: fieldOfText(secret, secretFile.key) }];
    });
  },
};

function audienceOf({ identity, items }: Facts): string | undefined {
  if (identity === undefined) return undefined;
  const { value } = readGcpCluster(gcpIdentity(identity), items);
  return value === undefined ? undefined : exchangeAudience(value);
}
