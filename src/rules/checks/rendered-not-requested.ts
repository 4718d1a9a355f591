import { cureOf, removalOf } from "../../core/allowances.ts";
import { ruleCode } from "../../core/finding.ts";
import { allByKey } from "../../core/lookup.ts";
import { plural } from "../../core/plural.ts";
import { compareText } from "../../core/text.ts";
import type { KnownCloud } from "../cloud.ts";
import { listed } from "../granted.ts";
import { type NotRequested, notRequested, subjectOf } from "../not-requested.ts";
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
      if (all.length < minForSummary || facts.identity === undefined)
        return all.map((one) => violation(one, facts.cloud));
      return [{ message: messageOfMany(reason, all, facts.cloud), resource: facts.identity.resource }];
    });
  },
};

function violation(one: NotRequested, cloud: KnownCloud): Violation {
  const message = `no request needs ${subjectOf(one, cloud)}: ${one.reason}. Restore the request. ${allowing([one])}`;
  return { message, resource: one.resource };
}

function messageOfMany(reason: string, all: readonly NotRequested[], { identityNoun }: KnownCloud): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const counts = [
    [sum(all.map(({ secrets }) => secrets)), "rendered Secret"],
    [sum(all.map(({ roles }) => roles)), identityNoun],
  ] as const;
  const what = counts.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? noun : plural(noun)}`],
  );
  const names = all.map(({ resource: { namespace, name } }) => (namespace === "" ? name : `${namespace}/${name}`));
  const more = names.length > minForSummary ? ` and ${names.length - minForSummary} more` : "";
  return `no request needs ${what.join(" and ")} (${listed(names.slice(0, minForSummary))}${more}): ${reason}. Restore the requests. ${allowing(all)}`;
}

function allowing(all: readonly NotRequested[]): string {
  return cureOf(all.map(({ key }) => removalOf(key)).sort(compareText));
}
