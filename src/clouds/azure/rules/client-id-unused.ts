import { ruleCode } from "../../../core/finding.ts";
import { generatedBy, isMap, type Resource, valueAt } from "../../../core/resource.ts";
import { compareText, quote } from "../../../core/text.ts";
import { hintsAmong } from "../../../core/words.ts";
import type { Facts } from "../../../rules/facts.ts";
import type { Rule } from "../../../rules/rule.ts";
import { clientIdKey } from "../cluster/client-ids.ts";
import { azureIdentity } from "../cluster/platform.ts";

export const rule: Rule = {
  code: ruleCode("client-id-unused"),
  severity: "warning",
  reads: "package",
  summary: "The ConfigMap with the client IDs contains one that no request needs.",
  why: "A key is `<secret namespace>_<secret name>`. If it is misspelled, the request has no client ID, and its Secret is not generated. If the component no longer exists, its managed identity may still exist in Azure.",
  cure: "Correct the key, or remove it. `ccf set-identities` writes the ConfigMap. `apply.sh --prune` deletes managed identities that the package no longer contains.",
  check: (facts) => {
    if (facts.requests.length === 0) return [];
    const known = facts.requests.flatMap(({ secretKey }) => (secretKey === undefined ? [] : clientIdKey(secretKey)));
    const keys = new Set(known);
    const hint = hintsAmong(known);
    return clientIdsIn(facts).flatMap((resource) => {
      const data = valueAt(resource.value(), ["data"]);
      const unused = Object.keys(isMap(data) ? data : {}).filter((key) => !keys.has(key));
      return unused.sort(compareText).map((key) => {
        const message = `no request needs the client ID of ${quote(key)}${hint(key)}. Correct the key, or remove it.`;
        return { message, resource, field: `data.${key}` };
      });
    });
  },
};

function clientIdsIn({ items, identity }: Facts): readonly Resource[] {
  const given = identity?.platform.name === "azure" ? azureIdentity(identity).azure.identities : undefined;
  const name = given ?? "azure-identities";
  return items.filter((item) => item.kind === "ConfigMap" && item.name === name && !item.annotations.has(generatedBy));
}
