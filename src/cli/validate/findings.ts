/** Findings of `ccf validate`. */
export const explanations = {
  "policy-misplaced": {
    severity: "warning",
    cause:
      "A package contains a ReviewPolicy that `ccf validate` does not read, because it is in another file than `review-policy.yaml` in the directory of the package. Or it contains one without the annotation that keeps it out of the cluster.",
    cure: 'Move the policy to `review-policy.yaml`, preferably above all packages ([company-policy.md](../guides/company-policy.md)), or add the annotation `config.kubernetes.io/local-config: "true"`.',
  },
} as const;
