/** Findings about the roles of OLM operators. */
export const findings = {
  "role-arn-replaced": {
    severity: "warning",
    cause:
      "`spec.providerSpec.stsIAMRoleARN` of a request named a role other than the one that is generated for the request.",
    cure: "In the review, check which role is intended. To keep the name of the old role, set `roleName` in an override.",
  },
  "token-path-missing": {
    severity: "warning",
    cause:
      "A request has a role, or will get one, but no `spec.cloudTokenPath`. The cloud-credential-operator would then use the path of the pod's API server token, which AWS refuses.",
    cure: "A render sets the field to the cluster's path; check that the operator mounts its token there. If you are the author of the operator, set the field in the request.",
  },
  "variable-invalid": {
    severity: "error",
    cause:
      "The annotation `credentials.openshift.io/role-arns-vars` of a request is not a comma-separated list of environment variable names (letters, digits and `_`, not starting with a digit). Or it names a variable that controls how programs start or what they connect to, such as `PATH`, `LD_PRELOAD`, `KUBECONFIG`, `HTTPS_PROXY` or `AWS_ENDPOINT_URL`.",
    cure: "Correct the annotation, for example to `NODE_ROLEARN`. Do not use spaces.",
  },
} as const;
