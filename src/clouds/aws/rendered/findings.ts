/** Findings about rendered roles whose permissions cannot be compared. */
export const explanations = {
  "role-unreadable": {
    severity: "error",
    cause:
      "A bundle in `aws/roles` has been changed and cannot be read as a role, so the role's permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;
