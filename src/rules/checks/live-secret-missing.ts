import { ruleCode } from "../../core/finding.ts";
import { quote } from "../../core/text.ts";
import type { Facts } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  code: ruleCode("live-secret-missing"),
  severity: "error",
  reads: "live",
  summary: "A rendered Secret is not in the cluster, although its namespace is.",
  why: "The component has no credentials until its Secret is there. It is said of namespaces of which the dump shows that their Secrets are in it: it has another Secret of the namespace, or the Namespace itself together with Secrets of others.",
  cure: "Apply the rendered Secret.",
  check: (facts) => {
    const { secrets, liveSecrets } = facts;
    const seen = namespacesIn(facts);
    const there = new Set(liveSecrets.map(({ key }) => key));
    return secrets
      .filter(({ key, resource, settings }) => settings.size > 0 && !there.has(key) && seen.has(resource.namespace))
      .map(({ resource }) => {
        const message = `is not in the cluster, and its namespace ${quote(resource.namespace)} is; apply it.`;
        return { message, resource };
      });
  },
};

function namespacesIn({ live, liveSecrets }: Facts): Set<string> {
  const namespaces = liveSecrets.length === 0 ? [] : live.filter(({ kind }) => kind === "Namespace");
  return new Set([...liveSecrets.map(({ resource }) => resource.namespace), ...namespaces.map(({ name }) => name)]);
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
  name: other
  namespace: openshift-sample
  uid: 5f2c8a52-0d1b-4c61-9a77-2f4de1c0aa01
type: Opaque
data:
  credentials: W2RlZmF1bHRd
`;
