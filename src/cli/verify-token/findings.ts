/** What `ccf verify-token` does not find. */
export const findings = {
  "role-not-found": {
    severity: "error",
    cause: "`ccf verify-token` was asked for a role that neither the package nor a `--role-file` has.",
    cure: "Give the role's name or its whole ARN, or leave `--role` out: then every role is checked.",
  },
} as const;
