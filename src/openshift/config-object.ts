import { groupOf, type Resource, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";

/**
 * The texts at a path of a cluster-wide configuration object of OpenShift (config.openshift.io, always named
 * `cluster`), sorted and without duplicates. There can be more than one if a list contains the object more than once.
 */
export function configTexts(items: readonly Resource[], kind: string, path: readonly string[]): readonly string[] {
  const values = items.filter((item) => isConfigObject(item, kind)).map((item) => valueAt(item.value(), path));
  return [...new Set(values.filter((value) => typeof value === "string"))]
    .filter((text) => text !== "")
    .sort(compareText);
}

/** Whether an object is the cluster-wide configuration object of a kind. */
export function isConfigObject(item: Resource, kind: string): boolean {
  return item.kind === kind && item.name === "cluster" && groupOf(item.apiVersion) === "config.openshift.io";
}

/** The annotation that sets the sync options of a single object in Argo CD. */
export const syncOptions = "argocd.argoproj.io/sync-options";

/**
 * Annotations of an object that exists once in a cluster and that the cluster needs. Tools that prune objects which are
 * no longer in Git keep it, whichever tool applies the package. These tools read the annotations of the object in the
 * cluster, so the annotations also protect it after its file is deleted.
 *
 * Sources: Argo CD, "Sync Options"; Config Sync and `kpt live`, "Prevent removal"; Flux, "Kustomization", field prune.
 */
export const neverPruned: Readonly<Record<string, string>> = {
  [syncOptions]: "Prune=false,Delete=false",
  "client.lifecycle.config.k8s.io/deletion": "detach",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
};
