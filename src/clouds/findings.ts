/** Findings about a cluster on any cloud. */
export const explanations = {
  "admin-policies-overlap": {
    severity: "error",
    cause:
      "`ccf export --admin-policies` would merge the policies of two packages of which one has role names that include those of the other, with different permissions boundaries. An administrator with the merged policy could create the roles of one package with the boundary of the other. No policy was merged.",
    cure: "Set the same `spec.platform.aws.roles.permissionsBoundaryARN` in both packages, or use separate roles for their administrators.",
  },
  "admin-policies-too-many": {
    severity: "error",
    cause:
      "The merged policies of an account are more than a role can have, or one of them is too long. No policy was merged.",
    cure: "Use several roles, each for some of the packages, and export the packages of each role by themselves.",
  },
  "admin-policy-unbounded": {
    severity: "warning",
    cause:
      "The policy for the administrator who applies an export, `admin-policy.json`, sets no permissions boundary. An administrator with this policy can create roles and policies, and can therefore do anything in the account.",
    cure: "Set `spec.platform.aws.roles.permissionsBoundaryARN`; the policy then allows only roles with that boundary.",
  },
  "admin-role-unbounded": {
    severity: "warning",
    cause:
      "The custom role for the administrator who applies an export, `admin-role.json`, contains the permission to grant roles. A custom role cannot limit which roles its holder grants, so an administrator with this role can do anything in the project or subscription.",
    cure: "Grant the role only while you apply an export, or only to the service account of a pipeline that applies reviewed exports.",
  },
  "allow-unmatched": {
    severity: "info",
    cause:
      "`--allow removal:<namespace>/<secret>` or the annotation `fn.cloudcredential.dev/allow` names something that was not rendered, or that was removed already.",
    cure: "If the name is misspelled, correct it. Otherwise, no action is needed.",
  },
  "bucket-name-invalid": {
    severity: "error",
    cause: "The bucket's name violates a naming rule of Amazon S3 or Cloud Storage.",
    cure: "Set the field in the message to a valid name.",
  },
  "documents-lost": {
    severity: "error",
    cause:
      "The configuration now says that the issuer's documents, its bucket or its provider are managed elsewhere. The package was rendered with them, and the cluster may still depend on them. If `removal`, or the removal of the ConfigMap that the message names, is allowed, this is a warning.",
    cure: "Undo the change. If something else now publishes the same documents at the issuer's URL, check it with `ccf check-issuer`, and allow the removal by the name in the message.",
  },
  "hosting-contradiction": {
    severity: "error",
    cause:
      "Fields that say where the documents and keys are published contradict each other, or a bucket that still serves a previous issuer would become private.",
    cure: "Remove the field that does not belong to this type of hosting, or give the new issuer its own bucket.",
  },
  "identity-id-collision": {
    severity: "error",
    cause:
      "Two requests would get the same service account, custom role or managed identity, because an override names it or a long name is truncated. Or two service accounts of a request would get the same federated credential.",
    cure: "Set another ID or name in the override that the message names, or rename a service account.",
  },
  "issuer-changed": {
    severity: "error",
    cause:
      "The package was rendered with a different issuer, and component identities would no longer trust that issuer. As soon as the change is applied, every component loses access until it gets a token from the new issuer. If `replace-issuer` is allowed, this is a warning.",
    cure: "Keep the old issuer as the message says; on AWS and Azure, add it to `spec.issuer.previous` while the cluster moves (docs/guides/migration.md). If the cluster does not exist yet, run `ccf render --allow replace-issuer DIR`.",
  },
  "issuer-contradiction": {
    severity: "error",
    cause: "`spec.issuer.url` is not the URL where the documents will be published.",
    cure: "Remove the URL, or publish the documents elsewhere.",
  },
  "no-service-account": {
    severity: "error",
    cause: "The request does not name a service account, so no pod could use its component identity.",
    cure: "Add the service account of its pods to `spec.serviceAccountNames` of the request. Or add it to `spec.overrides` of the ClusterIdentity, as the message shows: `<secret namespace>/<secret name>: {serviceAccountNames: [NAME]}`.",
  },
  "operator-role-differs": {
    severity: "error",
    cause:
      "The request of an OLM operator names a role, service account or client ID (`stsIAMRoleARN`, `serviceAccountEmail`, `azureClientID`) that is not the one that the package generates for the request. The cloud-credential-operator would create the Secret with the identity in the request, and nothing would use the generated one. If the package was rendered before and the value can be an earlier one of its own, this is a warning, and the value is replaced.",
    cure: "To use the identity in the request, name it in the configuration as the message says (`roleName`, `serviceAccountID`). Otherwise, remove the value from the request. If another tool manages the identity, set `skip: true` in the override of the request.",
  },
  "platform-changed": {
    severity: "error",
    cause:
      "The package was rendered for another cloud. Every component identity and Secret of that cloud would be removed. If `removal` is allowed, this is a warning.",
    cure: "Correct `spec.platform`. Create a separate package for a cluster on another cloud.",
  },
  "prefix-changed": {
    severity: "error",
    cause:
      "The package was rendered with a different `spec.resourcePrefix`, or with a different name if the prefix is derived from the name. The prefix is in the name or the owner tag of every cloud resource. Cloud resources cannot be renamed, so those with the old prefix would be orphaned but still trusted.",
    cure: "Set `spec.resourcePrefix` to the old prefix. To create a new set of resources, create a new package. If the package was never applied, delete the directory of its cloud and render again.",
  },
  "previous-issuer": {
    severity: "info",
    cause: "`spec.issuer.previous` contains an issuer, so every component identity still trusts it.",
    cure: "No action is needed while the cluster moves. After the move, remove the issuer as the message says.",
  },
  "request-owner-unknown": {
    severity: "error",
    cause:
      "A request has no `include.release.openshift.io/...` annotation, so it is not from a release, and nothing says to which operator it belongs: no Subscription is in the namespace of its Secret. If the package contains a Subscription to which no request belongs, this is an error, because it may be the operator's. Otherwise, it is a warning, if other requests of the package are from a release.",
    cure: "Set the annotation `fn.cloudcredential.dev/subscription` of the request to `<namespace>/<name>` of the operator's Subscription, or to `none` if no OLM operator needs the request.",
  },
  "request-without-permissions": {
    severity: "error",
    cause: "A request names neither roles nor permissions.",
    cure: "Add roles or permissions to `spec.providerSpec` of the request.",
  },
  "held-object-differs": {
    severity: "error",
    cause:
      "A rendered Secret or bundle ConfigMap stays as it is, because it is unknown whether the release has its request (`feature-gate-unknown`). It is not what the request would generate: it was edited, or the request or the configuration changed since.",
    cure: "Settle the feature gate as described for `feature-gate-unknown`, and render. Or undo the change: restore the object from Git, or the request that it was rendered from.",
  },
  "secret-lost": {
    severity: "error",
    cause:
      "A Secret would be removed, because the package does not contain the ID that the cloud assigned to its identity. That is a rendered Secret of the package, or, if the output is applied as a whole (kustomize, Argo CD, `ccf render --stdout`), a Secret of the cluster. In such an output, a Secret is also missing if its request depends on a feature gate of unknown state. If `removal` is allowed, this is a warning.",
    cure: "If the message names a feature gate, settle it as described for `feature-gate-unknown`. Otherwise, restore the ConfigMap with the IDs from Git, or correct the misspelled key in it. For new identities, apply the package with `ccf apply`, which stores them.",
  },
  "skipped-override": {
    severity: "info",
    cause: "An override in the ClusterIdentity excludes the request.",
    cure: "No action is needed.",
  },
  "subject-in-other-namespace": {
    severity: "warning",
    cause: "An override allows a service account outside the Secret's namespace to use the component identity.",
    cure: "Check that this is intended.",
  },
  "tag-invalid": {
    severity: "error",
    cause: "A tag violates a rule of the cloud, or has a key that `ccf` sets itself.",
    cure: "Correct or remove the tag.",
  },
  "terraform-address-invalid": {
    severity: "error",
    cause:
      "The name of a resource or of a module in Terraform is derived from a name in the package, and must start with a letter or `_`. Nothing was written.",
    cure: "Apply the package with `ccf apply`. If the message is about the ClusterIdentity, export without `--import`.",
  },
  "terraform-address-taken": {
    severity: "error",
    cause:
      "Two resources of the package would have the same address in Terraform, because names in Terraform have no dots. Nothing was written.",
    cure: "Rename one of the two, or apply the package with `ccf apply`.",
  },
  "terraform-import-incomplete": {
    severity: "info",
    cause:
      "The exported `import` blocks do not contain every resource: the provider cannot import a resource of this type, or the package does not contain the ID that the cloud assigned.",
    cure: 'If the resource exists, follow "Adopt existing resources" in docs/guides/terraform.md. Otherwise, no action is needed.',
  },
  "variable-invalid": {
    severity: "error",
    cause:
      "The annotation `credentials.openshift.io/role-arns-vars` of a request is not a comma-separated list of environment variable names (letters, digits and `_`, not starting with a digit). Or it names a variable that controls how programs start or what they connect to, such as `PATH`, `LD_PRELOAD`, `KUBECONFIG`, `HTTPS_PROXY`, `AWS_ENDPOINT_URL` or `GOOGLE_APPLICATION_CREDENTIALS`.",
    cure: "Correct the annotation, for example to `NODE_ROLEARN`. Do not use spaces.",
  },
  "workload-audience": {
    severity: "error",
    cause:
      "The tokens of the workload's pods have an audience that the cluster's provider does not accept, so the cloud would refuse every one of them.",
    cure: "Add the audience in the message to the end of `spec.issuer.audiences` in the ClusterIdentity.",
  },
  "facts-edited": {
    severity: "error",
    cause:
      "The package of a team was made with `ccf init --facts`, and its ClusterIdentity no longer has the digest of these facts: a field was edited, or the facts of two clusters were mixed. This is help, and no protection: who can change the package can change the digest, too.",
    cure: "Ask the owner of the cluster for the facts that `ccf export --format facts` writes, and replace the `spec` with them. A pipeline of the cluster's owner refuses other facts with `ccf apply --expect-facts`.",
  },
  "facts-workloads-only": {
    severity: "error",
    cause:
      "The package of a team contains a CredentialsRequest or a Subscription, but its functions generate the identities of workloads only.",
    cure: "Move the object to the package of the cluster.",
  },
} as const;
