/** Findings about the output of a function as a whole. */
export const explanations = {
  "no-requests": {
    severity: "warning",
    cause:
      "The package contains no CredentialsRequest that is included in the cluster, so no component identity and no Secret is generated. In `ccf render --stdout`, `ccf argo-cd-generate` and kustomize this is an error, because objects that are missing from their output are deleted from the cluster.",
    cure: "Add the release's requests to the package, or correct `spec.release`. The notes say why each request in the package is excluded. If the cluster needs no credentials, allow `removal`.",
  },
  "secret-delegated": {
    severity: "error",
    cause:
      "A rendered Secret would be removed although its request is still in the package. Either the request now belongs to an OLM operator, because a Subscription was added to the namespace of its Secret or its annotation names a Subscription; or `spec.operators.emitSecrets` is no longer set. If `emitSecrets` is false or `removal` is allowed, this is a warning.",
    cure: "If the request belongs to the platform, move the Subscription to another namespace. If it belongs to an OLM operator, set `spec.operators.emitSecrets`: to `false` on OpenShift 4.14 and later, where the cloud-credential-operator creates the Secret, or to `true` on older releases and to keep the rendered Secret.",
  },
  "workload-patch-excluded": {
    severity: "warning",
    cause:
      "A WorkloadIdentity has `delivery: Patch`, and the output is a stream that a tool applies to the cluster: of `ccf render --stdout`, `ccf argo-cd-generate`, or the kustomize plugin. A patch in it would create or replace the team's ServiceAccount, so the output does not contain it, and pods get no identity from this output.",
    cure: "Render the package into Git, and list the files in `patches/` in the kustomization that contains the ServiceAccounts.",
  },
} as const;
