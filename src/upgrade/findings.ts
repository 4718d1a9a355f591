/** What keeps rendered permissions from being compared. */
export const findings = {
  "role-unreadable": {
    severity: "error",
    cause: "A bundle below `aws/roles` is not as it is rendered, so that nobody can say what its role may do.",
    cure: "Run `ccf render DIR`, or take the file back from Git.",
  },
} as const;
