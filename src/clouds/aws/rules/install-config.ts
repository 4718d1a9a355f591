import { ruleCode } from "../../../core/finding.ts";
import { textAt } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import type { Rule } from "../../../rules/rule.ts";
import { awsIdentity } from "../cluster/cluster.ts";
import { readAwsCluster } from "../cluster/read-cluster.ts";

export const installConfigRegion: Rule = {
  code: ruleCode("install-config-region"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different AWS region than the ClusterIdentity.",
  why: "If a bucket hosts the issuer, the region is part of the issuer's URL. The region also determines the partition in policies. An install-config for another region usually belongs to another cluster.",
  cure: "Use the install-config of this cluster, or correct `spec.platform.aws.region` and render again.",
  check: ({ installConfig, identity, items }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const region = textAt(installConfig.value(), ["platform", "aws", "region"]);
    const own = readAwsCluster(awsIdentity(identity), items).cluster?.region ?? awsIdentity(identity).aws.region;
    if (region === "" || own === undefined || region === own) return [];
    const field = "platform.aws.region";
    const message = `"${field}" is ${quote(region)}, but the region in the package is ${quote(own)}; use the install-config of this cluster, or correct the region in the package.`;
    return [{ message, resource: installConfig, field }];
  },
};
