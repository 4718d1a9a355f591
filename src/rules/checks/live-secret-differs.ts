import { ruleCode } from "../../core/finding.ts";
import { firstByKey } from "../../core/lookup.ts";
import { settingName } from "../../core/secret-texts.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";
import { differences } from "../secret.ts";

export const rule: Rule = {
  code: ruleCode("live-secret-differs"),
  severity: "error",
  reads: "live",
  summary: "The credentials of a Secret in the cluster differ from the rendered ones.",
  why: "The component uses what is in the cluster. If that is not what was reviewed, a user changed it there, the last render was not applied, or the Secret still contains an access key of the cloud-credential-operator. The rule compares settings and ignores white space. It never shows their values.",
  cure: "Apply the rendered Secret, or find out what writes the Secret in the cluster.",
  check: ({ secrets, liveSecrets, cloud }) => {
    const liveByKey = firstByKey(liveSecrets, ({ key }) => key);
    return secrets.flatMap((secret) => {
      const live = liveByKey.get(secret.key);
      if (live === undefined || secret.settings.size === 0) return [];
      const names = differences(secret.texts, live.texts, cloud);
      if (names.length === 0) return [];
      const message = `differs from the one in the cluster in ${names.map(settingName).map(quote).join(", ")}; apply the rendered Secret.`;
      return [{ message, resource: secret.resource }];
    });
  },
};
