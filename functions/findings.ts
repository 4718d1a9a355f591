/** Findings about the output of a function as a whole. */
export const explanations = {
  "no-requests": {
    severity: "warning",
    cause:
      "The package contains no CredentialsRequest that is included in the cluster, so no component identity and no Secret is generated. In `ccf render --stdout`, `ccf argo-cd-generate` and kustomize this is an error, because objects that are missing from their output are deleted from the cluster.",
    cure: "Add the release's requests to the package, or correct `spec.release`. The notes say why each request in the package is excluded. If the cluster needs no credentials, allow `removal`.",
  },
  "nothing-rendered": {
    severity: "info",
    cause: "The package contains no rendered roles to compare the requests with.",
    cure: "No action is needed.",
  },
  "permissions-broadened": {
    severity: "warning",
    cause:
      "A request asks for more than its rendered role has, or has no role yet. The message also lists what the request no longer asks for.",
    cure: "In the review, check that the component should have these permissions. Grant them before the upgrade.",
  },
  "permissions-narrowed": {
    severity: "info",
    cause: "A request asks for less than its rendered role has, or is no longer in the package.",
    cure: "Revoke the permissions after the upgrade, because components of the old release may use them until then.",
  },
  "role-definitions": {
    severity: "info",
    cause:
      "Roles that only one of the two sides names were compared by their permissions. The message gives the month of the definitions, and names the roles whose definitions are not known. The cloud may have changed a role since.",
    cure: "No action is needed. To compare with current definitions, use `ccf diff-permissions --role-definitions DIR`.",
  },
  "secret-delegated": {
    severity: "error",
    cause:
      "A rendered Secret would be removed although its request is still in the package. Either the request now belongs to an OLM operator, because a Subscription was added to the namespace of its Secret or its annotation names a Subscription; or `spec.operators.emitSecrets` is no longer set. If `emitSecrets` is false or `removal` is allowed, this is a warning.",
    cure: "If the request belongs to the platform, move the Subscription to another namespace. If it belongs to an OLM operator, set `spec.operators.emitSecrets`: to `false` on OpenShift 4.14 and later, where the cloud-credential-operator creates the Secret, or to `true` on older releases and to keep the rendered Secret.",
  },
} as const;
