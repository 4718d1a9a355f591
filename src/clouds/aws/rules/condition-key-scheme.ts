import { ruleCode } from "../../../core/finding.ts";
import type { Permissions } from "../../../permissions/permissions.ts";
import { findInGranted, listed } from "../../../rules/granted.ts";
import type { Rule, Violation } from "../../../rules/rule.ts";
import { trustFilesOf } from "../permissions/trust-files.ts";

export const rule: Rule = {
  code: ruleCode("condition-key-scheme"),
  severity: "error",
  reads: "package",
  summary: "A policy's condition key begins with `https://`.",
  why: 'The keys of an OpenID Connect provider are the issuer without its scheme, then `:sub` or `:aud` (IAM User Guide, "Available keys for AWS OIDC federation"). A key with `https://` is one that no token has: an equality on it never holds, so that nobody can become the role.',
  cure: "Take `https://` out of the key.",
  check: ({ rendered, granted }) => [
    ...trustFilesOf(rendered).flatMap(({ resource, trusts }): Violation[] => {
      const [found] = trusts.flatMap(({ field, allowed }) => {
        const keys = keysWithScheme(allowed);
        return keys.length === 0 ? [] : [{ field, keys }];
      });
      return found === undefined
        ? []
        : [{ message: said(`"${found.field}" `, found.keys), resource, field: found.field }];
    }),
    ...findInGranted(granted, ({ permissions }) => {
      const keys = keysWithScheme(permissions);
      return keys.length === 0 ? undefined : { message: said("", keys), part: undefined };
    }),
  ],
};

function keysWithScheme(permissions: Permissions): string[] {
  return permissions.flatMap(({ condition }) =>
    condition.map(({ key }) => key).filter((key) => /^https?:\/\//.test(key)),
  );
}

function said(where: string, keys: readonly string[]): string {
  return `${where}has a condition on a key with a scheme, ${listed(keys)}, which no token has; take "https://" out of it.`;
}

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
  identity.json: |
    {
      "secret": "openshift-sample/cloud-credentials"
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
          "Condition": {"StringEquals": {"oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"}}
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
  identity.json: |
    {
      "secret": "openshift-sample/cloud-credentials"
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
          "Condition": {"StringEquals": {"https://oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"}}
        }
      ]
    }
`;
