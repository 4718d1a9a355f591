import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Facts } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-secret-missing"),
  severity: "error",
  reads: "live",
  summary: "A rendered Secret is not in the cluster, although its namespace is.",
  why: "The component has no credentials until its Secret exists. The rule reports only namespaces whose Secrets are evidently in the dump: it contains another Secret of the namespace, or the Namespace itself along with Secrets of other namespaces.",
  cure: "Apply the rendered Secret.",
  check: (facts) => {
    const { secrets, liveSecrets } = facts;
    const seen = namespacesIn(facts);
    const there = new Set(liveSecrets.map(({ key }) => key));
    return secrets
      .filter(({ key, resource, settings }) => settings.size > 0 && !there.has(key) && seen.has(resource.namespace))
      .map(({ resource }) => {
        const message = `is not in the cluster, although its namespace ${quote(resource.namespace)} is; apply the rendered Secret.`;
        return { message, resource };
      });
  },
};

function namespacesIn({ live, liveSecrets }: Facts): Set<string> {
  const namespaces = liveSecrets.length === 0 ? [] : live.filter(({ kind }) => kind === "Namespace");
  return new Set([...liveSecrets.map(({ resource }) => resource.namespace), ...namespaces.map(({ name }) => name)]);
}
