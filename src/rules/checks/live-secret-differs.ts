import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Rule } from "../rule.ts";
import { differences } from "../secret.ts";

export const rule: Rule = {
  code: ruleCode("live-secret-differs"),
  severity: "error",
  reads: "live",
  summary: "A Secret in the cluster has other credentials than the rendered one.",
  why: "The component uses what is in the cluster. Where that is not what was reviewed, somebody changed it there, the last rendering was not applied, or the operator's own access key is still in it. Settings are compared, not white space; what they are is never shown.",
  cure: "Apply the rendered Secret, or find out who writes the one in the cluster.",
  check: ({ secrets, liveSecrets, cloud }) =>
    secrets.flatMap((secret) => {
      const live = liveSecrets.find(({ key }) => key === secret.key);
      if (live === undefined || secret.settings.size === 0) return [];
      const names = differences(secret.texts, live.texts, cloud);
      if (names.length === 0) return [];
      const message = `is another one in the cluster: ${names.map(quote).join(", ")} ${names.length === 1 ? "differs" : "differ"}; apply the rendered Secret.`;
      return [{ message, resource: secret.resource }];
    }),
};

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
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
  uid: 5f2c8a52-0d1b-4c61-9a77-2f4de1c0aa01
type: Opaque
data:
  credentials: W2RlZmF1bHRdCnN0c19yZWdpb25hbF9lbmRwb2ludHMgPSByZWdpb25hbApyb2xlX2FybiA9IGFybjphd3M6aWFtOjoxMjM0NTY3ODkwMTI6cm9sZS9kZW1vLW9wZW5zaGlmdC1zYW1wbGUtY2xvdWQtY3JlZGVudGlhbHMKd2ViX2lkZW50aXR5X3Rva2VuX2ZpbGUgPSAvdmFyL3J1bi9zZWNyZXRzL29wZW5zaGlmdC9zZXJ2aWNlYWNjb3VudC90b2tlbg==
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
    role_arn = arn:aws:iam::123456789012:role/demo-openshift-sample-cloud-credentials
    web_identity_token_file = /var/run/secrets/openshift/serviceaccount/token
---
apiVersion: v1
kind: Secret
metadata:
  name: cloud-credentials
  namespace: openshift-sample
  uid: 5f2c8a52-0d1b-4c61-9a77-2f4de1c0aa01
type: Opaque
data:
  credentials: W2RlZmF1bHRdCnN0c19yZWdpb25hbF9lbmRwb2ludHMgPSByZWdpb25hbApyb2xlX2FybiA9IGFybjphd3M6aWFtOjoxMjM0NTY3ODkwMTI6cm9sZS9vdGhlcgp3ZWJfaWRlbnRpdHlfdG9rZW5fZmlsZSA9IC92YXIvcnVuL3NlY3JldHMvb3BlbnNoaWZ0L3NlcnZpY2VhY2NvdW50L3Rva2Vu
`;
