/** Findings about a cluster on any cloud. */
export const findings = {
  "admin-policy-unbounded": {
    severity: "warning",
    cause:
      "The policy for the administrator who applies an export, `admin-policy.json`, sets no permissions boundary. An administrator with this policy can create roles and policies, and can therefore do anything in the account.",
    cure: "Set `spec.platform.aws.roles.permissionsBoundaryARN`; the policy then allows only roles with that boundary.",
  },
  "admin-role-unbounded": {
    severity: "warning",
    cause:
      "The custom role for the administrator who applies an export for GCP, `admin-role.json`, includes `resourcemanager.projects.setIamPolicy`. A custom role cannot limit which roles its holder grants, so an administrator with this role can do anything in the project.",
    cure: "Grant the role only while you apply an export, or only to the service account of a pipeline that applies reviewed exports.",
  },
  "bucket-name-invalid": {
    severity: "error",
    cause: "The bucket's name violates a naming rule of Amazon S3 or Cloud Storage.",
    cure: "Set the field in the message to a valid name.",
  },
  "hosting-contradiction": {
    severity: "error",
    cause:
      "Fields that say where the documents and keys are published contradict each other, or a bucket that still serves a previous issuer would become private.",
    cure: "Remove the field that does not belong to the way of hosting, or give the new issuer its own bucket.",
  },
  "issuer-changed": {
    severity: "error",
    cause:
      "The package was rendered with a different issuer, and component identities would no longer trust that issuer. As soon as the change is applied, every component loses access until it gets a token from the new issuer. If `replace-issuer` is allowed, this is a warning.",
    cure: "Keep the old issuer as the message says; on AWS, add it to `spec.issuer.previous` while the cluster moves (docs/guides/migration.md). If the cluster does not exist yet, run `ccf render --allow replace-issuer DIR`.",
  },
  "issuer-contradiction": {
    severity: "error",
    cause: "`spec.issuer.url` is not the URL where the documents will be published.",
    cure: "Remove the URL, or publish the documents elsewhere: `issuerHosting.type: External` on AWS, `keyStorage: External` on GCP.",
  },
  "no-service-account": {
    severity: "error",
    cause: "The request does not name a service account, so no pod could use its component identity.",
    cure: "Add the service account of its pods to `spec.serviceAccountNames` of the request. Or add it to `spec.overrides` of the ClusterIdentity, as the message shows: `<secret namespace>/<secret name>: {serviceAccountNames: [NAME]}`.",
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
    cure: "Set `spec.resourcePrefix` to the old prefix. To create a new set of resources, create a new package. If the package was never applied, delete its directory `aws` or `gcp` and render again.",
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
  "variable-invalid": {
    severity: "error",
    cause:
      "The annotation `credentials.openshift.io/role-arns-vars` of a request is not a comma-separated list of environment variable names (letters, digits and `_`, not starting with a digit). Or it names a variable that controls how programs start or what they connect to, such as `PATH`, `LD_PRELOAD`, `KUBECONFIG`, `HTTPS_PROXY`, `AWS_ENDPOINT_URL` or `GOOGLE_APPLICATION_CREDENTIALS`.",
    cure: "Correct the annotation, for example to `NODE_ROLEARN`. Do not use spaces.",
  },
} as const;
