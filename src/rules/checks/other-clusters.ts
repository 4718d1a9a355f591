import { ruleCode } from "../../core/finding.ts";
import type { Resource } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { withDocuments } from "../../permissions/policy-documents.ts";
import { type Reach, reachOf } from "../../permissions/reach.ts";
import { quotedList, remarkOf } from "../granted.ts";
import type { Rule, Violation } from "../rule.ts";

export const reachesOtherClusters: Rule = {
  code: ruleCode("reaches-other-clusters"),
  severity: "warning",
  reads: "package",
  isOptional: true,
  summary: "A rendered identity may change resources beyond its own cluster.",
  why: "If neither a name, nor a condition on a tag, nor a scope limits a permission, it applies to all resources of the account, project, or subscription, including those of other clusters. An attacker who takes over the component then takes over more than one cluster (CVE-2026-10843). This is only a statement about the policies. It does not mean that the component uses these permissions. The requests of the platform itself have such permissions on AWS and GCP, so the rule is optional. `ccf report --reach` lists the same identities, and also those that only read beyond the cluster, which the rule ignores. A permissions boundary may limit the identity. Its document is not in the package, so the message then says that the answer is undecided, unless you pass the document with `--policy-documents`.",
  cure: "Use an account, a project, or a subscription for each cluster, or limit the identity: on AWS with a permissions boundary (`spec.platform.aws.roles.permissionsBoundaryARN`) or a condition on the cluster's tag, on Azure with resource groups in `scopes` of the override. Test a limit before you depend on it: a limit that you add by hand can break the platform. For example, snapshots of volumes fail if they do not have the tag. Otherwise, accept the finding with the reason. If the document of a permissions boundary limits the identity, pass it with `--policy-documents`; a function does not know that document, so accept the finding there.",
  check: ({ rendered, own, documents, definitions, cloud: { terms, features } }) =>
    rendered.flatMap((identity): Violation[] => {
      const { resource } = identity;
      if (resource === undefined || terms === undefined) return [];
      const holder = withDocuments(identity, documents);
      const known = features.roles?.known();
      const roles = known === undefined ? undefined : new Map([...known, ...definitions]);
      const reachWith = (managedPolicies: readonly string[]) =>
        reachOf({ ...holder, managedPolicies }, own, terms, roles);
      // A policy that is attached must not make certain what its own statements allow less certain.
      const alone = reachWith([]);
      if (alone?.answer === "changes") {
        const remark = remarkOf(holder.managedPolicies);
        return [{ message: `${messageOf(alone)}${remark}`, resource }];
      }
      const reach = reachWith(holder.managedPolicies);
      if (reach === undefined || !reach.mayChange) return [];
      const message = messageOf(reach);
      return [reach.answer === "changes" ? { message, resource } : { message, resource, isUndecided: true }];
    }),
};

function messageOf({ answer, changes, undecided, why }: Reach): string {
  const named = `with ${quotedList(changes.slice(0, maxActions))}${more(changes)}`;
  if (answer === "changes")
    return `may change resources beyond the cluster ${named}: ${why}; limit it to the cluster, or accept the finding with the reason.`;
  const said = changes.length === 0 ? "" : ` ${named}`;
  return `perhaps may change resources beyond the cluster${said}: ${undecided.join("; ")}. If that limits it to the cluster, accept the finding with the reason; otherwise, limit it.`;
}

/** The most actions and roles in a message. */
const maxActions = 5;

function more(changes: readonly string[]): string {
  return changes.length > maxActions ? ` and ${changes.length - maxActions} more` : "";
}

export const signingKeyShared: Rule = {
  code: ruleCode("signing-key-shared"),
  severity: "warning",
  reads: "packages",
  summary: "Several clusters sign their tokens with the same key.",
  why: "Anyone who has the private key of one cluster can sign the tokens of the others, so a leak in one cluster is a leak in all of them, and all of them need a new key at the same time. This is what remains of a package that was copied.",
  cure: "Create a key pair for each cluster (`ccf create-key-pair`), and set the public key in `spec.issuer.signingKeys`. If a cluster runs, rotate its key (docs/guides/key-rotation.md). If the clusters share the key on purpose, accept the finding in the ClusterIdentity of each of them.",
  // The facts are those of one package. A command for several packages compares them (src/cli/fleet/compare-clusters.ts).
  check: () => [],
};

/** The most clusters in a message. */
const maxClusters = 5;

/**
 * The violation by clusters that share a key.
 *
 * @param files the files of their ClusterIdentities, two or more.
 * @param resource the ClusterIdentity that the finding is about.
 */
export function sharedKey(keyId: string, files: readonly string[], resource: Resource): Violation {
  const named = listed(files.map(quoteWhole), maxClusters);
  return {
    message: `${files.length} clusters sign their tokens with the key ${quote(keyId)}: ${named}. Create a key pair for each cluster, and set its public key in "spec.issuer.signingKeys".`,
    resource,
    field: "spec.issuer.signingKeys",
  };
}
