/** Findings about rendered service accounts whose permissions cannot be compared. */
export const explanations = {
  "service-account-unreadable": {
    severity: "error",
    cause:
      "A bundle in `gcp/identities` has been changed and cannot be read as a service account, so its permissions are unknown.",
    cure: "Run `ccf render DIR`, or restore the file from Git.",
  },
} as const;
