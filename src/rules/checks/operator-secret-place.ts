import { ruleCode } from "../../core/finding.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import type { KnownCloud } from "../cloud.ts";
import { listed } from "../granted.ts";
import { meets, type OperatorRequest } from "../operator.ts";
import type { Rule, Violation } from "../rule.ts";
import { type Container, cleanPath, type MountedSecret } from "../workload.ts";

export const rule: Rule = {
  code: ruleCode("operator-secret-place"),
  severity: "warning",
  reads: "package",
  summary:
    "A Deployment mounts the Secret of a request where its code does not read it: below /root, or not where its variables say.",
  why: "OpenShift runs pods as a user of its own choice, whose home is not `/root` and who may not look into it, so that a library which looks for `~/.aws/credentials` finds nothing there. What a library reads is said by a variable (`AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`, `GOOGLE_APPLICATION_CREDENTIALS`), and that must name a file of the mount.",
  cure: "Mount the Secret in a directory of its own, such as `/var/run/secrets/cloud`, and name the file in the variable: the key `credentials` for AWS, `service_account.json` for GCP.",
  check: ({ operators }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) =>
        operator.workloads
          .filter(({ namespaces }) => request.secretName !== "" && meets(namespaces, request.secretNamespace))
          .flatMap(({ resource, containers }) =>
            containers.flatMap((one) => problemsOf(one, request).map((problem) => ({ ...problem, resource }))),
          ),
      ),
    ),
};

function problemsOf({ secrets, variables }: Container, { secretName, cloud }: OperatorRequest): Violation[] {
  const mounts = secrets.filter(({ name }) => name === secretName);
  return [
    ...mounts.filter(isBelowRoot).map(({ field, mountPath }) => {
      const message = `mounts the Secret ${quoteWhole(secretName)} at ${quoteWhole(mountPath)}, the home of a user whom OpenShift gives no pod; mount it elsewhere, such as at "/var/run/secrets/cloud".`;
      return { message, field: `${field}.mountPath` };
    }),
    ...misnamed(mounts, variables, cloud),
  ];
}

function isBelowRoot({ mountPath }: MountedSecret): boolean {
  return mountPath === "/root" || mountPath.startsWith("/root/");
}

function misnamed(
  mounts: readonly MountedSecret[],
  variables: Container["variables"],
  { secretFile: file }: KnownCloud,
): Violation[] {
  if (file === undefined || mounts.length === 0) return [];
  const there = mounts.flatMap((one) => one.fileOf(file.key) ?? []);
  return file.variables.flatMap((name) => {
    const variable = variables.get(name);
    if (variable === undefined || variable.value === "" || there.includes(cleanPath(variable.value))) return [];
    const is = there.length === 0 ? `no mount has the key "${file.key}"` : `the Secret's file is ${listed(there)}`;
    const message = `"${name}" is ${quote(variable.value)}, and ${is}; name the file that is mounted.`;
    return [{ message, field: variable.field }];
  });
}

export const good = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: quarry.v1.0.0
  namespace: openshift-quarry
  annotations:
    features.operators.openshift.io/token-auth-aws: "true"
spec:
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: quarry
        rules:
        - apiGroups: [cloudcredential.openshift.io]
          resources: [credentialsrequests]
          verbs: [create, get, list, watch, update, patch, delete]
      deployments:
      - name: quarry
        spec:
          template:
            spec:
              serviceAccountName: quarry
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
  name: quarry
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-quarry, name: cloud-credentials}
  serviceAccountNames: [quarry]
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
  name: quarry.v1.0.0
  namespace: openshift-quarry
  annotations:
    features.operators.openshift.io/token-auth-aws: "true"
spec:
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: quarry
        rules:
        - apiGroups: [cloudcredential.openshift.io]
          resources: [credentialsrequests]
          verbs: [create, get, list, watch, update, patch, delete]
      deployments:
      - name: quarry
        spec:
          template:
            spec:
              serviceAccountName: quarry
              containers:
              - name: manager
                volumeMounts:
                - {name: cloud-token, mountPath: /var/run/secrets/openshift/serviceaccount, readOnly: true}
                - {name: cloud-credentials, mountPath: /root/.aws, readOnly: true}
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
  name: quarry
  namespace: openshift-cloud-credential-operator
spec:
  secretRef: {namespace: openshift-quarry, name: cloud-credentials}
  serviceAccountNames: [quarry]
  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action: ["s3:GetObject"]
      resource: "*"
`;
