import { ruleCode } from "../../core/finding.ts";
import { quoteWhole } from "../../core/text.ts";
import { requestTokenPath } from "../../requests/credentials-request.ts";
import type { Facts } from "../facts.ts";
import type { Rule } from "../rule.ts";
import { type CredentialsSecret, fieldOfText, isCopied } from "../secret.ts";

export const rule: Rule = {
  code: ruleCode("secret-edited"),
  severity: "error",
  reads: "package",
  summary: "A Secret names another role, or another token, than its rendered role and its request.",
  why: "The component becomes the role that its Secret names, with the token that it names. Where that is not the role that was rendered for it, it is refused by AWS, or acts as another component. It happens when a Secret was edited by hand, or its role was renamed and the Secret was not rendered again. A Secret in base64 (`data`) is read, too. What counts is the profile `[default]`; a setting that is in it twice is as good as another one, because SDKs do not agree which of them counts.",
  cure: "Render again, and change the ClusterIdentity or the request where another role or token path is meant.",
  check: (facts) =>
    facts.filedSecrets.flatMap((secret) => {
      const role = facts.roles.find(({ key }) => key === secret.key);
      if (role === undefined || isCopied(secret)) return [];
      const field = fieldOfText(secret, "credentials");
      if (secret.credentials === "")
        return [
          {
            message: `has no "credentials", and a role is rendered for it; render again.`,
            resource: secret.resource,
            field,
          },
        ];
      return [
        ...differs(secret, "role_arn", role.arn, "its rendered role is"),
        ...differs(secret, "web_identity_token_file", tokenPathOf(facts, secret.key), "its component's token is"),
      ].map((message) => ({ message, resource: secret.resource, field }));
    }),
};

function tokenPathOf({ requests, identity }: Facts, key: string): string | undefined {
  const request = requests.find(({ secretKey }) => secretKey === key);
  return (request === undefined ? "" : requestTokenPath(request.value)) || identity?.tokenPath;
}

// What a Secret says stays unsaid; what was rendered is no secret.
function differs({ settings }: CredentialsSecret, name: string, expected: string | undefined, what: string): string[] {
  if (expected === undefined || settings.get(name) === expected) return [];
  const is = settings.has(name) ? "names another" : "has no";
  return [`${is} "${name}": ${what} ${quoteWhole(expected)}; render again.`];
}

export const good = `apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
type: Opaque
stringData:
  credentials: |-
    [default]
    sts_regional_endpoints = regional
    role_arn = arn:aws:iam::123456789012:role/demo-openshift-sample-cloud-credentials
    web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
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
          "Condition": {"StringEquals": {"oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"}}
        }
      ]
    }
`;

export const bad = `apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
type: Opaque
stringData:
  credentials: |-
    [default]
    sts_regional_endpoints = regional
    role_arn = arn:aws:iam::123456789012:role/demo-openshift-sample-other
    web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
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
          "Condition": {"StringEquals": {"oidc.example.com:sub": "system:serviceaccount:openshift-sample:sample"}}
        }
      ]
    }
`;
