import { ruleCode } from "../../core/finding.ts";
import { notRequested } from "../not-requested.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("rendered-not-removed"),
  severity: "warning",
  reads: "package",
  summary: "A rendered Secret or role is still there, and the ClusterIdentity or the release asks to remove it.",
  why: "An override with `skip: true`, or a request that the release deletes, asks for no credentials any more. Until the package is rendered, its Secret still goes to the cluster, and its role stays.",
  cure: "Render the package.",
  check: (facts) =>
    notRequested(facts)
      .filter(({ isMeant }) => isMeant)
      .map(({ resource, secrets, roles, reason }) => {
        const what = secrets > 0 && roles > 0 ? "and its role are" : "is";
        const subject = secrets > 0 && roles > 0 ? "it " : "";
        const message = `${subject}${what} still in the package, although ${reason}; render to remove ${secrets + roles > 1 ? "them" : "it"}.`;
        return { message, resource };
      }),
};

export const good = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  overrides:
    openshift-sample/cloud-credentials:
      skip: true
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: sample
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-sample, name: cloud-credentials}
  serviceAccountNames: [sample]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: [ec2:DescribeVolumes]
      resource: "*"
`;

export const bad = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  overrides:
    openshift-sample/cloud-credentials:
      skip: true
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
---
apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: sample
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-sample, name: cloud-credentials}
  serviceAccountNames: [sample]
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: [ec2:DescribeVolumes]
      resource: "*"
---
apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
  annotations:
    fn.cloudcredential.dev/generated-by: generate-cloud-credentials/demo
type: Opaque
stringData:
  credentials: |-
    [default]
    sts_regional_endpoints = regional
    role_arn = arn:aws:iam::123456789012:role/demo-openshift-sample-cloud-credentials
    web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
`;
