import type { Any } from "./cluster.ts";

/** Whom the objects of a sample operator are for; each part can be said otherwise. */
export interface OperatorParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly metadata?: Any;
  readonly annotations?: Any;
  readonly permissions?: Any;
  readonly clusterPermissions?: Any;
  readonly pod?: Any;
  readonly container?: Any;
  readonly install?: Any;
  readonly spec?: Any;
}

/** Where the sample's token is. */
export const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";

/** All that an operator must be allowed. */
export const allVerbs = ["create", "get", "list", "watch", "update", "patch", "delete"];

/** A rule about CredentialsRequests. */
export function rules(verbs: readonly string[], more: Any = {}): Any {
  return { apiGroups: ["cloudcredential.openshift.io"], resources: ["credentialsrequests"], verbs, ...more };
}

/** A volume with a token. */
export function tokenVolume(token: Any = { audience: "openshift", path: "token" }): Any {
  return { name: "cloud-token", projected: { sources: [{ serviceAccountToken: token }] } };
}

const secretVolume = { name: "cloud-credentials", secret: { secretName: "cloud-credentials", optional: true } };

/** The spec of a Deployment as it should be. */
export function deploymentSpec(name: string, container: Any = {}, pod: Any = {}): Any {
  const volumeMounts = [
    { name: "cloud-token", mountPath: "/var/run/secrets/openshift/serviceaccount" },
    { name: "cloud-credentials", mountPath: "/var/run/secrets/cloud" },
  ];
  const containers = [{ name: "manager", volumeMounts, ...container }];
  const spec = { serviceAccountName: name, containers, volumes: [tokenVolume(), secretVolume], ...pod };
  return { template: { spec } };
}

/** A ClusterServiceVersion with which nothing is wrong, beside {@link shippedRequest}. */
export function csv(parts: OperatorParts = {}): Any {
  const {
    name = "sample",
    namespace = "openshift-sample",
    annotations,
    metadata,
    container,
    pod,
    install,
    spec,
  } = parts;
  const { clusterPermissions = [{ serviceAccountName: name, rules: [rules(allVerbs)] }], permissions = [] } = parts;
  const deployments = [{ name, spec: deploymentSpec(name, container, pod) }];
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: {
      name: `${name}.v1.0.0`,
      namespace,
      annotations: annotations ?? { "features.operators.openshift.io/token-auth-aws": "true" },
      ...metadata,
    },
    spec: {
      install: { strategy: "deployment", spec: { clusterPermissions, permissions, deployments, ...install } },
      ...spec,
    },
  };
}

const providers: Readonly<Record<string, Any>> = {
  AWS: { statementEntries: [{ effect: "Allow", action: ["s3:GetObject"], resource: "*" }] },
  GCP: { predefinedRoles: ["roles/dns.admin"] },
  Azure: { roleBindings: [{ role: "Reader" }] },
};

/** The request that a sample operator ships; `spec` and `annotations` are merged into it. */
export function shippedRequest({ name = "sample", cloud = "AWS", spec = {}, annotations = {} }: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator", annotations },
    spec: {
      secretRef: { namespace: `openshift-${name}`, name: "cloud-credentials" },
      serviceAccountNames: [name],
      cloudTokenPath: tokenPath,
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: `${cloud}ProviderSpec`,
        ...providers[cloud],
      },
      ...spec,
    },
  };
}
