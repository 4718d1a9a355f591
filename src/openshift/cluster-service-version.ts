import { groupOf, listAt, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";

/** Whether an object is a ClusterServiceVersion of the Operator Lifecycle Manager, of any version. */
export function isClusterServiceVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterServiceVersion" && groupOf(apiVersion) === "operators.coreos.com";
}

/** A Deployment of a ClusterServiceVersion. */
export interface InstalledDeployment {
  readonly name: string;
  readonly spec: Value;
  /** The path of the spec. */
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

/** Rules that a ClusterServiceVersion grants to a service account (Kubernetes API reference, PolicyRule). */
export interface AccountRules {
  readonly account: string;
  readonly rules: readonly Value[];
}

/** What service accounts are granted in the whole cluster. */
export function clusterPermissionsOf(csv: Value): AccountRules[] {
  return rulesAt(csv, "clusterPermissions");
}

/** What service accounts are granted in the namespaces that the operator is installed for. */
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
 * Whether an operator can only be installed for all namespaces. If so, the Operator Lifecycle Manager turns its
 * namespaced permissions into cluster roles too (its documentation, "Operator Groups").
 */
export function isForAllNamespacesAlone(csv: Value): boolean {
  const modes = listAt(csv, ["spec", "installModes"]).filter((value) => valueAt(value, ["supported"]) === true);
  return modes.length > 0 && modes.every((mode) => textAt(mode, ["type"]) === "AllNamespaces");
}

const suggestedNamespace = "operatorframework.io/suggested-namespace";

/** The namespaces that a ClusterServiceVersion names, except `placeholder`, which build tools write. */
export function namespacesSaid({ namespace, annotations }: Resource): string[] {
  return [namespace, annotations.get(suggestedNamespace) ?? ""].filter((text) => text !== "" && text !== "placeholder");
}
