/** Findings about rendered managed identities whose permissions cannot be compared. */
export const explanations = {
  "managed-identity-unreadable": {
    severity: "error",
    cause:
      "A bundle in `azure/identities` has been changed and cannot be read as a managed identity, so its permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;
