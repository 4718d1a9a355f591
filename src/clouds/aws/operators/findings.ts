/** Findings about the roles of OLM operators. */
export const explanations = {
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
} as const;
