/** Findings about which CredentialsRequests are included or excluded, and about what an exclusion would remove. */
export const explanations = {
  "feature-gate-unknown": {
    severity: "warning",
    cause:
      "A request depends on a feature gate, and nothing states whether the release enables it. A release can enable a gate in the default feature set, too. A request that requires the gate to be enabled is not included until this is known, and what was rendered for it stays. A request that requires it to be disabled is included. A comparison shows both as unknown.",
    cure: "Extract the release with `ccf extract-release VERSION --output-dir DIR`, and run `ccf update-requests --from DIR`. With the requests from another tool, put the release's manifests `0000_50_cluster-config-api_featureGate-*.yaml` next to them; for `ccf diff`, you can also use `--feature-gate-manifests PATH`. A dump of `FeatureGate/cluster` in the package also counts. Or list the gate in `spec.release.featureGates`, with `-` before its name if it is disabled.",
  },
  "feature-gate-contested": {
    severity: "error",
    cause:
      "Two requests for one Secret exclude each other: one requires a feature gate to be enabled, and the other one to be disabled. It is unknown whether the release enables the gate, and nothing was rendered for the Secret that could stay.",
    cure: "Add the release's FeatureGate manifests, as for `feature-gate-unknown`, or list the gate in `spec.release.featureGates`, with `-` before its name if it is disabled.",
  },
  "feature-set-contradiction": {
    severity: "error",
    cause:
      "`spec.release.featureSet` is `OKD`, but the version is before 4.22. It is a warning if `FeatureGate/cluster` in the package has another feature set.",
    cure: "Correct the feature set or the version, or replace the dump of `FeatureGate/cluster`.",
  },
  "identities-lost": {
    severity: "error",
    cause:
      "Rendered identities and Secrets would be removed, and nothing in the input asks for it: their requests are not in the package, or a field of `spec.release` excludes them, or files that may contain them were not read. Or the issuer is not known yet, and `spec.issuer.previous` is empty. If the removal is allowed, this is a warning.",
    cure: "Put the requests back, or correct the field. If the removal is intended, run the command in the message: `ccf render --allow removal:<namespace>/<secret> DIR`. For functions and plugins, put `removal:<namespace>/<secret>` into the annotation `fn.cloudcredential.dev/allow` of the ClusterIdentity. To exclude a component whose request is in the package, set `skip: true` in its override.",
  },
  "major-version-ignored": {
    severity: "info",
    cause:
      "Some requests have the annotation `release.openshift.io/major-version`. Clusters of 4.22 and later do not include such a request, earlier ones do, and the ClusterIdentity does not set the version.",
    cure: "Set `spec.release.version`.",
  },
  "override-unmatched": {
    severity: "error",
    cause: "An override names a Secret that belongs to no request of this cluster.",
    cure: "Rename the override to the `<secret namespace>/<secret name>` of a request, or remove it. If possible, the message suggests the right name.",
  },
  "provider-unknown": {
    severity: "warning",
    cause: "The request's `spec.providerSpec.kind` does not belong to a known cloud.",
    cure: "If the request is for this cluster, correct the kind.",
  },
  "release-name-unknown": {
    severity: "warning",
    cause:
      "`spec.release` names a capability, feature gate or cluster profile that appears in no request of the package and is not in the list of OpenShift's names as of August 2026. It is probably misspelled, so requests that need it are excluded.",
    cure: "Use the name that the message suggests. If the name is newer than the list, no action is needed.",
  },
  "request-in-transition": {
    severity: "info",
    cause:
      "The request has the annotation `fn.cloudcredential.dev/transition: previous-release`: the previous release needs it until an upgrade is finished. If the new release has a request for the same Secret, the identity has what both ask for.",
    cure: "When the upgrade is finished, run `ccf update-requests --final`, render and apply.",
  },
  "request-encrypted": {
    severity: "error",
    cause: "A CredentialsRequest is encrypted with SOPS, so nothing of it can be read.",
    cure: "Decrypt the file. A request contains nothing secret. Exclude requests from encryption in `.sops.yaml`.",
  },
  "request-misplaced": {
    severity: "error",
    cause:
      "A CredentialsRequest is not read because of where it is or how it is written: it is in a list, as `oc get credentialsrequests -o yaml` prints it, or its kind or API group is misspelled. For a request in a Template, a SyncSet, a SelectorSyncSet or a ManifestWork, this is a warning, because it may be for other clusters.",
    cure: "Write each request as a separate document with `apiVersion: cloudcredential.openshift.io/v1` and `kind: CredentialsRequest`, and replace parameters with their values.",
  },
  "request-invalid-field": {
    severity: "error",
    cause: "A field of the request has an invalid value, which is never used in a policy, a path or a Secret.",
    cure: "Follow the rule in the message.",
  },
  "request-missing-field": {
    severity: "error",
    cause: "The request lacks a required field, so nothing can be granted to it.",
    cure: "Complete the request, or remove it.",
  },
  "request-namespace": {
    severity: "info",
    cause:
      "The request is not in the namespace `openshift-cloud-credential-operator`. The cloud-credential-operator processes requests in every namespace; those elsewhere only do not affect the status of its ClusterOperator. If the request has no namespace, this is a warning.",
    cure: "If the request has a namespace, no action is needed. Do not copy it to another namespace: two requests would then name one Secret. If it has none, set `metadata.namespace`.",
  },
  "request-own-identity": {
    severity: "info",
    cause:
      "A request names a role, service account or client ID that is not the package's, and belongs to no Subscription. The cloud-credential-operator creates its Secret with that identity, so the package contains neither.",
    cure: "If the package should contain the identity, remove the value from the request, or name the identity in the configuration. If the request belongs to an OLM operator, name its Subscription in the annotation `fn.cloudcredential.dev/subscription`.",
  },
  "request-repeated": {
    severity: "warning",
    cause:
      "The package contains a CredentialsRequest twice, with different Secrets. A cluster can have only one object with this name, so one of them comes from another release.",
    cure: "Keep the file of the release that the cluster runs or upgrades to.",
  },
  "request-placeholder": {
    severity: "error",
    cause: "The request contains a placeholder that was not filled in.",
    cure: "Replace the placeholder with the value.",
  },
  "request-unknown-field": {
    severity: "error",
    cause:
      "A statement of the request has an unknown field. Without this field, the statement could grant more than its author intended.",
    cure: "Correct the field's name, or remove it.",
  },
  "secret-shared": {
    severity: "error",
    cause:
      "Two different requests name the same Secret. Usually they are two versions of one request, because an upgrade added the file of the new release next to the old file. The message says how they differ.",
    cure: "Keep the file of the release that the cluster runs or upgrades to. If the requests are for different components, correct the wrong `spec.secretRef`.",
  },
  "skipped-capability": {
    severity: "info",
    cause: "The request needs a capability that is not enabled.",
    cure: "If the cluster has the capability enabled, add it to `spec.release.capabilities`, or omit that field.",
  },
  "skipped-deletion": {
    severity: "info",
    cause: "The request has the annotation `release.openshift.io/delete`, with which a release removes it.",
    cure: "No action is needed.",
  },
  "skipped-duplicate": {
    severity: "info",
    cause:
      "The package contains identical copies of a request, as directories of a release payload do. The request is included once.",
    cure: "No action is needed.",
  },
  "skipped-excluded": {
    severity: "info",
    cause: "The request is excluded for the cluster's `excludeIdentifier`.",
    cure: "No action is needed.",
  },
  "skipped-feature-gate": {
    severity: "info",
    cause:
      "The request requires a disabled feature gate to be enabled, or an enabled one to be disabled; or it has annotations for both a feature set and a feature gate.",
    cure: "If the cluster has the gate enabled, add it to `spec.release.featureGates`.",
  },
  "skipped-feature-set": {
    severity: "info",
    cause: "The request is for a feature set that the cluster does not use.",
    cure: "If the cluster uses that feature set, set `spec.release.featureSet`.",
  },
  "skipped-major-version": {
    severity: "info",
    cause:
      "The request has the annotation `release.openshift.io/major-version`, which only FeatureGates and CustomResourceDefinitions can have. Releases before 4.22 ignore it. No cluster of 4.22 or later includes such a request.",
    cure: "If the cluster runs a release before 4.22, set `spec.release.version`. Otherwise, no action is needed.",
  },
  "skipped-operator": {
    severity: "info",
    cause:
      "The request belongs to an OLM operator: it has the annotation `fn.cloudcredential.dev/subscription`, or the operator's Subscription is in the namespace of its Secret. `configure-operators` generates its identity.",
    cure: "If the pipeline runs `configure-operators`, no action is needed. A request that names cluster profiles, as those of a release do, belongs to an operator only if it has the annotation. With the value `none`, a request belongs to no operator.",
  },
  "skipped-other-cloud": { severity: "info", cause: "The request is for another cloud.", cure: "No action is needed." },
  "skipped-platform": {
    severity: "info",
    cause:
      "The request belongs to the platform. This includes requests of a release in a namespace with an operator's Subscription. `generate-cloud-credentials` generates its identity.",
    cure: "No action is needed. If the request belongs to an OLM operator, name its Subscription in the annotation `fn.cloudcredential.dev/subscription`.",
  },
  "skipped-profile": {
    severity: "info",
    cause: "The request is not for the cluster's profile.",
    cure: "If the cluster uses another profile, set `spec.release.profile`.",
  },
  "transition-conflict": {
    severity: "error",
    cause:
      "The requests of two releases for one Secret cannot share an identity: one of them denies something or lists exceptions, or they expect their token at different paths. A denial of one release would take away what the other needs.",
    cure: "Choose one of the ways in the message: do without what only the previous release's request asks for, or change that request so that both can share an identity.",
  },
  "transition-invalid": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/transition` of a request has an unknown value.",
    cure: "Set it to `previous-release`, or remove it.",
  },
  "subscription-ambiguous": {
    severity: "error",
    cause:
      "A request could belong to more than one Subscription, or the package contains its Subscription more than once.",
    cure: "Name the Subscription in the request's annotation `fn.cloudcredential.dev/subscription`. Remove duplicate Subscriptions.",
  },
  "subscription-unknown": {
    severity: "error",
    cause:
      "The annotation `fn.cloudcredential.dev/subscription` of a request does not name a Subscription in the package.",
    cure: "Set the annotation to the `<name>` or `<namespace>/<name>` of a Subscription, or add the Subscription to the package.",
  },
  "subscription-name-invalid": {
    severity: "warning",
    cause: "The name or namespace of a Subscription is invalid. Usually it is a placeholder that was not filled in.",
    cure: "Fill it in. Until then, no request belongs to the Subscription, and requests in its namespace belong to the platform.",
  },
} as const;
