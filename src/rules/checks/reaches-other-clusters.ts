import { ruleCode } from "../../core/finding.ts";
import { type Reach, reachOf } from "../../permissions/reach.ts";
import { listed } from "../granted.ts";
import type { Rule } from "../rule.ts";

export const reachesOtherClusters: Rule = {
  code: ruleCode("reaches-other-clusters"),
  severity: "warning",
  reads: "package",
  isOptional: true,
  summary: "A rendered identity may change resources beyond its own cluster.",
  why: "If neither a name, nor a condition on a tag, nor a scope limits a permission, it applies to all resources of the account, project, or subscription, including those of other clusters. An attacker who takes over the component then takes over more than one cluster (CVE-2026-10843). This is only a statement about the policies. It does not mean that the component uses these permissions. The requests of the platform itself have such permissions on AWS and GCP, so the rule is optional. `ccf report --reach` lists the same identities, and also those that only read beyond the cluster, which the rule ignores. A permissions boundary or a managed policy may limit the identity. Its document is not in the package, so the message then says that the answer is undecided.",
  cure: "Use an account, a project, or a subscription for each cluster, or limit the identity: on AWS with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) or a condition on the cluster's tag, on Azure with resource groups in `scopes` of the override. Test a limit before you depend on it: a limit that you add by hand can break the platform. For example, snapshots of volumes fail if they do not have the tag. Otherwise, accept the finding with the reason. Also accept it if the document of a permissions boundary limits the identity, because the rule does not know that document.",
  check: ({ rendered, own, cloud: { terms, features } }) =>
    rendered.flatMap((identity) => {
      const { resource } = identity;
      if (resource === undefined || terms === undefined) return [];
      const reach = reachOf(identity, own, terms, features.roles?.known());
      return reach === undefined || !reach.mayChange ? [] : [{ message: messageOf(reach), resource }];
    }),
};

function messageOf({ answer, changes, undecided, why }: Reach): string {
  const named = `with ${listed(changes.slice(0, maxNamed))}${more(changes)}`;
  if (answer === "changes")
    return `may change resources beyond the cluster ${named}: ${why}; limit it to the cluster, or accept the finding with the reason.`;
  const said = changes.length === 0 ? "" : ` ${named}`;
  return `perhaps may change resources beyond the cluster${said}: ${undecided.join("; ")}. If that limits it to the cluster, accept the finding with the reason; otherwise, limit it.`;
}

/** The most actions and roles in a message. */
const maxNamed = 5;

function more(changes: readonly string[]): string {
  return changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : "";
}
