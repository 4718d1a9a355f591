import { ruleCode } from "../../core/finding.ts";
import { describe } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { meets, usersOf } from "../operator.ts";
import type { Rule } from "../rule.ts";
import { refersTo } from "../workload.ts";

export const rule: Rule = {
  code: ruleCode("operator-secret-unused"),
  severity: "warning",
  reads: "package",
  summary: "No Deployment of an operator mounts or names the Secret of its request.",
  why: "The Secret of `secretRef` is where the role comes to the operator. A Deployment that runs as one of the request's service accounts, and knows nothing of the Secret, most often has another name for it, and waits for a Secret that nobody makes.",
  cure: "Mount the Secret, with `optional: true` where the operator makes its request itself, because its pod must start before the Secret is there; or hand its name to the code in a variable or argument. Where the code knows the name and reads the Secret from the API server, accept it with that as reason.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const { secretName, secretNamespace } = request;
        const [user] = usersOf(operator, request);
        if (user === undefined || secretName === "") return [];
        const near = operator.workloads.filter(({ namespaces }) => meets(namespaces, secretNamespace));
        if (near.some(({ containers }) => containers.some((one) => refersTo(one, secretName)))) return [];
        const { resource, field, name } = user;
        const message = `Deployment ${quote(name)} runs as a service account of ${describe(request.resource)}, and no container mounts or names its Secret ${quoteWhole(secretName)}; add the volume {name: cloud-credentials, secret: {secretName: ${quoteWhole(secretName)}, optional: true}} and a mount of it.`;
        return [{ message, resource, field }];
      }),
    ),
};

export const good = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: vault.v1.0.0
  namespace: openshift-vault
  annotations:
    features.operators.openshift.io/token-auth-aws: "true"
spec:
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: vault
        rules:
        - apiGroups: [cloudcredential.openshift.io]
          resources: [credentialsrequests]
          verbs: [create, get, list, watch, update, patch, delete]
      deployments:
      - name: vault
        spec:
          template:
            spec:
              serviceAccountName: vault
              containers:
              - name: manager
                volumeMounts:
                - {name: cloud-token, mountPath: /var/run/secrets/openshift/serviceaccount, readOnly: true}
                - {name: cloud-credentials, mountPath: /var/run/secrets/cloud, readOnly: true}
              volumes:
              - name: cloud-token
                projected:
                  sources:
                  - serviceAccountToken: {audience: openshift, expirationSeconds: 3600, path: token}
              - name: cloud-credentials
                secret: {secretName: cloud-credentials, optional: true}
---
apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: vault
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-vault, name: cloud-credentials}
  serviceAccountNames: [vault]
  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: ["s3:GetObject"]
      resource: "*"
`;

export const bad = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: vault.v1.0.0
  namespace: openshift-vault
  annotations:
    features.operators.openshift.io/token-auth-aws: "true"
spec:
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: vault
        rules:
        - apiGroups: [cloudcredential.openshift.io]
          resources: [credentialsrequests]
          verbs: [create, get, list, watch, update, patch, delete]
      deployments:
      - name: vault
        spec:
          template:
            spec:
              serviceAccountName: vault
              containers:
              - name: manager
                volumeMounts:
                - {name: cloud-token, mountPath: /var/run/secrets/openshift/serviceaccount, readOnly: true}
              volumes:
              - name: cloud-token
                projected:
                  sources:
                  - serviceAccountToken: {audience: openshift, expirationSeconds: 3600, path: token}
---
apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: vault
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-vault, name: cloud-credentials}
  serviceAccountNames: [vault]
  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: ["s3:GetObject"]
      resource: "*"
`;
