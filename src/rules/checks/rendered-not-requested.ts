import { removalOf } from "../../core/allowances.ts";
import { ruleCode } from "../../core/finding.ts";
import { allByKey } from "../../core/lookup.ts";
import { compareText } from "../../core/text.ts";
import { listed } from "../granted.ts";
import { type NotRequested, notRequested } from "../not-requested.ts";
import { minForSummary } from "../rendering.ts";
import type { Rule, Violation } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("rendered-not-requested"),
  severity: "error",
  reads: "package",
  summary: "No request needs a rendered Secret or role.",
  why: "A render stops before it removes what no request needs. If it is allowed to, tools that prune remove the Secret from the cluster: a component that still runs loses its credentials. Usually this is a mistake. The release's requests are not in the package, they are for another cloud, or a misspelled name in `spec.release` excludes them.",
  cure: "Add the release's requests to the package, or correct `spec.release`. If the component no longer exists, render the package with `--allow removal:<namespace>/<secret>`, or set `skip` in its override.",
  check: (facts) => {
    const byReason = allByKey(notRequested(facts), ({ isMeant, reason }) => (isMeant ? undefined : reason));
    return [...byReason].flatMap(([reason, all]) => {
      if (all.length < minForSummary || facts.identity === undefined) return all.map(violation);
      return [{ message: messageOfMany(reason, all), resource: facts.identity.resource }];
    });
  },
};

function cureOf(all: readonly NotRequested[]): string {
  const names = all.map(({ key }) => removalOf(key)).sort(compareText);
  return `Restore ${all.length === 1 ? "the request" : "the requests"}, or render with "--allow ${names.join(",")}" to remove ${all.length === 1 ? "it" : "all of it"}`;
}

function violation(one: NotRequested): Violation {
  const { resource, secrets, roles, reason } = one;
  const what = secrets > 0 && roles > 0 ? "it and its role" : "it";
  return { message: `no request needs ${what}: ${reason}. ${cureOf([one])}.`, resource };
}

function messageOfMany(reason: string, all: readonly NotRequested[]): string {
  const [secrets, roles] = [
    all.map((notRequested) => notRequested.secrets),
    all.map((notRequested) => notRequested.roles),
  ].map((counts) => counts.reduce((sum, number) => sum + number, 0));
  const names = all.map(({ resource: { namespace, name } }) => (namespace === "" ? name : `${namespace}/${name}`));
  const more = names.length > minForSummary ? ` and ${names.length - minForSummary} more` : "";
  return `no request needs ${secrets} rendered Secrets and ${roles} roles (${listed(names.slice(0, minForSummary))}${more}): ${reason}. ${cureOf(all)}.`;
}
