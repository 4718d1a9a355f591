/** What is wrong with the acceptance of a violation. Rules have their own page. */
export const findings = {
  "accept-rule-unknown": {
    severity: "error",
    cause: "An entry of `spec.accept` names a rule that does not exist. What a generator refuses cannot be accepted.",
    cure: "Correct the code; the message names the nearest one.",
  },
  "accept-unknown": {
    severity: "warning",
    cause:
      "An object accepts a code that is not a rule of docs/reference/validation-rules.md. What a generator refuses cannot be accepted.",
    cure: "Correct the code; the message names the nearest one.",
  },
  "accept-unmatched": {
    severity: "warning",
    cause: "An entry of `spec.accept` names an object that does not exist.",
    cure: "Correct the name, or remove the entry; the message names the nearest object.",
  },
  "accept-unused": {
    severity: "warning",
    cause: "An object, or `spec.accept` of the ClusterIdentity, accepts a violation that no longer exists.",
    cure: "Remove the code from `fn.cloudcredential.dev/accept`, or the entry from `spec.accept`, so that it accepts nothing that comes later.",
  },
  "accept-without-reason": {
    severity: "error",
    cause:
      "An object accepts a rule's violation with `fn.cloudcredential.dev/accept`, or the ClusterIdentity does in `spec.accept`, and says no reason that can be read.",
    cure: "Write the reason into `fn.cloudcredential.dev/accept-reason`, or into `reason` of the entry. Until then nothing is accepted.",
  },
} as const;
