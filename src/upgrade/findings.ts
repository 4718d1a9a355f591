/** What keeps rendered permissions from being compared. */
export const findings = {
  "role-unreadable": {
    severity: "error",
    cause: "A bundle below `aws/roles` is not as it was rendered, so that its role's permissions are unknown.",
    cure: "Run `ccf render DIR`, or take the file back from Git.",
  },
} as const;
