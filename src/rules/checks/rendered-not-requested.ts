import { ruleCode } from "../../core/finding.ts";
import { listed } from "../granted.ts";
import { type NotRequested, notRequested } from "../not-requested.ts";
import { minForSummary } from "../rendering.ts";
import type { Rule, Violation } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("rendered-not-requested"),
  severity: "error",
  reads: "package",
  summary: "No request asks for a rendered Secret or role.",
  why: "A render removes what no request asks for, and tools that prune remove it in the cluster: a component that still runs loses its credentials. Most often nobody meant it. The release's requests are not in the package, or they are for another cloud, or a misspelt word in `spec.release` leaves them out.",
  cure: "Put the release's requests into the package, or correct `spec.release`. If the component is gone, render the package, or set `skip` in its override.",
  check: (facts) => {
    const byReason = new Map<string, NotRequested[]>();
    for (const one of notRequested(facts))
      if (!one.isMeant) byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one]);
    return [...byReason].flatMap(([reason, all]) => {
      if (all.length < minForSummary || facts.identity === undefined) return all.map(violation);
      return [{ message: messageOfMany(reason, all), resource: facts.identity.resource }];
    });
  },
};

const cure = 'Put back what asks for it, or render with "--allow removal" to remove it';

function violation({ resource, secrets, roles, reason }: NotRequested): Violation {
  const what = secrets > 0 && roles > 0 ? "it and its role" : "it";
  return { message: `no request asks for ${what}: ${reason}. ${cure}.`, resource };
}

function messageOfMany(reason: string, all: readonly NotRequested[]): string {
  const [secrets, roles] = [
    all.map((notRequested) => notRequested.secrets),
    all.map((notRequested) => notRequested.roles),
  ].map((counts) => counts.reduce((sum, number) => sum + number, 0));
  const names = all.map(({ resource: { namespace, name } }) => (namespace === "" ? name : `${namespace}/${name}`));
  const more = names.length > minForSummary ? ` and ${names.length - minForSummary} more` : "";
  return `no request asks for ${secrets} rendered Secrets and ${roles} roles (${listed(names.slice(0, minForSummary))}${more}): ${reason}. ${cure}.`;
}
