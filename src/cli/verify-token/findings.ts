/** Findings about what `ccf verify-token` cannot find. */
export const findings = {
  "role-not-found": {
    severity: "error",
    cause: "The role given with `--role` is not in the package or in a `--role-file`.",
    cure: "Give the role's name or its whole ARN, or omit `--role` to check every role.",
  },
} as const;
