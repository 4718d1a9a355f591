/** What is said of the roles of OLM operators. */
export const findings = {
  "role-arn-replaced": {
    severity: "warning",
    cause: "`spec.providerSpec.stsIAMRoleARN` of a request was another role than the one that is made for it.",
    cure: "In a review, check which is meant. An override of the config can give the role another name.",
  },
  "token-path-missing": {
    severity: "warning",
    cause:
      "A request had a role, or is to have one, and no `spec.cloudTokenPath`; the cloud-credential-operator would name the token for the API server in its place, which AWS refuses.",
    cure: "For a render none is needed, the cluster's path is written; check that the operator mounts its token there. An author writes the path into the request.",
  },
  "variable-invalid": {
    severity: "error",
    cause:
      "The annotation `credentials.openshift.io/role-arns-vars` of a request does not hold names of environment variables with commas between them: letters, digits and `_`, no digit first. Or it names a variable that says how programs start or whom they talk to, such as `PATH`, `LD_PRELOAD`, `KUBECONFIG`, `HTTPS_PROXY` or `AWS_ENDPOINT_URL`.",
    cure: "Correct it, such as `NODE_ROLEARN`, without spaces.",
  },
} as const;
