import { ruleCode } from "../../../core/finding.ts";
import type { Trust } from "../../../permissions/identity.ts";
import { quotedList } from "../../../rules/granted.ts";
import type { Rule } from "../../../rules/rule.ts";
import { type AzureCluster, trustedIssuers } from "../cluster/cluster.ts";
import { webhookAudience } from "../workloads.ts";

export const credentialWithoutSubject: Rule = {
  code: ruleCode("credential-without-subject"),
  severity: "error",
  reads: "package",
  summary:
    "A rendered managed identity accepts tokens from something other than named service accounts of the cluster.",
  why: "Each federated credential must name the cluster's issuer, or a previous one, a service account as the subject, and the audience of OpenShift's tokens, or for a workload that of the webhook's. With another issuer, someone else's tokens can use the managed identity. A wildcard in a subject is an ordinary character, so no service account matches it.",
  cure: "Render again. To set other service accounts, use `spec.overrides`; to keep an issuer while a cluster moves, use `spec.issuer.previous`.",
  check: ({ cluster, rendered }) => {
    // Without a ClusterIdentity, the cluster's issuer is not known.
    const issuers = cluster === undefined ? undefined : trustedIssuers(cluster as AzureCluster);
    const isOwn = ({ subjects, issuer = "", audiences = [] }: Trust, isOfWorkload: boolean) =>
      subjects.every((subject) => isAccount.test(subject)) &&
      issuers?.includes(issuer) !== false &&
      audiences.every((audience) => audience === "openshift" || (isOfWorkload && audience === webhookAudience));
    return rendered.flatMap(({ resource, trusts, isOfWorkload }) => {
      const others = trusts.filter((trust) => !isOwn(trust, isOfWorkload));
      if (others.length === 0 || resource === undefined) return [];
      const said = others.map(({ subjects, issuer = "", audiences = [] }) =>
        [...subjects, issuer, ...audiences].join(" "),
      );
      const message = `has a federated credential that is not for a service account of the cluster: ${quotedList(said)}; render again.`;
      return [{ message, resource }];
    });
  },
};

const isAccount = /^system:serviceaccount:[a-z0-9][-a-z0-9]*:[a-z0-9][-.a-z0-9]*$/;
