/** Findings about the managed identities of OLM operators. */
export const explanations = {
  "managed-identity-replaced": {
    severity: "warning",
    cause: "A request named a client ID, tenant, subscription or region other than the one that is generated for it.",
    cure: "In the review, check which one is intended.",
  },
} as const;
