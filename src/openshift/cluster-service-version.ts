import { groupOf, listAt, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";

/** Says whether an object is a ClusterServiceVersion of the Operator Lifecycle Manager, of whatever version. */
export function isClusterServiceVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterServiceVersion" && groupOf(apiVersion) === "operators.coreos.com";
}

/** A Deployment of a ClusterServiceVersion. */
export interface InstalledDeployment {
  readonly name: string;
  readonly spec: Value;
  /** Where the spec stands. */
  readonly field: string;
}

const install = ["spec", "install", "spec"];

/** The Deployments that a ClusterServiceVersion installs. */
export function deploymentsOf(csv: Value): InstalledDeployment[] {
  return listAt(csv, [...install, "deployments"]).map((value, index) => ({
    name: textAt(value, ["name"]),
    spec: valueAt(value, ["spec"]) ?? null,
    field: `${install.join(".")}.deployments[${index}].spec`,
  }));
}

/** Rules that a ClusterServiceVersion gives a service account (Kubernetes API reference, PolicyRule). */
export interface AccountRules {
  readonly account: string;
  readonly rules: readonly Value[];
}

/** What service accounts are given in the whole cluster. */
export function clusterPermissionsOf(csv: Value): AccountRules[] {
  return rulesAt(csv, "clusterPermissions");
}

/** What service accounts are given in the namespaces that the operator is installed for. */
export function namespacedPermissionsOf(csv: Value): AccountRules[] {
  return rulesAt(csv, "permissions");
}

function rulesAt(csv: Value, list: string): AccountRules[] {
  return listAt(csv, [...install, list]).map((value) => ({
    account: textAt(value, ["serviceAccountName"]),
    rules: listAt(value, ["rules"]),
  }));
}

/**
 * Says whether an operator can be installed for all namespaces and in no other way: then the Operator Lifecycle Manager
 * makes cluster roles of its namespaced permissions, too (its documentation, "Operator Groups").
 */
export function isForAllNamespacesAlone(csv: Value): boolean {
  const modes = listAt(csv, ["spec", "installModes"]).filter((value) => valueAt(value, ["supported"]) === true);
  return modes.length > 0 && modes.every((mode) => textAt(mode, ["type"]) === "AllNamespaces");
}

const suggestedNamespace = "operatorframework.io/suggested-namespace";

/** The namespaces that a ClusterServiceVersion says it is for; `placeholder` is what builders write into one. */
export function namespacesSaid({ namespace, annotations }: Resource): string[] {
  return [namespace, annotations.get(suggestedNamespace) ?? ""].filter((text) => text !== "" && text !== "placeholder");
}
