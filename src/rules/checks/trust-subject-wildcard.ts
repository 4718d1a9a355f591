import { ruleCode } from "../../core/finding.ts";
import { listed } from "../granted.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("trust-subject-wildcard"),
  severity: "error",
  reads: "package",
  summary: "A role's trust policy has a wildcard in a subject.",
  why: "With `StringLike` a wildcard lets in service accounts that nobody named: who may make a service account in the namespace has the role. With `StringEquals` the wildcard is a character like any other, so that nobody can become the role.",
  cure: "Name the service accounts, in the request or in `spec.overrides`, and render again.",
  check: ({ roles }) =>
    roles.flatMap(({ resource, trusts }) => {
      for (const { field, allowed } of trusts) {
        const clauses = allowed.flatMap(({ condition }) => condition.filter(({ key }) => key.endsWith(":sub")));
        const wide = clauses.flatMap(({ values }) => values.filter((value) => /[*?]/.test(value)));
        if (wide.length === 0) continue;
        return [
          {
            message: `"${field}" has a wildcard in a subject, ${listed(wide)}; name the service accounts.`,
            resource,
            field,
          },
        ];
      }
      return [];
    }),
};

export const good = `apiVersion: v1
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
      "Description": "OpenShift role for openshift-sample/cloud-credentials"
    }
  permissions-policy.json: |
    {"Version": "2012-10-17", "Statement": []}
  trust-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Principal": {"Federated": "arn:aws:iam::123456789012:oidc-provider/oidc.example.com"},
          "Action": "sts:AssumeRoleWithWebIdentity",
          "Condition": {"StringLike": {"oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"}}
        }
      ]
    }
`;

export const bad = `apiVersion: v1
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
      "Description": "OpenShift role for openshift-sample/cloud-credentials"
    }
  permissions-policy.json: |
    {"Version": "2012-10-17", "Statement": []}
  trust-policy.json: |
    {
      "Version": "2012-10-17",
      "Statement": [
        {
          "Effect": "Allow",
          "Principal": {"Federated": "arn:aws:iam::123456789012:oidc-provider/oidc.example.com"},
          "Action": "sts:AssumeRoleWithWebIdentity",
          "Condition": {"StringLike": {"oidc.example.com:sub": "system:serviceaccount:openshift-sample:*"}}
        }
      ]
    }
`;
