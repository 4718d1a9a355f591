import { ruleCode } from "../../core/finding.ts";
import { listed } from "../granted.ts";
import { type NotRequested, notRequested } from "../not-requested.ts";
import { minForSummary } from "../rendering.ts";
import type { Rule, Violation } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("rendered-not-requested"),
  severity: "error",
  reads: "package",
  summary: "No request needs a rendered Secret or role.",
  why: "A render removes what no request needs, and tools that prune remove it from the cluster: a component that still runs loses its credentials. Usually this is a mistake. The release's requests are not in the package, they are for another cloud, or a misspelled name in `spec.release` excludes them.",
  cure: "Add the release's requests to the package, or correct `spec.release`. If the component no longer exists, render the package (with `--allow removal` if the render refuses), or set `skip` in its override.",
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

const cure = 'Restore the request, or render with "--allow removal" to remove it';

function violation({ resource, secrets, roles, reason }: NotRequested): Violation {
  const what = secrets > 0 && roles > 0 ? "it and its role" : "it";
  return { message: `no request needs ${what}: ${reason}. ${cure}.`, resource };
}

function messageOfMany(reason: string, all: readonly NotRequested[]): string {
  const [secrets, roles] = [
    all.map((notRequested) => notRequested.secrets),
    all.map((notRequested) => notRequested.roles),
  ].map((counts) => counts.reduce((sum, number) => sum + number, 0));
  const names = all.map(({ resource: { namespace, name } }) => (namespace === "" ? name : `${namespace}/${name}`));
  const more = names.length > minForSummary ? ` and ${names.length - minForSummary} more` : "";
  return `no request needs ${secrets} rendered Secrets and ${roles} roles (${listed(names.slice(0, minForSummary))}${more}): ${reason}. ${cure}.`;
}
