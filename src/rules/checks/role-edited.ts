import { roleBundlePath } from "../../clouds/aws/identities/role-bundle.ts";
import { ruleCode } from "../../core/finding.ts";
import { editedBundles, oneForAll, renderedAmong } from "../rendering.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("role-edited"),
  severity: "error",
  reads: "package",
  summary: "The bundle ConfigMap of a role is not what a render makes.",
  why: "The ConfigMap holds each policy twice: as people read it, and as the AWS CLI takes it. If one of them was edited, the role that is applied is not the role that was reviewed: it may do more, or another service account may become it. All files are compared, and each that was changed, added or removed is named.",
  cure: "Find out who edited the file, and render again. If other permissions or service accounts are meant, change the request or `spec.overrides`.",
  check: ({ items, rendering, identity }) => {
    const roles = renderedAmong(items, rendering).filter(({ expected }) => roleBundlePath.test(expected.path));
    return oneForAll(editedBundles(roles), roles.length, "rendered roles", identity?.resource);
  },
};

export const good = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  issuer:
    url: https://oidc.example.com
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
      issuerHosting:
        type: External
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
kind: ConfigMap
metadata:
  name: aws-role-openshift-sample-cloud-credentials
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/generated-by: generate-cloud-credentials/demo
data:
  create-role.json: |
    {
      "Path": "/",
      "RoleName": "demo-openshift-sample-cloud-credentials",
      "AssumeRolePolicyDocument": "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Principal\\":{\\"Federated\\":\\"arn:aws:iam::123456789012:oidc-provider/oidc.example.com\\"},\\"Action\\":\\"sts:AssumeRoleWithWebIdentity\\",\\"Condition\\":{\\"StringEquals\\":{\\"oidc.example.com:sub\\":\\"system:serviceaccount:openshift-sample:sample\\"}}}]}",
      "Description": "OpenShift role for openshift-sample/cloud-credentials",
      "MaxSessionDuration": 3600,
      "Tags": [
        {
          "Key": "openshift.io/cloud-credential-operator/demo",
          "Value": "owned"
        },
        {
          "Key": "Name",
          "Value": "demo"
        }
      ]
    }
  identity.json: |
    {
      "secret": "openshift-sample/cloud-credentials"
    }
  permissions-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Action": "ec2:DescribeVolumes",
          "Resource": "*"
        }
      ]
    }
  put-role-policy.json: |
    {
      "RoleName": "demo-openshift-sample-cloud-credentials",
      "PolicyName": "demo-openshift-sample-cloud-credentials",
      "PolicyDocument": "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Action\\":\\"ec2:DescribeVolumes\\",\\"Resource\\":\\"*\\"}]}"
    }
  trust-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Principal": {
            "Federated": "arn:aws:iam::123456789012:oidc-provider/oidc.example.com"
          },
          "Action": "sts:AssumeRoleWithWebIdentity",
          "Condition": {
            "StringEquals": {
              "oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"
            }
          }
        }
      ]
    }
`;

export const bad = `apiVersion: fn.cloudcredential.dev/v1alpha1
kind: ClusterIdentity
metadata:
  name: demo
spec:
  issuer:
    url: https://oidc.example.com
  platform:
    aws:
      accountID: "123456789012"
      region: us-east-2
      issuerHosting:
        type: External
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
kind: ConfigMap
metadata:
  name: aws-role-openshift-sample-cloud-credentials
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/generated-by: generate-cloud-credentials/demo
data:
  create-role.json: |
    {
      "Path": "/",
      "RoleName": "demo-openshift-sample-cloud-credentials",
      "AssumeRolePolicyDocument": "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Principal\\":{\\"Federated\\":\\"arn:aws:iam::123456789012:oidc-provider/oidc.example.com\\"},\\"Action\\":\\"sts:AssumeRoleWithWebIdentity\\",\\"Condition\\":{\\"StringEquals\\":{\\"oidc.example.com:sub\\":\\"system:serviceaccount:openshift-sample:sample\\"}}}]}",
      "Description": "OpenShift role for openshift-sample/cloud-credentials",
      "MaxSessionDuration": 3600,
      "Tags": [
        {
          "Key": "openshift.io/cloud-credential-operator/demo",
          "Value": "owned"
        },
        {
          "Key": "Name",
          "Value": "demo"
        }
      ]
    }
  identity.json: |
    {
      "secret": "openshift-sample/cloud-credentials"
    }
  permissions-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Action": "ec2:DescribeVolumes",
          "Resource": "*"
        }
      ]
    }
  put-role-policy.json: |
    {
      "RoleName": "demo-openshift-sample-cloud-credentials",
      "PolicyName": "demo-openshift-sample-cloud-credentials",
      "PolicyDocument": "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Action\\":\\"ec2:DescribeVolumes\\",\\"Resource\\":\\"*\\"}]}"
    }
  trust-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Principal": {
            "Federated": "arn:aws:iam::123456789012:oidc-provider/oidc.example.com"
          },
          "Action": "sts:AssumeRoleWithWebIdentity",
          "Condition": {
            "StringEquals": {
              "oidc.example.com:sub": "system:serviceaccount:openshift-sample:other"
            }
          }
        }
      ]
    }
`;
