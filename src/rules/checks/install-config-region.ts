import { awsIdentity } from "../../clouds/aws/cluster/platform.ts";
import { readAwsCluster } from "../../clouds/aws/cluster/read-cluster.ts";
import { ruleCode } from "../../core/finding.ts";
import { textAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";

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

export const good = `apiVersion: v1
baseDomain: example.com
credentialsMode: Manual
metadata:
  name: demo
platform:
  aws: {region: us-east-2}
---
apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
`;

export const bad = `apiVersion: v1
baseDomain: example.com
credentialsMode: Manual
metadata:
  name: demo
platform:
  aws: {region: eu-west-1}
---
apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
`;
