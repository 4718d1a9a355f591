/** Findings of `ccf validate`. */
export const explanations = {
  "policy-documents-account": {
    severity: "error",
    cause:
      "The files of `--policy-documents` contain customer managed policies of other accounts only, while a role of the package has a policy or a permissions boundary of its own account. The documents say nothing about the cluster.",
    cure: "Run the command of `ccf validate --help` in the account of the cluster, and pass its output. For packages of several accounts, pass a file for each account.",
  },
  "policy-misplaced": {
    severity: "warning",
    cause:
      "A package contains a ReviewPolicy that `ccf validate` does not read, because it is in another file than `review-policy.yaml` in the directory of the package. Or it contains one without the annotation that keeps it out of the cluster.",
    cure: 'Move the policy to `review-policy.yaml`, preferably above all packages ([company-policy.md](../guides/company-policy.md)), or add the annotation `config.kubernetes.io/local-config: "true"`.',
  },
} as const;
