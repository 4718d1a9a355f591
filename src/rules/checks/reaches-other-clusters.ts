import { ruleCode } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { type Reach, reachOf } from "../../permissions/reach.ts";
import { listed } from "../granted.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("reaches-other-clusters"),
  severity: "warning",
  reads: "package",
  isOptional: true,
  summary: "A rendered identity may change resources beyond its own cluster.",
  why: "If neither a name, nor a condition on a tag, nor a scope limits a permission, it applies to all resources of the account, project or subscription: also to those of other clusters. An attacker who takes over the component then takes over more than one cluster (CVE-2026-10843). This is a fact of the policies: it does not say that the component uses these permissions. The requests of the platform itself have such permissions on AWS and GCP, so the rule is optional. `ccf report --reach` lists the same identities, and also those that only read beyond the cluster, which the rule ignores. The rule also ignores a role with a permissions boundary, because the boundary may limit it, and its document is not in the package.",
  cure: "Use an account, a project or a subscription for each cluster, or limit the identity: on AWS with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) or a condition on the cluster's tag, on Azure with resource groups in `scopes` of the override. Test a limit before you depend on it: a limit that you add by hand can break the platform. For example, snapshots of volumes fail if they do not have the tag. Otherwise, accept the finding with the reason.",
  check: ({ rendered, own, cloud: { terms, roles } }) =>
    rendered.flatMap((identity) => {
      const { resource, boundary } = identity;
      if (resource === undefined || terms === undefined || boundary !== undefined) return [];
      const reach = reachOf(identity, own, terms, roles?.known());
      return reach === undefined || reach.answer === "reads" ? [] : [{ message: messageOf(reach), resource }];
    }),
};

function messageOf({ answer, changes, undecided, why }: Reach): string {
  const what =
    answer === "changes"
      ? `may change resources beyond the cluster with ${listed(changes.slice(0, maxNamed))}${more(changes)}: ${why}`
      : `may change resources beyond the cluster, because ${undecided.map((text) => quoteWhole(text)).join(" and ")}`;
  return `${what}; limit it to the cluster, or accept the finding with the reason.`;
}

/** The most actions and roles in a message. */
const maxNamed = 5;

function more(changes: readonly string[]): string {
  return changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : "";
}
