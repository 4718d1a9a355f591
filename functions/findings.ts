/** What a function says of all that it makes. */
export const findings = {
  "no-requests": {
    severity: "warning",
    cause:
      "No CredentialsRequest of the package counts for the cluster, so that no role and no Secret is emitted. It is an error in `ccf render --stdout`, `ccf argo-cd-generate` and kustomize: what their answer lacks is deleted from the cluster.",
    cure: "Put the release's requests into the package, or correct `spec.release`; the notes say why each request that is there was left out. Where the cluster is to have no credentials, allow `removal`.",
  },
  "nothing-rendered": {
    severity: "info",
    cause: "The package holds no role that was rendered before, so that there is nothing to compare its requests with.",
    cure: "None is needed.",
  },
  "permissions-broadened": {
    severity: "warning",
    cause:
      "A request asks for more than the role that was rendered for it has, or has no role yet; with what it no longer asks for, if there is any.",
    cure: "None is needed; in a review, check that its component is meant to have it. Grant it before the upgrade.",
  },
  "permissions-narrowed": {
    severity: "info",
    cause: "A request asks for less than the role that was rendered for it has, or is gone.",
    cure: "None is needed. Take it away after the upgrade: the components of the old release may use it until then.",
  },
  "secret-delegated": {
    severity: "error",
    cause:
      "A rendered Secret would be removed although its request is still there: the request counts as an operator's now, since a Subscription came into the namespace of its Secret or an annotation names one; or `spec.operators.emitSecrets` is no longer set. It is a warning where `emitSecrets` is false or `removal` is allowed.",
    cure: "If the request is the platform's, move the Subscription to another namespace. If it is the operator's, the cloud-credential-operator makes the Secret from 4.14 on: set `spec.operators.emitSecrets: false`; before that, or to keep the rendered Secret, set it to `true`.",
  },
} as const;
