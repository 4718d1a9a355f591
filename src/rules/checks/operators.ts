import { ruleCode } from "../../core/finding.ts";
import { describe, listAt, type Value } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { isCredentialsRequest } from "../../requests/credentials-request.ts";
import type { KnownCloud } from "../cloud.ts";
import { quotedList } from "../granted.ts";
import {
  type AccountRules,
  clusterPermissionsOf,
  isForAllNamespacesAlone,
  meets,
  namespacedPermissionsOf,
  type Operator,
  type OperatorRequest,
  tokenAuth,
} from "../operator.ts";
import type { Rule } from "../rule.ts";

export const operatorServiceAccount: Rule = {
  code: ruleCode("operator-service-account"),
  severity: "warning",
  reads: "package",
  summary: "The request of an OLM operator names a service account that the operator is not installed with.",
  why: "The role trusts only the service accounts of `serviceAccountNames`, in the namespace of the Secret. The cloud refuses pods that run as another service account or in another namespace, although the Secret and the role look right.",
  cure: "Name the `serviceAccountName` of the Deployment that uses the Secret, and set `secretRef.namespace` to the operator's namespace. If the operator creates the account when it runs, for what it manages, accept the finding with that reason.",
  check: ({ operators, cloud }) =>
    operators.flatMap((operator) =>
      operator.requests.flatMap((request) => {
        const problem = problemOf(operator, request, cloud);
        if (problem === undefined) return [];
        return [{ message: problem, resource: request.resource, field: accountsField }];
      }),
    ),
};

const accountsField = "spec.serviceAccountNames";

function problemOf(operator: Operator, request: OperatorRequest, clusters: KnownCloud): string | undefined {
  const { accounts, cloud, secretNamespace } = request;
  // For a request of the cluster's own cloud, a generator reports it.
  if (accounts.length === 0)
    return cloud === clusters
      ? undefined
      : `names no service account in "${accountsField}", so no pod could use its identity; write ${running(operator)}.`;
  const unknown = accounts.filter((name) => !operator.accounts.has(name));
  if (unknown.length > 0)
    return `"${accountsField}" names ${quotedList(unknown)}, but the operator is not installed with that service account; its pods run as ${running(operator)}. Correct the name. If the operator creates the account when it runs, accept the finding.`;
  if (
    meets(operator.namespaces, secretNamespace) ||
    operator.workloads.some((workload) => workload.namespaces.has(secretNamespace))
  )
    return undefined;
  return `"${accountsField}" applies to the namespace ${quote(secretNamespace)} of its Secret, but the operator is for ${quotedList([...operator.namespaces].sort())}; use one namespace for both.`;
}

function running({ workloads }: Operator): string {
  return workloads.length === 0
    ? "an unknown service account"
    : quotedList(workloads.map(({ account }) => account).sort());
}

export const operatorBundleRequest: Rule = {
  code: ruleCode("operator-bundle-request"),
  severity: "error",
  reads: "package",
  summary: "A CredentialsRequest is among the manifests of an operator's bundle.",
  why: "The Operator Lifecycle Manager refuses a bundle that contains a kind that it does not support, and CredentialsRequest is not supported. The operator could not be installed.",
  cure: "Move the file next to the `manifests/` directory. The operator creates the request itself, or the administrator applies it.",
  check: ({ operators, items }) => {
    const bundles = new Set(
      operators.flatMap(({ resource: { path } }) => (path === undefined ? [] : directoryOf(path))),
    );
    return items
      .filter((item) => isCredentialsRequest(item) && bundles.has(directoryOf(item.path ?? "")[0] ?? ""))
      .map((resource) => {
        const message =
          'is among the manifests of a bundle, and the Operator Lifecycle Manager does not support this kind there. Move the file out of "manifests/". Create the request in the operator\'s code, or have the administrator apply it.';
        return { message, resource };
      });
  },
};

// The directory of a file, if its name is that of a bundle's manifests.
function directoryOf(path: string): string[] {
  const [, directory] = /^((?:.*\/)?manifests)\/[^/]+$/.exec(path) ?? [];
  return directory === undefined ? [] : [directory];
}

export const operatorPermissions: Rule = {
  code: ruleCode("operator-permissions"),
  severity: "warning",
  reads: "package",
  summary: "An OLM operator declares token authentication, but is not permitted to manage CredentialsRequests.",
  why: "On a cluster with short-term credentials the operator itself writes the role into its CredentialsRequest, watches the request, and removes it at the end. The request is in the namespace of the cloud-credential-operator, which permissions for the operator's own namespaces (`permissions`) do not cover. The Operator Lifecycle Manager extends them to the cluster only if the operator is installed for all namespaces. One service account needs all of these permissions, because a pod has exactly one.",
  cure: "Add to `spec.install.spec.clusterPermissions`, under the operator's service account, the rule `{apiGroups: [cloudcredential.openshift.io], resources: [credentialsrequests], verbs: [create, get, list, watch, update, patch, delete]}`. If the administrator creates the request and the operator only reads the Secret, accept the finding with that reason.",
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) => {
      if (!clouds.some((cloud) => tokenAuth(operator, cloud) === "true")) return [];
      const { account, missing } = bestOf(operator);
      if (missing.length === 0) return [];
      const whose = account === "" ? "its service account" : `its service account ${quote(account)}`;
      const message = `declares token authentication, but ${whose} may not ${missing.join(", ")} credentialsrequests in the whole cluster; add {apiGroups: [cloudcredential.openshift.io], resources: [credentialsrequests], verbs: [${missing.join(", ")}]} to its rules in "${permissionsField}".`;
      return [{ message, resource: operator.resource, field: permissionsField }];
    }),
};

const permissionsField = "spec.install.spec.clusterPermissions";

const verbs = ["create", "get", "list", "watch", "update", "patch", "delete"] as const;

/** The account of the operator that has the most of these permissions, and what it lacks. */
function bestOf({ value, workloads, requests }: Operator): { account: string; missing: readonly string[] } {
  const given: readonly AccountRules[] = [
    ...clusterPermissionsOf(value),
    ...(isForAllNamespacesAlone(value) ? namespacedPermissionsOf(value) : []),
  ];
  const running = workloads.map(({ account }) => account);
  const accounts = running.length === 0 ? given.map(({ account }) => account) : running;
  const names = requests.map((request) => request.resource.name);
  const all = [...new Set(accounts)].map((account) => {
    const rules = given
      .filter((accountRules) => accountRules.account === account)
      .flatMap((accountRules) => accountRules.rules);
    return { account, missing: verbs.filter((verb) => !rules.some((rule) => allows(rule, verb, names))) };
  });
  all.sort((a, b) => a.missing.length - b.missing.length || compareText(a.account, b.account));
  return all[0] ?? { account: "", missing: verbs };
}

/** Verbs that a rule with `resourceNames` can allow; the others name no object (Kubernetes, "Using RBAC Authorization"). */
const namedVerbs: readonly string[] = ["get", "update", "patch", "delete"];

/** @param names of the requests that the operator ships. */
function allows(rule: Value, verb: string, names: readonly string[]): boolean {
  const has = (list: string, wanted: string) => listAt(rule, [list]).some((value) => value === wanted || value === "*");
  if (!has("apiGroups", "cloudcredential.openshift.io") || !has("resources", "credentialsrequests")) return false;
  if (!has("verbs", verb)) return false;
  const only = listAt(rule, ["resourceNames"]);
  if (only.length === 0) return true;
  return namedVerbs.includes(verb) && names.length > 0 && names.every((name) => only.includes(name));
}

export const operatorTokenAuthUndeclared: Rule = {
  code: ruleCode("operator-token-auth-undeclared"),
  severity: "warning",
  reads: "package",
  summary:
    "An OLM operator ships a request for a cloud, but its ClusterServiceVersion does not declare token authentication for it.",
  why: "Only this annotation makes the console list an operator for clusters with short-term credentials and ask for its role at installation. Without it an administrator installs the operator without a role, and the Secret never appears.",
  cure: 'Set the annotation `features.operators.openshift.io/token-auth-aws` (`-gcp`, `-azure`) of the ClusterServiceVersion to `"true"`. If the request is only for clusters with long-lived credentials, accept the finding with that reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const request = operator.requests.find((request) => request.cloud === cloud);
        const value = tokenAuth(operator, cloud);
        if (request === undefined || (value !== undefined && value !== "false")) return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const is = value === undefined ? "is not set" : 'is "false"';
        const message = `"${field}" ${is}, but ${describe(request.resource)} for ${cloud.title} is shipped with it; write ${cloud.tokenAuthAnnotation}: "true", with the quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};

export const operatorTokenAuthUnshipped: Rule = {
  code: ruleCode("operator-token-auth-unshipped"),
  severity: "warning",
  reads: "package",
  summary: "A ClusterServiceVersion declares token authentication for a cloud, but ships no request for that cloud.",
  why: "The annotation promises that the operator can use a role. Only a CredentialsRequest tells tools which permissions that role needs and which service accounts it must trust. Without one, each administrator creates the role from a page of prose.",
  cure: 'Ship the request with the ClusterServiceVersion, or set the annotation to `"false"`. If the code builds its request at run time, ship the same request as a manifest, or accept the finding with that reason.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const isThere = operator.requests.some((request) => request.cloud === cloud) || operator.undecided.has(cloud);
        if (isThere || tokenAuth(operator, cloud) !== "true") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is "true", but no CredentialsRequest for ${cloud.title} (${cloud.providerKind}) is shipped with it; add one, or write "false".`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};

export const operatorTokenAuthValue: Rule = {
  code: ruleCode("operator-token-auth-value"),
  severity: "error",
  reads: "package",
  summary: 'A ClusterServiceVersion\'s token-auth annotation is not the string "true" or "false".',
  why: 'An annotation is a string: without quotes `true` is a boolean, and the API server refuses the object. Any other string, such as "True" or "yes", is treated as if the annotation were not set, so the console does not ask for a role.',
  cure: 'Write `"true"` or `"false"`, in quotes.',
  check: ({ operators, clouds }) =>
    operators.flatMap((operator) =>
      clouds.flatMap((cloud) => {
        const value = tokenAuth(operator, cloud);
        if (value === undefined || value === "true" || value === "false") return [];
        const field = `metadata.annotations.${cloud.tokenAuthAnnotation}`;
        const message = `"${field}" is ${quote(value)}, but must be the string "true" or "false", in quotes.`;
        return [{ message, resource: operator.resource, field }];
      }),
    ),
};
