/** Findings about the acceptance of violations. The rules have their own page. */
export const explanations = {
  "accept-rule-unknown": {
    severity: "error",
    cause: "An entry of `spec.accept` names an unknown rule. Errors of a generator cannot be accepted.",
    cure: "Correct the code; the message suggests the closest match.",
  },
  "accept-unknown": {
    severity: "warning",
    cause: "An object accepts an unknown rule. Errors of a generator cannot be accepted.",
    cure: "Correct the code; the message suggests the closest match.",
  },
  "accept-unmatched": {
    severity: "warning",
    cause: "An entry of `spec.accept` names an object that does not exist.",
    cure: "Correct the name, or remove the entry; the message suggests the closest match.",
  },
  "accept-unused": {
    severity: "warning",
    cause: "An object, or `spec.accept` of the ClusterIdentity, accepts a violation that no longer exists.",
    cure: "Remove the code from `fn.cloudcredential.dev/accept`, or the entry from `spec.accept`, so that it does not accept future violations.",
  },
  "accept-without-reason": {
    severity: "error",
    cause:
      "An object accepts a rule's violation with `fn.cloudcredential.dev/accept`, or the ClusterIdentity does in `spec.accept`, without a readable reason.",
    cure: "Write the reason into `fn.cloudcredential.dev/accept-reason`, or into `reason` of the entry. Without a reason nothing is accepted.",
  },
} as const;
