/** Findings about what `ccf verify-token` cannot find. */
export const explanations = {
  "identity-not-found": {
    severity: "error",
    cause: "The component identity given with `--identity` is not in the package or in an `--identity-file`.",
    cure: "Give its name or its whole ID, such as the email address of a service account. Or omit `--identity` to check every identity.",
  },
} as const;
