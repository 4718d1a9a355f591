/** Findings about the identities of a team's own workloads. */
export const explanations = {
  "pod-label-missing": {
    severity: "warning",
    cause:
      "A Deployment, StatefulSet, DaemonSet, Job, CronJob or Pod in the package uses a service account of a WorkloadIdentity, but its pod template lacks the label that the webhook of Azure asks for. Its pods start without the identity. Workloads in other repositories are not checked.",
    cure: 'Set the label `azure.workload.identity/use: "true"` in the pod template. A label of the Deployment, in a selector, or of the ServiceAccount does not count.',
  },
  "workload-account-exists": {
    severity: "error",
    cause:
      "A WorkloadIdentity with `delivery: ServiceAccount` would generate a ServiceAccount that another file of the package already contains.",
    cure: "Set `spec.delivery` to `Patch`, and apply the patch in `patches/` with a kustomization, or remove the ServiceAccount from the package.",
  },
  "workload-account-shared": {
    severity: "error",
    cause:
      "Two WorkloadIdentities, or a WorkloadIdentity and a CredentialsRequest, name the same service account. Its pods can have only one identity.",
    cure: "Remove the service account from one of them.",
  },
  "workload-function-missing": {
    severity: "error",
    cause:
      "The package contains WorkloadIdentities, but the pipeline of its Kptfile does not run `generate-workload-identities`. Nothing would be generated for them.",
    cure: "Add the function to `pipeline.mutators`, in the form of the other functions. In a new package, `ccf init` does it.",
  },
  "workload-invalid-field": {
    severity: "error",
    cause: "A field of a WorkloadIdentity has a value that is not allowed.",
    cure: "Correct the value as the message says.",
  },
  "workload-limit": {
    severity: "error",
    cause: "A namespace has more WorkloadIdentities than `spec.workloads.maxPerNamespace` allows.",
    cure: "Let service accounts that need the same permissions share a WorkloadIdentity, or ask the owner of the cluster for a higher limit.",
  },
  "workload-misplaced": {
    severity: "error",
    cause:
      "At or below `workloads/`, the functions take WorkloadIdentities only, and below `workloads/<directory>/` only those of the namespace of that name. A team that may change this directory must not be able to change anything else: a CredentialsRequest there could ask for any permission.",
    cure: "Move the file to another directory of the package, or correct the namespace.",
  },
  "workload-missing-field": {
    severity: "error",
    cause: "A required field of a WorkloadIdentity is missing.",
    cure: "Add the field.",
  },
  "workload-name-taken": {
    severity: "error",
    cause:
      "A WorkloadIdentity has the namespace and name of another one, or of the Secret of a CredentialsRequest. Both would get the same names in the cloud.",
    cure: "Rename the WorkloadIdentity.",
  },
  "workload-namespace": {
    severity: "error",
    cause:
      "A WorkloadIdentity is in a namespace that `spec.workloads.namespaces` does not contain, or in one that belongs to the platform: `openshift-*`, `kube-*`, `openshift`, `default`, or a namespace with the label `openshift.io/run-level` 0 or 1. Those never get identities for workloads.",
    cure: "Use a namespace of the team, and ask the owner of the cluster to add it.",
  },
  "workload-not-allowed": {
    severity: "error",
    cause:
      "A WorkloadIdentity asks for something that the guard rails in `spec.workloads` of the ClusterIdentity do not allow, or of which it cannot be decided whether they do. An acceptance does not change this.",
    cure: "Ask for less, or ask the owner of the cluster to extend the guard rails.",
  },
  "workload-override": {
    severity: "error",
    cause:
      "An override in the ClusterIdentity is for a WorkloadIdentity, and does more than name a resource in the cloud. The guard rails would not see what it changes.",
    cure: "Change the WorkloadIdentity, and remove the override.",
  },
  "workload-rails-foreign": {
    severity: "error",
    cause:
      "`spec.workloads` of the ClusterIdentity states guard rails for a cloud that the cluster is not on. They limit nothing.",
    cure: "Remove them, and state those for the cloud of the cluster.",
  },
  "workload-rails-missing": {
    severity: "error",
    cause: "The package contains a WorkloadIdentity, but its ClusterIdentity has no `spec.workloads`.",
    cure: "The owner of the cluster adds `spec.workloads` with the namespaces that may have identities, and with what they may do (docs/guides/workloads.md).",
  },
  "workload-unknown-field": {
    severity: "error",
    cause: "A WorkloadIdentity contains a field that does not exist.",
    cure: "Correct the name of the field; the message suggests one.",
  },
  "workload-without-cloud": {
    severity: "error",
    cause: "A WorkloadIdentity has no section for the cloud of the cluster.",
    cure: "Add the section, or move the object to the package of a cluster on another cloud.",
  },
} as const;
