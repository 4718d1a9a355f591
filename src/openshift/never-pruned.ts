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
