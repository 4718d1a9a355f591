/** Which CredentialsRequests count, which do not and why, and what their going would remove. */
export const findings = {
  "feature-gate-unknown": {
    severity: "warning",
    cause:
      "A request is for a feature gate, the feature set is not `Default`, and nothing says whether the set has the gate on. A render leaves the request out; a comparison counts it, so that it is never told to be gone.",
    cure: "Put the release's manifests `0000_50_cluster-config-api_featureGate-*.yaml`, or a dump of `FeatureGate/cluster`, into the package (for `ccf diff-permissions` the manifests beside the new requests, or `--feature-gate-manifests PATH`); or name the gate in `spec.release.featureGates`, with `-` before the name if it is off.",
  },
  "feature-set-contradiction": {
    severity: "error",
    cause:
      "`spec.release.featureSet` contradicts another statement: `OKD` with a version before 4.22, or, as a warning, a `FeatureGate/cluster` in the package with another feature set.",
    cure: "Correct the feature set or the version; or replace the dump.",
  },
  "identities-lost": {
    severity: "error",
    cause:
      "Roles and Secrets that are rendered would be removed, and a running cluster may live on them: all of them, more than half, or some whose requests are still in the package and are left out by a field of `spec.release`; or the issuer is not known yet, and `spec.issuer.previous` names none. The message says what was not read. It is a warning where the removal is allowed.",
    cure: "Put the requests back, or correct the field. Where the removal is meant, `ccf render --allow removal DIR` or, for functions and plugins, the annotation `fn.cloudcredential.dev/allow: removal` on the ClusterIdentity allows it; one component is left out by `skip: true` in its override.",
  },
  "identity-removed": {
    severity: "warning",
    cause: "A rendered role and its Secret are removed, because the CredentialsRequest that asked for them is gone.",
    cure: "None is needed where a release or an uninstalled operator took the request away. Else put the request back, before the change reaches the cluster.",
  },
  "major-version-ignored": {
    severity: "info",
    cause:
      "Requests are for certain major versions of OpenShift, and the ClusterIdentity does not say which version the cluster has.",
    cure: "Set `spec.release.version`.",
  },
  "override-unmatched": {
    severity: "error",
    cause: "An override is for a Secret that no request of this cluster has.",
    cure: "Rename it to `<secret namespace>/<secret name>` of a request; the message says the one that was meant, as far as that can be told. Or remove it.",
  },
  "provider-unknown": {
    severity: "warning",
    cause: "The request's `spec.providerSpec.kind` is not of a known cloud.",
    cure: "Correct the kind if the request is meant for this cluster.",
  },
  "release-name-unknown": {
    severity: "warning",
    cause:
      "`spec.release` names a capability, feature gate or cluster profile that no request of the package has and that is not in the list of OpenShift's own names of August 2026: it is probably misspelled, and the requests that it means do not count.",
    cure: "Use the name that the message proposes. If the name is newer than the list, none is needed.",
  },
  "request-invalid-field": {
    severity: "error",
    cause:
      "A field of the request has a value that its rule does not allow, so it is not used in a policy, a path or a Secret.",
    cure: "Follow the rule in the message.",
  },
  "request-missing-field": {
    severity: "error",
    cause: "The request lacks a field without which it asks for nothing that can be granted.",
    cure: "Complete the request, or remove it.",
  },
  "request-namespace": {
    severity: "warning",
    cause: "The request is not in the namespace in which the cloud-credential-operator looks for requests.",
    cure: "Set `metadata.namespace` to `openshift-cloud-credential-operator`.",
  },
  "request-repeated": {
    severity: "warning",
    cause:
      "The package holds one CredentialsRequest twice, with different Secrets. A cluster has one object of a name, so one of them is of another release.",
    cure: "Keep one of the two files, the one of the release that the cluster runs or upgrades to.",
  },
  "request-placeholder": {
    severity: "error",
    cause: "A placeholder in the request was not filled in.",
    cure: "Replace the placeholder with the value.",
  },
  "request-unknown-field": {
    severity: "error",
    cause:
      "A statement of the request has an unknown field. Without it, the statement could grant more than its author meant.",
    cure: "Correct the field's name, or remove it.",
  },
  "secret-shared": {
    severity: "error",
    cause:
      "Two requests that differ name the same Secret. Most often it is one request twice: an upgrade added the new release's file beside the old one's, and the message says what only one of them asks for.",
    cure: "Keep one of the two files, the one of the release that the cluster runs or upgrades to. If the requests are of different components, correct `spec.secretRef` of the one that is wrong.",
  },
  "skipped-capability": {
    severity: "info",
    cause: "The request needs a capability that is not enabled.",
    cure: "If it is enabled, add it to `spec.release.capabilities`, or leave that field out.",
  },
  "skipped-deletion": {
    severity: "info",
    cause: "The request is annotated `release.openshift.io/delete`: a release asks for its removal.",
    cure: "None is needed.",
  },
  "skipped-duplicate": {
    severity: "info",
    cause: "The package holds equal copies of a request, as folders of a release payload do. The request counts once.",
    cure: "None is needed.",
  },
  "skipped-excluded": {
    severity: "info",
    cause: "The request is excluded for the cluster's `excludeIdentifier`.",
    cure: "None is needed.",
  },
  "skipped-feature-gate": {
    severity: "info",
    cause:
      "The request needs a feature gate on that is off, or off that is on, or carries both a feature set and a feature gate.",
    cure: "If the cluster has the gate on, add it to `spec.release.featureGates`.",
  },
  "skipped-feature-set": {
    severity: "info",
    cause: "The request is for another feature set than the cluster's.",
    cure: "If the cluster has that feature set, set `spec.release.featureSet`.",
  },
  "skipped-major-version": {
    severity: "info",
    cause:
      "A request is for other major versions of OpenShift (`release.openshift.io/major-version`) than `spec.release.version`.",
    cure: "None is needed, unless the version is wrong.",
  },
  "skipped-operator": {
    severity: "info",
    cause:
      "The request is an operator's: it has the annotation `fn.cloudcredential.dev/subscription`, or the operator's Subscription is in the namespace of its Secret. `configure-operators` makes its role.",
    cure: "None is needed where the pipeline runs `configure-operators`. A request that names cluster profiles, as a release's do, is never an operator's without the annotation.",
  },
  "skipped-other-cloud": { severity: "info", cause: "The request is for another cloud.", cure: "None is needed." },
  "skipped-platform": {
    severity: "info",
    cause:
      "The request is the platform's, or a release's beside an operator's Subscription. `generate-cloud-credentials` makes its role.",
    cure: "None is needed. If it is an operator's, name the Subscription in the annotation `fn.cloudcredential.dev/subscription`.",
  },
  "skipped-profile": {
    severity: "info",
    cause: "The request is not for the cluster's profile.",
    cure: "If the cluster has another profile, set `spec.release.profile`.",
  },
  "subscription-ambiguous": {
    severity: "error",
    cause: "A request could belong to several Subscriptions, or the package holds its Subscription more than once.",
    cure: "Name the Subscription in the request's annotation `fn.cloudcredential.dev/subscription`; remove copies.",
  },
  "subscription-unknown": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/subscription` of a request names no Subscription of the package.",
    cure: "Correct it, `<name>` or `<namespace>/<name>`, or put the Subscription into the package.",
  },
  "subscription-name-invalid": {
    severity: "warning",
    cause:
      "The name or the namespace of a Subscription is not one that an object can have, such as a placeholder that was not filled in.",
    cure: "Fill it in. Until then no request belongs to the Subscription, and requests in its namespace count as the platform's.",
  },
} as const;
