import { ruleCode } from "../../core/finding.ts";
import { compareLocations, describe, refOf } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { editsBetween } from "../../core/words.ts";
import { requestSubjects } from "../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../requests/select.ts";
import type { Facts, Rule, Violation } from "../rule.ts";

/** A request for which something is rendered. */
interface Rendered extends SelectedRequest {
  readonly secretKey: string;
  /** The service accounts that may use its identity, as `<namespace>/<name>`. */
  readonly accounts: readonly string[];
}

// Sorted by location, so that what is found does not depend on the order of the requests.
function renderedRequests({ requests, identity }: Facts): Rendered[] {
  const overrides = identity?.overrides ?? {};
  return requests
    .flatMap((request) => {
      const { secretKey, value } = request;
      if (secretKey === undefined || overrides[secretKey]?.skip === true) return [];
      const subjects = requestSubjects(value, overrides[secretKey]?.serviceAccountNames);
      const accounts = subjects.map((subject) => subject.replace("system:serviceaccount:", "").replace(":", "/"));
      return [{ ...request, secretKey, accounts }];
    })
    .sort((a, b) => compareLocations(a.resource, b.resource));
}

/** Secrets of OpenShift itself, in addition to the credentials of the administrator: the pull secret, and keys that sign tokens. */
const clusterSecrets: ReadonlySet<string> = new Set([
  "kube-system/kubeadmin",
  "openshift-config/initial-service-account-private-key",
  "openshift-config/pull-secret",
  "openshift-kube-apiserver-operator/next-bound-service-account-signing-key",
  "openshift-kube-apiserver/bound-service-account-signing-key",
]);

export const requestClusterSecret: Rule = {
  code: ruleCode("request-cluster-secret"),
  severity: "error",
  reads: "package",
  summary: "A request names a Secret that belongs to the cluster itself.",
  why: "The Secret that is rendered for a request replaces one with the same name. OpenShift creates these Secrets itself: the pull secret, the keys that sign the tokens of service accounts, and the credentials of the administrator. Without the pull secret, no node can pull an image; with another signing key, no token is valid; and anyone who can read the administrator's Secret also reads this identity.",
  cure: "Give the component a Secret of its own: correct `spec.secretRef` of the request. If the Secret is meant, accept the finding with the reason.",
  check: (facts) => {
    const own = new Set([...clusterSecrets, ...facts.clouds.map(({ rootSecret }) => rootSecret)]);
    return renderedRequests(facts)
      .filter(({ secretKey }) => own.has(secretKey))
      .map(({ resource, secretKey }) => ({
        message: `names the Secret ${quoteWhole(secretKey)}, which belongs to the cluster itself, so its manifest would replace that Secret; correct "spec.secretRef".`,
        resource,
        field: "spec.secretRef",
      }));
  },
};

/** The namespaces of the requests in OpenShift's releases, 4.13 to 4.22. */
const platformNamespaces = [
  "openshift-cloud-controller-manager",
  "openshift-cloud-credential-operator",
  "openshift-cloud-network-config-controller",
  "openshift-cluster-api",
  "openshift-cluster-csi-drivers",
  "openshift-image-registry",
  "openshift-ingress-operator",
  "openshift-machine-api",
] as const;

/** One or two characters are easily overlooked. */
const maxEdits = 2;

export const requestNamespaceLookAlike: Rule = {
  code: ruleCode("request-namespace-look-alike"),
  severity: "warning",
  reads: "package",
  summary: "A request is for a namespace whose name looks like that of a namespace of OpenShift.",
  why: "A name such as `openshift-ingress-operat0r` is easily read as `openshift-ingress-operator` in a review. Everyone who may create the namespace and its service account then has the identity that the review took for the platform's. Or it is a typing error, and the component never finds its Secret.",
  cure: "Correct the namespace. If the namespace is meant, accept the finding with the reason.",
  check: (facts) =>
    renderedRequests(facts).flatMap(({ resource, secretKey, accounts }): Violation[] => {
      const namespaces = [secretKey, ...accounts].map((name) => name.slice(0, name.indexOf("/")));
      return [...new Set(namespaces)].flatMap((namespace) => {
        const like = imitated(namespace);
        if (like === undefined) return [];
        const message = `is for the namespace ${quote(namespace)}, which looks like ${quote(like)}, a namespace of OpenShift; correct it, or accept the finding with the reason.`;
        return [{ message, resource, field: "spec.secretRef.namespace" }];
      });
    }),
};

function imitated(namespace: string): string | undefined {
  const near = platformNamespaces.map((name) => [name, editsBetween(namespace, name)] as const);
  if (near.some(([, edits]) => edits === 0)) return undefined;
  return near.filter(([, edits]) => edits <= maxEdits).sort(([, a], [, b]) => a - b)[0]?.[0];
}

/** Namespaces in which pods of several components or users run. */
const sharedNamespaces = [
  "default",
  "kube-public",
  "kube-system",
  "openshift",
  "openshift-config",
  ...platformNamespaces,
];

export const serviceAccountDefault: Rule = {
  code: ruleCode("service-account-default"),
  severity: "warning",
  reads: "package",
  summary: "A request names the service account `default` of a namespace of the platform.",
  why: "Every pod that names no service account has the one named `default` of its namespace. In a namespace that several components share, such as `kube-system`, every such pod could use the component identity. In the namespace of one operator, that can be what its author means, so the rule ignores other namespaces.",
  cure: "Create a service account for the pods of the component, and name it in `spec.serviceAccountNames`. If only these pods name no service account, accept the finding with the reason.",
  check: (facts) =>
    renderedRequests(facts).flatMap(({ resource, accounts }) =>
      accounts
        .filter((account) => sharedNamespaces.some((namespace) => account === `${namespace}/default`))
        .map((account) => ({
          message: `names the service account ${quoteWhole(account)}, which every pod of the namespace has that names no other, so all of them could use its component identity; name a service account of the component.`,
          resource,
          field: "spec.serviceAccountNames",
        })),
    ),
};

export const serviceAccountShared: Rule = {
  code: ruleCode("service-account-shared"),
  severity: "warning",
  reads: "package",
  summary: "Two requests name the same service account.",
  why: "Pods with the service account can use the component identities of both requests, so each has the permissions of the other, too. No release of OpenShift has such requests. A request that is added with the account of a component of the platform would give its permissions to that component, or the other way round.",
  cure: "Use a service account for each request, or merge the requests. If one component needs both, accept the finding with the reason.",
  check: (facts) => {
    const first = new Map<string, Rendered>();
    return renderedRequests(facts).flatMap((request) =>
      request.accounts.flatMap((account): Violation[] => {
        const other = first.get(account);
        if (other === undefined) first.set(account, request);
        // Requests for one Secret are an error of the render.
        if (other === undefined || other.secretKey === request.secretKey) return [];
        const message = `names the service account ${quoteWhole(account)}, which ${describe(refOf(other.resource))} names, too, so its pods could use both component identities; use an account for each request, or accept the finding with the reason.`;
        return [{ message, resource: request.resource, field: "spec.serviceAccountNames" }];
      }),
    );
  },
};
