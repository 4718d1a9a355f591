import { ruleCode } from "../../../core/finding.ts";
import { textAt } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { awsIdentity } from "../cluster/platform.ts";
import { readAwsCluster } from "../cluster/read-cluster.ts";

export const rule: Rule = {
  code: ruleCode("install-config-region"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for another region of AWS than the ClusterIdentity.",
  why: "The region is part of the issuer's name where a bucket hosts it, and of policies where the partition differs. A cluster in another region is most often another cluster.",
  cure: "Use the install-config of this cluster, or correct `spec.platform.aws.region` and render again.",
  check: ({ installConfig, identity, items }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const region = textAt(installConfig.value(), ["platform", "aws", "region"]);
    const own = readAwsCluster(awsIdentity(identity), items).cluster?.region ?? awsIdentity(identity).aws.region;
    if (region === "" || own === undefined || region === own) return [];
    const field = "platform.aws.region";
    const message = `"${field}" is ${quote(region)}, and the cluster's region is ${quote(own)} in the package; use the install-config of this cluster.`;
    return [{ message, resource: installConfig, field }];
  },
};
