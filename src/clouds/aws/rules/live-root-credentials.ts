import { ruleCode } from "../../../core/finding.ts";
import type { Rule } from "../../../rules/rule.ts";

export const rule: Rule = {
  code: ruleCode("live-root-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still holds the administrator's access key, `kube-system/aws-creds`.",
  why: "The Secret is left over from the time when the cloud-credential-operator made credentials itself. In manual mode nothing needs it, and whoever can read it can do in the account what the installer could.",
  cure: "When every component uses its role, delete the Secret, and the key in AWS.",
  check: ({ liveSecrets }) =>
    liveSecrets
      .filter(({ key }) => key === "kube-system/aws-creds")
      .map(({ resource }) => {
        const message =
          "is still in the cluster, and in manual mode nothing needs the administrator's key; delete it here and in AWS.";
        return { message, resource };
      }),
};

export const good = `apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
  uid: 5f2c8a52-0d1b-4c61-9a77-2f4de1c0aa01
type: Opaque
stringData:
  credentials: |-
    [default]
    sts_regional_endpoints = regional
    role_arn = arn:aws:iam::123456789012:role/demo-openshift-sample-cloud-credentials
    web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
`;

export const bad = `apiVersion: v1
kind: Secret
metadata:
  name: aws-creds
  namespace: kube-system
  uid: 5f2c8a52-0d1b-4c61-9a77-2f4de1c0aa01
data:
  aws_access_key_id: YW4gZXhhbXBsZQ==
`;
