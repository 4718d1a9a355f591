/** Findings about the acceptance of violations, and about the policy of a company. The rules have their own page. */
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
  "policy-forbidden": {
    severity: "error",
    cause:
      "The package has something that the company's ReviewPolicy forbids, such as an action or a role. The message names the line of the policy.",
    cure: "Remove it from the request or from the ClusterIdentity, and render again. If the cluster needs it, ask the owners of the policy for an entry in `spec.accepted`. Packages cannot accept this finding.",
  },
  "policy-invalid": {
    severity: "error",
    cause:
      "The company's ReviewPolicy is not valid: it is not one object of this kind, has an unknown field or a wrong value, or names an unknown rule. Nothing was validated with it.",
    cure: "Correct the policy ([review-policy.schema.json](../../schemas/review-policy.schema.json), [company-policy.md](../guides/company-policy.md)).",
  },
  "policy-required": {
    severity: "error",
    cause:
      "The package lacks something that the company's ReviewPolicy requires. The message names the line of the policy.",
    cure: "Set the field in the ClusterIdentity, and render again. If the cluster cannot have it, ask the owners of the policy for an entry in `spec.accepted`. Packages cannot accept this finding.",
  },
  "policy-undecided": {
    severity: "error",
    cause:
      "It cannot be decided whether the package follows the company's ReviewPolicy: a file or a statement has a form that cannot be compared, or the package only names a policy or a role that another document defines. The message names the line of the policy.",
    cure: "Write the statement in a form that can be compared, or remove what the package only names. Otherwise, ask the owners of the policy for an entry in `spec.accepted`. Packages cannot accept this finding.",
  },
} as const;
