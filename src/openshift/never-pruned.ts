/** The annotation by which Argo CD treats one object in another way than the rest. */
export const syncOptions = "argocd.argoproj.io/sync-options";

/**
 * Annotations of an object that a cluster has once and does not run without: what is asked to delete whatever is no
 * longer in Git leaves it alone, in every form in which a package reaches the cluster. All of these tools go by the
 * annotations that the object has in the cluster, so that they count when its file is gone.
 *
 * Sources: Argo CD, "Sync Options"; Config Sync and `kpt live`, "Prevent removal"; Flux, "Kustomization", field prune.
 */
export const neverPruned: Readonly<Record<string, string>> = {
  [syncOptions]: "Prune=false,Delete=false",
  "client.lifecycle.config.k8s.io/deletion": "detach",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
};
