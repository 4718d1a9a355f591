import { ruleCode } from "../../../core/finding.ts";
import type { Trust } from "../../../permissions/identity.ts";
import { quotedList } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";

export const memberWithoutSubject: Rule = {
  code: ruleCode("member-without-subject"),
  severity: "error",
  reads: "package",
  summary:
    "A rendered service account can be impersonated by something other than named service accounts of the cluster.",
  why: "Each member in `bindings.json` must be one subject of the cluster's workload identity pool. With `principalSet://…/*`, every service account of the cluster can use the service account. A member of another pool, a user, a group, or `allUsers` is outside the cluster. A wildcard in a subject is an ordinary character, so no service account matches it.",
  cure: "Render again. To set other service accounts, use `spec.overrides`.",
  check: ({ rendered }) => {
    // A package without the cluster's files does not say which pool is the cluster's.
    const isPoolKnown = rendered.some(({ trusts }) => trusts.some(({ issuer }) => issuer !== undefined));
    const isOther = ({ subjects, conditions }: Trust) => {
      const [subject = isPoolKnown ? "" : subjectIn(conditions[0] ?? "")] = subjects;
      return !isAccount.test(subject);
    };
    return rendered.flatMap(({ resource, trusts }) => {
      const others = trusts.filter(isOther).flatMap(({ subjects, conditions }) => [...subjects, ...conditions]);
      if (others.length === 0 || resource === undefined) return [];
      const message = `"${field}" has a member that is not a service account of the cluster: ${quotedList(others)}; render again.`;
      return [{ message, resource, field }];
    });
  },
};

function subjectIn(member: string): string {
  return /\/workloadIdentityPools\/[^/]+\/subject\/(.+)$/s.exec(member)?.[1] ?? "";
}

const field = "data.bindings.json";

const isAccount = /^system:serviceaccount:[a-z0-9][-a-z0-9]*:[a-z0-9][-.a-z0-9]*$/;
