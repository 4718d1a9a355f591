import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";
import { differences } from "../secret.ts";

export const rule: Rule = {
  code: ruleCode("live-secret-differs"),
  severity: "error",
  reads: "live",
  summary: "A Secret in the cluster has other credentials than the rendered one.",
  why: "The component uses what is in the cluster. Where that is not what was reviewed, somebody changed it there, the last rendering was not applied, or the operator's own access key is still in it. Settings are compared, not white space; what they are is never shown.",
  cure: "Apply the rendered Secret, or find out who writes the one in the cluster.",
  check: ({ secrets, liveSecrets, cloud }) =>
    secrets.flatMap((secret) => {
      const live = liveSecrets.find(({ key }) => key === secret.key);
      if (live === undefined || secret.settings.size === 0) return [];
      const names = differences(secret.texts, live.texts, cloud);
      if (names.length === 0) return [];
      const message = `is another one in the cluster: ${names.map(quote).join(", ")} ${names.length === 1 ? "differs" : "differ"}; apply the rendered Secret.`;
      return [{ message, resource: secret.resource }];
    }),
};
